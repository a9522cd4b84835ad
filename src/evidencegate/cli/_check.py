"""`evidencegate check`: is every claim of a text supported?"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from evidencegate.cli._app import Json, app
from evidencegate.cli._input import standard_input
from evidencegate.cli._options import BaseUrl, Offline, Proposer, Saved
from evidencegate.cli._output import Exit, as_json_text, check_output, emit_json, guarded, leave, note, save, write

if TYPE_CHECKING:
    from evidencegate.verify import Checked


@app.command()
def check(
    text: Annotated[str, typer.Argument(help="A text file to check, or - for stdin.")],
    against: Annotated[
        list[str] | None,
        typer.Option(help="What to check against: a file, folder, PMID, PMCID, DOI or NCT number; repeatable."),
    ] = None,
    library: Annotated[
        list[str] | None, typer.Option("--library", help="Check against this library; repeatable.")
    ] = None,
    fail_on: Annotated[
        Literal["never", "incorrect", "citation", "uncertain"], typer.Option(help="When to exit with 1.")
    ] = "never",
    offline: Offline = False,
    model: Proposer = None,
    base_url: BaseUrl = None,
    output: Saved = None,
    as_json: Json = False,
) -> None:
    """Check every claim of a text against sources, or against the text's own citations."""
    with guarded("check", as_json=as_json):
        from evidencegate import _api
        from evidencegate.documents.readers import read_document
        from evidencegate.verify import FailOn, failed

        check_output(output)
        content = standard_input() if text == "-" else read_document(Path(text)).text
        checked = _api.check(
            content, against=against, libraries=library or (), offline=offline, model=model, base_url=base_url
        )
        present_checked(checked, output, as_json=as_json)
        if failed(checked, FailOn(fail_on)):
            leave(Exit.FAILED)


def present_checked(checked: "Checked", output: Path | None, *, as_json: bool) -> None:
    """Show what was checked and write it to `output`."""
    from evidencegate.verify import checked_html, checked_json, checked_markdown

    check_output(output)
    fields = checked_json(checked)
    if output is not None:
        save(
            output,
            {
                ".md": lambda: checked_markdown(checked),
                ".html": lambda: checked_html(checked),
                ".json": lambda: as_json_text("check", fields),
            },
        )
    if as_json:
        emit_json("check", fields)
    else:
        _show(checked)
    for warning in checked.warnings:
        note(f"warning: {warning}")


def _show(checked: "Checked") -> None:
    """The text marked in place where a person watches, Markdown elsewhere."""
    if sys.stdout.isatty():
        from evidencegate.cli._marked import print_marked

        print_marked(checked)
    else:
        from evidencegate.verify import checked_markdown

        write(checked_markdown(checked))
