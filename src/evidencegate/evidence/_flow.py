"""The search log of an answer, in the manner of PRISMA 2020: from what was found to what is cited.

Items and boxes follow Page MJ et al., BMJ 2021;372:n71, figure 1: identification (databases and registers, other
methods), duplicates removed, screened, excluded with reasons, included.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from evidencegate.evidence._types import EvidencePackage
from evidencegate.sources import SearchRecord, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """How many records there were at each step. Every record is in exactly one place at the end."""

    searches: tuple[SearchRecord, ...]
    identified: Mapping[str, int]
    """Records by source, as they came."""
    other: int
    """Records that no search found: curated guidelines and trials."""
    duplicates: int
    screened: int
    excluded: Mapping[str, int]
    """By reason."""
    not_cited: int
    """Records that might have been cited and were not needed."""
    included: int

    def __post_init__(self) -> None:
        if sum(self.identified.values()) + self.other - self.duplicates != self.screened:
            raise ValueError("what was found, less duplicates, is what was screened")
        if self.screened - sum(self.excluded.values()) - self.not_cited != self.included:
            raise ValueError("what was screened and not left out is included")

    @property
    def unanswered(self) -> tuple[SearchRecord, ...]:
        """Searches that nobody answered: the flow does not count what they would have found."""
        return tuple(search for search in self.searches if not search.status.answered)

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "Flow":
        """What `to_json` wrote."""
        searches = (
            {**row, "status": Status(row["status"]), "narrower": tuple(row["narrower"])} for row in kept["searches"]
        )
        return cls(**{**kept, "searches": tuple(SearchRecord(**row) for row in searches)})

    def to_json(self) -> dict[str, object]:
        """Everything as plain values."""
        return {
            "searches": [{**asdict(search), "status": search.status.value} for search in self.searches],
            "identified": dict(self.identified),
            "other": self.other,
            "duplicates": self.duplicates,
            "screened": self.screened,
            "excluded": dict(self.excluded),
            "not_cited": self.not_cited,
            "included": self.included,
        }

    def markdown(self) -> str:
        """Two tables: every search with its exact query, and the number of records at each step."""
        rows = ["| source | query | asked | outcome | records | of |", "|---|---|---|---|---:|---:|"]
        for search in self.searches:
            outcome = f"{search.status.value}: {search.reason}" if search.reason else search.status.value
            total = "" if search.total is None else str(search.total)
            cells = (search.source, _code(search.query), search.asked_at, _cell(outcome), str(search.records), total)
            rows.append(f"| {' | '.join(cells)} |")
        steps = [("identified", str(sum(self.identified.values())))]
        steps += [(f"· {source}", str(count)) for source, count in self.identified.items()]
        steps += [("from curated packs", str(self.other)), ("duplicates removed", str(self.duplicates))]
        steps += [("screened", str(self.screened)), ("excluded", str(sum(self.excluded.values())))]
        steps += [(f"· {reason}", str(count)) for reason, count in self.excluded.items()]
        steps += [("relevant, not cited", str(self.not_cited)), ("included", str(self.included))]
        rows += ["", "| step | records |", "|---|---:|", *(f"| {_cell(step)} | {count} |" for step, count in steps)]
        return "\n".join(rows) + "\n"

    def svg(self) -> str:
        """The flow as a picture: one self-contained SVG with a text alternative."""
        from evidencegate.evidence._flow_picture import picture

        return picture(self)


def flow(package: EvidencePackage, cited: Collection[str]) -> Flow:
    """The flow of an answer: `cited` are the ids of the documents that its reference list holds."""
    identified: Counter[str] = Counter()
    for search in package.searches:
        if search.status is not Status.NOT_ASKED:
            identified[search.source] += search.records
    screened = len(package.items) + len(package.excluded)
    included = sum(1 for item in package.items if item.document.id in cited)
    found = sum(identified.values()) - package.duplicates
    return Flow(
        searches=package.searches,
        identified=dict(identified),
        other=max(0, screened - found),
        # Where a record came from two searches as one and the same, it is counted as a duplicate here too.
        duplicates=package.duplicates + max(0, found - screened),
        screened=screened,
        excluded=dict(Counter(reason_kind(entry.reason) for entry in package.excluded).most_common()),
        not_cited=len(package.items) - included,
        included=included,
    )


def reason_kind(reason: str) -> str:
    """What a reason has in common with others of its kind: figures and names stand behind a colon or in brackets."""
    return reason.split(":", maxsplit=1)[0].split(" (", maxsplit=1)[0].strip() or "other"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _code(query: str) -> str:
    if not query:
        return ""
    fence = "``" if "`" in query else "`"
    return f"{fence}{_cell(query)}{fence}"
