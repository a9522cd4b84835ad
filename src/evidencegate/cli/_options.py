"""Options that several commands have, each with one spelling and one help."""

from pathlib import Path
from typing import Annotated, Literal

import typer

Libraries = Annotated[list[str] | None, typer.Option("--library", help="Search this library; repeatable.")]
Sources = Annotated[
    list[str] | None,
    typer.Option("--source", help="Search this source: pubmed, europe_pmc, clinical_trials, …; repeatable."),
]
Offline = Annotated[
    bool, typer.Option("--offline", help="Ask nothing over the network; use the replies kept from before.")
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Ask again for what is kept from before.")]
For = Annotated[Literal["professional", "public"], typer.Option(help="`public`: plain findings, no doses.")]
PacksIn = Annotated[Path | None, typer.Option(help="A directory with anchor packs of your own.")]
FullText = Annotated[
    bool | None,
    typer.Option("--full-text/--no-full-text", help="Read the open articles among the records chosen as a whole."),
]
WrittenBy = Annotated[
    str | None, typer.Option(help="Who writes: provider:model, or `local` (default): the records' own sentences.")
]
BaseUrl = Annotated[str | None, typer.Option(help="Where the model is served, if not by its provider.")]
Proposer = Annotated[
    str | None, typer.Option(help="Who proposes claims and verdicts: provider:model; `local` (default): no model.")
]
MaxSeconds = Annotated[
    float | None, typer.Option(min=0, help="Ask nothing more after so long; go by what was found by then.")
]
Exported = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="Also write FILE: what is shown (.md .html .pdf .docx .json), its references (.ris .bib .csl.json) "
        "or the search log (.searches.md .svg).",
    ),
]
Saved = Annotated[Path | None, typer.Option("--output", "-o", help="Also write FILE (.md, .html or .json).")]
