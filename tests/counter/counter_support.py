"""Sources and readers for the tests of this room. Every record is invented."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from evidencegate.documents import Document, Identifiers
from evidencegate.models.stance import Stance
from evidencegate.question import Question, SubQuery
from evidencegate.runs import Ledger, Run
from evidencegate.sources import Found, SearchRecord, SearchResult, Status

AGAINST = (
    "In our large cohort study, azithromycin co-prescription with statins showed no significant increase in myopathy "
    "risk (RR 1.02, 95% CI 0.95-1.09)."
)
FOR = "Clarithromycin increases simvastatin exposure >5-fold and caused rhabdomyolysis in 14 cases."
CLAIM = "Macrolides interact with statins via CYP3A4, leading to increased statin exposure and myopathy risk"


def record(number: int, text: str, title: str = "Macrolides and statins: a cohort study", **fields: Any) -> Document:
    return Document(
        id=f"pmid:{number}",
        title=title,
        text=text,
        identifiers=Identifiers(pmid=str(number), doi=f"10.5555/invented.{number}"),
        authors=("Muster AB", "Beispiel C", "Example D", "Exemple E"),
        journal="J Invented Med",
        year=2021,
        published="2021-03-09",
        **fields,
    )


@dataclass
class Shelf:
    """Brings all it holds to every search, or fails as told."""

    documents: Sequence[Document] = ()
    status: Status = Status.OK
    name: str = "shelf"
    asked: list[str] = field(default_factory=list)

    async def search(self, sub_query: SubQuery, question: Question, *, limit: int) -> SearchResult:
        self.asked.append(sub_query.query)
        if not self.status.answered:
            reason = "the server does not answer"
            log = SearchRecord(source=self.name, query=sub_query.query, status=self.status, reason=reason)
            return SearchResult(record=log)
        status = Status.OK if self.documents else Status.EMPTY
        log = SearchRecord(source=self.name, query=sub_query.query, status=status, records=len(self.documents))
        found = tuple(Found(document=d, position=i) for i, d in enumerate(self.documents, 1))
        return SearchResult(record=log, found=found)


@dataclass
class Scripted:
    """A stance model that does whatever it is told to, for each pair (claim, passage)."""

    answer: Callable[[str, str], Any]
    name: str = "scripted"

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        return [self.answer(claim, passage) for claim, passage in pairs]


def run() -> Run:
    return Run.start(Ledger("sqlite://"), "counter", {})


def stance(supports: float, refutes: float) -> Stance:
    return Stance(supports, refutes, 1.0 - supports - refutes, reader="scripted")
