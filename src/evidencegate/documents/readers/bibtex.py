"""BibTeX lists of references."""

import re
import unicodedata
from collections.abc import Iterator
from io import BufferedIOBase

from evidencegate.documents._identifiers import doi
from evidencegate.documents.readers._build import author, collapse
from evidencegate.documents.readers._decode import decode
from evidencegate.documents.readers._types import Item, Limits, Skipped, megabytes
from evidencegate.documents.readers.jsonl import NotARecord, from_mapping

_ENTRY = re.compile(r"@\s*([A-Za-z]+)\s*([{(])")
_FIELD = re.compile(r"(?>\s*)(?:,(?>\s*))?([A-Za-z][\w.:-]*)\s*=\s*")
_KEY = re.compile(r"\s*([^\s,{}=\"]+)\s*(?=[,})])")
_BARE = re.compile(r"[^\s,{}\"#)]+")
_JOIN = re.compile(r"\s*#\s*")
_FIELDS = {
    "title": "title", "abstract": "abstract", "journal": "journal", "journaltitle": "journal", "booktitle": "journal",
    "year": "year", "date": "year", "volume": "volume", "number": "issue", "issue": "issue", "pages": "pages",
    "doi": "doi", "pmid": "pmid", "pmcid": "pmcid", "url": "url", "language": "language", "keywords": "keywords",
}  # fmt: skip
_TYPES = {"article": "Journal Article", "book": "Book", "incollection": "Book Chapter", "inbook": "Book Chapter"}
_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "d": "\u0323",
}  # fmt: skip
_ACCENTED = re.compile(r"\\(?:([`'^~\"=.])\s*|([uvHckrd])(?:\s+|(?=\{)))(?:\{\s*\\?([A-Za-z])\s*\}|\\?([A-Za-z]))")
_LETTERS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "l": "ł",
    "L": "Ł", "i": "ı", "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "kappa": "κ", "mu": "μ", "pm": "±",
    "leq": "≤", "geq": "≥", "le": "≤", "ge": "≥", "times": "×", "textless": "<", "textgreater": ">",
    "textpm": "±", "textdegree": "°", "textmu": "μ", "textasciicircum": "^", "textquotedbl": '"',
    "textasciitilde": "\ue003", "textbackslash": "\ue002", "textbraceleft": "\ue000", "textbraceright": "\ue001",
}  # fmt: skip
# What stands for itself once the marks of TeX are taken away.
_ESCAPES = {"{": "\ue000", "}": "\ue001", "$": "\ue004"}
_MEANT = str.maketrans({"\ue000": "{", "\ue001": "}", "\ue002": "\\", "\ue003": "~", "\ue004": "$"})
_LETTER = re.compile(r"\\([A-Za-z]+)(?![A-Za-z])\s?(?:\{\})?")
_ESCAPED = re.compile(r"\\([&%$#_{}])")
_AND = re.compile(r"\s+and\s+")


def read(stream: BufferedIOBase, where: str, limits: Limits) -> Iterator[Item]:
    """Every entry but `@string`, `@comment` and `@preamble`."""
    raw = stream.read(limits.text_bytes + 1)
    if len(raw) > limits.text_bytes:
        yield Skipped(where, f"larger than {megabytes(limits.text_bytes)}: split it")
        return
    text = decode(raw)
    if text is None:
        yield Skipped(where, "not text")
        return
    strings: dict[str, str] = {}
    entry = _ENTRY.search(text)
    line, counted = 1, 0
    while entry:
        kind, at = entry[1].lower(), entry.end()
        line, counted = line + text.count("\n", counted, entry.start()), entry.start()
        where_now = f"{where}:{line}"
        if kind in ("comment", "preamble"):
            at = _closed(text, at)
        else:
            key = _KEY.match(text, at) if kind != "string" else None
            fields, at, whole = _fields(text, key.end() if key else at, strings)
            if kind == "string":
                strings.update(fields)
            elif not whole:
                yield Skipped(where_now, "a BibTeX entry whose braces do not close")
            else:
                yield _document(kind, key[1] if key else "", fields, where_now)
        entry = _ENTRY.search(text, max(at, entry.end()))


