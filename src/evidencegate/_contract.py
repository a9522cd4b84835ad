"""The contract of `--json` (docs/contract.md) for programs: its version, and its objects as JSON Schema.

Every door shows the same objects; this is where their shape is written down, in `contract.yaml`.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

__all__ = ["SCHEMA", "document", "schema_of"]

SCHEMA = "evidencegate/1"
_REFERENCE = "#/$defs/"


def document(command: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The object of a command as it is shown: the contract's version and the command's name first."""
    return {"schema": SCHEMA, "command": command, **fields}


def schema_of(command: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of what `evidencegate <command> --json` shows, complete in itself.

    Raises:
        KeyError: the objects of that command are not written down.
    """
    contract = _contract()
    body = contract["objects"][command]
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "required": ["schema", "command", *body["required"]],
        "properties": {"schema": {"const": SCHEMA}, "command": {"const": command}, **body["properties"]},
    }
    needed = _needed(schema, contract["$defs"])
    return {**schema, "$defs": {name: contract["$defs"][name] for name in contract["$defs"] if name in needed}}


def _needed(part: object, parts: Mapping[str, Any]) -> set[str]:
    """The names of the shared parts that `part` refers to, and those that these refer to."""
    found: set[str] = set()
    waiting = [part]
    while waiting:
        for name in _referred(waiting.pop()):
            if name not in found:
                found.add(name)
                waiting.append(parts[name])
    return found


def _referred(part: object) -> Iterator[str]:
    if isinstance(part, dict):
        for key, value in part.items():
            if key == "$ref":
                yield value.removeprefix(_REFERENCE)
            else:
                yield from _referred(value)
    elif isinstance(part, list):
        for value in part:
            yield from _referred(value)


@lru_cache(maxsize=1)
def _contract() -> dict[str, Any]:
    import yaml

    loaded: dict[str, Any] = yaml.safe_load(files("evidencegate").joinpath("contract.yaml").read_text("utf-8"))
    return loaded
