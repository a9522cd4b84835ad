"""`check`: is every claim of a text supported, and where exactly is it wrong?"""

from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from evidencegate.documents import Document, sentences, tokens
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
from evidencegate.verify._decide import Verifier, decide
from evidencegate.verify._evidence import TOP, Evidence, Selected
from evidencegate.verify._gate import Thresholds
from evidencegate.verify._local import THRESHOLDS, StanceReader
from evidencegate.verify._propose import Proposer, located_claims, supplemented
from evidencegate.verify._types import Checked, Claim

if TYPE_CHECKING:
    from evidencegate.models.language import LanguageModel
    from evidencegate.models.stance import Stance
    from evidencegate.verify._model import ModelProposals

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
    model: "LanguageModel | None" = None,
    require_evidence_for_correct: bool = True,
    thresholds: Thresholds = THRESHOLDS,
    max_claims: int = MAX_CLAIMS,
) -> Checked:
    """Check every claim of `text` against documents, files, identifiers or libraries, or its own citations.

    `against` None checks the text against what it cites itself, fetched through `resolve`. `reader` reads
    stances (default: the model inside the package, or rules where it is not installed). `model` proposes the claims
    and the verdicts that wording leaves open, each of which the same gate decides on; where it gives no answer, the
    claims by rules and the reading by `reader` stand, and a warning says so.
    `verifier` and `proposer` do one of the two in another way.

    Never raises for what the text or a source holds: what could not be checked is in `warnings`.

    Raises:
        UserError: `against` names something that is neither a file, an identifier nor a text.
    """
    started = perf_counter()
    cited = read_citations(text)
    warnings: list[str] = []
    asked = _proposals(model)
    claims = _claims(text, cited, proposer, asked, max_claims, warnings)
    checks: tuple[CitationCheck, ...] = ()
    if against is None:
        checks, sources = check_citations(cited, resolve)
    else:
        sources = gather(against, resolve)
    warnings.extend(sources.warnings)
    warnings.extend(_language(text, sources.documents))
    evidence = Evidence(sources.documents, own=text)
    offered = _offer(claims, sources, evidence, checks if against is None else None)
    decided = decide(
        claims,
        offered,
        evidence.share,
        text=text,
        reader=reader or _default,
        verifier=verifier,
        model=asked,
        thresholds=thresholds,
        require_evidence_for_correct=require_evidence_for_correct,
    )
    if asked is not None:
        warnings.extend(asked.warnings)
    if decided.contradictory:
        warnings.append(f"Sources contradict each other on {_named(decided.contradictory)}.")
    if not claims:
        warnings.append("The text makes no claim that could be checked.")
    spans = sentences(text)
    return Checked(
        text=text,
        claims=decided.claims,
        sentences=label_sentences(spans, decided.claims),
        issue_spans=issues(decided.claims),
        documents=_once([*sources.documents, *(c.document for c in decided.claims if c.document)]),
        citations=checks,
        references=corrected_references(cited, checks) if against is None else "",
        warnings=tuple(dict.fromkeys(warnings)),
        usage={"pairs": decided.pairs, "seconds": perf_counter() - started, **_spent(asked)},
    )


def _once(documents: Sequence[Document]) -> tuple[Document, ...]:
    """Each document once: the given ones, then those that a library had."""
    return tuple({document.id: document for document in documents}.values())


def _claims(
    text: str,
    cited: CitedText,
    proposer: Proposer | None,
    asked: "ModelProposals | None",
    limit: int,
    warnings: list[str],
) -> tuple[Claim, ...]:
    skip, marks = cited.reference_spans, [mention.span for mention in cited.mentions]
    proposes = proposer or asked
    found = claims_by_rules(text, skip=skip, marks=marks) if proposer is None else ()
    if proposes is not None:
        extracted = located_claims(text, proposes, skip=skip, marks=marks)
        # What a model leaves out is found by rules; a proposer of the caller's own leaves out what it wants to.
        found = extracted.claims if proposer else supplemented(extracted, found)
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


def _proposals(model: "LanguageModel | None") -> "ModelProposals | None":
    if model is None:
        return None
    from evidencegate.verify._model import ModelProposals  # pydantic, only where a model is asked

    return ModelProposals(model)


def _spent(asked: "ModelProposals | None") -> dict[str, float]:
    if asked is None:
        return {}
    spent = asked.spent
    return {
        "requests": spent.requests,
        "input_tokens": spent.input_tokens,
        "output_tokens": spent.output_tokens,
        "money": spent.money,
    }


def _default(pairs: Sequence[tuple[str, str]]) -> "Sequence[Stance]":
    """The default reader, loaded when something is first read."""
    return default_reader()(pairs)


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
