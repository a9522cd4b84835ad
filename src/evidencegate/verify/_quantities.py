"""Reading the numbers of clinical prose: what is measured, how much, in which unit, and where it stands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, lru_cache
from itertools import zip_longest

from evidencegate.documents import Span, normalise
from evidencegate.verify._lexicon import lexicon, words


class Kind(StrEnum):
    """What a number says."""

    RATIO = "ratio"
    """A relative effect: HR, RR, OR, ..."""
    DIFFERENCE = "difference"
    """An absolute effect: RD, MD, SMD, NNT, ..."""
    CHANGE = "change"
    """A relative change in words: `28 % lower` is 0.72, `doubled` is 2."""
    INTERVAL = "interval"
    P_VALUE = "p"
    COUNT = "count"
    FRACTION = "fraction"
    """`28/143` or `28 of 143`; the value is the percentage."""
    PERCENT = "percent"
    AMOUNT = "amount"
    """A dose, concentration, length ...; the value is in base units of its dimension."""
    DURATION = "duration"
    """In days."""
    YEAR = "year"
    NUMBER = "number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """One number of a text, in a form in which it can be compared."""

    kind: Kind
    value: float
    span: Span
    number: Span
    """Where the digits (or the number word) stand, inside `span`."""
    text: str
    name: str = ""
    """Which measure, or the dimension of the unit: `HR`, `mass/mass`, ..."""
    unit: str = ""
    step: float = 0.0
    """What one in the last printed digit is worth, in the units of `value`."""
    comparator: str = "="
    high: float | None = None
    """Upper end, of an interval."""
    approximate: bool = False


_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_SIGNED = rf"(?:(?<![\w.)])[-+])?{_NUMBER}"
_LONGEST = 20_000
_PAIRED = re.compile(r"\s*(?:vs\.?|versus|and|or|to|,)\s*", re.IGNORECASE)
_ALL = 100.0
# No measurement has so many digits; left in, each pattern would try at every one of them.
_NO_NUMBER = re.compile(r"\d{16,}")
# "24/7" says always.
_ALWAYS = re.compile(r"24\s?/\s?7")
_LINK = r"(?:\s*(?:of|was|were|is|:|=|,|~|≈|\(|\[)\s*){1,3}|\s+"


# What may stand between a measure and its value: `(HR)`, `(95% CI)`, `for death`.
_ASIDE = r"(?:\s*[\[(](?:[A-Za-z]{2,5}|\d+\s*%\s*CI)[\])])?(?:\s+for\s+[a-zA-Z\s-]{2,40}?)?"


def _any(spellings: list[str]) -> str:
    """One alternative for all spellings: short upper-case ones by case, words in any case."""
    parts = []
    for spelling in sorted(spellings, key=len, reverse=True):
        escaped = re.escape(spelling)
        parts.append(escaped if any(c.isupper() for c in spelling) or len(spelling) == 1 else f"(?i:{escaped})")
    return "|".join(parts)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The ways to write a number, the more telling first: what one has read the next ones leave alone."""
    data = lexicon("quantities")
    ratios = _any([s for group in data["ratios"].values() for s in group])
    differences = _any([s for group in data["differences"].values() for s in group])
    unit = _any([s for group in data["units"].values() for s in group])
    people = "|".join(sorted(data["people"], key=len, reverse=True))
    turn = "|".join(sorted({*data["up"], *data["down"]}, key=len, reverse=True))
    number_words = "|".join(sorted(data["words"], key=len, reverse=True))
    either = rf"(?:{_NUMBER}|(?i:\b(?:{number_words})\b))"
    percent = r"(?:%|(?i:percent|per cent))"
    table = {
        "interval": r"(?:(?P<level>\d+(?:\.\d+)?)\s*%\s*)?"
        r"\b(?:CI|CrI|CIs|(?i:confidence intervals?|credible intervals?))\b"
        rf"\s*(?:\)|\]|95\s*%)?\s*(?:of|was|:|=|,|;|\(|\[|from|\s){{0,8}}(?P<low>[-+]?{_NUMBER})\s*%?\s*"
        rf"(?:to|-|,|;|and|:)\s*(?P<high>[-+]?{_NUMBER})(?![\d%]*\s*%\s*CI)\s*%?",
        "p": r"\b[Pp](?:\s*-?\s*(?i:values?))?\s*(?:(?:was|of|is)\s+)?(?P<cmp>[<>≤≥=]|<=|>=|(?i:less than))?\s*"
        r"(?P<num>0?\s?\.\s?\d+|[01]\.\s?\d+)",
        "ratio": rf"(?<![\w-])(?P<name>{ratios})(?![\w]){_ASIDE}(?:{_LINK})(?P<num>{_NUMBER})(?![\d.]*[\d%]|\s*%)",
        "difference": rf"(?<![\w-])(?P<name>{differences})(?![\w]){_ASIDE}(?:{_LINK})(?P<num>{_SIGNED})"
        r"(?![\d.]*\d)(?P<pct>\s*%)?",
        "bare": r"(?<=[\d%])\s*[\[(]\s*(?P<low>[-+]?\d*\.\d+)\s*%?\s*(?:to|-|,|;)\s*"
        r"(?P<high>[-+]?\d*\.\d+)\s*%?\s*[\])]",
        "n": rf"\b[nN]\s*=\s*(?P<num>{_NUMBER})",
        "fraction": r"(?<![\w./])(?P<num>\d{1,3}(?:,\d{3})+|\d+)(?:\s*/\s*|\s+(?:out\s+)?of\s+(?:the\s+|all\s+)?)"
        r"(?P<den>\d{1,3}(?:,\d{3})+|\d+)(?![\d/%.])(?!\s*%)",
        "people": rf"(?<![\w.,/-])(?P<num>{either})(?:\s+|-)"
        rf"(?:(?!(?:of|and|or|to|in|with|versus|vs)\b)[a-zA-Z-]+\s+){{0,3}}?(?:{people})\b",
        "change": rf"(?P<num>{_NUMBER})\s*{percent}\s*"
        r"(?:(?:relative|risk|statistically|significantly|significant)\s+){0,2}"
        rf"(?P<turn>(?i:{turn}))\b(?!\s+(?:than\s+)?(?:percentage|points))",
        "change_by": rf"\b(?P<turn>(?i:{turn}))(?:\s+[a-zA-Z-]+){{0,6}}?\s+by\s+(?:an?\s+)?"
        rf"(?:about\s+|approximately\s+|nearly\s+|up\s+to\s+)?(?P<num>{_NUMBER})\s*{percent}(?!\s*(?:percentage\s+)?points?)",
        "fold": rf"(?P<num>{_NUMBER})\s*(?:-\s*fold|\s+times)\s*(?P<turn>(?i:{turn}|as\s+\w+))?",
        "percent": rf"(?P<num>{_SIGNED})\s*(?:%|(?i:percent\b|per cent\b|percentage points?\b))",
        "amount": rf"(?<![A-Za-z\d.])(?P<num>{_SIGNED})\s*-?\s*"
        rf"(?P<unit>(?:{unit})(?:\s?(?:/|per)\s?(?:{unit})){{0,2}})(?![A-Za-z\d])",
        "number": rf"(?<![A-Za-z\d.])(?<![A-Za-z]-)(?P<num>{_SIGNED})(?![\d]|[A-Za-z]\w*\d)",
    }
    # Bounded white space: between number and unit there is little, and a run of it must not cost its square.
    bounded = {name: p.replace(r"\s*", r"\s{0,3}").replace(r"\s+", r"\s{1,3}") for name, p in table.items()}
    return tuple((name, re.compile(pattern)) for name, pattern in bounded.items())


