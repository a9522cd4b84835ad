"""A reply, and reading it without trusting it."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from evidencegate.sources._failure import malformed

if TYPE_CHECKING:
    from lxml.etree import _Element
    from pydantic import BaseModel

    Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a service answered with: decoded from its transfer, otherwise as it came."""

    title: str
    """Of the service, for reasons."""
    content: bytes
    content_type: str
    asked_at: str
    """ISO 8601, UTC: when the service was asked, not when a kept reply was read."""
    from_cache: bool = False

    @property
    def text(self) -> str:
        """The content as text; bytes that are not UTF-8 are marked, not dropped."""
        return self.content.decode("utf-8", errors="replace")

    def _not_a_page(self, wanted: str) -> None:
        head = self.content[:512].lstrip().lower()
        if not head:
            raise malformed(f"{self.title} answered with nothing")
        if head.startswith((b"<!doctype html", b"<html")):
            raise malformed(f"{self.title} answered with a web page instead of {wanted}")

    def json(self) -> dict[str, Any]:
        """The content as a JSON object.

        Raises:
            Failure: malformed.
        """
        self._not_a_page("JSON")
        try:
            # `NaN` and `Infinity` are no JSON, and no value of anything that is read here.
            value = json.loads(self.content, parse_constant=lambda _: None)
        except (ValueError, RecursionError):
            raise malformed(f"{self.title}'s reply is not JSON, or breaks off") from None
        if not isinstance(value, dict):
            raise malformed(f"{self.title}'s reply is not a JSON object")
        return value

    def parsed(self, model: "type[Model]") -> "Model":
        """The content as a value of `model`.

        Raises:
            Failure: malformed; the reason names the first field that is not as promised.
        """
        from pydantic import ValidationError

        try:
            return model.model_validate(self.json())
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            field = ".".join(map(str, first["loc"])) or "reply"
            raise malformed(f"{self.title}'s reply is not as promised ({field}: {first['msg']})") from None

    def xml(self) -> "_Element":
        """The root of the content as XML; entities are not resolved, nothing is fetched.

        Raises:
            Failure: malformed.
        """
        from lxml import etree

        self._not_a_page("XML")
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        try:
            # A blank line before the declaration is no XML, and has been sent.
            root = etree.fromstring(self.content.lstrip(), parser)
        except etree.XMLSyntaxError:
            raise malformed(f"{self.title}'s reply is not XML, or breaks off") from None
        return root
