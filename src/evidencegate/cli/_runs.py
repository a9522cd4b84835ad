"""`evidencegate runs`: list, show, resume, replay, diff."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from evidencegate.cli._app import Json, app, commands
from evidencegate.cli._options import Exported
from evidencegate.cli._output import emit_json, guarded, listed, note, write

if TYPE_CHECKING:
    from evidencegate.report import RunDiff
    from evidencegate.runs import Ledger

runs = commands("What was asked before: resume it, replay it, compare it.")
app.add_typer(runs, name="runs")

RunId = Annotated[str, typer.Argument(metavar="RUN", help="The id of a run; `runs list` shows them.")]


@runs.command("list")
def list_(
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many, newest first.")] = 20, as_json: Json = False
) -> None:
    """The latest runs."""
    with guarded("runs list", as_json=as_json), _ledger() as ledger:
        infos = ledger.list(limit=limit)
        if as_json:
            emit_json("runs list", {"runs": [info.to_json() for info in infos]})
            return
        for info in infos:
            said = str(info.inputs.get("question") or info.inputs.get("text") or "")
            write(f"{info.id}  {info.status:<11}  {info.command:<8}  {' '.join(said.split())[:80]}")
        if not infos:
            note("no runs yet")


@runs.command()
def show(run: RunId, as_json: Json = False) -> None:
    """One run: what was asked, what happened, what it cost, and (with --json) what was shown."""
    with guarded("runs show", as_json=as_json), _ledger() as ledger:
        if as_json:
            from evidencegate.runs import run_json

            emit_json("runs show", run_json(ledger, run))
            return
        info = ledger.get(run)
        summary = info.to_json()
        usage, inputs = summary.pop("usage"), summary.pop("inputs")
        write(listed({**summary, **inputs, **usage}))
        write("")
        for event in ledger.events(run):
            write(f"{event.at}  {event.message}")


@runs.command()
def resume(
    run: RunId,
    max_seconds: Annotated[
        float | None,
        typer.Option(min=0, help="The seconds of the whole run, with those it took; else the limit it was begun with."),
    ] = None,
    max_money: Annotated[
        float | None,
        typer.Option(min=0, help="The same in US dollars, estimated; never more than what was said."),
    ] = None,
    output: Exported = None,
    as_json: Json = False,
) -> None:
    """Finish a run that was killed, failed or ran out of its budget; what was done is not asked for again."""
    with guarded("runs resume", as_json=as_json):
        from evidencegate import _api
        from evidencegate.cli._ask import present, writable

        writable(output)
        shown = _api.resume(run, max_seconds=max_seconds, max_money=max_money, progress=note)
        present(shown, output, as_json=as_json)


@runs.command()
def replay(run: RunId, output: Exported = None, as_json: Json = False) -> None:
    """Make the answer of a run again from its ledger alone: no network, the same bytes."""
    with guarded("runs replay", as_json=as_json):
        from evidencegate import _api
        from evidencegate.cli._ask import present, writable

        writable(output)
        present(_api.replay(run), output, as_json=as_json)


@runs.command()
def diff(
    before: Annotated[str, typer.Argument(metavar="A", help="The earlier run.")],
    after: Annotated[str, typer.Argument(metavar="B", help="The later run.")],
    as_json: Json = False,
) -> None:
    """What changed in the evidence from run A to run B."""
    with guarded("runs diff", as_json=as_json), _ledger() as ledger:
        from evidencegate.report import diff_runs

        changed = diff_runs(ledger, before, after)
        if as_json:
            emit_json("runs diff", changed.to_json())
        else:
            write("\n".join(_lines(changed)))


def _lines(changed: "RunDiff") -> Iterator[str]:
    """The differences in words, each with its sign."""
    if changed.same:
        yield "nothing changed"
        return
    first, second = (side["score"] for side in changed.sufficiency)
    yield f"sufficiency {first:g} → {second:g} of 100"
    for notice in changed.notices:
        yield f"! {notice.document.id} {notice.before} → {notice.after}: {notice.document.title}"
    for name, sides, field in (
        ("record", changed.records, "title"),
        ("reference", changed.references, "title"),
        ("sentence", changed.sentences, "text"),
        ("contradiction", changed.contradictory, "text"),
    ):
        for sign, part in (("+", sides.new), ("-", sides.gone)):
            for one in part:
                where = one["document"] if "document" in one else ", ".join(one["documents"])
                yield f"{sign} {name} {where}: {one[field]}"
    for search in changed.searches:
        ends = [
            f"{s['status']}, {s['records']} records" if s else "not done" for s in (search["before"], search["after"])
        ]
        yield f"  search {search['source']} `{search['query']}`: {ends[0]} → {ends[1]}"


@contextmanager
def _ledger() -> "Iterator[Ledger]":
    """The ledger of the settings, as `ask` writes it."""
    from contextlib import closing

    from evidencegate.runs import Ledger
    from evidencegate.settings import load

    with closing(Ledger(load().ledger_url())) as ledger:
        yield ledger
