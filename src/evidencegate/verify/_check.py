"""`check`: is every claim of a text supported, and where exactly is it wrong?"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

from evidencegate.documents import Document, Passage, Span, sentences, tokens
from evidencegate.verify._against import Against, Resolver, Searchable, Sources, found_by, gather
from evidencegate.verify._aggregate import issues, label_sentences
from evidencegate.verify._citations import (
    CitationCheck,
    CitedText,
    check_citations,
    corrected_references,
    read_citations,
)
from evidencegate.verify._claims import claims as claims_by_rules
from evidencegate.verify._evidence import TOP, Evidence, Selected
from evidencegate.verify._gate import Proposal, Thresholds, compare_with, gate
from evidencegate.verify._local import THRESHOLDS, Reading, StanceReader, propose
from evidencegate.verify._propose import Proposer, located_claims
from evidencegate.verify._types import Checked, CheckedClaim, Claim, Decision, Verdict

if TYPE_CHECKING:
    from evidencegate.models.stance import Stance
    from evidencegate.verify._numbers import Finding

Verifier = Callable[[str, Sequence[Passage]], Proposal | Mapping[str, object] | str]
"""Proposes a verdict on a claim, given passages; for example a language model behind a prompt."""

MAX_CLAIMS = 1_000
"""More claims than this are not checked, and the result says so."""
_COMMON_ENGLISH = frozenset(
    [
        "the",
        "of",
        "and",
        "in",
        "to",
        "a",
        "with",
        "was",
        "were",
        "for",
        "is",
        "that",
        "on",
        "by",
        "as",
        "are",
        "from",
        "or",
        "be",
        "at",
        "this",
        "an",
        "it",
    ]
)
_FOREIGN_SHARE = 0.08


def check(
    text: str,
    against: Against | Iterable[Against] | None = None,
    *,
    resolve: Resolver | None = None,
    reader: StanceReader | None = None,
    verifier: Verifier | None = None,
    proposer: Proposer | None = None,
    require_evidence_for_correct: bool = True,
    thresholds: Thresholds = THRESHOLDS,
    max_claims: int = MAX_CLAIMS,
) -> Checked:
    """Check every claim of `text` against documents, files, identifiers or libraries, or its own citations.

    `against` None checks the text against what it cites itself, fetched through `resolve`. `reader` reads
    stances (default: the model inside the package, or rules where it is not installed); `verifier` and
    `proposer` let a language model propose verdicts and claims, which the same gate decides on.

    Never raises for what the text or a source holds: what could not be checked is in `warnings`.

    Raises:
        UserError: `against` names something that is neither a file, an identifier nor a text.
    """
    started = perf_counter()
    cited = read_citations(text)
    warnings: list[str] = []
    claims = _claims(text, cited, proposer, max_claims, warnings)
    checks: tuple[CitationCheck, ...] = ()
    if against is None:
        checks, sources = check_citations(cited, resolve)
    else:
        sources = gather(against, resolve)
    warnings.extend(sources.warnings)
    warnings.extend(_language(text, sources.documents))
    evidence = Evidence(sources.documents)
    offered = _offer(claims, sources, evidence, checks if against is None else None)
    decisions, contradictory, pairs = _decide(
        claims, offered, evidence, reader, verifier, thresholds, require_evidence_for_correct
    )
    checked = tuple(
        CheckedClaim(
            claim=claim,
            decision=decision,
            support=_support_of(reading, decision) if reading else None,
            stance=reading.stance if reading else None,
        )
        for claim, (decision, reading) in zip(claims, decisions, strict=True)
    )
    if contradictory:
        warnings.append(f"Sources contradict each other on {_named(contradictory)}.")
    if not claims:
        warnings.append("The text makes no claim that could be checked.")
    spans = sentences(text)
    return Checked(
        text=text,
        claims=checked,
        sentences=label_sentences(spans, checked),
        issue_spans=issues(checked),
        documents=_once([*sources.documents, *(c.document for c in checked if c.document)]),
        citations=checks,
        references=corrected_references(cited, checks) if against is None else "",
        warnings=tuple(dict.fromkeys(warnings)),
        usage={"pairs": pairs, "seconds": perf_counter() - started},
    )


def _once(documents: Sequence[Document]) -> tuple[Document, ...]:
    """Each document once: the given ones, then those that a library had."""
    return tuple({document.id: document for document in documents}.values())


def _claims(
    text: str, cited: CitedText, proposer: Proposer | None, limit: int, warnings: list[str]
) -> tuple[Claim, ...]:
    skip = cited.reference_spans
    if proposer is None:
        found = claims_by_rules(text, skip=skip, marks=[mention.span for mention in cited.mentions])
    else:
        extracted = located_claims(text, proposer, skip=skip)
        found = extracted.claims
        if extracted.rejected:
            warnings.append(f"{len(extracted.rejected)} proposed claims are not in the text and were dropped.")
    if len(found) > limit:
        warnings.append(f"The text makes {len(found)} claims; the first {limit} were checked.")
    return found[:limit]


def _offer(
    claims: Sequence[Claim], sources: Sources, evidence: Evidence, citations: Sequence[CitationCheck] | None
) -> list[list[Selected]]:
    """Passages for each claim: from all sources, or from what the claim's own sentence cites."""
    if citations is None:
        return [
            [*evidence.select(c.statement), *_from_libraries(c.statement, sources.libraries)][
                : TOP + len(sources.libraries)
            ]
            for c in claims
        ]
    usable = {check.document.id: check.document for check in citations if check.document is not None and check.usable}
    shelves = {key: Evidence([document]) for key, document in usable.items()}
    everything = Evidence(usable.values())
    citing = frozenset(sentence for check in citations for sentence in check.sentences)
    offered: list[list[Selected]] = []
    for claim in claims:
        if claim.sentence not in citing:  # cites nothing itself: any record that the text relies on may bear it out
            offered.append(everything.select(claim.statement))
            continue
        cited = dict.fromkeys(
            check.document.id
            for check in citations
            if check.document is not None and check.usable and claim.sentence in check.sentences
        )
        chosen = [s for key in cited for s in shelves[key].select(claim.statement)]
        offered.append(sorted(chosen, key=lambda s: -s.score)[: TOP + 1])
    return offered


