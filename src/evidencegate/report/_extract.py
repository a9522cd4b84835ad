"""The local engine's answer: the record's own sentences, chosen, grouped and never repeated."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from evidencegate.documents import Document, Passage, Quote, Span, sentences
from evidencegate.evidence import EvidenceItem, Level, Part, asked, covered, named_itself, of_population
from evidencegate.question import Category, Question
from evidencegate.report._outline import belongs
from evidencegate.report._relevance import Relevance, content
from evidencegate.report._worth import holds_dose, kernel, tells_effect, worth
from evidencegate.report._written_out import written_out
from evidencegate.report.citations import enforce_citations

# What a sentence's place in the answer is made of; the parts sum to 1.
_WEIGHTS = {"relevance": 0.45, "record": 0.15, "worth": 0.15, "itself": 0.15, "level": 0.10}
_LEVEL_WORTH = {
    Level.GUIDELINE: 1.0,
    Level.SYSTEMATIC_REVIEW: 1.0,
    Level.RCT: 0.8,
    Level.COHORT: 0.5,
    Level.CASE_CONTROL: 0.4,
    Level.REVIEW: 0.3,
    Level.CASE_SERIES: 0.2,
    Level.OTHER: 0.1,
}
_NONE = frozenset[Part]()
_ABOUT = frozenset({Part.INTERVENTION, Part.SUBJECT})
"""The parts of what is asked without which a sentence is no answer."""
_SAID = _ABOUT | {Part.OUTCOME}
"""Those that a sentence shown first names in its own words, where one does."""
_NAMED = _ABOUT | {Part.COMPARISON}
"""Those of which a sentence names one, or it is about something else."""
_NEAR = 0.25
"""Below this relevance a sentence is about something else."""
_ON_IT = 0.5
"""From this nearness on a title says that its record is about the question."""
_NOT_FAR = 0.6
"""What is shown is at least this near, relative to the nearest: a short answer is better than a padded one."""
_NAMING_ALL = 0.4
"""The same for a sentence that names all that was asked in its own words."""
_AS_NEAR = 0.75
"""A record not heard yet comes first if its sentence is at least this near, relative to the nearest."""
_LEAST = 0.2
"""Below this worth a sentence of an article tells what was known or wished before, and answers nothing."""
_FINDING, _LEANING = 0.5, 0.3
"""From this worth on a sentence states a finding, and stands alone; or states one that leans on others."""
_SAME = 0.6
"""Two sentences that share this much of their content (Jaccard) say the same."""
_READ = 40
"""Sentences read of one record; of a long text those where the search found it, and its abstract, come first."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence of a record that may be shown, bound to its place."""

    item: EvidenceItem
    quote: Quote
    text: str
    value: float
    """How well it answers, 0-1."""
    relevance: float
    worth: float = 1.0
    """How much it can say on its own, 0-1."""
    parts: frozenset[Part] = frozenset()
    """What it names of what is asked, read with its record's title."""
    itself: float = 1.0
    """The share of what is asked that it names in its own words, 0-1."""
    tells: bool = True
    """Whether it names in its own words the outcome asked about, and what is asked about."""

    @property
    def effect(self) -> bool:
        """Whether it tells what something does, by its words or by a ratio, or names all that is asked itself."""
        return self.itself == 1.0 or self.tells or tells_effect(self.text)

    @property
    def finding(self) -> bool:
        """Whether it states a finding and stands alone; a curated summary states nothing else."""
        return self.worth >= _FINDING or self.item.document.curated


@dataclass(frozen=True, slots=True)
class Group:
    """The sentences that answer one sub-question, best first."""

    category: Category
    query: str
    candidates: tuple[Candidate, ...]


