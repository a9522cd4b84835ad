"""Where files come from: a path, a folder, a compressed file, an archive. Nothing is unpacked to disk."""

import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from evidencegate.documents.readers._types import Limits, Skipped, megabytes
from evidencegate.errors import ReaderError

_GZIP = b"\x1f\x8b"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_TAR_AT = 257
_HEAD = 65536
# Below this many bytes no ratio is judged: small files compress to next to nothing.
_FREE = 64_000_000
_ZIP_FAULTS = (zipfile.BadZipFile, NotImplementedError)
BROKEN = (EOFError, OSError, zlib.error, lzma.LZMAError, tarfile.TarError, *_ZIP_FAULTS)
"""What a damaged file or archive raises while it is read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One file to be read: on disk, or a member of an archive."""

    where: str
    """What a message calls it: the path, and the member after `!`."""
    name: str
    """Its own name, by whose suffix it may be known."""
    stream: "Peekable"
    chosen: bool
    """Whether the user named this very file (and not a folder or archive around it)."""


class Peekable(io.RawIOBase):
    """A stream whose head can be looked at, and which refuses to expand without bound."""

    def __init__(self, raw: io.BufferedIOBase, *, packed: Callable[[], int] | None = None, expansion: int = 0) -> None:
        """Wraps `raw`; `packed` tells how many compressed bytes it has been made from so far."""
        self._raw = raw
        self._packed = packed
        self._expansion = expansion
        self._head = b""
        self._read = 0

    def readable(self) -> bool:
        return True

    def peek(self, size: int = _HEAD) -> bytes:
        """The next `size` bytes (fewer at the end), without moving on."""
        while len(self._head) < size:
            more = self._next(size - len(self._head))
            if not more:
                break
            self._head += more
        return self._head[:size]

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]
        view = memoryview(buffer).cast("B")
        if self._head:
            part, self._head = self._head[: len(view)], self._head[len(view) :]
        else:
            part = self._next(len(view))
        view[: len(part)] = part
        return len(part)

    def _next(self, size: int) -> bytes:
        # One step at a time: where a damaged stream fails, what came before is not lost.
        part = self._raw.read1(size)
        self._read += len(part)
        bound = max(_FREE, self._packed() * self._expansion) if self._packed is not None else self._read
        if self._read > bound:
            raise ReaderError(
                f"expands to more than {self._expansion} times its size, as no text does; "
                "unpack it yourself if you trust it"
            )
        return part

    def consumed(self) -> int:
        """How many bytes have been taken from what it wraps."""
        return self._read

    def close(self) -> None:
        self._raw.close()
        super().close()


def entries(path: Path, limits: Limits, *, chosen: bool = True) -> Iterator[Entry | Skipped]:
    """Every file at or under `path`, in order of name; each stream is closed when the next is asked for.

    `chosen`: whether `path`, where it is a file, was named by the user.
    """
    for file in files(path):
        try:
            with file.open("rb") as raw:
                yield from _opened(raw, str(file), file.name, limits, chosen=chosen and file == path)
        except ReaderError as error:
            yield Skipped(str(file), str(error))
        except BROKEN as error:
            yield Skipped(str(file), damage(error))


def files(path: Path) -> Iterator[Path]:
    """`path` itself, or every file under it in order of name, hidden ones left out; links are not followed."""
    if not path.is_dir():
        yield path
        return
    for child in sorted(path.iterdir()):
        if child.name.startswith(".") or child.name == "__MACOSX":
            continue
        if child.is_dir():
            if not child.is_symlink():
                yield from files(child)
        elif child.is_file():
            yield child


def damage(error: BaseException) -> str:
    """What a broken file's error means to a user."""
    if isinstance(error, EOFError):
        return "cut off: the compressed data end too early; get the file again"
    if isinstance(error, PermissionError):
        return "no permission to read it"
    if isinstance(error, tarfile.TarError | zipfile.BadZipFile | zlib.error | lzma.LZMAError | gzip.BadGzipFile):
        return f"damaged archive or compressed file ({error}); get it again"
    if isinstance(error, NotImplementedError):
        return f"an archive of a kind that cannot be unpacked here ({error}); unpack it first"
    return f"cannot be read ({error})"


