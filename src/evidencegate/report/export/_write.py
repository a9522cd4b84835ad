"""An answer as a file, in the format its suffix names."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from evidencegate._contract import document
from evidencegate._extras import require
from evidencegate._files import require_writable
from evidencegate.errors import InvalidInput
from evidencegate.evidence import Flow, flow
from evidencegate.report._html import html
from evidencegate.report._json import answer_json
from evidencegate.report._markdown import markdown
from evidencegate.report._report_html import report_html
from evidencegate.report._report_json import report_json
from evidencegate.report._report_markdown import report_markdown
from evidencegate.report._report_types import Report
from evidencegate.report._types import Answer
from evidencegate.report.export._bibtex import bibtex
from evidencegate.report.export._csl import csl_json
from evidencegate.report.export._docx import docx
from evidencegate.report.export._pdf import pdf
from evidencegate.report.export._ris import ris


@dataclass(frozen=True, slots=True)
class _Format:
    render: Callable[[Answer | Report], str | bytes]
    module: str = ""
    """What the extra `pdf` brings for it."""


def _json(answer: Answer | Report) -> str:
    command, fields = ("report", report_json(answer)) if isinstance(answer, Report) else ("ask", answer_json(answer))
    return json.dumps(document(command, fields), ensure_ascii=False, indent=2)


def _markdown(answer: Answer | Report) -> str:
    return report_markdown(answer) if isinstance(answer, Report) else markdown(answer)


def _html(answer: Answer | Report) -> str:
    return report_html(answer) if isinstance(answer, Report) else html(answer)


def _flow(answer: Answer | Report) -> Flow:
    return flow(answer.package, [reference.document.id for reference in answer.references])


# `.csl.json` before `.json`, `.searches.md` before `.md`: the longer suffix decides.
_FORMATS = {
    ".searches.md": _Format(lambda answer: _flow(answer).markdown()),
    ".svg": _Format(lambda answer: _flow(answer).svg()),
    ".md": _Format(_markdown),
    ".html": _Format(_html),
    ".pdf": _Format(pdf, "typst"),
    ".docx": _Format(docx, "docx"),
    ".csl.json": _Format(lambda answer: csl_json(answer.references)),
    ".json": _Format(_json),
    ".ris": _Format(lambda answer: ris(answer.references)),
    ".bib": _Format(lambda answer: bibtex(answer.references)),
}
SUFFIXES = tuple(_FORMATS)
"""Of the files that can be written."""


def check(path: Path) -> None:
    """Say before any work is done that `path` could not be written.

    Raises:
        InvalidInput: its suffix names no format, its directory is not there or takes no files, or it is a directory.
        MissingExtra: the format needs a part that is not installed; the message holds the install command.
    """
    chosen = _format(path)
    require_writable(path)
    if chosen.module:
        require("pdf", chosen.module)


def write(answer: Answer | Report, path: Path) -> None:
    """Write to `path`; the suffix chooses the format. An existing file is replaced whole or not at all.

    Raises:
        InvalidInput, MissingExtra: as `check`.
    """
    check(path)
    rendered = _format(path).render(answer)
    # A lone surrogate from some reply cannot be written in UTF-8.
    content = rendered if isinstance(rendered, bytes) else rendered.encode("utf-8", "replace")
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    part.replace(path)


def _format(path: Path) -> _Format:
    name = path.name.lower()
    for suffix, chosen in _FORMATS.items():
        if name.endswith(suffix):
            return chosen
    raise InvalidInput(f"cannot write {path.name}: use one of the suffixes {', '.join(_FORMATS)}")
