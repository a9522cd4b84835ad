"""Words that carry no content, for every comparison of words in this room."""

from functools import cache
from importlib.resources import files

import yaml


@cache
def function_words(*, in_records: bool = False) -> frozenset[str]:
    """The list, in lower case; `in_records` adds the words that nearly every record has."""
    raw = yaml.safe_load(files("evidencegate.evidence").joinpath("data", "function_words.yaml").read_text("utf-8"))
    return frozenset(raw["words"].split() + (raw["everywhere"].split() if in_records else []))
