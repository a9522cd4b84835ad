"""The same calls as the top-level package, awaitable."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evidencegate._searching import Searched
    from evidencegate.counter import CounterReport, Overrule
    from evidencegate.library import Library
    from evidencegate.models.language import LanguageModel
    from evidencegate.question import Edits
    from evidencegate.report import Answer, Audience, Report
    from evidencegate.verify import Checked

__all__ = ["ask", "counter", "replay", "report", "resume"]


async def ask(
    question: str,
    *,
    libraries: "Sequence[str | Path | Library]" = (),
    sources: Sequence[str] | None = None,
    offline: bool = False,
    fresh: bool = False,
    audience: "str | Audience" = "professional",
    packs: Path | None = None,
    model: "str | LanguageModel | None" = None,
    base_url: str | None = None,
    edits: "Edits | None" = None,
    full_text: bool | None = None,
    max_seconds: float | None = None,
    ledger: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> "Answer":
    """Answer a clinical question.

    With `libraries` those are searched, and the live `sources` that are named; without, the default live sources are.
    `offline` asks nothing over the network and uses the replies kept from before; `fresh` asks again for what is
    kept. `packs` is a directory with anchor packs besides our own. `model` (`provider:model`, at `base_url` where
    that is given) writes the direct answer, of which is shown what its citations support; without one it is made of
    the records' own sentences. After `max_seconds` nothing more is asked: the answer is `partial`, from what was
    found by then. `edits` is what the asker changed of how the question is understood (`evidencegate.question.Edits`).
    With `full_text` the open articles among the records chosen are read as a whole, up to five of them (the setting
    of that name where None).
    `ledger` is the database URL of the run ledger (the settings' where None). `progress` is told what happens.

    Raises:
        InvalidInput: the question cannot be worked on, or a library is not there; the message says what to do.
        UnknownName: there is no such source.
    """
    from evidencegate._asking import COMMAND, Asked, answer_in
    from evidencegate._ledger import open_ledger
    from evidencegate._means import model_of
    from evidencegate._places import each
    from evidencegate.runs import Limits

    writer = model_of(model, base_url, offline=offline)
    libraries = each(libraries)
    asked = Asked.of(
        question,
        libraries=libraries,
        sources=sources,
        offline=offline,
        fresh=fresh,
        audience=audience,
        packs=packs,
        model=writer,
        base_url=base_url,
        edits=edits,
        full_text=full_text,
    )
    with open_ledger(ledger) as kept:
        run = Limits(max_seconds=max_seconds).start(kept, COMMAND, asked.to_json(), watch=progress)
        return await answer_in(run, asked, libraries, writer)


async def report(
    topic: str,
    *,
    libraries: "Sequence[str | Path | Library]" = (),
    sources: Sequence[str] | None = None,
    offline: bool = False,
    fresh: bool = False,
    audience: "str | Audience" = "professional",
    packs: Path | None = None,
    outline: Sequence[str] | None = None,
    model: "str | LanguageModel | None" = None,
    base_url: str | None = None,
    edits: "Edits | None" = None,
    full_text: bool | None = None,
    drop_unsupported: bool = False,
    max_seconds: float | None = None,
    max_money: float | None = None,
    ledger: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> "Report":
    """Write a report on a topic, in sections with their own searches, and one reference list.

    Sources, `audience`, `packs`, `edits` and `full_text` are as in `ask`. `outline` names the sections; without it
    they are made by rules from the topic. `model` (`provider:model`, at `base_url` where that is given) writes what is
    then checked sentence by sentence; without one the sentences are the records' own. What nothing supports is listed
    as such, or left out with `drop_unsupported`. `max_seconds` and `max_money` (US dollars, estimated) are hard
    limits: the report is `partial` where they end it.

    Raises:
        InvalidInput: the topic or the outline cannot be worked on, or a library is not there.
        UnknownName: there is no such source or model.
        MissingExtra: the model needs the extra `llm`.
    """
    from evidencegate._asking import Asked
    from evidencegate._ledger import open_ledger
    from evidencegate._means import model_of
    from evidencegate._places import each
    from evidencegate._reporting import COMMAND, Wanted, report_in
    from evidencegate.runs import Limits

    writer = model_of(model, base_url, offline=offline)
    libraries = each(libraries)
    wanted = Wanted(
        asked=Asked.of(
            topic,
            libraries=libraries,
            sources=sources,
            offline=offline,
            fresh=fresh,
            audience=audience,
            packs=packs,
            model=writer,
            base_url=base_url,
            edits=edits,
            full_text=full_text,
        ),
        headings=None if outline is None else tuple(outline),
        drop_unsupported=drop_unsupported,
    )
    limits = Limits(max_seconds=max_seconds, max_money=max_money)
    with open_ledger(ledger) as kept:
        run = limits.start(kept, COMMAND, wanted.to_json(), watch=progress)
        return await report_in(run, wanted, libraries, writer)


async def resume(
    run: str,
    *,
    max_seconds: float | None = None,
    max_money: float | None = None,
    ledger: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> "Answer | Report | CounterReport | Checked | Searched":
    """Finish a run of any command that was killed, failed, was interrupted or ran out of its budget.

    What it had done is read from its ledger, and nobody is asked for it again. A run that is done is shown again.
    The limits it was begun with hold again, unless others are given: `max_seconds` and `max_money` are for the whole
    run, with what it took before. Seconds that ended it are over; money is never spent beyond what was said.

    Raises:
        UnknownName: there is no such run.
        InvalidInput: it is a run of another command, or its money is used up.
    """
    from evidencegate._ledger import open_ledger
    from evidencegate._taking_up import resumed
    from evidencegate.runs import Limits, Run

    with open_ledger(ledger, kept=True) as kept:
        info = kept.get(run)
        limits = Limits.renewed(kept, info, Limits(max_seconds=max_seconds, max_money=max_money))
        again = Run.again(kept, run, budget=limits.budget(info.usage), watch=progress)
        shown: Answer | Report | CounterReport | Checked | Searched = await resumed(kept, info, again)
        return shown


async def replay(
    run: str, *, ledger: str | None = None, progress: Callable[[str], None] | None = None
) -> "Answer | Report | CounterReport | Checked | Searched":
    """Make what a run showed again from its ledger alone: no network, no library, and the same bytes as JSON.

    Raises:
        UnknownName: there is no such run.
        InvalidInput: it is a run of another command, or one that showed nothing yet.
        EvidenceGateError: what comes out differs from what was shown, since EvidenceGate or its models changed.
    """
    from evidencegate._ledger import open_ledger
    from evidencegate._taking_up import replayed
    from evidencegate.runs import Mode, Run

    with open_ledger(ledger, kept=True) as kept:
        again = Run.again(kept, run, mode=Mode.REPLAY, watch=progress)
        shown: Answer | Report | CounterReport | Checked | Searched = await replayed(again, kept.get(run))
        return shown


async def counter(
    text: str,
    *,
    statement: str | None = None,
    libraries: "Sequence[str | Path | Library]" = (),
    sources: Sequence[str] | None = None,
    offline: bool = False,
    model: "str | LanguageModel | None" = None,
    base_url: str | None = None,
    overrules: "Sequence[Overrule]" = (),
    limit: int | None = None,
    ledger: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> "CounterReport":
    """Find the literature that supports the opposite of a claim, or of the main claims of a text.

    Sources are chosen as in `ask`. `statement` says what would contradict the text, taken as one claim; without it
    statements are made by rules, and by `model` (`provider:model`, at `base_url` where that is given), which is
    then the second reader as well: what the local stance model accepts must convince it too. `overrules` are a
    user's decisions about passages of an earlier run; they are recorded, shown apart and counted for nothing.
    `limit` is the most claims examined.

    Raises:
        InvalidInput: there is no claim in the text, or a library is not there; the message says what to do.
        UnknownName: there is no such source or model.
        MissingExtra: the model needs the extra `llm`.
    """
    from evidencegate._asking import Asked
    from evidencegate._countering import COMMAND, Examined, examine_in
    from evidencegate._ledger import open_ledger
    from evidencegate._means import model_of
    from evidencegate._places import each
    from evidencegate.runs import Run

    second = model_of(model, base_url, offline=offline)
    libraries = each(libraries)
    examined = Examined(
        asked=Asked.of(text, libraries=libraries, sources=sources, offline=offline, model=second, base_url=base_url),
        statement=statement,
        overrules=tuple(overrules),
        limit=limit,
    )
    with open_ledger(ledger) as kept:
        run = Run.start(kept, COMMAND, examined.to_json(), watch=progress)
        return await examine_in(run, examined, libraries, second)
