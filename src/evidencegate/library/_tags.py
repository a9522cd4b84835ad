"""The names that a document can be filtered by."""

from evidencegate.documents import Document
from evidencegate.question import tags_in


def tags(document: Document) -> list[str]:
    """Folded: MeSH headings with and without qualifier, keywords, and the tags that title and headings name.

    The tags are those of the vocabulary at the time of adding (`AF`, `anticoagulation`, …).
    """
    headings = [heading.lstrip("*") for heading in document.mesh]
    named = tags_in(". ".join((document.title, *document.keywords)), mesh=document.mesh)
    names = (*headings, *(h.split("/")[0] for h in headings), *document.keywords, *named.disease, *named.decision)
    return sorted({fold(name) for name in names} - {""})


def fold(name: str) -> str:
    """One spelling of a name that is filtered by."""
    return " ".join(name.split()).casefold()
