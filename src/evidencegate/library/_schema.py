"""The one table of a library: a row a chunk, and on a document's first row the document itself.

One table, so that a batch goes in, or replaces what was there, in one commit: a document is never without its
chunks, nor a chunk without its document, however the process ends. Format version, embedder and date of
creation stand in the table's own metadata, so that they cannot be missing either.
"""

import hashlib
import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evidencegate._extras import require
from evidencegate.documents import Document, Span
from evidencegate.documents._serial import from_json, to_json
from evidencegate.library._chunks import Chunk
from evidencegate.library._tags import fold, tags

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

FORMAT = 1
CHUNKS = "chunks"
FILES = "files"

_PREFIX = "evidencegate."
_IDENTIFIERS = ("pmid", "pmcid", "doi", "nct")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What a library says about itself."""

    format: int
    embedder: str
    dimensions: int
    created: str
    """ISO 8601, UTC."""

    def to_metadata(self) -> dict[str, str]:
        """As the table's metadata."""
        return {f"{_PREFIX}{name}": str(getattr(self, name)) for name in self.__slots__}

    @classmethod
    def of(cls, schema: Any) -> "Header | None":
        """From a table's schema; None where it has none of ours."""
        raw = {key.decode(): value.decode() for key, value in (schema.metadata or {}).items()}
        try:
            return cls(
                format=int(raw[f"{_PREFIX}format"]),
                embedder=raw[f"{_PREFIX}embedder"],
                dimensions=int(raw[f"{_PREFIX}dimensions"]),
                created=raw[f"{_PREFIX}created"],
            )
        except (KeyError, ValueError):
            return None


def chunk_schema(header: Header) -> Any:
    """The Arrow schema of the table of chunks."""
    pa = require("library", "pyarrow")
    names = pa.list_(pa.string())
    columns = [
        ("key", pa.string()),  # document and ordinal: one row has it
        ("document", pa.string()),
        ("ordinal", pa.int32()),
        ("section", pa.string()),
        ("sentences", pa.list_(pa.int32())),  # start, end, start, end, …
        ("text", pa.string()),
        ("vector", pa.list_(pa.float32(), header.dimensions)),
        # What can be filtered by, on every row, so that the engine filters before it ranks.
        ("year", pa.int32()),
        ("types", names),
        ("tags", names),
        ("source", pa.string()),
        # On the first row of a document only.
        *((name, pa.string()) for name in _IDENTIFIERS),
        ("retraction", pa.string()),
        ("full_text", pa.bool_()),
        ("digest", pa.string()),
        ("record", pa.binary()),
    ]
    return pa.schema(columns, metadata=header.to_metadata())


def file_schema() -> Any:
    """The Arrow schema of the table of files that went in whole."""
    pa = require("library", "pyarrow")
    return pa.schema([("digest", pa.string()), ("path", pa.string()), ("finished", pa.string())])


def rows(
    document: Document, chunks: Sequence[Chunk], vectors: "npt.NDArray[np.float32]", digest: str
) -> list[dict[str, Any]]:
    """The rows of one document."""
    shared = {
        "document": document.id,
        "year": document.year if document.year and 0 < document.year < 10_000 else None,
        "types": sorted({storable(fold(name)) for name in document.publication_types}),
        "tags": [storable(name) for name in tags(document)],
        "source": storable(document.source),
    }
    found = [
        {
            "key": f"{document.id}#{chunk.ordinal}",
            "ordinal": chunk.ordinal,
            "section": storable(chunk.section),
            "sentences": [place for span in chunk.sentences for place in (span.start, span.end)],
            "text": storable(chunk.text),
            "vector": vector,
            **shared,
        }
        for chunk, vector in zip(chunks, vectors, strict=True)
    ]
    found[0] |= {name: getattr(document.identifiers, name) for name in _IDENTIFIERS}
    found[0] |= {
        "retraction": document.retraction.value,
        "full_text": document.full_text,
        "digest": digest,
        "record": encode(document),
    }
    return found


def storable(text: str) -> str:
    """`text` without what UTF-8 cannot carry (lone surrogates); of the same length."""
    return text.encode("utf-8", "replace").decode("utf-8")


def spans(flat: Iterable[int]) -> tuple[Span, ...]:
    """The sentences of a row."""
    places = list(flat)
    return tuple(Span(start, end) for start, end in zip(places[::2], places[1::2], strict=True))


def encode(document: Document) -> bytes:
    """A document as it is stored."""
    return zlib.compress(json.dumps(to_json(document), ensure_ascii=False).encode("utf-8", "surrogatepass"), 1)


def decode(record: bytes) -> Document:
    """A document as it was stored; raises `ValueError` where the bytes are not one."""
    return from_json(json.loads(zlib.decompress(record).decode("utf-8", "surrogatepass")))


def digest_of(document: Document) -> str:
    """Names the content of a record: equal exactly where every field is."""
    plain = json.dumps(to_json(document), sort_keys=True)
    return hashlib.blake2b(plain.encode(), digest_size=16).hexdigest()
