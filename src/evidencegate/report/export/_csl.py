"""References as CSL-JSON, the format of citation processors (citeproc, Pandoc, Zotero)."""

import json
from collections.abc import Sequence
from typing import Any

from evidencegate.report._types import Reference
from evidencegate.report.export._entry import Name, clean, date, journal, names, pages, remarks


def csl_json(references: Sequence[Reference]) -> str:
    """The references as an array of CSL-JSON items (schema 1.0)."""
    return json.dumps([_item(reference) for reference in references], ensure_ascii=False, indent=2) + "\n"


def _item(reference: Reference) -> dict[str, Any]:
    document, ids = reference.document, reference.identifiers
    published = journal(reference)
    day = date(document)
    fields: dict[str, Any] = {
        "id": str(reference.n),
        "type": "article-journal" if published else "webpage",
        "title": clean(reference.title),
        "author": [_author(name) for name in names(document)[0]],
        "container-title": published,
        "issued": {"date-parts": [list(day)]} if day else None,
        "volume": clean(document.volume),
        "issue": clean(document.issue),
        "page": "-".join(page for page in pages(document) if page),
        "language": clean(document.language),
        "DOI": ids.doi,
        "PMID": ids.pmid,
        "PMCID": ids.pmcid,
        "URL": str(reference.url),
        "note": "; ".join(remarks(reference)),
    }
    return {name: value for name, value in fields.items() if value}


def _author(name: Name) -> dict[str, str]:
    if not name.given:
        return {"literal": name.family}
    return {"family": name.family, "given": name.points} | ({"suffix": name.suffix} if name.suffix else {})
