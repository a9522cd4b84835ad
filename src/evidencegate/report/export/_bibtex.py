"""References as BibTeX, for BibTeX and BibLaTeX in UTF-8."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from evidencegate.report._types import Reference
from evidencegate.report.export._entry import Name, clean, date, journal, names, pages, remarks

# Braces are named, not escaped: BibTeX counts `\{` as a brace, so a lone one would swallow the entries after it.
_ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}", "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip
_SPECIAL = re.compile(r"[\\{}~^&%$#_<>]")
# What TeX would join to another character: quotation marks and dashes.
_JOINED = re.compile(r"(?<=`)(?=`)|(?<=')(?=')|(?<=-)(?=-)|(?<=[?!])(?=`)|(?<=,)(?=,)")
_AND = re.compile(r"\band\b", re.IGNORECASE)


def bibtex(references: Sequence[Reference]) -> str:
    """The references as BibTeX entries: articles, and `@misc` for what has no journal."""
    return "\n".join(_entry(reference) for reference in references)


def escape(text: str) -> str:
    """Text from outside as TeX that prints it literally; its braces are balanced whatever it holds."""
    return _SPECIAL.sub(lambda found: _ESCAPES[found[0]], _JOINED.sub("\ue000", text.replace("\ue000", " "))).replace(
        "\ue000", "{}"
    )


def _entry(reference: Reference) -> str:
    kind = "article" if journal(reference) else "misc"
    lines = "".join(f",\n  {name:<8} = {{{value}}}" for name, value in _fields(reference))
    return f"@{kind}{{{_key(reference)}{lines}\n}}\n"


def _fields(reference: Reference) -> Iterator[tuple[str, str]]:
    document, ids = reference.document, reference.identifiers
    people, others = names(document)
    first, last = pages(document)
    day = date(document)
    fields = {
        "author": " and ".join([*map(_author, people), *(["others"] if others and people else [])]),
        # In braces of its own, as styles would turn it into lower case.
        "title": f"{{{escape(clean(reference.title))}}}",
        "journal": escape(journal(reference)),
        "year": str(day[0]) if day else "",
        "month": str(day[1]) if len(day) > 1 else "",
        "volume": escape(clean(document.volume)),
        "number": escape(clean(document.issue)),
        "pages": "--".join(escape(page) for page in (first, last) if page),
        "language": escape(clean(document.language)),
        # Both are verbatim: what could unbalance the entry is written as in an address.
        "doi": quote(ids.doi or "", safe="/()[]<>:;,.-_+*!'~@&=$^|#?`", encoding="utf-8"),
        "url": str(reference.url),
        "pmid": ids.pmid or "",
        "pmcid": ids.pmcid or "",
        "note": "; ".join(remarks(reference)),
    }
    yield from ((name, value) for name, value in fields.items() if value)


def _author(name: Name) -> str:
    if not name.given:
        return f"{{{_AND.sub(lambda found: f'{{{found[0]}}}', escape(name.family))}}}"
    family = escape(name.family)
    if "," in family or _AND.search(family):
        family = f"{{{_AND.sub(lambda found: f'{{{found[0]}}}', family)}}}"
    return ", ".join(part for part in (family, name.suffix, name.points) if part)


def _key(reference: Reference) -> str:
    """First author, year and number in plain letters: unique in the list, and stable."""
    people, _ = names(reference.document)
    family = unicodedata.normalize("NFKD", people[0].family) if people else "anonymous"
    letters = "".join(c for c in family.lower() if c.isascii() and c.isalnum())[:30]
    return f"{letters or 'reference'}{reference.document.year or ''}-{reference.n}"
