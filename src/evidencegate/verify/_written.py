"""Claims and sources with the abbreviations of the sources written out, and the way back to the literal text.

Claim and sentence are compared written out on both sides; what is shown of either is the literal text.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

from evidencegate.documents import Document, Passage, Quote, Span, locate
from evidencegate.verify._lexicon import lexicon
from evidencegate.verify._quantities import quantities
from evidencegate.verify._wording import meanings


@dataclass(frozen=True, slots=True)
class _Cut:
    """A stretch of the literal text, and what stands for it in the written one."""

    literal: Span
    written: Span


@dataclass(frozen=True, slots=True)
class Written:
    """A text with abbreviations written out. Every place in it is a place in the literal text, and the other way."""

    text: str
    cuts: tuple[_Cut, ...] = ()
    """In order."""

    def literal(self, span: Span) -> Span:
        """The stretch of the literal text that a stretch of the written text stands for, abbreviations whole."""
        written = [cut.written for cut in self.cuts]
        return _moved(span, written, [cut.literal for cut in self.cuts])

    def written(self, span: Span) -> Span:
        """What a stretch of the literal text has become, abbreviations whole."""
        literal = [cut.literal for cut in self.cuts]
        return _moved(span, literal, [cut.written for cut in self.cuts])


def _moved(span: Span, here: list[Span], there: list[Span]) -> Span:
    """`span` of one text in the other, widened to whole cuts where it begins or ends in one."""

    def place(offset: int, *, end: bool) -> int:
        at = bisect_right(here, offset, key=lambda cut: cut.start) - 1
        if at < 0:
            return offset
        if offset >= here[at].end:
            return there[at].end + offset - here[at].end
        if offset == here[at].start:
            return there[at].start
        return there[at].end if end else there[at].start

    return Span(place(span.start, end=False), place(span.end, end=True))


@dataclass(frozen=True, slots=True)
class Glossary:
    """The abbreviations by which a claim is read against its sources."""

    of_claim: Mapping[str, str] = field(default_factory=dict)
    """Those that the checked text defines itself go before those of the sources."""
    of_sources: Mapping[str, str] = field(default_factory=dict)

    def claim(self, statement: str) -> Written:
        """A claim written out."""
        return _written(statement, tuple(self.of_claim.items()))

    def text(self, said: str) -> str:
        """A stretch of a source written out."""
        return _written(said, tuple(self.of_sources.items())).text

    def passage(self, passage: Passage) -> Passage:
        """A passage written out, in its document written out."""
        written = self._document(passage.document)
        if not written.cuts:
            return passage
        sections = tuple(replace(one, span=written.written(one.span)) for one in passage.document.sections)
        document = replace(passage.document, text=written.text, sections=sections)
        return Passage(document, tuple(written.written(span) for span in passage.sentences))

    def quote(self, quote: Quote) -> Quote:
        """A quote written out."""
        written = self._document(quote.document)
        return Quote(self.passage(quote.passage), written.written(quote.span)) if written.cuts else quote

    def literal(self, quoted: str, passage: Passage) -> str:
        """The words of `passage` that a quote from it written out stands for."""
        written = self._document(passage.document)
        found = locate(quoted, self.passage(passage)) if written.cuts else None
        return written.literal(found.span).of(passage.document.text) if found else quoted

    def place(self, span: Span, document: Document) -> Span:
        """Where a stretch of a document written out stands in it literally."""
        return self._document(document).literal(span)

    def _document(self, document: Document) -> Written:
        return _written(document.text, tuple(self.of_sources.items()))


def glossary(sources: Iterable[str], own: str = "") -> Glossary:
    """The abbreviations that the texts of sources, and the checked text `own`, define.

    One that two sources define differently is left as it is.
    """
    found: dict[str, str] = {}
    twofold: set[str] = set()
    for text in sources:
        for short, long in _defined(text).items():
            if set(meanings(found.setdefault(short, long))) != set(meanings(long)):
                twofold.add(short)
    theirs = _nested({short: long for short, long in found.items() if short not in twofold})
    return Glossary(_nested({**theirs, **_defined(own)}), theirs)


@lru_cache(maxsize=256)
def _defined(text: str) -> dict[str, str]:
    from evidencegate.question import abbreviations  # its vocabularies take time to load

    # A name with a number in it would be read as a number.
    return {
        short: long
        for short, long in abbreviations(text).items()
        if short not in _of_numbers() and not quantities(long)
    }


def _nested(found: Mapping[str, str]) -> dict[str, str]:
    """Long forms without the abbreviations of others in them."""
    return {
        short: _written(long, tuple((s, lg) for s, lg in found.items() if s != short)).text
        for short, long in found.items()
    }


@lru_cache(maxsize=256)
def _written(text: str, known: tuple[tuple[str, str], ...]) -> Written:
    """`text` with what is `known` written out; the place that defines one ("heart failure (HF)") says it once."""
    longs = {short: long for short, long in known if short in text}
    if not longs:
        return Written(text)
    pieces: list[str] = []
    cuts: list[_Cut] = []
    end = length = 0
    for match in _shorts(tuple(longs)).finditer(text):
        short = match["short"] or match["alone"]
        span, long = Span(*match.span("short" if match["short"] else "alone")), longs[short]
        if match["alone"]:
            before = "".join(pieces[-4:]) + text[end : match.start()]
            if before.casefold().endswith(long.casefold()):
                # The word before goes into the cut, so that no stretch of the text comes to nothing.
                last = max(end, match.start() - len(long.split()[-1]))
                if last == match.start():
                    continue
                span, long = Span(last, match.end()), text[last : match.start()]
        pieces += [text[end : span.start], long]
        start = length + span.start - end
        length = start + len(long)
        cuts.append(_Cut(span, Span(start, length)))
        end = span.end
    return Written("".join([*pieces, text[end:]]), tuple(cuts))


@lru_cache(maxsize=256)
def _shorts(shorts: tuple[str, ...]) -> re.Pattern[str]:
    """An abbreviation as a word, its plural or the first part of a compound, or alone in brackets."""
    any_of = "|".join(re.escape(short) for short in sorted(shorts, key=len, reverse=True))
    return re.compile(rf" ?\((?P<alone>{any_of})\)|(?<![\w-])(?P<short>{any_of})(?=s?(?!\w))")


@cache
def _of_numbers() -> frozenset[str]:
    """What is part of a number ("95% CI", "HR 0.72"): numbers are read as they are printed."""
    tables = (lexicon("quantities")[name] for name in ("ratios", "differences", "units"))
    return frozenset(spelling for table in tables for row in table.values() for spelling in row) | {"CI", "CIs", "CrI"}
