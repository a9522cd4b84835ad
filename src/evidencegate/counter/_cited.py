"""A record as the metadata line names it, and what "nothing found" rests on."""

from dataclasses import dataclass

from evidencegate.counter._types import Examined, Scored
from evidencegate.documents import Identifiers
from evidencegate.evidence import NO_JOURNAL, NO_YEAR, format_authors


@dataclass(frozen=True, slots=True)
class Cited:
    """What `metadata_line` needs of a record."""

    authors: str
    year: str
    journal: str
    identifiers: Identifiers

    @classmethod
    def of(cls, record: Scored) -> "Cited":
        """The record's own data; what it does not say is said so."""
        document = record.document
        return cls(
            authors=format_authors(document.authors),
            year=str(document.year) if document.year else NO_YEAR,
            journal=" ".join(document.journal.split()) or NO_JOURNAL,
            identifiers=document.identifiers,
        )


def absence(one: Examined) -> str:
    """What "nothing found" says: who was asked for what, how many records were read, and who failed (rule 6)."""
    if one.counterfactual.statement is None:
        return "Nothing was searched, because there is no statement to search for."
    asked = [s for s in one.searches if s.record.status.answered]
    failed = [s for s in one.searches if not s.record.status.answered]
    missed = "; ".join(dict.fromkeys(f"{s.record.source} ({s.record.status}: {s.record.reason})" for s in failed))
    if not asked:
        why = f" Not searched: {missed}." if missed else ""
        return f"Not known: no source could be searched for evidence against this claim.{why}"
    sources = "; ".join(
        f"{source}: {sum(s.record.records for s in asked if s.record.source == source)} records for "
        + ", ".join(f"“{s.record.query}”" for s in asked if s.record.source == source)
        for source in dict.fromkeys(s.record.source for s in asked)
    )
    why = f" Not searched: {missed}." if missed else ""
    return (
        f"No passage that contradicts this claim was found. Searched: {sources}. {one.documents} distinct records "
        f"were scored and {len(one.rejected)} passages rejected.{why} "
        "This reports a search; it is not evidence that the claim is right."
    )
