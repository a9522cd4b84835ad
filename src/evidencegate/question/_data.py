"""Reading the data files: YAML in, checked values out. A fault in a file names the file, the entry and the field."""

import gzip
import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from evidencegate.errors import InvalidInput

DATA = files(__package__).joinpath("data")


class Fields:
    """One entry of a data file, read field by field; what is left over is a mistake."""

    def __init__(self, where: str, value: object) -> None:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise InvalidInput(f"{where} must be a set of named fields")
        self.where = where
        self._left: dict[str, Any] = dict(value)

    def wrong(self, name: str, what: str) -> InvalidInput:
        """The error for a field that is not what it must be."""
        return InvalidInput(f"{self.where}: `{name}` must be {what}")

    def text(self, name: str, default: str = "") -> str:
        """A word or a line."""
        value = self._left.pop(name, default)
        if not isinstance(value, str):
            raise self.wrong(name, "text")
        return value.strip()

    def terms(self, name: str, part: str | None = ";") -> tuple[str, ...]:
        """A list, given as one or as text parted by `part` (None: by blanks)."""
        value = self._left.pop(name, None)
        if value is None:
            return ()
        if isinstance(value, str):
            value = value.split(part)
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise self.wrong(name, "a list of texts, or one text with parts")
        return tuple(dict.fromkeys(v.strip() for v in value if v.strip()))

    def number(self, name: str, default: float) -> float:
        """A number."""
        value = self._left.pop(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(name, "a number")
        return float(value)

    def flag(self, name: str) -> bool:
        """True or false; false where it is not given."""
        value = self._left.pop(name, False)
        if not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return value

    def lists(self, name: str, part: str | None = ";") -> dict[str, tuple[str, ...]]:
        """Lists by name."""
        value = self._left.pop(name, None) or {}
        inner = Fields(f"{self.where}: `{name}`", value)
        return {key: inner.terms(key, part) for key in value}

    def groups(self, name: str) -> tuple[tuple[str, ...], ...]:
        """A list of groups, each a text parted by ";"."""
        value = self._left.pop(name, None) or []
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise self.wrong(name, "a list of texts")
        return tuple(tuple(part.strip() for part in v.split(";") if part.strip()) for v in value)

    def inner(self, name: str) -> "Fields | None":
        """Fields within a field, where it is given."""
        value = self._left.pop(name, None)
        return None if value is None else Fields(f"{self.where}: `{name}`", value)

    def done(self) -> None:
        """Raises InvalidInput where the entry has fields that nothing reads: most often a typing slip."""
        if self._left:
            raise InvalidInput(f"{self.where}: unknown field {sorted(self._left)[0]!r}")


def _parse(where: str, content: str) -> Any:
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return yaml.load(content, loader)  # noqa: S506 -- both loaders are the safe ones
    except yaml.YAMLError as error:
        raise InvalidInput(f"{where} is not valid YAML: {error}") from error


def shipped(name: str) -> Any:
    """The content of `data/<name>.yaml`."""
    return _parse(f"{name}.yaml", DATA.joinpath(f"{name}.yaml").read_text("utf-8"))


def packed(name: str) -> Any:
    """The content of `data/<name>.json.gz`: fitted weights, which nobody writes by hand."""
    return json.loads(gzip.decompress(DATA.joinpath(f"{name}.json.gz").read_bytes()))


def from_directory(directory: Path) -> Iterator[tuple[str, Any]]:
    """Name and content of every YAML file in `directory`, in order of name.

    Raises:
        InvalidInput: no such directory, or a file that is not YAML or not UTF-8.
    """
    if not directory.is_dir():
        raise InvalidInput(f"No directory {directory}: tag files are looked for there")
    for path in sorted([*directory.glob("*.yaml"), *directory.glob("*.yml")]):
        try:
            content = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(f"{path} cannot be read: {error}") from error
        yield path.name, _parse(path.name, content)


def entries(where: str, content: object) -> Iterator[tuple[str, Fields]]:
    """The named entries of a file.

    Raises:
        InvalidInput: the file does not hold named entries.
    """
    if content is None:
        return
    if not isinstance(content, Mapping):
        raise InvalidInput(f"{where} must hold named entries")
    for name, value in content.items():
        yield str(name), Fields(f"{where}: {name}", value)


def shipped_lines(name: str) -> Iterator[str]:
    """The lines of a shipped text file that are no comments; one whose name ends in .gz is packed."""
    content = DATA.joinpath(name).read_bytes()
    text = (gzip.decompress(content) if name.endswith(".gz") else content).decode("utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield line
