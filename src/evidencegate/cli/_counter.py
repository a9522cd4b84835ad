"""`evidencegate counter`: what literature supports the opposite of a claim?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evidencegate.cli._app import Json, app
from evidencegate.cli._input import standard_input
from evidencegate.cli._options import BaseUrl, Libraries, Offline, Saved, Sources
from evidencegate.cli._output import Exit, as_json_text, check_output, emit_json, guarded, leave, note, save, write

if TYPE_CHECKING:
    from evidencegate.counter import CounterReport

_LONGEST_PATH = 1024


@app.command()
def counter(
    claim: Annotated[str, typer.Argument(help="A claim in quotes, a text file or report, or - for stdin.")],
    statement: Annotated[
        str | None, typer.Option("--statement", help="What would contradict the claim, in your own words.")
    ] = None,
    library: Libraries = None,
    source: Sources = None,
    offline: Offline = False,
    claims: Annotated[int, typer.Option(min=1, max=100, help="The most claims of a text that are examined.")] = 10,
    model: Annotated[
        str | None, typer.Option(help="A second reader that must agree: provider:model, or `local` (default): none.")
    ] = None,
    base_url: BaseUrl = None,
    output: Saved = None,
    as_json: Json = False,
) -> None:
    """Find literature that supports the opposite of a claim, and prove that it does."""
    with guarded("counter", as_json=as_json):
        from evidencegate import _api

        check_output(output)
        report = _api.counter(
            _text(claim),
            statement=statement,
            libraries=library or (),
            sources=source,
            offline=offline,
            model=model,
            base_url=base_url,
            limit=claims,
            progress=note,
        )
        present_counter(report, output, as_json=as_json)


def present_counter(report: "CounterReport", output: Path | None, *, as_json: bool) -> None:
    """Show a report on the opposite and write it to `output`; leave with the exit code it deserves."""
    from evidencegate.counter import counter_json, html, markdown

    check_output(output)
    fields = counter_json(report)
    if output is not None:
        save(
            output,
            {
                ".md": lambda: markdown(report),
                ".html": lambda: html(report),
                ".json": lambda: as_json_text("counter", fields),
            },
        )
    if as_json:
        emit_json("counter", fields)
    else:
        write(markdown(report))
    for warning in report.warnings:
        note(f"warning: {warning}")
    searched = [s.record.status.answered for one in report.claims for s in one.searches]
    if any(warning.startswith("partial:") for warning in report.warnings) or (searched and not any(searched)):
        leave(Exit.PARTIAL)


def _text(claim: str) -> str:
    """What was named: stdin, a file, else the words themselves."""
    from evidencegate.documents.readers import read_document

    if claim == "-":
        return standard_input()
    if len(claim) <= _LONGEST_PATH and "\n" not in claim and Path(claim).is_file():
        return read_document(Path(claim)).text
    return claim
