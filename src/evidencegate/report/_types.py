"""What is shown: sentences that know their quotes, and the references they cite."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evidencegate.documents import Document, Identifiers, Quote, RetractionStatus
from evidencegate.evidence import DirectUrl, EvidencePackage, Fallback, Image, Sufficiency
from evidencegate.models.stance import Stance
from evidencegate.report._refused import RemovedCitation, Unsupported


class Audience(StrEnum):
    """Who reads: professionals, or the public (plain findings, no doses, the same gates)."""

    PROFESSIONAL = "professional"
    PUBLIC = "public"


class SourceBadge(StrEnum):
    """Where a reference stands."""

    PUBMED = "PubMed"
    PMC = "PMC"
    EUROPE_PMC = "Europe PMC"
    COCHRANE = "Cochrane"
    CLINICAL_TRIAL = "Clinical Trial"
    GUIDELINE = "Guideline"
    META_ANALYSIS = "Meta-Analysis"
    SYSTEMATIC_REVIEW = "Systematic Review"
    DOI = "DOI"
    """Known by its DOI or a stored address alone."""


class QualityBadge(StrEnum):
    """What speaks for a reference."""

    GOLD_STANDARD = "Gold Standard"
    RECENT = "Recent"
    HIGHLY_CITED = "Highly Cited"
    PRACTICAL_GUIDANCE = "Practical Guidance"
    LANDMARK_TRIAL = "Landmark Trial"
    ANCHOR_GUIDELINE = "Anchor Guideline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A formatted entry of a reference list; its URL opens the article itself (rule 7)."""

    n: int
    title: str
    authors: str
    journal: str
    year: str
    url: DirectUrl
    source_badge: SourceBadge
    identifiers: Identifiers
    document: Document
    quality_badges: tuple[QualityBadge, ...] = ()
    retraction: RetractionStatus = RetractionStatus.NONE
    curated: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.url, DirectUrl):
            raise TypeError("the address of a reference is a DirectUrl, which is checked when it is made")
        for name in ("title", "authors", "journal", "year"):
            if not getattr(self, name).strip():
                raise ValueError(f"a reference has its {name}")
        if self.n < 1:
            raise ValueError("references are numbered from 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """One `[n]` of a sentence: which reference, which words of it, and what they say about the sentence."""

    n: int
    quote: Quote
    stance: Stance

    @property
    def curated(self) -> bool:
        """Whether the quote is from our own summary of the work and not from the work."""
        return self.quote.document.curated


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence that is shown, with what it rests on."""

    text: str
    citations: tuple[Citation, ...]

    @property
    def supported(self) -> bool:
        """Whether it may be shown as fact (rule 4)."""
        return bool(self.citations)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A headed part of an answer or report."""

    heading: str
    query: str = ""
    sentences: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Evidence that speaks against something the answer says."""

    against: str
    """The sentence of the answer."""
    sentence: Sentence
    """What a cited record says instead; the stance of its citation is towards `against`."""
    weight: str = ""
    """How the two weigh against each other by the design of their studies, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to a question: everything that is shown, and all it rests on.

    Every citation of every sentence resolves to `references`, and each reference is cited (rule 3): an answer
    that breaks this cannot be built.
    """

    package: EvidencePackage
    sufficiency: Sufficiency
    direct: tuple[Sentence, ...]
    sections: tuple[Section, ...]
    contradictory: tuple[Contradiction, ...]
    references: tuple[Reference, ...]
    fallback: Fallback
    warnings: tuple[str, ...] = ()
    images: tuple[Image, ...] = ()
    run: str = ""
    not_supported: tuple[Unsupported, ...] = ()
    """What a model wrote and nothing supports; never shown as fact."""
    removed_citations: tuple[RemovedCitation, ...] = ()
    partial: bool = False
    """Whether a budget ran out before everything was done; a warning says so too."""

    def __post_init__(self) -> None:
        must_match(self.references, self.sentences())

    def sentences(self) -> Iterator[Sentence]:
        """Every sentence that is shown, in order: the direct answer, the sections, what contradicts."""
        yield from self.direct
        for section in self.sections:
            yield from section.sentences
        for contradiction in self.contradictory:
            yield contradiction.sentence


def must_match(references: Sequence[Reference], sentences: Iterable[Sentence]) -> None:
    """Refuse a list of references that is not numbered from 1, or is not exactly what is cited (rule 3)."""
    listed = [reference.n for reference in references]
    if listed != list(range(1, len(listed) + 1)):
        raise ValueError(f"references are numbered from 1 without gaps: {listed}")
    cited = {citation.n for sentence in sentences for citation in sentence.citations}
    if cited != set(listed):
        raise ValueError(f"cited {sorted(cited)}, listed {listed}")
