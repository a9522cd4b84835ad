"""`Anchor` and `Pack`: curated guidelines and landmark trials, by clinical scenario."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from types import MappingProxyType

from evidencegate.documents import Document, Identifiers, Section, Span
from evidencegate.errors import UnknownName
from evidencegate.evidence._design import Level
from evidencegate.evidence._direct_url import DirectUrl


class AnchorKind(StrEnum):
    """What an anchor is."""

    GUIDELINE = "guideline"
    SYSTEMATIC_REVIEW = "systematic_review"
    META_ANALYSIS = "meta_analysis"
    RCT = "rct"
    COHORT = "cohort"

    @property
    def level(self) -> Level:
        """The design it counts as."""
        return Level.SYSTEMATIC_REVIEW if self is AnchorKind.META_ANALYSIS else Level(self.value)

    @property
    def publication_type(self) -> str:
        """PubMed's word for it; none for a cohort, for which PubMed has no type of its own."""
        return _PUBLICATION_TYPES.get(self, "")


_PUBLICATION_TYPES = {
    AnchorKind.GUIDELINE: "Practice Guideline",
    AnchorKind.SYSTEMATIC_REVIEW: "Systematic Review",
    AnchorKind.META_ANALYSIS: "Meta-Analysis",
    AnchorKind.RCT: "Randomized Controlled Trial",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """One curated guideline or study: facts in our own words, and how each was confirmed."""

    id: str
    kind: AnchorKind
    name: str
    """What the field calls it: `ARISTOTLE`, `2024 ESC AF`."""
    title: str
    authors: tuple[str, ...]
    """As known; ends in `et al` where the others are not listed."""
    journal: str
    year: int
    identifiers: Identifiers
    copies: tuple[Identifiers, ...] = ()
    """The same text published elsewhere, under identifiers of its own."""
    url: DirectUrl
    summary: tuple[str, ...]
    """Our own sentences, each complete in itself."""
    scope_only: bool = False
    """The summary says what the work is about; its findings or recommendations were not confirmed."""
    limits: str = ""
    """What the summary does not cover, or rests on; shown beside it, never quoted."""
    population: str = ""
    intervention: str = ""
    comparator: str = ""
    n: int | None = None
    disease_tags: tuple[str, ...] = ()
    decision_tags: tuple[str, ...] = ()
    confirmation: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    """By field (`pmid`, `doi`, `figures`, `title`, `authors`): `confirmed2`, `confirmed1`, `recall` or `none`."""
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    """Where identifiers and figures were read."""
    checked: date
    next_review: date
    supersedes: tuple[str, ...] = ()
    superseded_by: str | None = None
    superseded_in_part: bool = False

    @property
    def level(self) -> Level:
        """Its design."""
        return self.kind.level

    @property
    def guideline(self) -> bool:
        """Whether it gives recommendations rather than findings."""
        return self.kind is AnchorKind.GUIDELINE

    @property
    def current(self) -> bool:
        """Whether nothing newer has taken its place altogether."""
        return self.superseded_by is None or self.superseded_in_part

    def keys(self) -> frozenset[str]:
        """Every identifier it is known by (`pmid:…`, `doi:…`), its copies' too."""
        return frozenset(key for ids in (self.identifiers, *self.copies) for key in tuple(ids.keys()))

    def to_json(self) -> dict[str, object]:
        """All fields as plain values, for `anchors show --json`."""
        return {
            "id": self.id,
            "kind": self.kind.value,
            "name": self.name,
            "title": self.title,
            "authors": list(self.authors),
            "journal": self.journal,
            "year": self.year,
            "pmid": self.identifiers.pmid,
            "pmcid": self.identifiers.pmcid,
            "doi": self.identifiers.doi,
            "copies": [list(ids.keys()) for ids in self.copies],
            "url": str(self.url),
            "population": self.population,
            "intervention": self.intervention,
            "comparator": self.comparator,
            "n": self.n,
            "summary": list(self.summary),
            "scope_only": self.scope_only,
            "limits": self.limits,
            "disease_tags": list(self.disease_tags),
            "decision_tags": list(self.decision_tags),
            "confirmation": dict(self.confirmation),
            "sources": {name: list(values) for name, values in self.sources.items()},
            "checked": self.checked.isoformat(),
            "next_review": self.next_review.isoformat(),
            "supersedes": list(self.supersedes),
            "superseded_by": self.superseded_by,
            "current": self.current,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """The anchors of one clinical scenario."""

    scenario: str
    title: str
    disease_tags: tuple[str, ...]
    decision_tags: tuple[str, ...]
    anchors: tuple[Anchor, ...]

    @property
    def current(self) -> tuple[Anchor, ...]:
        """The anchors that nothing has superseded; all of them, where everything was."""
        return tuple(anchor for anchor in self.anchors if anchor.current) or self.anchors


@dataclass(frozen=True, slots=True)
class Packs:
    """Every pack there is, shipped and the user's own, by scenario."""

    packs: tuple[Pack, ...] = ()

    def __iter__(self) -> Iterator[Pack]:
        return iter(self.packs)

    def __len__(self) -> int:
        return len(self.packs)

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """Every anchor once, in the order of the packs."""
        return tuple({anchor.id: anchor for pack in self.packs for anchor in pack.anchors}.values())

    def for_scenario(self, scenario: str | None) -> Pack | None:
        """The pack of a scenario; None where there is none."""
        return next((pack for pack in self.packs if pack.scenario == scenario), None)

    def pack(self, scenario: str) -> Pack:
        """The pack of a scenario.

        Raises:
            UnknownName: no pack has this name; the message lists those there are.
        """
        found = self.for_scenario(scenario)
        if found is None:
            names = ", ".join(pack.scenario for pack in self.packs)
            raise UnknownName(f"No anchor pack is called {scenario!r}. There are: {names}.")
        return found

    def anchor(self, name: str) -> Anchor:
        """The anchor with this id.

        Raises:
            UnknownName: there is none; the message says how to list them.
        """
        for anchor in self.anchors:
            if anchor.id == name:
                return anchor
        raise UnknownName(f"No anchor is called {name!r}. `evidencegate anchors list` shows the packs.")

    def find(self, name: str) -> tuple[Anchor, ...]:
        """The anchors of a scenario, or the one anchor with this id.

        Raises:
            UnknownName: neither a scenario nor an anchor.
        """
        found = self.for_scenario(name)
        return found.anchors if found else (self.anchor(name),)

    def identified(self, identifiers: Identifiers) -> Anchor | None:
        """The anchor that a record with these identifiers is, by PMID, PMCID or DOI."""
        keys = frozenset(identifiers.keys())
        return next((anchor for anchor in self.anchors if anchor.keys() & keys), None)


SUMMARY, SCOPE = "Curated summary", "Curated summary: scope only"


def scope_only(document: Document) -> bool:
    """Whether the record is a curated summary that says no more than what the work is about."""
    return document.curated and any(section.label == SCOPE for section in document.sections)


def anchor_document(anchor: Anchor) -> Document:
    """The anchor's own summary as a record that can be quoted, marked as curated.

    The text is the summary's sentences, parted by one space, in one paragraph; the label of its only section says
    whether it holds findings or the scope alone.
    """
    text = " ".join(anchor.summary)
    kind = anchor.kind.publication_type
    return Document(
        id=f"anchor:{anchor.id}",
        title=anchor.title,
        text=text,
        identifiers=anchor.identifiers,
        sections=(Section(label=SCOPE if anchor.scope_only else SUMMARY, span=Span(0, len(text))),),
        authors=anchor.authors,
        journal=anchor.journal,
        year=anchor.year,
        published=str(anchor.year),
        publication_types=(kind,) if kind else (),
        source="anchors",
        stored_url=str(anchor.url),
        curated=True,
    )
