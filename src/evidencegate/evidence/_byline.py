"""How a record is named in one line."""

from collections.abc import Sequence
from typing import Protocol

from evidencegate.documents import Identifiers

NO_AUTHORS, NO_JOURNAL, NO_YEAR = "[No authors listed]", "[journal unknown]", "[date unknown]"
"""As NLM prints what a record does not say (Citing Medicine, 2nd edition)."""
_COMPACT = 3


class Listed(Protocol):
    """What the metadata line needs of a reference."""

    @property
    def authors(self) -> str: ...
    @property
    def year(self) -> str: ...
    @property
    def journal(self) -> str: ...
    @property
    def identifiers(self) -> Identifiers: ...


def format_authors(authors: Sequence[str]) -> str:
    """`Granger CB, Alexander JH, McMurray JJ.`, or `Granger CB, et al.` for more than three, in NLM's form.

    Authors of whom only the first is known end in `et al`.
    """
    names = [" ".join(name.split()).rstrip(".,;") for name in authors]
    others = any(name.casefold() == "et al" for name in names)
    names = [name for name in names if name and name.casefold() != "et al"]
    if not names:
        return NO_AUTHORS
    if others or len(names) > _COMPACT:
        return f"{names[0]} et al."
    return f"{', '.join(names)}."


def metadata_line(reference: Listed) -> str:
    """`Authors et al. (Year) | Journal | PMID: … | DOI: …`, with those identifiers that are known."""
    authors = reference.authors if reference.authors.endswith("al.") else reference.authors.rstrip(".")
    ids = reference.identifiers
    parts = [f"{authors} ({reference.year})", reference.journal]
    parts += [f"PMID: {ids.pmid}"] if ids.pmid else [f"PMCID: {ids.pmcid}"] if ids.pmcid else []
    parts += [f"DOI: {ids.doi}"] if ids.doi else []
    parts += [f"NCT: {ids.nct}"] if ids.nct and len(parts) == 2 else []
    return " | ".join(parts)
