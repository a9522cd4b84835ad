"""De-duplication: records that are the same work become one, whatever order they came in."""

import unicodedata
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evidencegate.documents import Document, Identifiers, Kind, Notice, heard, tokens
from evidencegate.evidence._types import Provenance
from evidencegate.sources import SearchResult

_ARTICLE_KEYS = ("pmid", "pmcid", "doi")
# Titles such as "Editorial" or "Reply" are no sign of identity.
_TITLE_WORDS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """One work: the fullest record of it, with all its identifiers and every place it was found."""

    document: Document
    provenance: tuple[Provenance, ...] = ()
    found_score: float | None = None
    """The best relevance any source gave it, in [0, 1]."""
    records: int = 1
    """How many records it was made from."""


@dataclass(frozen=True, slots=True)
class _Cluster:
    documents: tuple[Document, ...]

    def values(self, name: str) -> frozenset[str]:
        return frozenset(v for d in self.documents if (v := getattr(d.identifiers, name)))

    def titles(self) -> frozenset[tuple[str, int]]:
        return frozenset(key for d in self.documents if (key := _title_key(d)))

    def ids(self) -> frozenset[tuple[str, str]]:
        return frozenset((d.id, d.title) for d in self.documents if not d.identifiers)

    @property
    def article(self) -> bool:
        return any(self.values(name) for name in _ARTICLE_KEYS)


def merge(results: Iterable[SearchResult], more: Sequence[Document] = ()) -> tuple[Merged, ...]:
    """Every work found, once, ordered by id.

    Records are the same work if they share a PMID, PMCID or DOI, directly or through others; a registration (a
    record with nothing but an NCT number) joins the one article that reports it; then records of one title and
    year join. Two different PMIDs (or, where neither has one, PMCIDs or DOIs) are never one work, so letters and
    co-publications that share a title stay apart. The result does not depend on the order of the records.

    Here every room gets its documents: sentences that give orders to their reader are blanked (rule 13).
    """
    found: dict[int, tuple[Document, list[Provenance], list[float]]] = {}
    read: dict[int, Document] = {}
    for result in results:
        for hit in result.found:
            provenance = Provenance(source=result.record.source, query=result.record.query, position=hit.position)
            document = read.setdefault(id(hit.document), heard(hit.document))
            entry = found.setdefault(id(document), (document, [], []))
            entry[1].append(provenance)
            if hit.score is not None:
                entry[2].append(hit.score)
    for document in map(heard, more):
        found.setdefault(id(document), (document, [], []))

    clusters = [_Cluster((document,)) for document, _, _ in found.values()]
    clusters = _join(clusters, lambda c: c.ids())
    for name in _ARTICLE_KEYS:
        clusters = _join(clusters, lambda c, name=name: c.values(name))  # type: ignore[misc]
    clusters = _join_registrations(clusters)
    clusters = _join(clusters, lambda c: c.titles(), alike=True)

    merged = []
    for cluster in clusters:
        entries = [found[id(document)] for document in cluster.documents]
        scores = [score for _, _, given in entries for score in given]
        places = {p for _, given, _ in entries for p in given}
        merged.append(
            Merged(
                document=merge_documents(cluster.documents),
                provenance=tuple(sorted(places, key=lambda p: (p.position, p.source, p.query))),
                found_score=max(scores, default=None),
                records=sum(max(1, len(given)) for _, given, _ in entries),
            )
        )
    # Two libraries may give one id to two works: then their content decides.
    return tuple(sorted(merged, key=lambda m: (m.document.id, _fullness(m.document))))


def _join(
    clusters: Sequence[_Cluster], keys: Callable[[_Cluster], frozenset[Any]], *, alike: bool = False
) -> list[_Cluster]:
    """Clusters that share a key become one, transitively, unless their identifiers contradict each other.

    With `alike`, the key is only a likeness (a title): any identifier that differs speaks against it.
    """
    parent = list(range(len(clusters)))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    first: dict[Hashable, int] = {}
    for index, cluster in enumerate(clusters):
        for key in keys(cluster):
            other = first.setdefault(key, index)
            parent[root(index)] = root(other)
    groups: dict[int, list[_Cluster]] = {}
    for index, cluster in enumerate(clusters):
        groups.setdefault(root(index), []).append(cluster)
    return [joined for group in groups.values() for joined in _apart(group, alike=alike)]