@cache
def _number_words() -> re.Pattern[str]:
    data = lexicon("quantities")
    unit = _any([s for key in ("time",) for s in data["units"][key] if len(s) > 2])
    spelled = "|".join([*data["words"], *data["multiples"]])
    return re.compile(rf"\b(?P<num>(?i:{spelled}))\b(?:[\s-]+(?P<unit>{unit})\b)?")


@cache
def _unit_table() -> dict[str, tuple[str, float]]:
    data = lexicon("quantities")["units"]
    return {spelling: (dimension, factor) for dimension, group in data.items() for spelling, factor in group.items()}


def _unit(text: str) -> tuple[str, float] | None:
    """Dimension and factor of a unit such as `mg/kg per day`; None when a part is unknown."""
    dimensions, factor = [], 1.0
    for position, part in enumerate(re.split(r"\s?/\s?|\s?per\s?", text)):
        table = _unit_table()
        known = table.get(part) or (table.get(part.casefold()) if len(part) > 2 else None)
        if known is None:
            return None
        dimensions.append(known[0])
        factor = factor * known[1] if position == 0 else factor / known[1]
    return "/".join(dimensions), factor


@cache
def _measures() -> dict[str, str]:
    data = lexicon("quantities")
    return {
        spelling.casefold(): name
        for group in ("ratios", "differences")
        for name, spellings in data[group].items()
        for spelling in spellings
    }


