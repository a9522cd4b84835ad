"""Does a passage support the opposite of a claim? Proved by agreement, rejected on any doubt (rule 5)."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from evidencegate.counter._figures import borne_out
from evidencegate.counter._grammar import grammar
from evidencegate.counter._matter import matter
from evidencegate.counter._said import in_plain_words
from evidencegate.counter._telling import Telling, telling
from evidencegate.counter._types import Counterfactual, Ground, Opposite, Statement
from evidencegate.counter._verbs import main_verb
from evidencegate.models.language import InLoop, LanguageModel
from evidencegate.models.stance import Label, Reason, ReasonCode, Stance, StanceModel, Validation, read, validate_all
from evidencegate.runs import Run

_log = logging.getLogger(__name__)
_UNREAD = Stance(0.0, 0.0, 1.0, reader="none")
_TITLED = 0.8
"""How surely a title says what the claim says for nothing under it to be its contradiction."""
_EFFECTS = (Opposite.AFFIRMATION, Opposite.REVERSAL, Opposite.COMPARATOR)
"""Statements that something happens."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision on one passage: the statement that decided it, its validation, and the kind of a rejection."""

    statement: Statement
    validation: Validation
    ground: Ground | None = None
    """None exactly where the passage is accepted."""

    def __post_init__(self) -> None:
        if self.validation.accepted == (self.ground is not None):
            raise ValueError("a rejection has its kind, an acceptance none")

    @property
    def supports_claim(self) -> bool:
        """Whether the passage reads as support of the claim itself."""
        to_claim = self.validation.to_claim
        return to_claim is not None and to_claim.label is Label.SUPPORTS


def validate(counterfactual: Counterfactual, passages: Sequence[tuple[str, str]], model: StanceModel) -> list[Verdict]:
    """Each passage (text, context such as its title) against every statement of a claim and the claim itself.

    A passage is accepted if it supports one of the statements and not the claim, and if those of its sentences that
    can decide about the claim (`telling`) do so without the others. Whatever goes wrong, it is rejected and the
    reason says what.

    Raises:
        ValueError: the claim has no statement.
    """
    statements = counterfactual.statements
    if not statements:
        raise ValueError("a claim without a statement cannot be validated against")
    told = [telling(counterfactual.claim, text, context) for text, context in passages]
    asked = [i for i, one in enumerate(told) if one.sentences]
    claim = counterfactual.claim
    texts = [in_plain_words(passages[i][0], passages[i][1], claim) for i in asked]
    whole = dict(zip(asked, judged(claim, statements, texts, model), strict=True))
    again = [i for i in asked if whole[i].validation]
    texts = [in_plain_words(told[i].text, passages[i][1], claim) for i in again]
    alone = judged(claim, statements, texts, model)
    titles = _same_as_title(claim, [passages[i][1].split("\n\n", maxsplit=1)[0] for i in again], model)
    for i, decided, titled in zip(again, alone, titles, strict=True):
        if titled is None:
            whole[i] = _deciding(claim, whole[i], decided, told[i])
        else:
            whole[i] = _refused(whole[i].statement, whole[i].validation, titled)
    return [
        whole[i] if i in whole else _rejected(statements[0], one.ground or Ground.STANCE, f"the passage {one.reason}")
        for i, one in enumerate(told)
    ]


def _deciding(claim: str, whole: Verdict, alone: Verdict, told: Telling) -> Verdict:
    """What a passage was accepted for, if the sentences that can decide say it themselves, and surely."""
    shown = borne_out(claim, matter(claim), told.sentences)
    if shown is not None:
        return _refused(whole.statement, whole.validation, f"its figures support the claim: {shown}")
    if not alone.validation:
        reason = f"no sentence that can decide says this: {alone.validation.reason}"
        return _refused(alone.statement, alone.validation, reason, Ground.ELSEWHERE_IN_PASSAGE)
    if alone.statement.opposite in _EFFECTS and all(read(text).significant is False for text in told.sentences):
        reason = "the passage calls this not significant"
        return _rejected(alone.statement, Ground.NOT_SIGNIFICANT, reason)
    return min(whole, alone, key=lambda verdict: verdict.validation.confidence)


def _same_as_title(claim: str, titles: Sequence[str], model: StanceModel) -> list[str | None]:
    """Of each title whether it says what the claim says ("Coffee reduces the risk of ..."), as the reason to refuse.

    A question says nothing, and the claim itself in place of a title is no finding of a study.
    """
    stated = (title for title in dict.fromkeys(titles) if "?" not in title and title.strip(" .") != claim.strip(" ."))
    distinct = [title for title in stated if main_verb(title, grammar())]
    try:
        answers = model.judge([(claim, title) for title in distinct]) if distinct else []
        said = {title for title, stance in zip(distinct, answers, strict=True) if stance.supports >= _TITLED}
    except Exception as error:  # noqa: BLE001
        _log.warning("the stance reader failed: %s", type(error).__name__)
        return [f"could not be judged ({type(error).__name__}: {error})"] * len(titles)
    return ["the title says what the claim says" if title in said else None for title in titles]


def _refused(statement: Statement, answer: Validation, reason: str, ground: Ground = Ground.STANCE) -> Verdict:
    """A rejection for a reason of its own, with what was read."""
    refused = Validation(False, answer.confidence, reason, answer.to_statement, answer.to_claim)
    return Verdict(statement, refused, ground)