def _from_libraries(claim: str, libraries: Sequence[Searchable]) -> list[Selected]:
    return [
        Selected(passage=passage, score=0.0, reason=f"library search, place {place}")
        for library in libraries
        for place, passage in enumerate(found_by(library, claim, TOP), start=1)
    ]


def _decide(
    claims: Sequence[Claim],
    offered: Sequence[Sequence[Selected]],
    evidence: Evidence,
    reader: StanceReader | None,
    verifier: Verifier | None,
    thresholds: Thresholds,
    require_evidence_for_correct: bool,
) -> tuple[list[tuple[Decision, Reading | None]], list[Claim], int]:
    statements = [claim.statement for claim in claims]
    contradictory: list[Claim] = []
    readings: Sequence[Reading | None]
    said: Sequence[Proposal | Mapping[str, object] | str]
    if verifier is not None:
        said = [verifier(s, [p.passage for p in selected]) for s, selected in zip(statements, offered, strict=True)]
        readings = [None] * len(claims)
        pairs = len(claims)
    else:
        counted = _Counted(reader or default_reader())
        local = propose(statements, offered, counted, evidence.share, thresholds)
        said, readings, pairs = [r.proposal for r in local], local, counted.pairs
        contradictory = [claim for claim, r in zip(claims, local, strict=True) if r.contradictory]
    decisions = [
        _located(
            claim,
            gate(
                proposal, [p.passage for p in selected], claim=claim.statement, thresholds=thresholds,
                require_evidence_for_correct=require_evidence_for_correct,
            ),
        )
        for claim, proposal, selected in zip(claims, said, offered, strict=True)
    ]  # fmt: skip
    return list(zip(decisions, readings, strict=True)), contradictory, pairs


def _support_of(reading: Reading, decision: Decision) -> float:
    """What the verifier thinks probable, unless the gate proved the claim wrong."""
    return min(reading.support, 1 - decision.confidence) if decision.verdict is Verdict.INCORRECT else reading.support


def _located(claim: Claim, decision: Decision) -> Decision:
    """The decision with the places of the claim's numbers in the checked text.

    A statement may begin with a borrowed subject; its literal part ends where the claim's slice ends, so
    offsets are counted from there. Numbers of the borrowed part are not this claim's.
    """
    if not decision.numbers or decision.quote is None:
        return decision
    shift = claim.span.start - (len(claim.statement) - len(claim.text))
    if claim.rephrased:
        # A rephrased claim: its numbers are looked up in the slice it stands for.
        own = compare_with(claim.text, decision.quote)
        return replace(decision, numbers=tuple(_shifted(f, claim.span.start) for f in own))
    borrowed = len(claim.statement) - len(claim.text)
    kept = [f for f in decision.numbers if f.claimed.span.start >= borrowed]
    return replace(decision, numbers=tuple(_shifted(f, shift) for f in kept))


def _shifted(finding: "Finding", offset: int) -> "Finding":
    claimed = finding.claimed
    moved = replace(
        claimed,
        span=Span(claimed.span.start + offset, claimed.span.end + offset),
        number=Span(claimed.number.start + offset, claimed.number.end + offset),
    )
    return replace(finding, claimed=moved)


@dataclass(slots=True)
class _Counted:
    """A reader that counts what it reads."""

    reader: StanceReader
    pairs: int = 0

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> "Sequence[Stance]":
        self.pairs += len(pairs)
        return self.reader(pairs)


def default_reader() -> StanceReader:
    """The stance model inside the package; its rules alone where the extra `models` is not installed."""
    from evidencegate.models.stance import stances  # loads numpy and the model only when something is read

    return stances


def _language(text: str, documents: Sequence[Document]) -> list[str]:
    """Warnings for texts that do not read as English, for which rules and model are made."""
    found = []
    if _foreign(text):
        found.append(
            "The text does not read as English: rules and model are made for English, so little can be decided."
        )
    found.extend(
        f"{document.id} does not read as English: little can be decided from it."
        for document in documents
        if _foreign(document.text)
    )
    return found


def _foreign(text: str) -> bool:
    said = [token.folded for token in tokens(text[:5_000]) if token.folded.isalpha()]
    return len(said) >= 20 and sum(word in _COMMON_ENGLISH for word in said) / len(said) < _FOREIGN_SHARE


def _named(claims: Sequence[Claim]) -> str:
    shown = ", ".join(claim.id for claim in claims[:5])
    return shown + (f" and {len(claims) - 5} more" if len(claims) > 5 else "")
