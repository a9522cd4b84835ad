"""When two records are one, and what becomes of them."""

from dataclasses import fields, replace

from evidencegate.documents import Document, Identifiers

# Fields that are taken together from one record, or lists that are united.
_TEXT = ("text", "sections", "full_text", "curated")
_UNITED = ("publication_types", "mesh", "keywords", "notices")
_OWN = ("id", "identifiers", *_TEXT, *_UNITED)


def identity_keys(keys: tuple[str, ...], own: str | None = None) -> tuple[str, ...]:
    """What another record must share with this one to be the same, most trusted first.

    `keys` are the record's identifiers, `own` its id, where it has one. A trial's number names the trial, which
    many articles report: alone it identifies a registry record, beside a PMID, PMCID or DOI nothing.
    """
    articles = tuple(key for key in keys if not key.startswith("nct:"))
    found = articles or keys
    return found if own is None or own in keys else (*found, own)


def contradict(one: Identifiers, other: Identifiers) -> bool:
    """Whether these name two works: the most trusted registry that both are in decides.

    One PMID is one article, whatever DOI a record of it claims; one DOI under two PMIDs is two.
    """
    for name in ("pmid", "pmcid", "doi"):
        mine, theirs = getattr(one, name), getattr(other, name)
        if mine and theirs:
            return bool(mine != theirs)
    return False


def canonical_id(document: Document, identifiers: Identifiers) -> str:
    """The id a record has in a library: its most trusted identifier, or its own."""
    keys = identifiers.keys()
    return keys[0] if keys else document.id


def merge(older: Document, newer: Document) -> Document:
    """One record from two of the same work. The newer wins where both say something.

    Except that a full text is not replaced by an abstract, nor a text by none; lists are united. Types, MeSH
    terms and notices only ever grow: a retraction that one record knows of is not forgotten with the next.
    """
    identifiers = newer.identifiers.merge(older.identifiers)
    keeps_text = bool(older.text) and (not newer.text or (older.full_text and not newer.full_text))
    texts = older if keeps_text else newer
    values = {name: getattr(texts, name) for name in _TEXT}
    for name in _UNITED:
        values[name] = tuple(dict.fromkeys((*getattr(newer, name), *getattr(older, name))))
    for item in fields(Document):
        if item.name not in _OWN:
            value = getattr(newer, item.name)
            values[item.name] = getattr(older, item.name) if value in (None, "", ()) else value
    return replace(newer, id=canonical_id(newer, identifiers), identifiers=identifiers, **values)


def canonical(document: Document) -> Document:
    """`document` under the id it has in a library."""
    identifier = canonical_id(document, document.identifiers)
    return document if identifier == document.id else replace(document, id=identifier)