def _closed(text: str, at: int) -> int:
    """Past the brace that closes the one before `at`."""
    depth = 1
    for mark in re.compile(r"\\.|[{}]").finditer(text, at):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if not depth:
            return mark.end()
    return len(text)


def _fields(text: str, at: int, strings: dict[str, str]) -> tuple[dict[str, str], int, bool]:
    """The fields from `at` on, where they end, and whether the entry is closed there."""
    fields: dict[str, str] = {}
    while found := _FIELD.match(text, at):
        value, at = _value(text, found.end(), strings)
        fields.setdefault(found[1].lower(), value)
    end = re.compile(r"[\s,]*[})]").match(text, at)
    return fields, end.end() if end else at, end is not None


def _value(text: str, at: int, strings: dict[str, str]) -> tuple[str, int]:
    parts: list[str] = []
    while at < len(text):
        if text[at] == "{":
            end = _closed(text, at + 1)
            parts.append(text[at + 1 : end - 1])
        elif text[at] == '"':
            end = _quoted(text, at + 1)
            parts.append(text[at + 1 : end - 1])
        else:
            bare = _BARE.match(text, at)
            if bare is None:
                break
            parts.append(strings.get(bare[0].lower(), bare[0]))
            end = bare.end()
        joined = _JOIN.match(text, end)
        if joined is None:
            return "".join(parts), end
        at = joined.end()
    return "".join(parts), at


def _quoted(text: str, at: int) -> int:
    """Past the quotation mark that closes a value; inside braces one does not."""
    depth = 0
    for mark in re.compile(r'\\.|[{}"]').finditer(text, at):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if mark[0] == '"' and depth <= 0:
            return mark.end()
    return len(text)


def _document(kind: str, key: str, fields: dict[str, str], where: str) -> Item:
    record: dict[str, object] = {"id": key}
    for name, field in _FIELDS.items():
        if fields.get(name):
            record.setdefault(field, plain(fields[name]))
    if doi(record.get("doi", "")) is None:
        record.pop("doi", None)
    if "pages" in record:
        record["pages"] = str(record["pages"]).replace("--", "-").replace("–", "-")
    if "keywords" in record:
        record["keywords"] = re.split(r"[;,]\s*", str(record["keywords"]))
    record["authors"] = [_name(part) for part in _AND.split(collapse(fields.get("author", "")))]
    record["publication_types"] = [_TYPES[kind]] if kind in _TYPES else []
    try:
        return from_mapping(record, name=where)
    except NotARecord as error:
        return Skipped(where, str(error))


def _name(value: str) -> str:
    if value.startswith("{") and value.endswith("}"):
        return plain(value)
    family, comma, given = value.partition(",")
    if comma:
        return author(plain(family), plain(given))
    *given_names, last = value.split(" ")
    return author(plain(last), plain(" ".join(given_names)))


def plain(text: str) -> str:
    """LaTeX's spellings of letters as the letters, braces away."""
    text = _ACCENTED.sub(_accent, text)
    text = _LETTER.sub(lambda m: _LETTERS.get(m[1], "" if m[1] in ("emph", "textit", "textbf", "url") else m[0]), text)
    text = _ESCAPED.sub(lambda m: _ESCAPES.get(m[1], m[1]), text).replace("``", "“").replace("''", "”")
    text = text.replace("{", "").replace("}", "").replace("$", "").replace("~", " ")
    return collapse(text.translate(_MEANT))


def _accent(found: re.Match[str]) -> str:
    mark = _ACCENTS[found[1] or found[2]]
    return unicodedata.normalize("NFC", (found[3] or found[4]) + mark)
