"""Bytes of unknown origin as text."""

import codecs

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = frozenset(range(32)) - {9, 10, 11, 12, 13, 27}


def decode(raw: bytes) -> str | None:
    """`raw` as text, byte order mark removed, line ends kept; None where it is not text.

    UTF-8, else what a byte order mark says, else Windows-1252, which nearly every other Western file is in.
    What holds control characters that no text has (a zero byte above all) is not text.
    """
    for mark, name in _MARKS:
        if raw.startswith(mark):
            try:
                return raw[len(mark) :].decode(name)
            except UnicodeDecodeError:
                return None
    if is_binary(raw):
        return None
    for name in ("utf-8", "cp1252"):
        try:
            return raw.decode(name)
        except UnicodeDecodeError:
            continue
    return None


def is_binary(raw: bytes) -> bool:
    """Whether `raw` holds more control characters than text does; a zero byte is enough."""
    head = raw[:65536]
    if any(head.startswith(mark) for mark, _ in _MARKS):
        return False
    if 0 in head:
        return True
    controls = sum(head.count(code) for code in _CONTROLS)
    return controls * 100 > len(head)
