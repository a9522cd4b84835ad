"""Lists of references as reference managers and PubMed export them: CSV, RIS and MEDLINE (`.nbib`)."""

import codecs
import csv
import re
import sys
from collections.abc import Iterable, Iterator
from io import BufferedIOBase
from typing import TypeAlias

from evidencegate.documents._identifiers import doi
from evidencegate.documents.readers._build import author, collapse
from evidencegate.documents.readers._decode import decode
from evidencegate.documents.readers._types import Item, Limits, Skipped
from evidencegate.documents.readers.bibtex import read as read_bibtex
from evidencegate.documents.readers.jsonl import NotARecord, from_mapping

__all__ = ["read_bibtex", "read_csv", "read_medline", "read_ris"]

# Headings that exports use, in lower case without marks, and the field they mean.
_COLUMNS = {
    "id": "id", "pmid": "pmid", "pubmedid": "pmid", "pubmed": "pmid", "pmcid": "pmcid", "pmc": "pmcid", "doi": "doi",
    "nct": "nct", "nctnumber": "nct", "title": "title", "articletitle": "title", "documenttitle": "title",
    "abstract": "abstract", "abstractnote": "abstract", "text": "text", "fulltext": "text", "authors": "authors",
    "author": "authors", "authorfullnames": "authors", "journal": "journal", "journalbook": "journal",
    "sourcetitle": "journal", "publicationtitle": "journal", "publication": "journal", "year": "year",
    "publicationyear": "year", "pubyear": "year", "volume": "volume", "issue": "issue", "pages": "pages",
    "keywords": "keywords", "authorkeywords": "keywords", "manualtags": "keywords", "mesh": "mesh",
    "meshterms": "mesh", "publicationtype": "publication_types", "publicationtypes": "publication_types",
    "documenttype": "publication_types", "itemtype": "publication_types", "language": "language", "url": "url",
    "link": "url", "citations": "citations", "citedby": "citations", "published": "published",
    "publicationdate": "published", "licence": "licence", "license": "licence", "retraction": "retraction",
}  # fmt: skip
_RIS = {
    "TI": "title", "T1": "title", "AB": "abstract", "N2": "abstract", "AU": "authors", "A1": "authors",
    "JO": "journal", "JA": "journal", "JF": "journal", "T2": "journal", "PY": "year", "Y1": "year", "DA": "published",
    "VL": "volume", "IS": "issue", "SP": "first", "EP": "last", "DO": "doi", "KW": "keywords", "LA": "language",
    "UR": "url", "AN": "pmid", "C2": "pmcid", "ID": "id",
}  # fmt: skip
_MEDLINE = {
    "PMID": "pmid", "TI": "title", "AB": "abstract", "AU": "authors", "CN": "authors", "TA": "journal",
    "DP": "published", "VI": "volume", "IP": "issue", "PG": "pages", "PMC": "pmcid", "LID": "doi", "AID": "doi",
    "MH": "mesh", "OT": "keywords", "PT": "publication_types", "LA": "language",
    "RIN": "retracted", "ECI": "concern", "EIN": "corrected",
}  # fmt: skip
_MANY = frozenset({"authors", "keywords", "mesh", "publication_types"})
_RIS_TAG = re.compile(r"([A-Z][A-Z0-9])  - ?(.*)")
_MEDLINE_TAG = re.compile(r"([A-Z]{2,4}) {0,2}- (.*)")
_RIS_TYPES = {
    "JOUR": "Journal Article",
    "CHAP": "Book Chapter",
    "BOOK": "Book",
    "CONF": "Congress",
    "CPAPER": "Congress",
}
# The values of each tag, each as its lines.
_Tagged: TypeAlias = dict[str, list[list[str]]]
_PMID = re.compile(r"\d{1,9}")
_DATE = re.compile(r"(\d{4})[/-](\d{1,2})(?:[/-](\d{1,2}))?")


def read_csv(stream: BufferedIOBase, where: str, limits: Limits) -> Iterator[Item]:
    """Every row as a document; the columns are known by the names that exports give them."""
    csv.field_size_limit(min(sys.maxsize, limits.record_bytes))
    lines = _lines(stream, limits)
    first = next(lines, "")
    separator = max(",;\t", key=first.count)
    reader = csv.reader(_joined(first, lines), delimiter=separator)
    try:
        header = [_COLUMNS.get(re.sub(r"[^a-z]", "", name.lower()), "") for name in next(reader, [])]
        if not {"title", "abstract", "text"} & set(header):
            yield Skipped(where, "no column called title, abstract or text: name the columns in the first row")
            return
        for row in reader:
            # A newline inside quotes is part of a field, so a record's place is the line it ends on.
            at = f"{where}:{reader.line_num}"
            if any(cell.strip() for cell in row):
                record: dict[str, object] = {}
                for key, cell in zip(header, row, strict=False):
                    if key and cell.strip():
                        record.setdefault(key, cell.strip())
                yield _document(record, at)
    except csv.Error as error:
        yield Skipped(f"{where}:{reader.line_num}", f"not CSV from here on ({error})")


def read_ris(stream: BufferedIOBase, where: str, limits: Limits) -> Iterator[Item]:
    """Every reference between `TY` and `ER`."""
    fields: _Tagged = {}
    tag, start = "", 0
    for number, line in enumerate(_lines(stream, limits), 1):
        found = _RIS_TAG.fullmatch(line.strip("\r\n\ufeff").rstrip() or "")
        if found is None:
            if tag and line.strip():
                fields[tag][-1].append(line.strip())
            continue
        tag = found[1]
        if tag == "TY":
            fields, start = {}, number
        elif tag == "ER":
            if fields:
                yield _document(_ris_record(_whole(fields)), f"{where}:{start}")
            fields, tag = {}, ""
            continue
        fields.setdefault(tag, []).append([found[2].strip()])
    if fields:
        yield Skipped(f"{where}:{start}", "the file ends inside this reference (no ER line): it was cut off")


