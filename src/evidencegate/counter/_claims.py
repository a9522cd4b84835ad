"""The main claims of a text, and for each what would speak against it."""

from collections.abc import Sequence

from evidencegate.counter._data import terms
from evidencegate.counter._matter import understood
from evidencegate.counter._statements import opposing, plain, statements
from evidencegate.counter._types import Counterfactual, Opposite, Priority, Statement
from evidencegate.documents import Kind, Span, sentences, tokens
from evidencegate.errors import EvidenceGateError, InvalidInput
from evidencegate.evidence import content
from evidencegate.models.stance import StanceModel
from evidencegate.question import expand
from evidencegate.verify import Claim, Severity, claims

MOST_CLAIMS = 10
_MOST_STATEMENTS = 3
_MOST_KEYWORDS = 12
_HOW = {
    Opposite.NEGATION: "The claim asserts this of its subject; evidence against it would report that it is not so.",
    Opposite.AFFIRMATION: "The claim denies this; evidence against it would report that it is so.",
    Opposite.REVERSAL: "Evidence against the claim would report the opposite direction.",
    Opposite.NO_DIFFERENCE: "Evidence against the claim would report no significant effect or association.",
    Opposite.COMPARATOR: "Evidence against the claim would put the comparator ahead.",
    Opposite.GIVEN: "This statement was given as what would contradict the claim.",
}


def main_claims(text: str, *, limit: int = MOST_CLAIMS) -> tuple[tuple[Claim, ...], int]:
    """The claims of `text` that matter most, in its order, and how many others there are.

    A single sentence is one claim, as a whole. Of a text, those go first on which most would hang if they were
    wrong (severity), then those for which a counterfactual can be stated, then the later ones, where texts conclude.

    Raises:
        InvalidInput: the text holds no words.
    """
    spans = sentences(text)
    if not any(token.kind is Kind.WORD for token in tokens(text)):
        raise InvalidInput("There is nothing to examine: give a claim, or a text that makes some")
    found = claims(text) if len(spans) > 1 else ()
    if not found:
        return (_whole(text),), 0
    worth = {
        claim.id: (claim.severity.rank, bool(statements(claim.statement)), place) for place, claim in enumerate(found)
    }
    chosen = {claim.id for claim in sorted(found, key=lambda c: worth[c.id], reverse=True)[:limit]}
    return tuple(claim for claim in found if claim.id in chosen), len(found) - len(chosen)


def _whole(text: str) -> Claim:
    """The text as one claim."""
    made = claims(text)
    stripped = text.strip()
    start = text.index(stripped)
    first = made[0] if made else None
    return Claim(
        id="c1",
        text=stripped,
        statement=" ".join(stripped.split()),
        span=Span(start, start + len(stripped)),
        sentence=0,
        severity=max((claim.severity for claim in made), key=lambda s: s.rank) if first else Severity.LOW,
    )


def counterfactual(claim: Claim, model: StanceModel, *, given: str = "") -> tuple[Counterfactual, str]:
    """What would speak against `claim`, and a warning where something about it has to be said.

    Statements are made by rules and kept only if the stance model does not read the claim as saying the same;
    `given` is the user's own, which goes before them.
    """
    warning = ""
    made = statements(claim.statement)[:_MOST_STATEMENTS]
    if given.strip():
        made = (Statement(" ".join(given.split()), Opposite.GIVEN),)
    try:
        kept = opposing(claim.statement, made, model) if made else ()
    except (EvidenceGateError, RuntimeError, ValueError, OSError) as error:
        kept, warning = made, f"{claim.id}: its statements could not be checked ({type(error).__name__})"
    if given.strip() and not kept:
        kept = made
        warning = f"{claim.id}: the given statement reads as agreeing with the claim; what supports it may confirm both"
    priority = Priority(claim.severity.value)
    if not kept:
        return Counterfactual(id=claim.id, claim=claim.statement, priority=priority), warning
    return Counterfactual(
        id=claim.id,
        claim=claim.statement,
        priority=priority,
        statements=kept,
        question=question_of(kept[0]),
        reasoning=_HOW[kept[0].opposite],
        keywords=keywords(claim.statement, kept),
    ), warning


def question_of(statement: Statement) -> str:
    """The statement as what a reader would ask the literature."""
    text = statement.text.rstrip(".")
    return f"Is there evidence that {text if text[:2].isupper() else text[0].lower() + text[1:]}?"


def keywords(claim: str, made: Sequence[Statement]) -> tuple[str, ...]:
    """The terms to search for: treatments and conditions first, other words of the claim, then those of a finding."""
    core = plain(claim)
    question = understood(core)
    named = (
        [*question.intervention_terms, *([question.pico.condition] if question.pico.condition else [])]
        if (question)
        else []
    )
    covered = " ".join(named).casefold()
    skipped = terms().no_outcome
    words = [
        token.text
        for token in tokens(expand(core))
        if token.kind is Kind.WORD
        and len(token.text) > 2
        and token.folded not in skipped
        and token.folded not in covered
        and content(token.text)
    ]
    finding = terms().effect_finding if made[0].opposite is Opposite.AFFIRMATION else terms().null_finding
    return tuple(dict.fromkeys([*named, *words]))[:_MOST_KEYWORDS] + finding
