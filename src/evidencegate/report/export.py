"""An answer as a file, in the format its suffix names."""

import json
from collections.abc import Callable
from pathlib import Path

from evidencegate.errors import InvalidInput
from evidencegate.report._html import html
from evidencegate.report._json import answer_json
from evidencegate.report._markdown import markdown
from evidencegate.report._types import Answer

__all__ = ["check_suffix", "write"]


def _json(answer: Answer) -> str:
    return json.dumps(
        {"schema": "evidencegate/1", "command": "ask", **answer_json(answer)}, ensure_ascii=False, indent=2
    )


_FORMATS: dict[str, Callable[[Answer], str]] = {".md": markdown, ".html": html, ".json": _json}


def check_suffix(path: Path) -> None:
    """Raise `InvalidInput` where the suffix names no format, before any work is done."""
    if path.suffix.lower() not in _FORMATS:
        raise InvalidInput(f"cannot write {path.name}: use one of the suffixes {', '.join(_FORMATS)}")


def write(answer: Answer, path: Path) -> None:
    """Write `answer` to `path`; the suffix chooses the format. An existing file is replaced whole or not at all."""
    check_suffix(path)
    text = _FORMATS[path.suffix.lower()](answer)
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
