"""`evidencegate check`: is every claim of a text supported?"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from evidencegate.cli._app import Json, app
from evidencegate.cli._output import Exit, emit_json, guarded, leave, note, write

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
    offline: Annotated[bool, typer.Option("--offline", help="Fetch nothing over the network.")] = False,
    model: Annotated[
        str | None, typer.Option(help="Who proposes claims and verdicts: provider:model; `local` (default): no model.")
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="Where the model is served, if not by its provider.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Also write FILE (.md, .html or .json).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check every claim of a text against sources, or against the text's own citations."""
    with guarded("check", as_json=as_json):
        from evidencegate import _api
        from evidencegate.documents.readers import read_document
        from evidencegate.verify import FailOn, failed

        _writable(output)
        content = sys.stdin.read() if text == "-" else read_document(Path(text)).text
        checked = _api.check(
            content, against=against, libraries=library or (), offline=offline, model=model, base_url=base_url
        )
        present_checked(checked, output, as_json=as_json)
        if failed(checked, FailOn(fail_on)):
            leave(Exit.FAILED)


def present_checked(checked: "Checked", output: Path | None, *, as_json: bool) -> None:
    """Show what was checked and write it to `output`."""
    from evidencegate.verify import checked_html, checked_json, checked_markdown

    _writable(output)
    if output is not None:
        suffix = output.suffix.lower()
        formats = {".md": checked_markdown, ".html": checked_html}
        rendered = _as_json(checked_json(checked)) if suffix == ".json" else formats[suffix](checked)
        output.write_text(rendered, encoding="utf-8")
        note(f"written to {output}")
    if as_json:
        emit_json("check", checked_json(checked))
    else:
        _show(checked)
    for warning in checked.warnings:
        note(f"warning: {warning}")


def _writable(output: Path | None) -> None:
    from evidencegate.errors import InvalidInput

    if output is not None and output.suffix.lower() not in (".md", ".html", ".json"):
        raise InvalidInput(f"cannot write {output.name}: use one of the suffixes .md, .html, .json")


def _as_json(fields: dict[str, object]) -> str:
    import json

    return json.dumps({"schema": "evidencegate/1", "command": "check", **fields}, ensure_ascii=False, indent=2)


def _show(checked: "Checked") -> None:
    """The text marked in place where a person watches, Markdown elsewhere."""
    if sys.stdout.isatty():
        from evidencegate.cli._marked import print_marked

        print_marked(checked)
    else:
        from evidencegate.verify import checked_markdown

        write(checked_markdown(checked))
