"""An answer as a Word document: headings, links, and citations that lead to the reference list."""

from io import BytesIO
from typing import Any

from evidencegate._extras import require
from evidencegate.report._report_types import Report
from evidencegate.report._types import Answer
from evidencegate.report.export._page import Entry, Line, Page, page

_LINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"


def docx(answer: Answer | Report) -> bytes:
    """The whole answer as DOCX. Text from outside is the text of runs and nothing else.

    Raises:
        MissingExtra: the extra `pdf` is not installed.
    """
    document = require("pdf", "docx").Document()
    content = page(answer)
    document.core_properties.title = content.title[:255]  # the longest that the format allows
    document.core_properties.author = "EvidenceGate"
    document.core_properties.comments = content.notice
    _fill(document, content)
    made = BytesIO()
    document.save(made)
    return made.getvalue()


def _fill(document: Any, content: Page) -> None:
    document.add_heading(content.title, level=0)
    document.add_paragraph().add_run(content.notice).italic = True
    for part in content.parts:
        document.add_heading(part.heading, level=1)
        if part.text:
            document.add_paragraph(part.text)
        for line in part.lines:
            _point(document, line)
    if content.references:
        document.add_heading("References", level=1)
        for entry in content.references:
            _reference(document, entry)
    if content.warnings:
        document.add_heading("Warnings", level=1)
        for warning in content.warnings:
            document.add_paragraph(warning, style="List Bullet")


def _point(document: Any, line: Line) -> None:
    paragraph = document.add_paragraph(line.text, style="List Bullet")
    if line.cited:
        paragraph.add_run(" ")
    for n in line.cited:
        _link(paragraph, f"[{n}]", anchor=f"ref-{n}")
    if line.mark:
        paragraph.add_run(f" ({line.mark})").italic = True
    if line.aside:
        paragraph.add_run().add_break()
        paragraph.add_run(line.aside)


def _reference(document: Any, entry: Entry) -> None:
    paragraph = document.add_paragraph()
    _bookmark(paragraph, f"ref-{entry.n}", entry.n)
    paragraph.add_run(f"{entry.n}. {entry.authors} ")
    _link(paragraph, entry.title, url=entry.url)
    paragraph.add_run(" ")
    paragraph.add_run(entry.place).italic = True
    if entry.status:
        paragraph.add_run(f" {entry.status}").bold = True
    for text in (entry.line, " · ".join(part for part in (entry.badges, entry.mark) if part)):
        paragraph.add_run().add_break()
        paragraph.add_run(text)


def _link(paragraph: Any, text: str, *, url: str = "", anchor: str = "") -> None:
    """Append a link to an address outside or to a bookmark; python-docx reads links but has no call to make one."""
    qn = require("pdf", "docx.oxml.ns").qn
    link = require("pdf", "docx.oxml").OxmlElement("w:hyperlink")
    if url:
        link.set(qn("r:id"), paragraph.part.relate_to(url, _LINK, is_external=True))
    else:
        link.set(qn("w:anchor"), anchor)
    run = paragraph.add_run(text)
    run.underline = True
    paragraph._p.remove(run._r)
    link.append(run._r)
    paragraph._p.append(link)


def _bookmark(paragraph: Any, name: str, number: int) -> None:
    oxml, qn = require("pdf", "docx.oxml"), require("pdf", "docx.oxml.ns").qn
    for tag in ("w:bookmarkStart", "w:bookmarkEnd"):
        mark = oxml.OxmlElement(tag)
        mark.set(qn("w:id"), str(number))
        if tag == "w:bookmarkStart":
            mark.set(qn("w:name"), name)
        paragraph._p.append(mark)
