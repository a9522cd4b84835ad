"""A report: sections of sentences bound to quotes, and closing parts that cite nothing of their own."""

from collections.abc import Iterator
from dataclasses import dataclass

from evidencegate.evidence import EvidencePackage, Fallback, Image, Sufficiency
from evidencegate.models.stance import Label
from evidencegate.report._refused import RemovedCitation, Unsupported
from evidencegate.report._types import Contradiction, Reference, Sentence, must_match

NOTHING_FOUND = "No relevant research found."
NOTHING_MORE = "What was found on this stands in the other sections."


@dataclass(frozen=True, slots=True, kw_only=True)
class Density:
    """How closely a section is bound to its records."""

    sentences: int
    words: int
    citations: int
    records: int

    @property
    def per_100_words(self) -> float:
        """Citations for each 100 words; 0 where nothing is written."""
        return 100 * self.citations / self.words if self.words else 0.0

    @property
    def low(self) -> bool:
        """Whether what is written rests on a single record."""
        return self.sentences > 0 and self.records < 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSection:
    """One headed part of a report with its own search."""

    heading: str
    query: str
    opening: str
    """What was read for it, said by code; `NOTHING_FOUND` and the search where nothing was."""
    paragraphs: tuple[tuple[Sentence, ...], ...] = ()
    written_by: str = "local"

    def __post_init__(self) -> None:
        if not self.heading.strip() or not self.query.strip() or not self.opening.strip():
            raise ValueError("a section has a heading, a query and an opening")
        if not all(self.paragraphs):
            raise ValueError("a paragraph has a sentence")

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """Its sentences in order."""
        return tuple(sentence for paragraph in self.paragraphs for sentence in paragraph)

    @property
    def empty(self) -> bool:
        """Whether nothing relevant was found for it at all."""
        return self.opening.startswith(NOTHING_FOUND)

    @property
    def references(self) -> tuple[int, ...]:
        """The numbers it cites, in order."""
        return tuple(dict.fromkeys(c.n for s in self.sentences for c in s.citations))

    @property
    def density(self) -> Density:
        """How closely it is bound to its records."""
        return Density(
            sentences=len(self.sentences),
            words=sum(len(sentence.text.split()) for sentence in self.sentences),
            citations=sum(len({c.n for c in sentence.citations}) for sentence in self.sentences),
            records=len(self.references),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """A part that sums up: remarks on the report itself, made by code, and sentences that sections already cite."""

    remarks: tuple[str, ...] = ()
    sentences: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report on a topic. One that breaks rule 3 or 4 cannot be built.

    Every citation resolves to `references`, each reference is cited, every sentence has a citation whose quote
    supports it, and abstract, introduction, discussion and conclusion cite only what a section cites.
    """

    package: EvidencePackage
    sufficiency: Sufficiency
    abstract: Closing
    introduction: Closing
    sections: tuple[ReportSection, ...]
    contradictory: tuple[Contradiction, ...]
    discussion: Closing
    limitations: tuple[str, ...]
    conclusion: Closing
    methods: tuple[str, ...]
    references: tuple[Reference, ...]
    fallback: Fallback
    not_supported: tuple[Unsupported, ...] = ()
    removed_citations: tuple[RemovedCitation, ...] = ()
    dropped: int = 0
    """Sentences left out because nothing supported them, where the setting is to drop them."""
    warnings: tuple[str, ...] = ()
    images: tuple[Image, ...] = ()
    writer: str = "local"
    run: str = ""
    partial: bool = False

    def __post_init__(self) -> None:
        if not self.sections:
            raise ValueError("a report has a section")
        must_match(self.references, self.sentences())
        in_sections = {n for section in self.sections for n in section.references}
        for part in self.closings():
            own = {c.n for sentence in part.sentences for c in sentence.citations} - in_sections
            if own:
                raise ValueError(f"a closing part cites what no section cites: {sorted(own)}")
        for sentence in self.facts():
            if not sentence.supported or any(c.stance.label is not Label.SUPPORTS for c in sentence.citations):
                raise ValueError(f"not supported by what it cites: {sentence.text!r}")

    @property
    def topic(self) -> str:
        """What the report is about."""
        return self.package.question.text

    def closings(self) -> tuple[Closing, ...]:
        """Abstract, introduction, discussion, conclusion."""
        return (self.abstract, self.introduction, self.discussion, self.conclusion)

    def facts(self) -> Iterator[Sentence]:
        """Every sentence that is shown as fact, in order; what contradicts is not among them."""
        yield from self.abstract.sentences
        yield from self.introduction.sentences
        for section in self.sections:
            yield from section.sentences
        yield from self.discussion.sentences
        yield from self.conclusion.sentences

    def sentences(self) -> Iterator[Sentence]:
        """Every sentence that is shown with citations."""
        yield from self.facts()
        for contradiction in self.contradictory:
            yield contradiction.sentence
