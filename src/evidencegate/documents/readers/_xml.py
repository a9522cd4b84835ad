"""XML records cut from a stream, each parsed alone: no DTD, no entity and no address ever reaches the parser.

A set of articles is a long file in which one record may be broken. Cutting at the record's tags keeps memory
constant, loses only the broken record, and leaves the document type declaration, and so every entity attack,
outside of what is parsed.
"""

import codecs
import html.entities
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedIOBase
from typing import TYPE_CHECKING, cast

from evidencegate.documents.readers._types import Limits, Skipped, megabytes

if TYPE_CHECKING:
    from lxml.etree import XMLParser, _Element

_CHUNK = 1 << 20
_DECLARED = re.compile(rb"""<\?xml[^>]*encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_ENTITY = re.compile(rb"&([A-Za-z][A-Za-z0-9]{0,40});")
_KNOWN = frozenset({b"amp", b"lt", b"gt", b"quot", b"apos"})
# Prefixes that articles use and that a wrapper around the record may have declared.
_WRAPPED = (
    b'<r xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML" '
    b'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:ali="http://www.niso.org/schemas/ali/1.0/" '
    b'xmlns:oasis="http://www.niso.org/standards/z39-96/ns/oasis-exchange/table">',
    b"</r>",
)


@dataclass(frozen=True, slots=True)
class Record:
    """One parsed record and its number in the file, from 1."""

    element: "_Element"
    number: int


def records(stream: BufferedIOBase, names: tuple[str, ...], where: str, limits: Limits) -> Iterator[Record | Skipped]:
    """Every element of `stream` called one of `names`, in order; what is broken comes as `Skipped`.

    Elements with these names do not nest. White space and structure outside of them are not looked at.
    """
    parser = _parser()
    number = 0
    for piece in _pieces(_as_utf8(stream), names, limits.record_bytes):
        number += 1
        if isinstance(piece, str):
            yield Skipped(f"{where}:{number}", piece)
            continue
        parsed = _parse(piece, parser)
        yield Skipped(f"{where}:{number}", parsed) if isinstance(parsed, str) else Record(parsed, number)
    if not number:
        yield Skipped(where, f"XML without any {' or '.join(names[:2])} in it")


def text_of(element: "_Element | None") -> str:
    """All text inside `element`, white space collapsed; empty for None."""
    if element is None:
        return ""
    if not len(element):
        return " ".join((element.text or "").split())
    return " ".join("".join(all_text(element)).split())


def all_text(element: "_Element") -> Iterator[str]:
    """Every piece of text inside `element`, as it stands."""
    return cast(Iterator[str], element.itertext())


def _parser() -> "XMLParser":
    from lxml import etree

    return etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True, huge_tree=False
    )


def _parse(piece: bytes, parser: "XMLParser") -> "_Element | str":
    from lxml import etree

    piece = _ENTITY.sub(_named, piece)
    try:
        wrapper = etree.fromstring(_WRAPPED[0] + piece + _WRAPPED[1], parser)
    except etree.XMLSyntaxError as error:
        return f"not well-formed XML ({error.msg}); get the file again, or repair this record"
    if b'xmlns="' in piece:
        # Some providers put articles into a default namespace; the names alone say what they are.
        for element in wrapper.iter():
            if element.prefix is None and element.tag[0] == "{":
                element.tag = element.tag.rpartition("}")[2]
    return wrapper[0]


def _named(entity: re.Match[bytes]) -> bytes:
    """A character entity of HTML and JATS as its character; an unknown one stays and fails the record."""
    if entity[1] in _KNOWN:
        return entity[0]
    character = html.entities.html5.get(entity[1].decode("ascii") + ";")
    return entity[0] if character is None or character in "<>&" else character.encode("utf-8")


def _as_utf8(stream: BufferedIOBase) -> Iterator[bytes]:
    """The stream in chunks of UTF-8, whatever encoding it is in."""
    chunks = _chunks(stream)
    first = next(chunks, b"")
    encoding = _encoding(first)
    if encoding is None:
        yield first
        yield from chunks
        return
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    yield decoder.decode(first).encode("utf-8")
    for chunk in chunks:
        yield decoder.decode(chunk).encode("utf-8")


def _chunks(stream: BufferedIOBase) -> Iterator[bytes]:
    """The stream in large chunks; where reading fails, what came before is given out first."""
    gathered: list[bytes] = []
    size = 0
    failure: Exception | None = None
    while failure is None:
        try:
            part = stream.read1(_CHUNK)
        except (EOFError, OSError, zlib.error) as error:
            failure, part = error, b""
        gathered.append(part)
        size += len(part)
        if not part or size >= _CHUNK:
            yield b"".join(gathered)
            gathered, size = [], 0
        if not part:
            break
    if failure is not None:
        raise failure


def _encoding(head: bytes) -> str | None:
    """The encoding of an XML file that is not UTF-8, from its byte order mark or declaration."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    declared = _DECLARED.match(head.removeprefix(codecs.BOM_UTF8).lstrip()[:200])
    if declared is None:
        return None
    try:
        name = codecs.lookup(declared[1].decode("ascii")).name
    except LookupError:
        return None
    return None if name in ("utf-8", "ascii") else name


def _pieces(chunks: Iterator[bytes], names: tuple[str, ...], limit: int) -> Iterator[bytes | str]:
    """The bytes of each element called one of `names`, or why it could not be had."""
    opening = re.compile(rb"<(" + "|".join(names).encode() + rb")(?=[\s>])")
    # A tag that a chunk cuts in two is completed by the next one.
    overlap = max(map(len, names)) + 3
    buffer = b""
    inside: bytes | None = None
    for chunk in chunks:
        # Where the search goes on; what lies before `start` is done with.
        start, searched = 0, max(0, len(buffer) - overlap)
        buffer += chunk
        while True:
            if inside is None:
                found = opening.search(buffer, start)
                if found is None:
                    start = max(start, len(buffer) - overlap)
                    break
                start, inside = found.start(), found[1]
                searched = start
            end = b"</" + inside + b">"
            at = buffer.find(end, searched)
            if at < 0:
                if len(buffer) - start > limit:
                    yield f"a record of more than {megabytes(limit)}; raise the limit on records to read it"
                    start, inside = len(buffer) - overlap, None
                break
            yield buffer[start : at + len(end)]
            start, inside = at + len(end), None
        buffer = buffer[start:]
    if inside is not None:
        yield "the file ends inside this record: it was cut off; get it again"