def read_medline(stream: BufferedIOBase, where: str, limits: Limits) -> Iterator[Item]:
    """Every record of PubMed's own tagged format."""
    fields: _Tagged = {}
    tag, start = "", 0
    for number, line in enumerate(_lines(stream, limits), 1):
        text = line.rstrip()
        found = _MEDLINE_TAG.fullmatch(text)
        if found:
            tag = found[1]
            if tag == "PMID" and fields:
                yield _document(_medline_record(_whole(fields)), f"{where}:{start}")
                fields = {}
            if not fields:
                start = number
            fields.setdefault(tag, []).append([found[2].strip()])
        elif text and tag in fields:
            fields[tag][-1].append(text.strip())
    if fields:
        yield _document(_medline_record(_whole(fields)), f"{where}:{start}")


def _whole(fields: _Tagged) -> dict[str, list[str]]:
    """Each value with the lines it goes on over."""
    return {tag: [" ".join(lines) for lines in values] for tag, values in fields.items()}


def _document(record: dict[str, object], where: str) -> Item:
    try:
        return from_mapping(record, name=where)
    except NotARecord as error:
        return Skipped(where, str(error))


def _ris_record(fields: dict[str, list[str]]) -> dict[str, object]:
    record: dict[str, object] = {}
    for tag, name in _RIS.items():
        values = [value for value in fields.get(tag, ()) if value]
        if values and name in _MANY:
            record.setdefault(name, values)
        elif values:
            record.setdefault(name, values[0])
    # Some files list everybody under both tags.
    listed = fields.get("AU", [])
    record["authors"] = list(map(_name, [*listed, *(value for value in fields.get("A1", ()) if value not in listed)]))
    kind = _RIS_TYPES.get(fields.get("TY", [""])[0])
    if kind:
        record["publication_types"] = [kind]
    first, last = str(record.pop("first", "")), str(record.pop("last", ""))
    record["pages"] = f"{first}-{last}" if last and last != first else first
    # The accession number is a PMID only in what PubMed exported; other data bases have theirs.
    if not _PMID.fullmatch(str(record.get("pmid", ""))) or "pubmed" not in " ".join(fields.get("DB", ())).lower():
        record.pop("pmid", None)
    if not str(record.get("pmcid", "")).upper().startswith("PMC"):
        record.pop("pmcid", None)
    date = _DATE.match(str(record.pop("published", "")))
    if date:
        record["published"] = "-".join(part.zfill(2) for part in date.groups() if part)
    return _usable(record)


def _medline_record(fields: dict[str, list[str]]) -> dict[str, object]:
    record: dict[str, object] = {}
    for tag, name in _MEDLINE.items():
        values = fields.get(tag, [])
        if name in _MANY:
            record[name] = [*_listed(record.get(name)), *values]
        elif name == "doi":
            record.setdefault("doi", next((v.removesuffix("[doi]").strip() for v in values if "[doi]" in v), None))
        elif name in ("retracted", "concern", "corrected"):
            continue
        elif values:
            record.setdefault(name, values[0])
    record["doi"] = record.get("doi") or next(
        (v[:-5].strip() for v in fields.get("AID", ()) if v.endswith("[doi]")), None
    )
    record["mesh"] = [value.split("/")[0].lstrip("*") for value in fields.get("MH", ())]
    record["year"] = record.get("published")
    record.pop("published", None)
    record["source"] = "pubmed"
    statuses = {"RIN": "retracted", "ECI": "expression_of_concern", "EIN": "corrected"}
    notices = [
        {"status": status, "source": "pubmed", "reference": value}
        for tag, status in statuses.items()
        for value in fields.get(tag, ())
    ]
    if "Retracted Publication" in fields.get("PT", ()) and not fields.get("RIN"):
        notices.append({"status": "retracted", "source": "pubmed", "reference": "Retracted Publication"})
    record["notices"] = notices
    return _usable(record)


def _usable(record: dict[str, object]) -> dict[str, object]:
    """Without a DOI field that holds something else, as managers let their users type there what they like."""
    if record.get("doi") and doi(record["doi"]) is None:
        del record["doi"]
    return record


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else []


def _name(value: str) -> str:
    family, comma, given = value.partition(",")
    given, _, suffix = given.partition(",")
    return author(family, given, suffix) if comma else collapse(value)


def _lines(stream: BufferedIOBase, limits: Limits) -> Iterator[str]:
    """The lines of a stream as text; UTF-16 is turned first, anything else is judged line by line."""
    head = stream.read(2)
    if head in (b"\xff\xfe", b"\xfe\xff"):
        name = "utf-16-le" if head == b"\xff\xfe" else "utf-16-be"
        yield from codecs.getreader(name)(stream, "replace")
        return
    start = (head + stream.readline(limits.record_bytes)).removeprefix(b"\xef\xbb\xbf")
    # The two bytes looked at may have held a line's end.
    yield from _decoded(start).splitlines(keepends=True)
    while line := stream.readline(limits.record_bytes):
        yield _decoded(line)


def _decoded(line: bytes) -> str:
    return decode(line) or line.decode("utf-8", "replace")


def _joined(first: str, rest: Iterable[str]) -> Iterator[str]:
    yield first
    yield from rest
