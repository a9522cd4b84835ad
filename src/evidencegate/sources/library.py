"""A local library as a source: searched like any other, by the words of a sub-query."""

import asyncio
from datetime import UTC, datetime
from pathlib import PurePosixPath

from evidencegate.errors import InvalidInput, LibraryError, MissingExtra, ModelError
from evidencegate.library import Library
from evidencegate.question import Question, SubQuery
from evidencegate.sources._types import Found, SearchRecord, SearchResult, Status


class LibrarySource:
    """Searches one `Library`. The search runs in a thread; nothing it does raises."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.name = f"library:{PurePosixPath(library.path.replace(chr(92), '/').rstrip('/')).name or library.path}"

    def __repr__(self) -> str:
        return f"LibrarySource({self.library!r})"

    async def search(self, sub_query: SubQuery, question: Question, *, limit: int) -> SearchResult:
        """Hybrid search for the sub-query's words; each record comes with the passage that was found."""
        query = sub_query.query
        asked_at = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            hits = await asyncio.to_thread(self.library.search, query, limit=limit)
        except (InvalidInput, LibraryError, MissingExtra, ModelError) as error:
            status = Status.BAD_QUERY if isinstance(error, InvalidInput) else Status.UNREACHABLE
            return SearchResult(
                record=SearchRecord(source=self.name, query=query, status=status, reason=str(error), asked_at=asked_at)
            )
        return SearchResult(
            record=SearchRecord(
                source=self.name,
                query=query,
                status=Status.OK if hits else Status.EMPTY,
                records=len(hits),
                asked_at=asked_at,
            ),
            found=tuple(
                Found(
                    document=hit.document,
                    position=position,
                    score=hit.score,
                    passages=(hit.passage,) if hit.passage else (),
                )
                for position, hit in enumerate(hits, start=1)
            ),
        )
