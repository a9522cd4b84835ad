"""Markdown: the text is the file's own content; headings make the sections."""

import re
from bisect import bisect_right
from pathlib import PurePath

from evidencegate.documents._document import Document, Section
from evidencegate.documents._span import Span
from evidencegate.documents.readers._build import collapse
from evidencegate.documents.readers.plain_text import document_id_of

SUFFIXES = (".md", ".markdown", ".mdown", ".mkd")
_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(\S[^\r\n]*)", re.MULTILINE)
_SETEXT = re.compile(r"^(?![ \t]*[#>|*+-])(\S[^\r\n]{0,200})\r?\n(=+|-+)[ \t]*\r?$", re.MULTILINE)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)


def document(text: str, name: str) -> Document:
    """`text` as one document, titled by its first heading; a section's label is the path of its headings."""
    headings = _headings(text)
    sections: list[Section] = []
    path: list[tuple[int, str]] = []
    for number, (level, label, _, end) in enumerate(headings):
        path = [entry for entry in path if entry[0] < level]
        path.append((level, label))
        until = headings[number + 1][2] if number + 1 < len(headings) else len(text)
        body = text[end:until]
        if body.strip():
            left = end + len(body) - len(body.lstrip())
            # The first heading is the title: it labels nothing but what stands directly under it.
            title_too = number and path[0] == headings[0][:2]
            names = [label for _, label in (path[1:] or path if title_too else path)]
            sections.append(Section(label=" > ".join(names), span=Span(left, end + len(body.rstrip()))))
    title = headings[0][1] if headings else PurePath(name).stem
    return Document(
        id=document_id_of(text, name),
        title=title,
        text=text,
        sections=tuple(sections),
        source="file",
        full_text=True,
    )


def _headings(text: str) -> list[tuple[int, str, int, int]]:
    """Level, label, start and end of each heading, in order; none inside fenced code."""
    fences = [match.start() for match in _FENCE.finditer(text)]
    found = [
        (len(match[1]), collapse(match[2].rstrip("# \t")) or collapse(match[2]), match.start(), match.end())
        for match in _HEADING.finditer(text)
    ]
    found += [
        (1 if match[2][0] == "=" else 2, collapse(match[1]), match.start(), match.end())
        for match in _SETEXT.finditer(text)
    ]
    # Between an odd fence and the next, code stands.
    return [entry for entry in sorted(found, key=lambda e: e[2]) if not bisect_right(fences, entry[2]) % 2]
