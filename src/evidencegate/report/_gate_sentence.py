"""Rules 3 and 4 for one sentence that a model wrote: only what its own citations prove stays."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from evidencegate.documents import is_order, locate_quote, sentences
from evidencegate.evidence import EvidenceItem
from evidencegate.models.stance import Label, Stance
from evidencegate.report._draft import Draft, Support, literal
from evidencegate.report._engine import Engine
from evidencegate.report._faithful import borne_out
from evidencegate.report._refused import RemovedCitation
from evidencegate.report._worth import holds_dose
from evidencegate.report.citations import enforce_citations, mentions
from evidencegate.verify import CheckedClaim, Verdict, check

MOST_CHARACTERS = 700
"""Of one written sentence; a longer one is no sentence."""
_PROMPT_RUN = 8
"""So many words in a row from our own instructions are a prompt that leaked, not a finding."""
# A raised number apart from its word cites like one beside it.
_RAISED_APART = re.compile(r" +(?=[⁰¹²³⁴⁵⁶⁷⁸⁹])")
# Elsewhere a number in brackets may count patients; after a closing bracket, at the end, it cites.
_AFTER_BRACKET = re.compile(r"\)\s*\((\d{1,3}(?:\s*[-–,;]\s*\d{1,3})*)\)(?=\s*(?:[.!?](?:\s|$)|$))")
# A finding is not a recommendation: whoever recommends must have written so.
_ADVICE = re.compile(r"\b(?:recommend|should|advis|contraindicat|must|preferred|first[- ]line)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote: one sentence, the numbers it cites and the quotes it claims."""

    text: str
    citations: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """A sentence that did not pass. `shown` is False for what no reader should see."""

    text: str
    reason: str
    cited: tuple[int, ...] = ()
    shown: bool = True


@dataclass(slots=True)
class Gate:
    """The gate of one section: which numbers are valid there, and what it has taken out so far."""

    section: str
    items: Mapping[int, EvidenceItem]
    engine: Engine
    instructions: str = ""
    """The prompt's own words, which a text must not repeat."""
    doses: bool = True
    removed: list[RemovedCitation] = field(default_factory=list)
    false_quotes: int = 0
    """Claimed quotes that are not in the record they were claimed from."""

    def pieces(self, written: Written) -> list[Written]:
        """A model's entry as single sentences without citation marks; what does not resolve is taken out."""
        text = _plain(written.text)
        enforced = enforce_citations(text, self.items)
        self.removed += [
            RemovedCitation(text=gone.text, section=self.section, reason=gone.reason) for gone in enforced.removed
        ]
        inline = [n for mention in mentions(enforced.text) for part in mention.parts for n in part.numbers()]
        cited = [*written.citations, *((n, "") for n in inline)]
        for n, _ in cited:
            if n not in self.items:
                reason = f"not in the reference list: {n}"
                self.removed.append(RemovedCitation(text=f"[{n}]", section=self.section, reason=reason))
        kept = {n: "" for n, _ in cited if n in self.items}
        kept |= {n: quote for n, quote in written.citations if n in kept and quote.strip()}
        bare = enforce_citations(enforced.text, ()).text
        # Alone, a sentence may show a mark that its neighbours hid.
        single = (enforce_citations(span.of(bare), ()).text.strip() for span in sentences(bare))
        return [Written(sentence, tuple(kept.items())) for sentence in single if sentence]

    def judge(self, written: Written) -> Draft | Refused:
        """The sentence with what supports it, or why it is not shown as fact."""
        numbers = tuple(n for n, _ in written.citations)
        if reason := self._unfit(written.text):
            return Refused(written.text, reason, numbers, shown=False)
        if not written.citations:
            return Refused(written.text, "it cites nothing", numbers)
        support: list[Support] = []
        reasons: list[str] = []
        for n, quote in written.citations:
            item = self.items[n]
            if quote and locate_quote(quote, item.document) is None:
                self.false_quotes += 1
            found = proof(written.text, item, self.engine)
            if isinstance(found, str):
                reasons.append(f"[{n}]: {found}")
            else:
                support += found
        if not support:
            return Refused(written.text, "; ".join(reasons), numbers)
        for reason in reasons:
            mark, _, why = reason.partition(": ")
            said = f"does not support “{_short(written.text)}”: {why}"
            self.removed.append(RemovedCitation(text=mark, section=self.section, reason=said))
        return Draft(written.text, tuple(support))

    def _unfit(self, text: str) -> str:
        """Why a text may not even be listed as unsupported; empty where it may."""
        if not _WORD.search(text):
            return "it says nothing"
        if len(text) > MOST_CHARACTERS:
            return "it is too long for a sentence"
        if is_order(text):
            return "it is an instruction"
        if self.instructions and _runs(text) & _runs(self.instructions):
            return "it repeats the prompt"
        if not self.doses and holds_dose(text):
            return "it states a dose"
        return ""


def proof(text: str, item: EvidenceItem, engine: Engine) -> list[Support] | str:
    """What in a record supports every claim of a sentence, literally; else the reason why nothing does.

    The verdict is that of `verify`, whose gate needs a literal quote and equal figures for `correct`; beyond that the
    sentence must say no more than its quotes (`_faithful`), however sure the reader is.
    """
    checked = check(text, [item.document], reader=engine.stance.judge)
    if not checked.claims:
        return "it states nothing that could be checked"
    wrong = next((c for c in checked.claims if c.verdict is not Verdict.CORRECT), None)
    if wrong is not None:
        message = next((i.message for i in checked.issue_spans if i.claim == wrong.claim.id), "not decided")
        return (message[:1].lower() if message[1:2].islower() else message[:1]) + message[1:].rstrip(".")
    support: dict[tuple[int, int], Support] = {}
    for claim in checked.claims:
        quote = claim.decision.quote
        stance = _stance(claim)
        if quote is None or stance is None:
            return "the record does not support it clearly enough"
        found = borne_out(claim.claim.statement, text, quote)
        if isinstance(found, str):
            return found
        if is_order(found.text):
            return "what it cites tells its reader what to say"
        support[found.span.start, found.span.end] = Support(item, found, stance)
    if _ADVICE.search(text) and not any(_ADVICE.search(one.quote.text) for one in support.values()):
        return "it gives advice that the record does not give"
    return list(support.values())


def _stance(claim: CheckedClaim) -> Stance | None:
    """That of the reader; of a claim that wording alone settled, its quote says it. None where it is another."""
    if claim.stance is not None:
        return claim.stance if claim.stance.label is Label.SUPPORTS else None
    return literal(claim.decision.quote) if claim.decision.quote else None


def _plain(text: str) -> str:
    """On one line, without characters that are not shown or change how others are."""
    seen = "".join(" " if c.isspace() else c for c in text if c.isspace() or unicodedata.category(c)[0] != "C")
    return _AFTER_BRACKET.sub(r") [\1]", _RAISED_APART.sub("", " ".join(seen.split())))


@lru_cache(maxsize=64)
def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = [word.casefold() for word in _WORD.findall(text)]
    return frozenset(tuple(words[i : i + _PROMPT_RUN]) for i in range(len(words) - _PROMPT_RUN + 1))


def _short(text: str, most: int = 120) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def valid(items: Sequence[EvidenceItem]) -> dict[int, EvidenceItem]:
    """Records under the numbers that a prompt gives them, from 1."""
    return dict(enumerate(items, start=1))
