"""Which reader reads a file: decided by its content first, by its suffix where content does not tell."""

import io
import logging
import re
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import TypeAlias

from evidencegate.documents._document import Document
from evidencegate.documents.readers import (
    docx,
    html,
    jats,
    jsonl,
    markdown,
    pdf,
    plain_text,
    pubmed_xml,
    references,
)
from evidencegate.documents.readers._decode import decode, is_binary
from evidencegate.documents.readers._entries import BROKEN, Entry, damage
from evidencegate.documents.readers._types import Item, Limits, Skipped, megabytes
from evidencegate.errors import MissingExtra, ReaderError

Stream: TypeAlias = Callable[[io.BufferedIOBase, str, Limits], Iterator[Item]]
Whole: TypeAlias = Callable[[str, str], Document]

_log = logging.getLogger(__name__)
_ROOT = re.compile(rb"<([A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)")
_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
# What may stand before the first element, and what ends it.
_PROLOG = {b"<?": b"?>", b"<!--": b"-->", b"<!": b">"}
_RIS = re.compile(rb"\s*TY  - [A-Z]")
_MEDLINE = re.compile(rb"\s*PMID- ?\d")
_BIBTEX = re.compile(rb"\s*(?:%[^\n]*\n\s*)*@[A-Za-z]{2,30}\s*[{(]")
_TEXT_SUFFIXES = (*plain_text.SUFFIXES, *markdown.SUFFIXES)


def read_entry(entry: Entry, limits: Limits) -> Iterator[Item]:
    """Everything in one file; what cannot be read comes as `Skipped` and ends nothing but this file."""
    try:
        yield from _read(entry, limits)
    except (ReaderError, MissingExtra) as error:
        yield Skipped(entry.where, str(error))
    except BROKEN as error:
        yield Skipped(entry.where, damage(error))
    except Exception as error:  # noqa: BLE001  # whatever a file does to its reader, the others go in
        _log.debug("%s stopped its reader", entry.where, exc_info=True)
        yield Skipped(entry.where, f"its reader stopped ({type(error).__name__}: {error}); this is a defect")


def read_string(text: str, name: str) -> Document:
    """A text already in hand; the suffix of `name` says whether it is Markdown or HTML."""
    return _whole(PurePath(name).suffix.lower())(text, name)


def _read(entry: Entry, limits: Limits) -> Iterator[Item]:
    head = entry.stream.peek()
    if not head.strip():
        yield Skipped(entry.where, "empty" if not head else "holds nothing but white space")
        return
    suffix = PurePath(entry.name).suffix.lower()
    stream = _streamed(head, suffix)
    if stream is not None:
        # A buffer gives the line reading and look-ahead that raw streams lack.
        yield from stream(io.BufferedReader(entry.stream, 1 << 20), entry.where, limits)
        return
    raw = _all(entry, limits)
    if b"%PDF-" in head[:1024]:
        yield pdf.document(raw, entry.name)
    elif head.startswith(b"PK"):
        yield docx.document(raw, entry.name)
    elif _json_value(head, suffix):
        yield from jsonl.read_whole(raw, entry.where)
    else:
        yield _text(raw, entry, suffix, html_like=_is_html(head))


def _streamed(head: bytes, suffix: str) -> Stream | None:
    """The reader of a file of many records, if this is one."""
    if head.startswith(b"%PDF-") or head.startswith(b"PK") or _is_html(head):
        return None
    if head.lstrip(b"\xef\xbb\xbf\xff\xfe \r\n\t").replace(b"\0", b"")[:1] == b"<":
        root = _root(head)
        if root in pubmed_xml.ROOTS:
            return pubmed_xml.read
        if root in jats.ROOTS:
            return jats.read
        if suffix in (".xml", ".nxml"):
            raise ReaderError(
                f"XML of another kind (<{root or '?'}>): PubMed XML, JATS and HTML can be read. "
                "From E-utilities, ask efetch for rettype=xml, not esearch or esummary"
            )
        return None
    if is_binary(head):
        return None
    text = head.removeprefix(b"\xef\xbb\xbf")
    if _RIS.match(text):
        return references.read_ris
    if _MEDLINE.match(text):
        return references.read_medline
    if suffix in (".bib", ".bibtex") or (_BIBTEX.match(text) and suffix not in _TEXT_SUFFIXES):
        return references.read_bibtex
    if suffix in (".csv", ".tsv", ".tab"):
        return references.read_csv
    if text.lstrip()[:1] == b"{" and not _json_value(head, suffix):
        return jsonl.read
    return jsonl.read if suffix in (".jsonl", ".ndjson") else None


def _json_value(head: bytes, suffix: str) -> bool:
    """Whether the file is one JSON value and not an object a line."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if suffix in (".jsonl", ".ndjson") or text[:1] not in (b"{", b"["):
        return False
    if text[:1] == b"[":
        return suffix == ".json" or re.match(rb"\[\s*[{\]]", text) is not None
    first_line = text.split(b"\n", 1)[0].rstrip()
    return suffix == ".json" and not (first_line.endswith(b"}") and b"\n" in text.strip())


def _root(head: bytes) -> str:
    """The name of the first element of an XML file, without prefix."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        head = head[: len(head) // 2 * 2].decode("utf-16", "replace").encode("utf-8")
    root = _ROOT.match(_past_prolog(head))
    return root[2].decode("ascii", "replace") if root else ""


def _is_html(head: bytes) -> bool:
    return bool(_HTML.match(head.removeprefix(b"\xef\xbb\xbf").lstrip()) or _HTML.match(_past_prolog(head)))


def _past_prolog(head: bytes) -> bytes:
    """`head` from the document type of HTML or the first element on, past declarations and comments."""
    at = 3 if head.startswith(b"\xef\xbb\xbf") else 0
    while True:
        at += len(head) - at - len(head[at:].lstrip())
        opening = next((mark for mark in _PROLOG if head.startswith(mark, at)), None)
        if opening is None or _HTML.match(head, at):
            return head[at:]
        end = head.find(_PROLOG[opening], at)
        # The entities declared inside a document type's brackets are markup of their own.
        inner = head.find(b"[", at, end) if opening == b"<!" else -1
        if inner >= 0:
            end = head.find(b"]", inner)
            end = head.find(b">", end) if end >= 0 else end
        if end < 0:
            return b""
        at = end + len(_PROLOG[opening])


def _all(entry: Entry, limits: Limits) -> bytes:
    parts: list[bytes] = []
    size = 0
    while part := entry.stream.read(1 << 20):
        parts.append(part)
        size += len(part)
        if size > limits.text_bytes:
            raise ReaderError(
                f"larger than {megabytes(limits.text_bytes)}, too large to be one document: "
                "split it, or give its records as JSON lines"
            )
    return b"".join(parts)


def _text(raw: bytes, entry: Entry, suffix: str, *, html_like: bool) -> Document:
    if not (html_like or entry.chosen or suffix in _TEXT_SUFFIXES or suffix in html.SUFFIXES):
        raise ReaderError(
            f"not a kind of file that is read ({suffix}); name it by itself to have it read as plain text"
        )
    text = decode(raw)
    if text is None:
        raise ReaderError(
            "not text, and no kind of file that is read (PubMed XML, JATS, JSON lines, PDF, DOCX, HTML, …)"
        )
    reader = html.document if html_like else _whole(suffix)
    return reader(text, entry.name)


def _whole(suffix: str) -> Whole:
    if suffix in markdown.SUFFIXES:
        return markdown.document
    return html.document if suffix in html.SUFFIXES else plain_text.document
