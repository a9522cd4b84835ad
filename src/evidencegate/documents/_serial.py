"""A document as plain JSON values and back: what the library, the run ledger and every output share."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from evidencegate.documents._document import Document, Notice, RetractionStatus, Section
from evidencegate.documents._identifiers import Identifiers
from evidencegate.documents._span import Span
from evidencegate.errors import InvalidInput


def to_json(document: Document) -> dict[str, Any]:
    """Every field, in the order of the class, as values that `json.dumps` takes; nothing is left out.

    Identifiers are an object of their four names, a section is `{label, start, end}`, a notice
    `{status, source, reference, date}`.
    """
    values: dict[str, Any] = {}
    for field in fields(document):
        value = getattr(document, field.name)
        values[field.name] = list(value) if isinstance(value, tuple) else value
    values["identifiers"] = {field.name: getattr(document.identifiers, field.name) for field in fields(Identifiers)}
    values["sections"] = [
        {"label": section.label, "start": section.span.start, "end": section.span.end} for section in document.sections
    ]
    values["notices"] = [
        {"status": notice.status.value, "source": notice.source, "reference": notice.reference, "date": notice.date}
        for notice in document.notices
    ]
    return values


def from_json(values: Mapping[str, Any]) -> Document:
    """The document that `to_json` wrote. What a later version added is passed over; what it lacks is empty.

    Raises:
        InvalidInput: the values make no document.
    """
    known = {field.name: values[field.name] for field in fields(Document) if field.name in values}
    try:
        for name, value in known.items():
            if isinstance(value, list):
                known[name] = tuple(value)
        known["identifiers"] = Identifiers(**known.get("identifiers", {}))
        known["sections"] = tuple(
            Section(label=entry["label"], span=Span(entry["start"], entry["end"]))
            for entry in known.get("sections", ())
        )
        known["notices"] = tuple(
            Notice(
                status=RetractionStatus(entry["status"]),
                source=entry["source"],
                reference=entry.get("reference", ""),
                date=entry.get("date", ""),
            )
            for entry in known.get("notices", ())
        )
        return Document(**known)
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise InvalidInput(f"not a stored document: {error}") from error
