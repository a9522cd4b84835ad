"""`evidencegate report`: a topic, a review in sections with one honest reference list."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from evidencegate.cli._app import Json, app
from evidencegate.cli._ask import present, writable
from evidencegate.cli._options import (
    BaseUrl,
    Exported,
    For,
    Fresh,
    FullText,
    Libraries,
    MaxSeconds,
    Offline,
    PacksIn,
    Sources,
    WrittenBy,
)
from evidencegate.cli._output import guarded, note


@app.command()
def report(
    topic: Annotated[str, typer.Argument(help="A clinical topic or question, in English.")],
    library: Libraries = None,
    source: Sources = None,
    offline: Offline = False,
    fresh: Fresh = False,
    outline: Annotated[
        str | None, typer.Option(help="The sections: headings with `;` between them, or a file with one on each line.")
    ] = None,
    model: WrittenBy = None,
    base_url: BaseUrl = None,
    unsupported: Annotated[
        Literal["list", "drop"], typer.Option(help="What becomes of sentences that nothing supports.")
    ] = "list",
    audience: For = "professional",
    packs: PacksIn = None,
    full_text: FullText = None,
    max_seconds: MaxSeconds = None,
    max_money: Annotated[
        float | None, typer.Option(min=0, help="Ask the model nothing more once this many US dollars are estimated.")
    ] = None,
    output: Exported = None,
    as_json: Json = False,
) -> None:
    """Write a report in sections; every sentence is proved by a literal quote of the record that it cites."""
    with guarded("report", as_json=as_json):
        from evidencegate import _api

        writable(output)
        written = _api.report(
            topic,
            libraries=library or (),
            sources=source,
            offline=offline,
            fresh=fresh,
            audience=audience,
            packs=packs,
            full_text=full_text,
            outline=None if outline is None else _headings(outline),
            model=model,
            base_url=base_url,
            drop_unsupported=unsupported == "drop",
            max_seconds=max_seconds,
            max_money=max_money,
            progress=note,
        )
        present(written, output, as_json=as_json)


def _headings(given: str) -> list[str]:
    """The headings of a file, or those that were written out."""
    path = Path(given)
    if ";" not in given and path.suffix in (".txt", ".md") and path.is_file():
        lines = path.read_text("utf-8").splitlines()
        return [line for line in lines if line.strip("#*- \t")]
    return [heading for heading in given.split(";") if heading.strip()]
