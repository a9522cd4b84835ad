"""Open-i of the National Library of Medicine: images out of open-access articles.

API: https://openi.nlm.nih.gov/services (`/api/search` with query, m and n as the first and last position wanted).
Its index has not grown since about 2020.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from pydantic import Field, ValidationError

from evidencegate.documents import Identifiers
from evidencegate.sources._failure import Failure, malformed
from evidencegate.sources._http import Client, Request, within
from evidencegate.sources._markup import plain
from evidencegate.sources._model import Camel, Lenient
from evidencegate.sources._reply import Reply
from evidencegate.sources._steps import now
from evidencegate.sources._types import SearchRecord, Status

# Seconds. Images are an extra, and Open-i may take nine for an answer; nobody waits longer for them.
_PATIENCE = 10.0


class _Figure(Lenient):
    caption: str = ""


class _Record(Camel):
    pmid: str | None = None
    pmcid: str | None = None
    title: str = ""
    image: _Figure = _Figure()
    img_large: str = ""
    license_type: str = ""
    license_url: str = Field(default="", alias="licenseURL")


class _Page(Lenient):
    total: int = Field(ge=0)
    items: tuple[Any, ...] = Field(default=(), alias="list")


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An image of an article, with what is needed to show it lawfully."""

    title: str
    """Of the article."""
    caption: str
    image_url: str
    identifiers: Identifiers
    licence: str
    """As the source states it; empty where it states none."""
    source: str = "Open-i"

    @property
    def url(self) -> str:
        """The address of the article it belongs to."""
        return self.identifiers.url or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureResult:
    """A search for images and what it found."""

    record: SearchRecord
    pictures: tuple[Picture, ...] = ()


class OpenI:
    """Open-i, for images only: its records are no evidence."""

    name = "open_i"

    def __init__(self, client: Client) -> None:
        self._client = client
        self._service = client.services[self.name]

    async def pictures(self, query: str, *, limit: int = 10) -> PictureResult:
        """Images for a query in plain words; never raises for what the source did.

        Images without an article that can be opened are left out.
        """
        asked_at = now()
        params = {"query": query, "m": "1", "n": str(limit)}
        try:
            with within(min(_PATIENCE, self._client.settings.source_seconds)):
                page = await self._client.ask(self._service, Request(path="/api/search", params=params), _page)
        except Failure as failure:
            record = SearchRecord(
                source=self.name, query=query, status=failure.status, reason=failure.reason, asked_at=asked_at
            )
            return PictureResult(record=record)
        pictures, unread = [], 0
        for raw in page.items[:limit]:
            try:
                picture = self._picture(_Record.model_validate(raw))
            except ValidationError:
                unread += 1
                continue
            if picture is not None and picture not in pictures:
                pictures.append(picture)
        status = Status.PARTIAL if unread else (Status.OK if pictures else Status.EMPTY)
        record = SearchRecord(
            source=self.name,
            query=query,
            status=status,
            records=len(pictures),
            total=page.total,
            reason=f"{unread} images could not be read" if unread else "",
            asked_at=asked_at,
        )
        return PictureResult(record=record, pictures=tuple(pictures))

    def _picture(self, record: _Record) -> Picture | None:
        identifiers = Identifiers.parse(pmid=record.pmid, pmcid=record.pmcid)
        # Only a path on Open-i itself: whatever else stands there is not ours to open in a reader's browser.
        path = urlsplit(record.img_large)
        if not identifiers or path.scheme or path.netloc or not path.path.startswith("/"):
            return None
        return Picture(
            title=plain(record.title),
            caption=plain(record.image.caption),
            image_url=self._service.base + path.path + (f"?{path.query}" if path.query else ""),
            identifiers=identifiers,
            licence=plain(record.license_url or record.license_type),
        )


def _page(reply: Reply) -> _Page:
    page = reply.parsed(_Page)
    if page.total and not page.items:
        raise malformed("Open-i counts images and sends none")
    return page