def judged(claim: str, statements: Sequence[Statement], passages: Sequence[str], model: StanceModel) -> list[Verdict]:
    """`validate` without asking what the passages are about."""
    triples = [(text, statement.text, claim) for text in passages for statement in statements]
    try:
        # A reader of somebody else's may fail in any way: nothing of that may accept a passage.
        answers = validate_all(triples, model=_Once(model)) if triples else []
        if len(answers) != len(triples):
            raise ValueError(f"{len(triples)} pairs were asked and {len(answers)} answered")
    except Exception as error:  # noqa: BLE001
        _log.warning("the stance reader failed: %s", type(error).__name__)
        reason = f"could not be judged ({type(error).__name__}: {error})"
        return [_rejected(statements[0], Ground.STANCE, reason) for _ in passages]
    width = len(statements)
    return [_best(statements, answers[i * width : (i + 1) * width]) for i in range(len(passages))]


def _best(statements: Sequence[Statement], answers: Sequence[Validation]) -> Verdict:
    """The statement that a passage supports most; of rejections the one on the plainest statement."""
    accepted = [(answer.confidence, -i) for i, answer in enumerate(answers) if answer]
    at = -max(accepted)[1] if accepted else 0
    return Verdict(statements[at], answers[at], None if answers[at] else Ground.STANCE)


def _rejected(statement: Statement, ground: Ground, reason: str) -> Verdict:
    """A rejection that no reader was asked for."""
    return Verdict(statement, Validation(False, 0.0, reason, _UNREAD, None), ground)


@dataclass(slots=True)
class _Once:
    """A stance model that is asked each pair once: every statement of a passage asks for the claim again."""

    model: StanceModel

    @property
    def name(self) -> str:
        return self.model.name

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        distinct = list(dict.fromkeys(pairs))
        answers = self.model.judge(distinct)
        if len(answers) != len(distinct):
            raise ValueError(f"{len(distinct)} pairs were asked and {len(answers)} answered")
        known = dict(zip(distinct, answers, strict=True))
        return [known[pair] for pair in pairs]


async def validated(
    counterfactual: Counterfactual,
    passages: Sequence[tuple[str, str]],
    model: StanceModel,
    run: Run,
    *,
    second: LanguageModel | None = None,
) -> list[Verdict]:
    """`validate` as a step of a run, kept under the content; what it accepts is read again by `second`, where given.

    Both must accept. A second reader that cannot be reached rejects, and the reason says so.
    """
    first = await _kept_step(
        "validate", model.name, counterfactual, passages, run, lambda: validate(counterfactual, passages, model)
    )
    chosen = [i for i, verdict in enumerate(first) if verdict.validation]
    if second is None or not chosen:
        return first
    from evidencegate.models.stance import LanguageModelReader

    reader = LanguageModelReader(InLoop(second, run, asyncio.get_running_loop()))
    again = await asyncio.to_thread(
        judged,
        counterfactual.claim,
        counterfactual.statements,
        [passages[i][0] for i in chosen],
        reader,
    )
    joined = list(first)
    for i, verdict in zip(chosen, again, strict=True):
        joined[i] = _agreed(first[i], verdict, second.name)
    return joined


def _agreed(first: Verdict, second: Verdict, name: str) -> Verdict:
    if second.validation:
        return min(first, second, key=lambda verdict: verdict.validation.confidence)
    reason = f"the second reader, {name}, does not agree: {second.validation.reason}"
    return _refused(first.statement, second.validation, reason)


async def _kept_step(
    name: str,
    reader: str,
    counterfactual: Counterfactual,
    passages: Sequence[tuple[str, str]],
    run: Run,
    work: Any,
) -> list[Verdict]:
    said = [counterfactual.claim, *(statement.text for statement in counterfactual.statements)]
    content = sha256("\0".join([*said, *(part for pair in passages for part in pair)]).encode("utf-8", "replace"))

    async def compute() -> list[Verdict]:
        found: list[Verdict] = await asyncio.to_thread(work)
        return found

    return await run.step(
        name,
        [reader, content.hexdigest()],
        compute,
        dump=lambda verdicts: [_dump(counterfactual, verdict) for verdict in verdicts],
        load=lambda kept: [_load(counterfactual, one) for one in kept],
    )


def _dump(counterfactual: Counterfactual, verdict: Verdict) -> dict[str, Any]:
    return {
        "at": counterfactual.statements.index(verdict.statement),
        "ground": verdict.ground,
        **asdict(verdict.validation),
    }


def _load(counterfactual: Counterfactual, kept: dict[str, Any]) -> Verdict:
    validation = Validation(
        accepted=kept["accepted"],
        confidence=kept["confidence"],
        reason=kept["reason"],
        to_statement=_stance(kept["to_statement"]),
        to_claim=None if kept["to_claim"] is None else _stance(kept["to_claim"]),
    )
    ground = Ground(kept["ground"]) if kept["ground"] is not None else None
    return Verdict(counterfactual.statements[kept["at"]], validation, ground)


def _stance(kept: dict[str, Any]) -> Stance:
    reasons = tuple(
        Reason(
            ReasonCode(one["code"]),
            one["detail"],
            None if one["toward"] is None else Label(one["toward"]),
            _span(one["claim"]),
            _span(one["passage"]),
        )
        for one in kept["reasons"]
    )
    return Stance(kept["supports"], kept["refutes"], kept["neutral"], _span(kept["sentence"]), reasons, kept["reader"])


def _span(kept: Sequence[int] | None) -> tuple[int, int] | None:
    return None if kept is None else (kept[0], kept[1])