def _value(text: str) -> tuple[float, float]:
    """A number, and what one in its last digit is worth."""
    cleaned = text.replace(",", "").replace(" ", "")
    spelled = lexicon("quantities")["words"].get(cleaned.casefold())
    if spelled is not None:
        return float(spelled), 1.0
    decimals = len(cleaned.partition(".")[2])
    return float(cleaned), 10.0**-decimals


@lru_cache(maxsize=4096)
def quantities(text: str) -> tuple[Quantity, ...]:
    """The numbers of `text` in order of place; none is read twice. Spans are in `text` itself.

    Of a text longer than 20,000 characters, which is no passage, only the beginning is read.
    """
    normal = normalise(text[:_LONGEST])
    plain = _NO_NUMBER.sub(lambda run: "_" * len(run[0]), normal.text)
    taken = bytearray(len(normal.text))
    found: list[Quantity] = []
    for name, pattern in _patterns():
        for match in pattern.finditer(plain):
            if any(taken[match.start() : match.end()]) or _ALWAYS.fullmatch(match[0]):
                continue
            quantity = _read(name, match, text, normal.starts, normal.ends)
            if quantity is None:
                continue
            taken[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
            found.append(quantity)
    found.extend(_spelled(plain, taken, text, normal.starts, normal.ends))
    found.sort(key=lambda q: q.span.start)
    return tuple(_in_percent(text, one, after) for one, after in zip_longest(found, found[1:]))


def _in_percent(text: str, one: Quantity, after: Quantity | None) -> Quantity:
    """A bare number before a percentage it is paired with ("66 vs. 51%") is one too."""
    paired = (
        after is not None
        and one.kind is Kind.NUMBER
        and after.kind is Kind.PERCENT
        and one.text[-1:].isdigit()
        and one.value <= _ALL
        and _PAIRED.fullmatch(text, one.span.end, after.span.start)
    )
    return replace(one, kind=Kind.PERCENT, unit="%") if paired else one


def _place(match: re.Match[str], group: str | int, starts: tuple[int, ...], ends: tuple[int, ...]) -> Span:
    return Span(starts[match.start(group)], ends[match.end(group) - 1])


def _read(
    name: str, match: re.Match[str], text: str, starts: tuple[int, ...], ends: tuple[int, ...]
) -> Quantity | None:
    span = _place(match, 0, starts, ends)
    groups = match.groupdict()
    if name in ("interval", "bare"):
        low, step = _value(groups["low"].lstrip("+"))
        high, _ = _value(groups["high"].lstrip("+"))
        if high < low:
            return None
        number = Span(_place(match, "low", starts, ends).start, _place(match, "high", starts, ends).end)
        return Quantity(
            kind=Kind.INTERVAL, value=low, high=high, step=step, span=span, number=number, text=span.of(text),
            name=groups.get("level") or "95",
        )  # fmt: skip
    value, step = _value(groups["num"].lstrip("+"))
    number = _place(match, "num", starts, ends)
    made = _interpret(name, groups, value, step)
    if made is None:
        return None
    kind, value, step, label, unit = made
    comparator = {"<=": "≤", ">=": "≥", "less than": "<"}.get(groups.get("cmp") or "=", groups.get("cmp") or "=")
    return Quantity(
        kind=kind, value=value, step=step, span=span, number=number, text=span.of(text), name=label, unit=unit,
        comparator=comparator.strip(), approximate=_approximate(match.string, match.start("num")),
    )  # fmt: skip


def _interpret(
    name: str, groups: dict[str, str | None], value: float, step: float
) -> tuple[Kind, float, float, str, str] | None:
    """Kind, value, step, name and unit of what a pattern matched."""
    label = groups.get("name") or ""
    match name:
        case "p":
            return Kind.P_VALUE, value, step, "", ""
        case "ratio":
            return Kind.RATIO, value, step, _measures()[label.casefold()], ""
        case "difference":
            return Kind.DIFFERENCE, value, step, _measures()[label.casefold()], "%" if groups["pct"] else ""
        case "n" | "people":
            return Kind.COUNT, value, step, "", ""
        case "fraction":
            whole, _ = _value(groups["den"] or "0")
            if not whole or value > whole:  # `24/7`, `130/80`
                return None
            return Kind.FRACTION, 100 * value / whole, 0.0, groups["den"] or "", ""
        case "change" | "change_by":
            return Kind.CHANGE, _turned(value / 100, groups["turn"] or ""), step / 100, "", "%"
        case "fold":
            fall = (groups["turn"] or "").casefold() in words("quantities", "down")
            return Kind.CHANGE, 1 / value if fall and value else value, step, "", "fold"
        case "percent":
            return Kind.PERCENT, value, step, "", "%"
        case "amount":
            unit = groups["unit"] or ""
            known = _unit(unit)
            if known is None:
                return None
            kind = Kind.DURATION if known[0] == "time" else Kind.AMOUNT
            return kind, value * known[1], step * known[1], known[0], unit
    year = step == 1.0 and 1900 <= value <= 2099 and "," not in (groups["num"] or "")
    return Kind.YEAR if year else Kind.NUMBER, value, step, "", ""


def _turned(share: float, turn: str) -> float:
    return 1 - share if turn.casefold() in words("quantities", "down") else 1 + share


def _approximate(text: str, start: int) -> bool:
    before = text[max(0, start - 16) : start].casefold().rstrip()
    return any(
        before.endswith(word) and not before[: -len(word)][-1:].isalpha() for word in words("quantities", "approximate")
    )


def _spelled(
    normal: str, taken: bytearray, text: str, starts: tuple[int, ...], ends: tuple[int, ...]
) -> Iterator[Quantity]:
    """Number words that no pattern has read: `halved`, `two`, `six months`."""
    data = lexicon("quantities")
    for match in _number_words().finditer(normal):
        if any(taken[match.start() : match.end()]):
            continue
        word = match["num"].casefold()
        span = _place(match, 0, starts, ends)
        number = _place(match, "num", starts, ends)
        if word in data["multiples"]:
            if word == "twice" and re.match(r"\s+(?:a\b|per\b|daily|weekly|each|every)", normal[match.end() :]):
                continue
            value = float(data["multiples"][word])
            yield Quantity(
                kind=Kind.CHANGE, value=value, step=0.1, span=span, number=number, text=span.of(text), approximate=True
            )
            continue
        value = float(data["words"][word])
        known = _unit(match["unit"]) if match["unit"] else None
        if known:
            yield Quantity(
                kind=Kind.DURATION, value=value * known[1], step=known[1], span=span, number=number,
                text=span.of(text), name="time", unit=match["unit"], approximate=_approximate(normal, match.start()),
            )  # fmt: skip
        else:
            yield Quantity(kind=Kind.NUMBER, value=value, step=1.0, span=span, number=number, text=span.of(text))