def _apart(group: list[_Cluster], *, alike: bool) -> list[_Cluster]:
    """One cluster if nothing speaks against it; else one for each work that the most trusted identifier names."""
    if len(group) == 1:
        return group
    for name in _ARTICLE_KEYS:
        parts: dict[str, list[_Cluster]] = {}
        for cluster in group:
            parts.setdefault(min(cluster.values(name), default=""), []).append(cluster)
        named = len(parts) - ("" in parts)
        if named > 1:
            return [_Cluster(tuple(d for c in part for d in c.documents)) for part in parts.values()]
        if named and not alike:
            break  # the most trusted identifier names one work: lesser ones may differ (a DOI with two forms)
    return [_Cluster(tuple(d for c in group for d in c.documents))]


def _join_registrations(clusters: Sequence[_Cluster]) -> list[_Cluster]:
    """A registration joins the article that names its number, if just one does; else those of one number join."""
    articles: dict[str, list[_Cluster]] = {}
    for cluster in clusters:
        if cluster.article:
            for number in cluster.values("nct"):
                articles.setdefault(number, []).append(cluster)
    only = {number: held[0] for number, held in articles.items() if len(held) == 1}
    joining: dict[int, list[Document]] = {}
    rest: list[_Cluster] = []
    for cluster in clusters:
        numbers = [] if cluster.article else sorted(cluster.values("nct"))
        target = only.get(numbers[0]) if numbers else None
        if target is None:
            rest.append(cluster)
        else:
            joining.setdefault(id(target), []).extend(cluster.documents)
    registrations = _join([c for c in rest if not c.article], lambda c: c.values("nct"))
    others = [_Cluster((*c.documents, *joining.get(id(c), ()))) for c in rest if c.article]
    return others + registrations


def _title_key(document: Document) -> tuple[str, int] | None:
    """Title and year in one spelling; None where they cannot identify a work."""
    if document.year is None or (document.identifiers.nct and not _article(document.identifiers)):
        return None
    folded = unicodedata.normalize("NFKD", document.title)
    words = [t.folded for t in tokens(folded) if t.kind is not Kind.SYMBOL]
    words = [word for word in words if not all(map(unicodedata.combining, word))]
    return (" ".join(words), document.year) if len(words) >= _TITLE_WORDS else None


def _article(identifiers: Identifiers) -> bool:
    return any(getattr(identifiers, name) for name in _ARTICLE_KEYS)


def merge_documents(documents: Sequence[Document]) -> Document:
    """One record of one work: text, sections and id of the fullest, other fields from whoever has them.

    A real text goes before a curated summary, a longer before a shorter one. Notices are united, so that the
    gravest status wins. The result does not depend on the order.
    """
    ranked = sorted(documents, key=_fullness)
    best = ranked[0]
    if len(ranked) == 1:
        return best
    identifiers = best.identifiers
    for document in ranked[1:]:
        identifiers = identifiers.merge(document.identifiers)
    notices: dict[tuple[str, str, str, str], Notice] = {
        (n.status, n.source, n.reference, n.date): n for d in ranked for n in d.notices
    }
    by_size = sorted(ranked, key=lambda d: ("et al" in d.authors, -len(d.authors), _fullness(d)))
    return replace(
        best,
        identifiers=identifiers,
        authors=by_size[0].authors,
        journal=_first(ranked, "journal"),
        year=next((d.year for d in ranked if d.year is not None), None),
        published=max((d.published for d in ranked), key=lambda p: (len(p), p)),
        volume=_first(ranked, "volume"),
        issue=_first(ranked, "issue"),
        pages=_first(ranked, "pages"),
        publication_types=_union(d.publication_types for d in ranked),
        mesh=_union(d.mesh for d in ranked),
        keywords=_union(d.keywords for d in ranked),
        language=_first(ranked, "language"),
        stored_url=next((d.stored_url for d in ranked if d.stored_url), None),
        licence=_first(ranked, "licence"),
        citations=max((d.citations for d in ranked if d.citations is not None), default=None),
        notices=tuple(notices[key] for key in sorted(notices)),
    )


def _fullness(document: Document) -> tuple[object, ...]:
    """Sort key: what has most to quote first; ties broken by content, never by order of arrival."""
    return (
        not document.text.strip(),
        document.curated,
        -len(" ".join(document.text.split())),
        not document.identifiers.pmid,
        document.source,
        document.id,
        document.title,
        document.text,
        document.authors,
        document.journal,
        document.year or 0,
        repr(document),
    )


def _first(documents: Sequence[Document], name: str) -> str:
    return next((value for d in documents if (value := getattr(d, name))), "")


def _union(values: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for given in values for item in given))
