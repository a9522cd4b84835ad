"""The word lists of this room, read once from its data files."""

import re
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def lexicon(name: str) -> Any:
    """The content of `data/<name>.yaml`. Raises `FileNotFoundError` for an incomplete installation."""
    import yaml

    return yaml.safe_load((files("evidencegate.verify") / "data" / f"{name}.yaml").read_text("utf-8"))


@cache
def words(name: str, *keys: str) -> frozenset[str]:
    """The folded entries under `keys` of a list in `data/<name>.yaml`, several lists united."""
    content = lexicon(name)
    found = [word for key in keys for word in content[key]]
    if not all(isinstance(word, str) for word in found):
        raise TypeError(f"{name}.yaml: quote every word that YAML reads as something else (no, on, yes)")
    return frozenset(word.casefold() for word in found)


@cache
def pattern(name: str, key: str) -> re.Pattern[str]:
    """The expression under `key` of `data/<name>.yaml`; case does not count."""
    return re.compile(lexicon(name)[key], re.IGNORECASE)
