"""`evidencegate ask`: a question, an answer that can be checked."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from evidencegate.cli._app import Json, app
from evidencegate.cli._output import Exit, emit_json, guarded, leave, note, write


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="A clinical question, in English.")],
    library: Annotated[list[str] | None, typer.Option("--library", help="Search this library; repeatable.")] = None,
    source: Annotated[
        list[str] | None,
        typer.Option("--source", help="Search this source: pubmed, europe_pmc, clinical_trials, …; repeatable."),
    ] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Ask nothing over the network.")] = False,
    audience: Annotated[
        Literal["professional", "public"], typer.Option(help="`public`: plain findings, no doses.")
    ] = "professional",
    packs: Annotated[Path | None, typer.Option(help="A directory with anchor packs of your own.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Also write the answer to FILE (.md, .html or .json).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Answer a question from the literature; every sentence is a literal quote with its source."""
    with guarded("ask", as_json=as_json):
        from evidencegate import _api
        from evidencegate.report import answer_json, export, markdown

        if output is not None:
            export.check_suffix(output)
        answer = _api.ask(
            question,
            libraries=library or (),
            sources=source,
            offline=offline,
            audience=audience,
            packs=packs,
            progress=note,
        )
        if output is not None:
            export.write(answer, output)
            note(f"written to {output}")
        if as_json:
            emit_json("ask", answer_json(answer))
        else:
            write(markdown(answer))
        if not answer.direct and not any(r.status.answered for r in answer.package.searches):
            leave(Exit.PARTIAL)
