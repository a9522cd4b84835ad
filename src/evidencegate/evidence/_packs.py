"""The door to the pack files; the schema (and pydantic) is loaded when packs are read."""

from datetime import date
from pathlib import Path

from evidencegate.evidence._anchors import Packs


def load_packs(directory: Path | str | None = None) -> Packs:
    """Every anchor pack that ships, and those of the user's `directory`.

    Raises:
        InvalidInput: a file is no valid pack, or packs contradict each other; the message names file and field.
    """
    from evidencegate.evidence._pack_files import load_packs as load

    return load(Path(directory) if directory is not None else None)


def check_packs(directory: Path | str | None = None, *, today: date | None = None) -> tuple[str, ...]:
    """Everything wrong with the packs, a line each; empty where all is well.

    With `today`, reviews that are due are reported too.

    Raises:
        InvalidInput: `directory` is none, or a file in it cannot be read.
    """
    from evidencegate.evidence._pack_files import check_packs as check

    return check(Path(directory) if directory is not None else None, today=today)
