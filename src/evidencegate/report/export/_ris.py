"""References as RIS, the format every reference manager reads."""

from collections.abc import Iterator, Sequence

from evidencegate.report._types import Reference
from evidencegate.report.export._entry import Name, clean, date, journal, names, pages, remarks

_LINE_END = "\r\n"  # RIS, specification of 2011


def ris(references: Sequence[Reference]) -> str:
    """The references as RIS: journal articles, and web pages for what has no journal."""
    return "".join(
        "".join(f"{tag}  - {value}{_LINE_END}" for tag, value in _tags(reference)) + _LINE_END
        for reference in references
    )


def _tags(reference: Reference) -> Iterator[tuple[str, str]]:
    document, ids = reference.document, reference.identifiers
    published = journal(reference)
    first, last = pages(document)
    yield "TY", "JOUR" if published else "ELEC"
    yield "ID", str(reference.n)
    yield "TI", clean(reference.title)
    for name in names(document)[0]:
        yield "AU", _author(name)
    day = date(document)
    fields = {
        "T2": published,
        "PY": str(day[0]) if day else "",
        "DA": "/".join(f"{part:02}" for part in day) if len(day) > 1 else "",
        "VL": clean(document.volume),
        "IS": clean(document.issue),
        "SP": first,
        "EP": last,
        "LA": clean(document.language),
        "DO": ids.doi or "",
        "DB": "PubMed" if ids.pmid else "",
        "AN": ids.pmid or ids.nct or "",
        "C2": ids.pmcid or "",
        "UR": str(reference.url),
    }
    yield from ((tag, value) for tag, value in fields.items() if value)
    for remark in remarks(reference):
        yield "N1", remark
    yield "ER", ""


def _author(name: Name) -> str:
    """`Family, Initials, Suffix`; a comma inside a name would part it, and RIS has no way to escape one."""
    parts = (part.replace(",", " ") for part in (name.family, name.given, name.suffix))
    return ", ".join(" ".join(part.split()) for part in parts if part)