def candidates(
    items: Sequence[EvidenceItem],
    query: str,
    relevance: Relevance,
    *,
    doses: bool = True,
    question: Question | None = None,
) -> list[Candidate]:
    """Every sentence of `items` that may answer `query`, best first.

    A sentence that does not name what `question` asks about, in itself or in its record's title, counts half as near.
    A finding is as near as its record's title allows, too: what an article on the very question concludes need not
    repeat the question's words.
    """
    parts_asked = asked(question) if question else ()
    about = _ABOUT.intersection(one.part for one in parts_asked)
    # Where any treatment is an answer, a sentence may name it by letters that only its article explains.
    said = _SAID.intersection(one.part for one in parts_asked if not one.treated)
    drafts = [
        (item, quote, text, value)
        for item in items
        if not item.document.retracted
        for quote, text, value in _readable(item, doses=doses)
    ]
    titles = list(dict.fromkeys(item.document.title for item, _, _, _ in drafts))
    titled = dict(zip(titles, relevance(query, titles), strict=True))
    # What an article abbreviates it names: "FXS" is flaxseed where it says so.
    full = [written_out(item.document, text) if question else text for item, _, text, _ in drafts]
    parts = [_parts(question, item, text) if question else _NONE for (item, *_), text in zip(drafts, full, strict=True)]
    itself = [named_itself(question, text) if question else 1.0 for text in full]
    near = [
        _near(value, close, titled[item.document.title]) / (1 if not about or named & _NAMED else 2)
        for (item, _, _, value), close, named in zip(
            drafts, relevance(query, [t for _, _, t, _ in drafts]), parts, strict=True
        )
    ]
    found = [
        Candidate(
            item,
            quote,
            text,
            _WEIGHTS["relevance"] * close
            + _WEIGHTS["record"] * item.score / 100
            + _WEIGHTS["worth"] * value
            + _WEIGHTS["itself"] * (own if question else close)
            + _WEIGHTS["level"] * _LEVEL_WORTH[item.level],
            close,
            value,
            named,
            own,
            question is None or said.intersection(named) <= covered(question, long),
        )
        for (item, quote, text, value), long, close, named, own in zip(drafts, full, near, parts, itself, strict=True)
        if close >= _NEAR
    ]
    return sorted(found, key=lambda c: (-c.value, c.item.document.id, c.quote.span))


def _near(value: float, close: float, titled: float) -> float:
    """How near a sentence is, with what its title says of it."""
    return max(close, (close + titled) / 2) if value >= _FINDING and titled >= _ON_IT else close


def choose(
    ranked: Iterable[Candidate], *, limit: int, taken: Sequence[Candidate] = (), per_record: int = 2
) -> list[Candidate]:
    """The first `limit` that neither repeat each other nor `taken`, at most `per_record` of one record."""
    chosen: list[Candidate] = []
    for candidate in ranked:
        if len(chosen) == limit:
            break
        same_record = sum(c.item.document.id == candidate.item.document.id for c in chosen)
        if same_record < per_record and not any(_repeats(candidate, c) for c in (*taken, *chosen)):
            chosen.append(candidate)
    return chosen


def extract(
    question: Question,
    items: Sequence[EvidenceItem],
    relevance: Relevance,
    *,
    direct: int = 3,
    per_group: int = 3,
    doses: bool = True,
) -> tuple[tuple[Candidate, ...], tuple[Group, ...]]:
    """The direct answer, and what each sub-question adds to it.

    Returns `direct` findings of different records that answer the whole question: of those that name most of what it
    asks, the best. Then for each sub-query up to `per_group` findings that have not been shown and name no less, of
    records not cited yet where there are any: a reader sees the breadth of the evidence, not one article at length.
    """
    whole = findings(candidates(items, question.text, relevance, doses=doses, question=question))
    # An article whose title shares nothing with the question says what it says of it in passing.
    whole = [c for c in whole if _titled(question, c.item)] or whole
    named = max((candidate.parts for candidate in whole), key=_told, default=_NONE)
    if not _ABOUT.intersection(one.part for one in asked(question)) <= named:
        # No record says it in the question's words; one that is very near may say it in others.
        whole = [candidate for candidate in whole if candidate.relevance * 2 >= _ON_IT]
    best = [candidate for candidate in whole if _told(candidate.parts) == _told(named)]
    # A title may name what is asked above a sentence on something else.
    best = [candidate for candidate in best if candidate.tells] or best
    answer = choose(_not_far(best), limit=direct, per_record=1)
    heard = {candidate.item.document.id for candidate in answer}
    several = len({sub_query.query for sub_query in question.sub_queries}) > 1
    shown = list(answer)
    groups: list[Group] = []
    sub_queries: dict[str, Category] = {}  # those that differ only in the evidence they want are one question
    for sub_query in question.sub_queries:
        sub_queries.setdefault(sub_query.query, sub_query.category)
    for query, category in sub_queries.items():
        near = whole if query == question.text else candidates(items, query, relevance, doses=doses, question=question)
        ranked = _not_far(
            [
                candidate
                for candidate in findings(near)
                if (candidate.item.document.id in heard or _titled(question, candidate.item))
                and belongs(category, candidate.text)
                and _no_less(candidate, named, heard, several=several)
            ]
        )
        # A title that names what is asked about does not make every sentence under it tell of an effect.
        ranked = [candidate for candidate in ranked if candidate.effect or candidate.item.document.curated]
        cited = {candidate.item.document.id for candidate in shown}
        nearest = max((candidate.relevance for candidate in ranked), default=0.0)
        fresh = [
            candidate
            for candidate in ranked
            if candidate.item.document.id not in cited and candidate.relevance >= _AS_NEAR * nearest
        ]
        # What records say that were not heard yet comes before more from those that were.
        added = choose(fresh, limit=per_group, taken=shown, per_record=1)
        added += choose(ranked, limit=per_group - len(added), taken=(*shown, *added))
        if added:
            groups.append(Group(category, query, tuple(added)))
            shown += added
    return tuple(answer), tuple(groups)


