"""JSON lines: one object a line, with the fields of a document, or of BEIR's corpora (`_id`, `title`, `text`)."""

import json
import re
from collections.abc import Iterator, Mapping
from io import BufferedIOBase
from typing import Any

from evidencegate.documents._document import Document, Notice, RetractionStatus
from evidencegate.documents._identifiers import Identifiers
from evidencegate.documents.readers._build import (
    TextBuilder,
    collapse,
    document_id,
    initials,
    notices_of_title,
    unique,
    year_in,
)
from evidencegate.documents.readers._decode import decode
from evidencegate.documents.readers._languages import language
from evidencegate.documents.readers._types import Item, Limits, Skipped, megabytes

_NONE = ("", "na", "n/a", "none", "null", "nan", "-")
_ADDRESSES = {
    "pmid": re.compile(
        r"https?://(?:(?:www\.)?ncbi\.nlm\.nih\.gov/pubmed|pubmed\.ncbi\.nlm\.nih\.gov|\S+?/pmc/articles/pmid)"
        r"/?(?:\?term=)?\s*(\d{1,12})(?:\[uid\])?(?![\w+])",
    ),
    "pmcid": re.compile(r"https?://\S*?/(?:pmc/)?articles/(PMC\d+)", re.IGNORECASE),
    "doi": re.compile(r"https?://(?:dx\.)?doi\.org/(10\.\S+)", re.IGNORECASE),
    "nct": re.compile(r"https?://(?:www\.)?clinicaltrials\.gov/\S*?(NCT\d{8})", re.IGNORECASE),
}
# Rule 7: what leads to a list of results is no address of a work.
_SEARCH = re.compile(
    r"https?://(?:[\w-]+\.)*(?:google|bing|duckduckgo|yahoo|baidu|yandex)\.[a-z.]+/|"
    r"\S*[?&](?:q|query|term|search|searchterm|keyword|keywords|cmd)=",
    re.IGNORECASE,
)
_ID_PREFIX = re.compile(r"(pmid|pmcid|doi|nct):(.+)", re.IGNORECASE)


class NotARecord(ValueError):
    """A mapping that cannot be a document; the message says why and what to do."""


def read(stream: BufferedIOBase, where: str, limits: Limits) -> Iterator[Item]:
    """Every line as a document, in constant memory; a broken line is skipped."""
    number = 0
    while True:
        line = stream.readline(limits.record_bytes + 1)
        if not line:
            return
        number += 1
        at = f"{where}:{number}"
        if len(line) > limits.record_bytes:
            yield Skipped(at, f"a line of more than {megabytes(limits.record_bytes)}; raise the limit on records")
            while line and not line.endswith(b"\n"):
                line = stream.readline(limits.record_bytes)
            continue
        if line.strip():
            yield _line(line, at)


def read_whole(raw: bytes, where: str) -> Iterator[Item]:
    """A file that is one JSON value: an object, or a list of objects."""
    try:
        value = _loads(raw)
    except NotARecord as error:
        yield Skipped(where, str(error))
        return
    if isinstance(value, dict):
        # A list under one key is how most exports wrap their records.
        lists = [part for part in value.values() if isinstance(part, list) and part and isinstance(part[0], dict)]
        value = lists[0] if len(lists) == 1 and not {"title", "text", "abstract"} & value.keys() else [value]
    for number, record in enumerate(value, 1):
        yield _record(record, f"{where}:{number}" if len(value) > 1 else where)


def from_mapping(record: Mapping[str, Any], *, name: str = "") -> Document:
    """A document from a mapping with its fields.

    `abstract` alone is the text, to the character; `sections` (a list of `{label|heading|title, text}` or a
    mapping from label to text) are joined by blank lines.

    Raises:
        NotARecord: without title and text, or with an identifier that has not its registry's form.
    """
    given = record.get("id", record.get("_id"))
    identifiers = _identifiers(record, given)
    title = collapse(_text(record, "title"))
    text = _body(record)
    if not title and not text.text.strip():
        raise NotARecord("neither `title` nor `abstract`, `text` or `sections`: nothing to read")
    year = year_in(record.get("year") or record.get("published") or record.get("publication_date"))
    source = _text(record, "source") or "file"
    return Document(
        id=document_id(identifiers, given, name=name, content=f"{title}\0{text.text}"),
        title=title,
        text=text.text,
        identifiers=identifiers,
        sections=text.sections,
        authors=_authors(record.get("authors", record.get("author"))),
        journal=collapse(_text(record, "journal") or _text(record, "publication")),
        year=year,
        published=_text(record, "published") or _text(record, "publication_date") or (str(year) if year else ""),
        volume=_text(record, "volume"),
        issue=_text(record, "issue"),
        pages=_text(record, "pages"),
        publication_types=_list(record, "publication_types", "publication_type", "pubtype"),
        mesh=_list(record, "mesh", "mesh_terms"),
        keywords=_list(record, "keywords"),
        language=language(_text(record, "language")),
        source=source,
        stored_url=_stored_url(record, identifiers),
        licence=_text(record, "licence") or _text(record, "license"),
        citations=_count(record.get("citations")),
        full_text=bool(record.get("full_text", False)),
        curated=record.get("curated") is True,
        notices=_notices(record, title, source),
    )


def _line(line: bytes, where: str) -> Item:
    try:
        return _record(_loads(line), where)
    except NotARecord as error:
        return Skipped(where, str(error))


def _loads(raw: bytes) -> Any:
    text = decode(raw)
    if text is None:
        raise NotARecord("not text in UTF-8")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise NotARecord(f"not JSON ({error.msg}, column {error.colno})") from error
    except (RecursionError, ValueError) as error:
        raise NotARecord(f"JSON that no record has ({error})") from error


