"""The form of JSON replies: what is needed of them is checked, the rest is passed over."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic.alias_generators import to_camel

from evidencegate.documents import Document

T = TypeVar("T", bound=BaseModel)


class Lenient(BaseModel):
    """A part of a reply: unknown fields are passed over, `null` is the same as absent, in lists too."""

    model_config = ConfigDict(extra="ignore", frozen=True, coerce_numbers_to_str=True)

    @model_validator(mode="before")
    @classmethod
    def _absent(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        return {key: _filled(value) for key, value in data.items() if value is not None}


def _filled(value: Any) -> Any:
    return [entry for entry in value if entry is not None] if isinstance(value, list) else value


class Camel(Lenient):
    """The same, of services that write `fieldName`."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


def read(
    records: Iterable[Any], model: type[T], build: Callable[[T], Document | None]
) -> tuple[tuple[Document, ...], str]:
    """The documents of a page, and what of it could not be used, in words (empty if nothing).

    One record that is not as promised costs itself, not the page. A record without title or identifier is no
    failure of the source; it is left out because nothing could open it (rule 7), and counted.
    """
    documents: list[Document] = []
    broken = nameless = 0
    for record in records:
        try:
            document = build(model.model_validate(record))
        except ValidationError:
            broken += 1
            continue
        if document is None:
            nameless += 1
        else:
            documents.append(document)
    notes = []
    if broken:
        notes.append(f"{broken} of {broken + nameless + len(documents)} records could not be read")
    if nameless:
        notes.append(f"{nameless} records without a title or identifier were left out")
    return tuple(documents), "; ".join(notes)
