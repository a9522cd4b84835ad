"""ClinicalTrials.gov, API version 2: trials with their plan, and their posted results.

API: https://clinicaltrials.gov/data-api/api (`/studies` with pageToken; `/studies/{nctId}`).
"""

from typing import Any

from pydantic import Field

from evidencegate.documents import Document, Identifiers
from evidencegate.question import Question, SubQuery
from evidencegate.sources._http import Client, Request
from evidencegate.sources._model import Camel, read
from evidencegate.sources._query import Step, plan
from evidencegate.sources._reply import Reply
from evidencegate.sources._steps import Haul, Sheet, in_steps, paged
from evidencegate.sources._trial import Study, trial
from evidencegate.sources._types import SearchResult

# At most 1000 are allowed; a study with results can be a megabyte.
_PAGE = 50


class _Page(Camel):
    studies: list[Any]
    next_page_token: str = ""
    total_count: int | None = Field(default=None, ge=0)


class ClinicalTrials:
    """ClinicalTrials.gov as a source."""

    name = "clinical_trials"

    def __init__(self, client: Client) -> None:
        self._client = client
        self._service = client.services[self.name]

    async def search(self, sub_query: SubQuery, question: Question, *, limit: int) -> SearchResult:
        """Search conditions, interventions and other terms; never raises for what the source did."""

        async def ask(step: Step) -> Haul:
            return await self._pages(step, limit)

        return await in_steps(self.name, sub_query, plan(self.name, sub_query, question), ask, limit=limit)

    async def find(self, identifiers: Identifiers) -> Document | None:
        """The trial of an NCT number, or None.

        Raises:
            Failure: the source did not answer; `NoSuchRecord` where it has no such trial.
        """
        if not identifiers.nct:
            return None
        request = Request(
            path=f"/studies/{identifiers.nct}", missing=f"ClinicalTrials.gov has no trial {identifiers.nct}"
        )
        return trial(await self._client.ask(self._service, request, lambda reply: reply.parsed(Study)))

    async def _pages(self, step: Step, limit: int) -> Haul:
        async def ask(token: str, size: int) -> Sheet:
            params = {**step.params, "pageSize": str(size), "countTotal": "true", "format": "json"}
            if token:
                params |= {"pageToken": token}
            page = await self._client.ask(self._service, Request(path="/studies", params=params), _page)
            documents, note = read(page.studies, Study, trial)
            return Sheet(
                documents=documents,
                records=len(page.studies),
                total=page.total_count,
                # A page may be empty and yet not the last.
                following=page.next_page_token,
                note=note,
            )

        return await paged(ask, limit=limit, size=_PAGE)


def _page(reply: Reply) -> _Page:
    return reply.parsed(_Page)
