"""What can be read as a question, and what is said where it cannot."""

import re
import unicodedata
from collections.abc import Callable, Sequence

from evidencegate.errors import InvalidInput
from evidencegate.question._normal import fold
from evidencegate.question._words import language

LONGEST = 20_000
_EXAMPLE = 'for example: "In adults with community-acquired pneumonia, is 5 days of antibiotics enough?"'
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00ad]")
_LAYOUT = "\t\n\r\f\v\x85"


def clean(text: object) -> str:
    """The question without what cannot be seen, in one Unicode form.

    Raises:
        InvalidInput: no text, empty, over-long, binary, or without a word.
    """
    if not isinstance(text, str):
        raise InvalidInput(f"A question is text, not {type(text).__name__}")
    if len(text) > LONGEST:
        raise InvalidInput(
            f"The question has {len(text):,} characters; at most {LONGEST:,} are read. "
            "Ask one clinical question; to check a longer text use `evidencegate check`"
        )
    if any(unicodedata.category(c) in ("Cc", "Cs") and c not in _LAYOUT for c in text) or "\ufffd" in text:
        raise InvalidInput("The question holds control or undecodable characters: it is not plain text in UTF-8")
    cleaned = unicodedata.normalize("NFC", _INVISIBLE.sub("", text)).strip()
    if not cleaned:
        raise InvalidInput(f"The question is empty; ask a clinical question, {_EXAMPLE}")
    if not any(c.isalpha() for c in cleaned):
        raise InvalidInput(f"The question has no words; ask a clinical question, {_EXAMPLE}")
    return cleaned


def require_english(text: str) -> None:
    """Questions are read in English: the vocabulary and the sources' indexes are English.

    Raises:
        InvalidInput: most letters are of another script, or most function words of another language.
    """
    letters = [c for c in text if c.isalpha()]
    latin = sum(c.isascii() or unicodedata.name(c, "").startswith(("LATIN", "GREEK")) for c in letters)
    if latin < 0.7 * len(letters):
        raise InvalidInput("Questions are read in English only; please translate this one")
    words = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", text.lower())
    if len(words) < 4:
        return
    lists = language()
    english = sum(word in lists["english"] for word in words)
    foreign = sum(word in lists["foreign"] and word not in lists["english"] for word in words)
    if foreign >= 2 and foreign > english:
        raise InvalidInput("Questions are read in English only; please translate this one")


def require_medical(text: str, *, suggest: Callable[[], Sequence[str]]) -> None:
    """A question that names no tag, drug, procedure or condition is medical if it holds a medical word.

    Args:
        text: the question.
        suggest: names that its words may have meant, asked for only where it is refused.

    Raises:
        InvalidInput: it holds none; says which names may have been meant.
    """
    medical = {fold(word) for word in language()["medical"]}
    roots = tuple(language()["roots"])
    words = re.findall(r"[^\W\d_]+", text.lower())
    if not any(fold(word) in medical or word.startswith(roots) for word in words):
        meant = suggest()
        hint = f"did you mean {' or '.join(meant)}? Otherwise name" if meant else "name"
        raise InvalidInput(
            f"No medical term was found in the question; {hint} the condition or the treatment, {_EXAMPLE}"
        )
