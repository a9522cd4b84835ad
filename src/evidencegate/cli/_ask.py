"""`evidencegate ask`: a question, an answer that can be checked."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evidencegate.cli._app import Json, app
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
from evidencegate.cli._output import Exit, emit_json, guarded, leave, note, write

if TYPE_CHECKING:
    from evidencegate._searching import Searched
    from evidencegate.counter import CounterReport
    from evidencegate.report import Answer, Report
    from evidencegate.verify import Checked


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="A clinical question, in English.")],
    library: Libraries = None,
    source: Sources = None,
    offline: Offline = False,
    fresh: Fresh = False,
    audience: For = "professional",
    packs: PacksIn = None,
    full_text: FullText = None,
    model: WrittenBy = None,
    base_url: BaseUrl = None,
    max_seconds: MaxSeconds = None,
    output: Exported = None,
    as_json: Json = False,
) -> None:
    """Answer a question from the literature; every sentence is proved by a literal quote of its source."""
    with guarded("ask", as_json=as_json):
        from evidencegate import _api

        writable(output)
        answer = _api.ask(
            question,
            libraries=library or (),
            sources=source,
            offline=offline,
            fresh=fresh,
            audience=audience,
            packs=packs,
            full_text=full_text,
            model=model,
            base_url=base_url,
            max_seconds=max_seconds,
            progress=note,
        )
        present(answer, output, as_json=as_json)


def writable(output: Path | None) -> None:
    """Refuse a file that could not be written, before any work is done."""
    if output is not None:
        from evidencegate.report import export

        export.check(output)


def present(
    answer: "Answer | Report | CounterReport | Checked | Searched", output: Path | None, *, as_json: bool
) -> None:
    """Show what was found and write it to `output`; leave with the exit code it deserves."""
    from evidencegate._searching import Searched
    from evidencegate.report import Answer, Report, answer_json, export, markdown, report_json, report_markdown
    from evidencegate.verify import Checked

    if isinstance(answer, Searched):
        from evidencegate.cli._searched import present_searched

        present_searched(answer, output, as_json=as_json)
        return
    if isinstance(answer, Checked):
        from evidencegate.cli._check import present_checked

        present_checked(answer, output, as_json=as_json)
        return
    if not isinstance(answer, Answer | Report):
        from evidencegate.cli._counter import present_counter

        present_counter(answer, output, as_json=as_json)
        return
    if output is not None:
        export.write(answer, output)
        note(f"written to {output}")
    if as_json:
        fields = report_json(answer) if isinstance(answer, Report) else answer_json(answer)
        emit_json("report" if isinstance(answer, Report) else "ask", fields)
    else:
        write(report_markdown(answer) if isinstance(answer, Report) else markdown(answer))
    silent = not any(answer.sentences()) and not any(r.status.answered for r in answer.package.searches)
    if answer.partial or silent:
        leave(Exit.PARTIAL)
