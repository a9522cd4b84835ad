"""Sentences before they are numbered: each with the records, quotes and stances it rests on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evidencegate.documents import Quote
from evidencegate.evidence import EvidenceItem
from evidencegate.models.stance import Label, Reason, ReasonCode, Stance
from evidencegate.report._extract import Candidate
from evidencegate.report._references import reference_list
from evidencegate.report._relevance import content
from evidencegate.report._types import Citation, Reference, Sentence

_SAME = 0.6


@dataclass(frozen=True, slots=True)
class Support:
    """One record that supports a sentence, and where."""

    item: EvidenceItem
    quote: Quote
    stance: Stance

    def __post_init__(self) -> None:
        if self.quote.document.id != self.item.document.id:
            raise ValueError("the quote is from another record")
        if self.item.document.retracted:
            raise ValueError("a retracted record supports nothing (rule 9)")
        if self.stance.label is not Label.SUPPORTS:
            raise ValueError(f"the quote does not support the sentence: {self.stance.label}")


@dataclass(frozen=True, slots=True)
class Draft:
    """A sentence that may be shown as fact."""

    text: str
    support: tuple[Support, ...]

    def __post_init__(self) -> None:
        if not self.support or not self.text.strip():
            raise ValueError("a sentence shown as fact says something and rests on something (rule 4)")

    @property
    def documents(self) -> tuple[str, ...]:
        """Ids of the records it cites."""
        return tuple(dict.fromkeys(s.item.document.id for s in self.support))

    def repeats(self, other: "Draft") -> bool:
        """Whether it says what `other` says, word for word or nearly."""
        mine, theirs = content(self.text), content(other.text)
        return self.text == other.text or len(mine & theirs) >= _SAME * len(mine | theirs)

    def numbered(self, numbers: Mapping[str, int]) -> Sentence:
        """It with the numbers of the final list."""
        return Sentence(
            text=self.text,
            citations=tuple(
                Citation(n=numbers[s.item.document.id], quote=s.quote, stance=s.stance) for s in self.support
            ),
        )


def quoted(candidate: Candidate) -> Draft:
    """A record's own sentence as a draft."""
    return Draft(candidate.text, (Support(candidate.item, candidate.quote, literal(candidate.quote)),))


def literal(quote: Quote) -> Stance:
    """What is quoted supports what it says: not a judgement but an identity."""
    start = quote.passage.span.start
    within = (quote.span.start - start, quote.span.end - start)
    reason = Reason(ReasonCode.LITERAL, "the sentence is the quote", Label.SUPPORTS, None, within)
    return Stance(1.0, 0.0, 0.0, within, (reason,), "location")


def fresh(drafts: Iterable[Draft], shown: Sequence[Draft]) -> list[Draft]:
    """Those that repeat neither what is shown nor each other."""
    kept: list[Draft] = []
    for draft in drafts:
        if not any(draft.repeats(other) for other in (*shown, *kept)):
            kept.append(draft)
    return kept


def numbering(items: Iterable[EvidenceItem]) -> tuple[tuple[Reference, ...], dict[str, int]]:
    """The reference list in order of first citation, and each record's number in it."""
    cited = list({item.document.id: item for item in items}.values())
    references, _ = reference_list(cited)
    return references, {reference.document.id: reference.n for reference in references}
