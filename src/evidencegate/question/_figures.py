"""Figures that are set against each other: "75 or 150 mg" asks for a dose, "5 or 10 days" for a duration."""

import re

_NUMBER = r"(?:\d+(?:[.,]\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|half)"
_AGAINST = r"(?:or|vs?\.?|versus|than|instead of|rather than|against|compared (?:with|to))"
_OF_A_DRUG = r"(?:mg|mcg|µg|micrograms?|milligrams?|g|grams?|units?|iu|ml|puffs?|tablets?)(?:/kg)?"
_OF_TIME = r"(?:days?|weeks?|months?|years?|hours?)"
_OFTEN = rf"(?:once|twice|{_NUMBER} (?:times|days))"
_SAID = r"(?:\s+[\w-]+)"
_AMOUNTS = re.compile(
    rf"\b{_NUMBER}\s*(?:{_OF_A_DRUG})?{_SAID}{{0,4}}?\s*\b{_AGAINST}\s+(?:an?\s+|the\s+)?{_NUMBER}\s*{_OF_A_DRUG}\b"
    rf"|\b{_OFTEN}(?:\s+(?:a|per|every)\s+\w+)?\s+{_AGAINST}\s+{_OFTEN}\b"
    r"|\bonce\s+(?:daily|weekly)\s+(?:or|versus|vs)\s+(?:twice|more often)\b",
    re.IGNORECASE,
)
_LENGTHS = re.compile(
    rf"(?<!aged )(?<!age )\b{_NUMBER}[\s-]*(?:{_OF_TIME})?{_SAID}{{0,5}}?\s*\b{_AGAINST}\s+(?:an?\s+|the\s+|for\s+)?"
    rf"{_NUMBER}[\s-]*{_OF_TIME}\b(?!\s+(?:old|of age|ago|a\s+(?:day|week|month)))",
    re.IGNORECASE,
)
_LENGTH = re.compile(rf"\bfor\s+({_NUMBER}\s+{_OF_TIME})\b(?!\s+(?:old|of age))", re.IGNORECASE)


def set_against(text: str) -> list[str]:
    """The decisions that figures of `text` ask for: a dose, a duration, both or none.

    Ages ("aged 6 to 12 years") and times past ("two years ago") are neither.
    """
    found = []
    if _AMOUNTS.search(text):
        found.append("dose")
    if _LENGTHS.search(text) or len({length.lower() for length in _LENGTH.findall(text)}) > 1:
        found.append("duration")
    return found
