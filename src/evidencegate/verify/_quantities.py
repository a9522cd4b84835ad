"""Reading the numbers of clinical prose: what is measured, how much, in which unit, and where it stands."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from evidencegate.documents import Span, normalise
from evidencegate.verify._lexicon import lexicon, words
from evidencegate.verify._lexicon import pattern as expression
from evidencegate.verify._units import Kind, Quantity, in_mol, in_unit_behind, in_unit_of, unit_of, value_of

_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_SIGNED = rf"(?:(?<![\w.)])[-+])?{_NUMBER}"
_LONGEST = 20_000
# No measurement has so many digits; left in, each pattern would try at every one of them.
_NO_NUMBER = re.compile(r"\d{16,}")
_POINTS_BACK = re.compile(r"\b(?:the|these|those|all|both|its|their)\s+(?:\w+\s+)?$", re.IGNORECASE)
# "2018-19" is one year, or two.
_SECOND_YEAR = re.compile(r"(?<=\b(?:19|20)\d\d[-–/])\d\d\b")
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
    parts = "|".join(data["parts"])
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
        "share": rf"\b(?P<num>(?i:one|{number_words})|1)\s+(?i:in|out of)\s+(?i:every\s+)?"
        rf"(?P<den>(?i:{number_words})|(?<=1 in )\d{{1,3}}|(?<=one in )\d{{1,3}})\b(?!\s*%)",
        "part": rf"(?<!first )(?<!second )(?<!latter )\b(?:(?P<num>(?i:one|an?|{number_words}))[\s-]"
        rf"(?P<whole>(?i:{parts}))|(?P<half>(?i:half)))\s+(?i:of)\b",
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
        "percent": rf"(?P<num>{_SIGNED}|(?i:\b(?:{number_words})\b))\s*"
        r"(?:%|(?i:percent\b|per cent\b|percentage points?\b))",
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
def _measures() -> dict[str, str]:
    data = lexicon("quantities")
    return {
        spelling.casefold(): name
        for group in ("ratios", "differences")
        for name, spellings in data[group].items()
        for spelling in spellings
    }


@lru_cache(maxsize=4096)
def quantities(text: str) -> tuple[Quantity, ...]:
    """The numbers of `text` in order of place; none is read twice. Spans are in `text` itself.

    Of a text longer than 20,000 characters, which is no passage, only the beginning is read.
    """
    normal = normalise(text[:_LONGEST])
    plain = _NO_NUMBER.sub(lambda run: "_" * len(run[0]), normal.text)
    plain = _SECOND_YEAR.sub("__", plain)
    # "type 2", "grade 3 or 4": names, and no numbers.
    plain = expression("wording", "labelled").sub(lambda part: re.sub(r"\d", "_", part[0]), plain)
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
    found = [in_unit_behind(text, one) for one in found]
    for at in range(len(found) - 2, -1, -1):
        found[at] = in_unit_of(text, found[at], found[at + 1])
    return tuple(in_mol(text, one) for one in found)


def _place(match: re.Match[str], group: str | int, starts: tuple[int, ...], ends: tuple[int, ...]) -> Span:
    return Span(starts[match.start(group)], ends[match.end(group) - 1])


def _read(
    name: str, match: re.Match[str], text: str, starts: tuple[int, ...], ends: tuple[int, ...]
) -> Quantity | None:
    span = _place(match, 0, starts, ends)
    groups = match.groupdict()
    if name in ("interval", "bare"):
        low, step = value_of(groups["low"].lstrip("+"))
        high, _ = value_of(groups["high"].lstrip("+"))
        if high < low:
            return None
        number = Span(_place(match, "low", starts, ends).start, _place(match, "high", starts, ends).end)
        return Quantity(
            kind=Kind.INTERVAL, value=low, high=high, step=step, span=span, number=number, text=span.of(text),
            name=groups.get("level") or "95",
        )  # fmt: skip
    value, step = value_of((groups["num"] or "one").lstrip("+"))
    number = _place(match, "num" if groups["num"] else "half", starts, ends)
    made = _interpret(name, groups, value, step)
    if made is None:
        return None
    kind, value, step, label, unit = made
    sign = groups.get("cmp") or ("=" if name == "p" else _bound(match.string, match.start()))
    comparator = {"<=": "≤", ">=": "≥", "less than": "<"}.get(sign, sign)
    return Quantity(
        kind=kind, value=value, step=step, span=span, number=number, text=span.of(text), name=label, unit=unit,
        comparator=comparator.strip(),
        approximate=name in ("share", "part") or _approximate(match.string, match.start()),
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
        case "share" | "part":
            part = (groups.get("whole") or "half").casefold()
            whole = value_of(groups["den"] or "")[0] if name == "share" else lexicon("quantities")["parts"][part]
            return (Kind.PERCENT, 100 * value / whole, 1.0, "", "%") if whole > value else None
        case "n" | "people":
            return Kind.COUNT, value, step, "", ""
        case "fraction":
            whole, _ = value_of(groups["den"] or "0")
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
            known = unit_of(unit)
            if known is None:
                return None
            kind = Kind.DURATION if known[0] == "time" else Kind.AMOUNT
            return kind, value * known[1], step * known[1], known[0], unit
    year = step == 1.0 and 1900 <= value <= 2099 and "," not in (groups["num"] or "")
    return Kind.YEAR if year else Kind.NUMBER, value, step, "", ""


def _turned(share: float, turn: str) -> float:
    return 1 - share if turn.casefold() in words("quantities", "down") else 1 + share


def _approximate(text: str, start: int) -> bool:
    return _preceded(text, start, "approximate")


def _preceded(text: str, start: int, by: str) -> bool:
    """Whether one of a list of words stands right before a place."""
    before = text[max(0, start - 16) : start].casefold().rstrip()
    return any(before.endswith(word) and not before[: -len(word)][-1:].isalpha() for word in words("quantities", by))


def _bound(text: str, start: int) -> str:
    """`>` for "more than", `<` for "less than" before a number, else `=`."""
    return ">" if _preceded(text, start, "above") else "<" if _preceded(text, start, "below") else "="


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
        known = unit_of(match["unit"]) if match["unit"] else None
        if known:
            yield Quantity(
                kind=Kind.DURATION, value=value * known[1], step=known[1], span=span, number=number,
                text=span.of(text), name="time", unit=match["unit"], approximate=_approximate(normal, match.start()),
            )  # fmt: skip
        else:
            back = _POINTS_BACK.search(normal[max(0, match.start() - 12) : match.start()]) is not None
            yield Quantity(
                kind=Kind.NUMBER, value=value, step=1.0, span=span, number=number, text=span.of(text), loose=back
            )


# Of these the whole expression is number (`95% CI 0.61-0.85`, `100 mg`); of the others only the digits are.
_ALL_NUMBER = frozenset(
    {Kind.RATIO, Kind.DIFFERENCE, Kind.INTERVAL, Kind.P_VALUE, Kind.AMOUNT, Kind.DURATION, Kind.FRACTION}
)


def without_numbers(text: str) -> str:
    """The text with its quantities blanked, offsets kept: for comparing the wording alone."""
    blanked = list(text)
    for quantity in quantities(text):
        span = quantity.span if quantity.kind in _ALL_NUMBER else quantity.number
        end = span.end + (text[span.end : span.end + 2].lstrip()[:1] == "%") * 2
        blanked[span.start : end] = " " * (min(end, len(text)) - span.start)
    return "".join(blanked)
