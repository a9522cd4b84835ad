"""A local library as a source: searched like any other, by the words of a sub-query."""

import asyncio
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import count
from pathlib import PurePosixPath
from typing import Self

from evidencegate.errors import InvalidInput, LibraryError, MissingExtra, ModelError
from evidencegate.library import Library
from evidencegate.question import Category, Question, SubQuery, TargetEvidence
from evidencegate.sources._types import Found, SearchRecord, SearchResult, Status

_LONG = 40
"""A question of more words than this buries what it asks; its sub-queries say it better."""
_SOUGHT = {
    TargetEvidence.SYSTEMATIC_REVIEW: "systematic review meta-analysis",
    TargetEvidence.TRIAL: "randomized trial",
    TargetEvidence.COHORT: "cohort",
}


def wording(sub_query: SubQuery, question: Question) -> str:
    """What a library is asked: the user's own words for the question itself, else the sub-query's.

    The first sub-query is the question itself whatever it decides: words that no vocabulary knows ("enteral feeds")
    are in no sub-query. Hybrid search reads plain words, so the kind of evidence that is sought is said in words too.
    """
    sought = _SOUGHT.get(sub_query.target_evidence)
    core = sought is None and sub_query.category is Category.CORE_DECISION
    if (core or sub_query == question.sub_queries[0]) and len(question.text.split()) <= _LONG:
        return question.text
    return f"{sub_query.query} {sought}" if sought else sub_query.query


class LibrarySource:
    """Searches one `Library`. The search runs in a thread; nothing it does raises."""

    def __init__(self, library: Library, *, name: str | None = None) -> None:
        self.library = library
        self.name = name or _name(library)

    @classmethod
    def each(cls, libraries: Iterable[Library]) -> "tuple[Self, ...]":
        """A source for each library, once: by its directory's name, with a number where two have the same.

        What a source brings is kept with a run under its name, so no two may share one.
        """
        places: set[str] = set()
        named: dict[str, Library] = {}
        for library in libraries:
            place = library.path.rstrip("/") if "://" in library.path else os.path.realpath(library.path)
            if place in places:
                continue
            places.add(place)
            name = _name(library)
            numbered = (f"{name}-{number}" for number in count(2))
            named[name if name not in named else next(other for other in numbered if other not in named)] = library
        return tuple(cls(library, name=name) for name, library in named.items())

    def __repr__(self) -> str:
        return f"LibrarySource({self.library!r})"

    async def search(self, sub_query: SubQuery, question: Question, *, limit: int) -> SearchResult:
        """Hybrid search for the `wording` of a sub-query; each record comes with the passage that was found."""
        query = wording(sub_query, question)
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


def _name(library: Library) -> str:
    return f"library:{PurePosixPath(library.path.replace(chr(92), '/').rstrip('/')).name or library.path}"
