"""The rooms that decide and write know the others by their public names."""

import ast
from pathlib import Path

import pytest

import evidencegate

_PACKAGE = Path(evidencegate.__file__).parent
_FILES = sorted(
    path for room in ("counter", "evidence", "report", "verify") for path in (_PACKAGE / room).rglob("*.py")
)


@pytest.mark.parametrize("path", _FILES, ids=lambda path: str(path.relative_to(_PACKAGE)))
def test_no_module_reaches_into_another_room(path: Path) -> None:
    room = path.relative_to(_PACKAGE).parts[0]
    imported = [
        node.module or "" for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)
    ]
    private = [
        name for name in imported if "._" in name and not name.startswith((f"evidencegate.{room}.", "evidencegate._"))
    ]

    assert not private