def _opened(
    raw: io.BufferedReader, where: str, name: str, limits: Limits, *, chosen: bool
) -> Iterator[Entry | Skipped]:
    stream = Peekable(raw)
    head = stream.peek(512)
    if head.startswith(_GZIP):
        raw.seek(0)
        unpacked = Peekable(gzip.GzipFile(fileobj=raw), packed=raw.tell, expansion=limits.expansion)
        inner = name[:-3] if name.lower().endswith(".gz") else name
        if _is_tar(unpacked.peek(512)):
            yield from _tar(unpacked, where, limits)
        else:
            yield Entry(where, inner, unpacked, chosen)
    elif head.startswith(_ZIP) and not _is_office(raw):
        raw.seek(0)
        yield from _zip(raw, where, limits)
    elif _is_tar(head):
        yield from _tar(stream, where, limits)
    else:
        raw.seek(0)
        yield Entry(where, name, Peekable(raw), chosen)


def _is_tar(head: bytes) -> bool:
    return head[_TAR_AT : _TAR_AT + 5] == b"ustar"


def _is_office(raw: IO[bytes]) -> bool:
    """Whether a zip is a document of its own kind (DOCX, XLSX, EPUB) and not a bundle of files."""
    try:
        with zipfile.ZipFile(raw) as archive:
            names = archive.namelist()
    except _ZIP_FAULTS:
        return False
    return "[Content_Types].xml" in names or "mimetype" in names[:1]


def _tar(stream: Peekable, where: str, limits: Limits) -> Iterator[Entry | Skipped]:
    # `r|` reads forward only, so the archive may be larger than any disk.
    with tarfile.open(fileobj=io.BufferedReader(stream, 1 << 20), mode="r|") as archive:
        for member in archive:
            if not member.isfile() or _hidden(member.name):
                continue
            at = f"{where}!{member.name}"
            if member.size > limits.member_bytes:
                yield Skipped(at, _too_large(member.size, limits))
                continue
            raw = archive.extractfile(member)
            if raw is not None:
                # typeshed says IO; it is a buffered reader, as for zip below.
                yield from _apart(_member(cast(io.BufferedIOBase, raw), at, member.name, limits), at)


def _zip(raw: IO[bytes], where: str, limits: Limits) -> Iterator[Entry | Skipped]:
    with zipfile.ZipFile(raw) as archive:
        for info in sorted(archive.infolist(), key=lambda i: i.filename):
            if info.is_dir() or _hidden(info.filename):
                continue
            at = f"{where}!{info.filename}"
            if info.flag_bits & 1:
                yield Skipped(at, "encrypted; unpack it with its password first")
            elif info.file_size > limits.member_bytes:
                yield Skipped(at, _too_large(info.file_size, limits))
            elif info.file_size > _FREE and info.file_size > info.compress_size * limits.expansion:
                yield Skipped(at, f"expands to more than {limits.expansion} times its size, as no text does")
            else:
                try:
                    with archive.open(info) as stream:
                        yield from _member(cast(io.BufferedIOBase, stream), at, info.filename, limits)
                except BROKEN as error:
                    yield Skipped(at, damage(error))


def _apart(member: Iterator[Entry | Skipped], where: str) -> Iterator[Entry | Skipped]:
    """A member of an archive; one that is damaged costs itself, unless the archive around it is.

    Of a tape a damaged part cannot be told from a damaged member: then the next member cannot be read either.
    """
    try:
        yield from member
    except (zlib.error, EOFError, gzip.BadGzipFile) as error:
        yield Skipped(where, damage(error))


def _member(raw: io.BufferedIOBase, where: str, name: str, limits: Limits) -> Iterator[Entry | Skipped]:
    stream = Peekable(raw)
    head = stream.peek(512)
    if head.startswith(_GZIP):
        unpacked = gzip.GzipFile(fileobj=io.BufferedReader(stream))
        inner = Peekable(unpacked, packed=stream.consumed, expansion=limits.expansion)
        if _is_tar(inner.peek(512)):
            yield Skipped(where, "an archive inside an archive; unpack the outer one")
        else:
            yield Entry(where, name[:-3] if name.lower().endswith(".gz") else name, inner, chosen=False)
    elif (head.startswith(_ZIP) and not name.lower().endswith(".docx")) or _is_tar(head):
        yield Skipped(where, "an archive inside an archive; unpack the outer one")
    else:
        yield Entry(where, name, stream, chosen=False)


def _hidden(member: str) -> bool:
    """Whether an archive's member is the packing system's own and not the user's."""
    return any((part.startswith(".") and part not in (".", "..")) or part == "__MACOSX" for part in member.split("/"))


def _too_large(size: int, limits: Limits) -> str:
    return f"{megabytes(size)}, over the limit of {megabytes(limits.member_bytes)} for members; unpack it first"