def _titled(question: Question, item: EvidenceItem) -> bool:
    return item.document.curated or named_itself(question, item.document.title) > 0


def findings(ranked: Sequence[Candidate]) -> list[Candidate]:
    """Those that stand alone; where there is none, those that lean on the sentence or the article before."""
    return [c for c in ranked if c.finding] or [c for c in ranked if c.worth >= _LEANING]


def _parts(question: Question, item: EvidenceItem, text: str) -> frozenset[Part]:
    """What a sentence names of what is asked, read with its title; of whom it speaks, its record tells."""
    named = covered(question, text, item.document.title)
    return named | {Part.POPULATION} if of_population(question, item.document) else named


def _told(parts: frozenset[Part]) -> int:
    """How much of what is asked these parts are: comparison and population least."""
    return sum(1 if part in (Part.COMPARISON, Part.POPULATION) else 2 for part in parts)


def _no_less(candidate: Candidate, named: frozenset[Part], heard: Collection[str], *, several: bool) -> bool:
    """Whether a sentence may stand beside an answer that names `named`.

    It names what is asked about; the outcome too, save where several questions are asked; and what it is compared
    with, save where its record was heard on that already.
    """
    least = named & _ABOUT if several else named
    if candidate.item.document.id in heard:
        least -= {Part.COMPARISON}
    return least <= candidate.parts


def _not_far(ranked: Sequence[Candidate]) -> list[Candidate]:
    """Those that are not much further from what was asked than the nearest of them, or name all of it themselves."""
    nearest = max((candidate.relevance for candidate in ranked), default=0.0)
    return [c for c in ranked if c.relevance >= (_NAMING_ALL if c.itself == 1.0 else _NOT_FAR) * nearest]


def _readable(item: EvidenceItem, *, doses: bool) -> list[tuple[Quote, str, float]]:
    """Sentences of a record that can stand alone, with their worth, at most `_READ`."""
    document = item.document
    found: dict[Span, tuple[Quote, str, float]] = {}
    for passage in (*item.passages, *_opening(document)):
        for sentence in passage.sentences:
            if len(found) == _READ:
                return list(found.values())
            span = kernel(document, sentence)
            value = worth(document, span)
            text = _bare(" ".join(span.of(document.text).split()))
            enough = value >= _LEAST or (document.curated and value > 0)
            if enough and span not in found and (doses or not holds_dose(text)):
                found[span] = (Quote(passage, span), text, value)
    return list(found.values())


@lru_cache(maxsize=8192)
def _bare(text: str) -> str:
    """A sentence without its record's own citation marks: they point into another list, and would be taken for ours."""
    return enforce_citations(text, ()).text


def _opening(document: Document) -> Iterable[Passage]:
    """The document paragraph by paragraph, those of its conclusions first: a long text is not read to its end."""
    paragraphs = [
        tuple(span.shift(paragraph.start) for span in sentences(paragraph.of(document.text)))
        for paragraph in document.paragraphs()
    ]
    passages = [Passage(document, spans) for spans in paragraphs if spans]
    if not document.full_text:
        return passages
    abstract = [p for p in passages if _label(document, p).startswith("abstract")]
    closing = [p for p in passages if "conclusion" in _label(document, p) and p not in abstract]
    return (*abstract, *closing)


def _label(document: Document, passage: Passage) -> str:
    section = document.section_at(passage.span.start)
    return section.label.casefold() if section else ""


def _repeats(one: Candidate, other: Candidate) -> bool:
    a, b = content(one.text), content(other.text)
    return len(a & b) >= _SAME * len(a | b) or (one.quote.document.id, one.quote.span) == (
        other.quote.document.id,
        other.quote.span,
    )