def _record(record: object, where: str) -> Item:
    if not isinstance(record, dict):
        return Skipped(where, f"a JSON {type(record).__name__}, not an object with the fields of a document")
    try:
        return from_mapping(record, name=where)
    except NotARecord as error:
        return Skipped(where, str(error))


def _text(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    if value is None or isinstance(value, (list, dict)):
        return ""
    return _valid(str(value))


def _valid(text: str) -> str:
    """JSON can spell half of a surrogate pair, which is no character and cannot be stored."""
    return text.encode("utf-8", "replace").decode("utf-8") if not text.isascii() else text


def _body(record: Mapping[str, Any]) -> TextBuilder:
    text = TextBuilder()
    abstract, whole, sections = _text(record, "abstract"), _text(record, "text"), record.get("sections")
    if isinstance(record.get("abstract"), list):
        # SciFact's corpus gives an abstract as its sentences.
        abstract = " ".join(_valid(str(part)).strip() for part in record["abstract"])
    parts = list(_sections(sections))
    if abstract and abstract not in whole:
        text.add(abstract, "Abstract" if parts else "")
    if parts:
        for label, part in parts:
            text.add(part, label)
    else:
        text.add(whole)
    return text


def _sections(sections: object) -> Iterator[tuple[str, str]]:
    if isinstance(sections, Mapping):
        sections = [{"label": label, "text": text} for label, text in sections.items()]
    if not isinstance(sections, list):
        return
    for section in sections:
        if isinstance(section, Mapping):
            label = next((str(section[key]) for key in ("label", "heading", "title") if section.get(key)), "")
            paragraphs = section.get("text", section.get("paragraphs", ""))
        else:
            label, paragraphs = "", section
        for paragraph in paragraphs if isinstance(paragraphs, list) else [paragraphs]:
            if isinstance(paragraph, str):
                yield collapse(_valid(label)), _valid(paragraph)


def _identifiers(record: Mapping[str, Any], given: object) -> Identifiers:
    raw: dict[str, object] = {}
    for name in ("pmid", "pmcid", "doi", "nct"):
        value = record.get(name, record.get(name.upper()))
        if value is not None and str(value).strip().lower() not in _NONE:
            raw[name] = value
    identifiers = Identifiers.parse(**raw)
    for name, value in raw.items():
        if getattr(identifiers, name) is None:
            raise NotARecord(f"`{name}` is {value!r}, which is not a {name.upper()}: correct it or leave it out")
    named = _ID_PREFIX.fullmatch(str(given).strip()) if given is not None else None
    if named:
        identifiers = identifiers.merge(Identifiers.parse(**{named[1].lower(): named[2]}))
    address = _url(record)
    for name, pattern in _ADDRESSES.items():
        found = pattern.match(address)
        if found:
            identifiers = identifiers.merge(Identifiers.parse(**{name: found[1]}))
    return identifiers


def _url(record: Mapping[str, Any]) -> str:
    metadata = record.get("metadata")
    inner = metadata if isinstance(metadata, Mapping) else {}
    return (_text(record, "stored_url") or _text(record, "url") or _text(inner, "url")).strip()


def _stored_url(record: Mapping[str, Any], identifiers: Identifiers) -> str | None:
    """An address of its own, for what has no identifier to build one from."""
    address = _url(record)
    if identifiers or not re.fullmatch(r"https?://[^\s/]+\.[^\s]+", address) or _SEARCH.match(address):
        return None
    return address


def _authors(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        value = value.split(";") if ";" in value else [value]
    if not isinstance(value, list):
        return ()
    return tuple(filter(None, map(_author, value)))  # two of one name are two persons


def _author(entry: object) -> str:
    if not isinstance(entry, Mapping):
        return collapse(_valid(str(entry)))
    family = entry.get("family") or entry.get("last") or entry.get("lastname") or ""
    given = entry.get("initials") or entry.get("given") or entry.get("first") or entry.get("forename") or ""
    if family:
        return collapse(f"{_valid(str(family))} {initials(_valid(str(given)))} {entry.get('suffix') or ''}")
    return collapse(_valid(str(entry.get("name") or entry.get("literal") or "")))


def _list(record: Mapping[str, Any], *keys: str) -> tuple[str, ...]:
    value = next((record[key] for key in keys if record.get(key)), None)
    if isinstance(value, str):
        value = value.split(";")
    if not isinstance(value, list):
        return ()
    return unique(collapse(_valid(str(part))) for part in value if part is not None)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _notices(record: Mapping[str, Any], title: str, source: str) -> tuple[Notice, ...]:
    statuses = {status.value: status for status in RetractionStatus if status is not RetractionStatus.NONE}
    found = []
    given = record.get("notices") or []
    for entry in given if isinstance(given, list) else [given]:
        status = statuses.get(str(entry.get("status", ""))) if isinstance(entry, Mapping) else None
        if status is None:
            raise NotARecord(f"a notice is {{status, source, reference, date}} with a status of {', '.join(statuses)}")
        known = {key: str(entry.get(key) or "") for key in ("reference", "date")}
        found.append(Notice(status=status, source=str(entry.get("source") or source), **known))
    said = str(record.get("retraction") or "").lower()
    if record.get("retracted") is True and said not in statuses:
        said = RetractionStatus.RETRACTED.value
    if said in statuses and not any(notice.status is statuses[said] for notice in found):
        found.append(Notice(status=statuses[said], source=source))
    if not any(notice.status is RetractionStatus.RETRACTED for notice in found):
        found.extend(notices_of_title(title, source))
    return tuple(found)
