"""Labelled files: one JSON object a line, plain or gzipped."""

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evidencegate.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled line. `statement` is empty save in counterfactual files."""

    id: str
    claim: str
    passage: str
    label: str
    statement: str = ""


def read_rows(path: Path, labels: Mapping[str, str], *, counter: bool = False) -> tuple[Row, ...]:
    """Every row of a file with `claim`, `evidence` (or `passage`) and `label`, and `statement` where `counter`.

    `labels` maps each label that may stand in the file to the one that is counted.

    Raises:
        InvalidInput: the file is missing, empty, or a line is not such an object; the message names the line.
    """
    rows = tuple(_rows(path, labels, counter))
    if not rows:
        raise InvalidInput(f"{path} holds no labelled pair.")
    return rows


def _rows(path: Path, labels: Mapping[str, str], counter: bool) -> Iterator[Row]:
    for number, line in read_lines(path):
        try:
            raw = json.loads(line)
        except json.JSONDecodeError as error:
            raise InvalidInput(f"{path}, line {number}: not JSON ({error.msg}).") from error
        yield _row(raw, f"{path}, line {number}", str(number), labels, counter)


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Number and text of every line that is not empty, of a plain or gzipped file."""
    if not path.is_file():
        raise InvalidInput(f"There is no file {path}.")
    try:
        with path.open("rb") as handle:
            packed = handle.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rt", encoding="utf-8") if packed else path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield number, line
    except (UnicodeDecodeError, gzip.BadGzipFile, EOFError) as error:
        raise InvalidInput(f"{path} is not UTF-8 text, plain or gzipped ({error}).") from error


def _row(raw: Any, where: str, number: str, labels: Mapping[str, str], counter: bool) -> Row:
    if not isinstance(raw, dict):
        raise InvalidInput(f"{where}: an object is wanted, with claim, evidence and label.")
    passage = raw.get("evidence", raw.get("passage"))
    wanted = {"claim": raw.get("claim"), "evidence": passage, "label": raw.get("label")}
    if counter:
        wanted["statement"] = raw.get("statement")
    for name, value in wanted.items():
        if not isinstance(value, str):
            raise InvalidInput(f"{where}: `{name}` is missing or not a text.")
    label = str(wanted["label"]).strip().lower()
    if label not in labels:
        raise InvalidInput(f"{where}: label {label!r} is unknown; one of {', '.join(sorted(labels))} is wanted.")
    return Row(
        id=str(raw.get("id", number)),
        claim=str(wanted["claim"]),
        passage=str(passage),
        label=labels[label],
        statement=str(wanted.get("statement", "")),
    )
