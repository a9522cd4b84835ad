"""The local verifier: wording first, the stance of the passages where wording does not settle it.

It proposes; the gate decides. A claim that stands (nearly) literally in a passage is proposed as correct by its
place, one that is a sentence turned round as incorrect by its wording; both without a model. All others are read
by the stance model, all pairs of a text in one batch.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from evidencegate.documents import Passage, Quote, Span, Token, locate, tokens
from evidencegate.verify._claims import parts
from evidencegate.verify._counterpart import TOLD_ONCE, given_elsewhere
from evidencegate.verify._effects import reading
from evidencegate.verify._evidence import Selected
from evidencegate.verify._foreign import another_label, told_of_others
from evidencegate.verify._gate import NUMBERS_CONFIDENCE, Proposal, Thresholds
from evidencegate.verify._lexicon import words
from evidencegate.verify._limits import SAME_WORDS, compares, limit_of, quoted, tells_of_design
from evidencegate.verify._numbers import Agreement, Finding, compare
from evidencegate.verify._quantities import without_numbers
from evidencegate.verify._scope import narrower, set_apart
from evidencegate.verify._significance import significance_turned
from evidencegate.verify._support import support
from evidencegate.verify._wording import align, content, negates

if TYPE_CHECKING:
    from evidencegate.models.stance import Stance

StanceReader = Callable[[Sequence[tuple[str, str]]], "Sequence[Stance]"]
"""Says of each (claim, passage) whether the passage supports or refutes the claim."""

# Set on the dev parts of labelled sets, so that most of what is decided is right: see `docs/check.md`.
THRESHOLDS = Thresholds(correct=0.60, incorrect=0.85)
LITERAL_CONFIDENCE = 0.99
WORDING_CONFIDENCE = 0.95
REVERSED_CONFIDENCE = 0.90
LEAST_SHOWN = 0.1
LEAST_COMPARED = 0.5
SURE = 0.6
# A sentence that shares less of a claim's wording may be about something else, so it refutes nothing.
SAME_TOPIC = 0.5
_AUXILIARIES = frozenset("is are was were has have had did does do can could may might will would must should".split())
# Words before a statement that take it back: "it is unclear whether ...", "no evidence that ...".
_LOOK_BACK = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What is proposed for a claim, and the stance behind it: of reader `wording` where no model was asked."""

    proposal: Proposal
    support: float
    """Probability that the evidence supports the claim, in [0, 1]."""
    stance: "Stance"
    contradictory: bool = False
    """Whether one passage supports the claim and another refutes it."""


def propose(
    claims: Sequence[str],
    offered: Sequence[Sequence[Selected]],
    reader: StanceReader,
    share: Callable[[str, str], float],
    thresholds: Thresholds = THRESHOLDS,
) -> tuple[Reading, ...]:
    """A reading of each claim over the passages offered for it.

    `reader` is called once, with all pairs that wording did not settle. `share` weighs how much of a claim a text
    has (`Evidence.share`).
    """
    settled = [by_rules(claim, [s.passage for s in selected]) for claim, selected in zip(claims, offered, strict=True)]
    asked = [[] if done else selected for selected, done in zip(offered, settled, strict=True)]
    pairs = [(claim, s.passage.text) for claim, selected in zip(claims, asked, strict=True) for s in selected]
    stances = iter(reader(pairs) if pairs else ())
    readings = []
    for claim, selected, proposal in zip(claims, asked, settled, strict=True):
        if proposal is not None:
            readings.append(_worded(proposal))
        elif not selected:
            nothing = Proposal(
                label="uncertain", confidence=0.0, selection_reason="no passage shares a word with the claim"
            )
            readings.append(Reading(proposal=nothing, support=0.0, stance=_said_by_wording(0.0, 0.0)))
        else:
            mine = [next(stances) for _ in selected]
            readings.append(_by_stance(claim, selected, mine, share, thresholds))
    return tuple(readings)


def _worded(proposal: Proposal) -> Reading:
    """The reading where wording alone spoke."""
    supports, refutes = {"correct": (0.97, 0.01), "incorrect": (0.02, 0.9)}.get(proposal.label, (0.3, 0.1))
    return Reading(proposal=proposal, support=supports, stance=_said_by_wording(supports, refutes))


def _said_by_wording(supports: float, refutes: float) -> "Stance":
    from evidencegate.models.stance import Stance

    return Stance.of((supports, refutes, 1 - supports - refutes), reader="wording")


def by_rules(claim: str, passages: Sequence[Passage]) -> Proposal | None:
    """A proposal where wording or a number settles the claim without a model; None where neither does."""
    return by_wording(claim, passages) or by_numbers(claim, passages)


def by_numbers(claim: str, passages: Sequence[Passage]) -> Proposal | None:
    """Incorrect where a passage plainly gives another number, unit or group, and none gives the claim's.

    A number that another sentence on the claim's matter gives is not known to be wrong.
    """
    found = [(index, finding) for index, p in enumerate(passages) for finding in _on_the_matter(compare(claim, p.text))]
    proved = {finding.claimed.number for _, finding in found if finding.agreement.proves}
    for index, finding in found:
        if not finding.plain or finding.found is None or finding.claimed.number in proved:
            continue
        passage = passages[index]
        place = finding.found.span.shift(passage.span.start)
        sentence = next(s for s in passage.sentences if s.overlaps(place)).of(passage.document.text)
        if words("wording", "aims").intersection(token.folded for token in tokens(sentence)):
            continue
        if finding.agreement is Agreement.DIFFERS and given_elsewhere(claim, finding.claimed, passage.document.text):
            continue
        return Proposal(
            label="incorrect",
            index=index,
            quote=sentence,
            confidence=NUMBERS_CONFIDENCE,
            selection_reason=f"numbers: {finding.message}",
        )
    return None


def _on_the_matter(findings: Sequence[Finding]) -> Sequence[Finding]:
    """The findings of a passage; none where it lacks most of the claim's numbers, and so tells of something else."""
    lacking = sum(finding.found is None for finding in findings)
    return findings if 2 * lacking <= len(findings) else ()


def by_wording(claim: str, passages: Sequence[Passage]) -> Proposal | None:
    """A proposal where wording alone settles the claim; None where it does not."""
    bare = claim.rstrip(" .;")
    literal = (
        [(i, quote) for i, p in enumerate(passages) if (quote := locate(bare, p))] if len(content(claim)) > 1 else []
    )
    for index, quote in literal:
        if not _taken_back(quote):
            return Proposal(
                label="correct",
                index=index,
                quote=quote.text,
                confidence=LITERAL_CONFIDENCE,
                selection_reason="literal: the claim stands in the source",
            )
    if literal:
        index, quote = literal[0]
        return Proposal(
            label="uncertain",
            index=index,
            quote=quote.text,
            confidence=0.5,
            selection_reason="literal: the source says this only with a hedge or denial before it, or of less than all",
        )
    turned: Proposal | None = None
    for index, passage in enumerate(passages):
        for sentence in passage.sentences:
            text = sentence.of(passage.document.text)
            laid = align(without_numbers(claim), without_numbers(text))
            stated = [align(without_numbers(claim), without_numbers(clause)) for clause in _clauses(text)]
            less = (
                any(narrower(claim, text))
                or _of_another_sentence(claim, text, passage)
                or told_of_others(claim, text, passage)
            )
            if any(one.faithful for one in (laid, *stated)) and not another_label(claim, text) and not less:
                return Proposal(
                    label="correct",
                    index=index,
                    quote=text,
                    confidence=WORDING_CONFIDENCE,
                    selection_reason="wording: a sentence of the source says the same",
                )
            # Equal numbers are wording too: "mostly female (94.1%)" against "mostly male (94.1%)".
            other = next((one for one in (laid, align(claim, text)) if one.reversed), None)
            if other is not None or significance_turned(claim, text):
                how = _contrast(other.turned[0]) if other is not None else "significance"
                turned = turned or Proposal(
                    label="incorrect",
                    index=index,
                    quote=text,
                    confidence=REVERSED_CONFIDENCE,
                    selection_reason=f"wording: turned round ({how})",
                )
    return turned


def _of_another_sentence(claim: str, said: str, passage: Passage) -> bool:
    """Whether a number of the claim stands in its passage, and not in the sentence that has its words."""
    elsewhere = {f.claimed.number for f in compare(claim, passage.text) if f.agreement.proves}
    return any(
        f.claimed.number in elsewhere and not f.agreement.proves and f.claimed.kind not in TOLD_ONCE
        for f in compare(claim, said)
    )


@lru_cache(maxsize=4096)
def _clauses(sentence: str) -> tuple[str, ...]:
    """The coordinated clauses of a sentence after its first, each with its subject: "A did not change B and raised C".

    A hedge before one may govern it too, and so may a negation where the clause has no auxiliary of its own: such a
    clause is not known to be stated.
    """
    found = []
    for part, subject in list(parts(sentence, Span(0, len(sentence))))[1:]:
        said = part.of(sentence)
        before = [token.folded for token in tokens(sentence[: part.start])]
        own = tokens(said)[0].folded in _AUXILIARIES or not subject
        # "activity in the liver rose, but fell in the spleen": not the activity in the liver.
        placed = subject and {t.folded for t in tokens(subject)} & {t.folded for t in tokens(said)} & words(
            "wording", "placing"
        )
        if placed:
            continue
        if not words("wording", "hedges").intersection(before) and (own or not any(map(negates, before))):
            found.append(f"{subject} {said}" if subject else said)
    return tuple(found)


def _contrast(turned: tuple[Token | None, Token | None]) -> str:
    return " against ".join(token.text if token else "nothing" for token in turned)


def _taken_back(quote: Quote) -> bool:
    """Whether its sentence hedges or denies a quote before it, or says it of less than all."""
    text = quote.document.text
    soft = words("wording", "hedges")
    sentence = next(s for s in quote.passage.sentences if s.overlaps(quote.span))
    before = Span(sentence.start, max(sentence.start, quote.span.start)).of(text)
    return any(narrower(quote.text, sentence.of(text))) or any(
        token.folded in soft or negates(token.folded) for token in tokens(before)[-_LOOK_BACK:]
    )


def _by_stance(
    claim: str,
    selected: Sequence[Selected],
    stances: "Sequence[Stance]",
    share: Callable[[str, str], float],
    thresholds: Thresholds,
) -> Reading:
    """Correct where support is probable enough, incorrect where a passage on the topic refutes, else uncertain."""
    probability = support(claim, [s.passage.text for s in selected], stances, share)
    limits = [limit_of(claim, s.passage, stances[i]) for i, s in enumerate(selected)]
    best = max(range(len(stances)), key=lambda i: (limits[i] is None, stances[i].supports, -i))
    near = [i for i, s in enumerate(selected) if may_refute(claim, s.passage, stances[i])]
    worst = max(near, key=lambda i: (stances[i].refutes, -i), default=best)
    against = stances[worst].refutes if near else 0.0
    # The sentence that is shown must support the claim by itself: that its words stand near proves nothing.
    supported = probability >= thresholds.correct and stances[best].label == "supports"
    # Of a sentence with few of its words only a sure reader sees that it says the claim.
    least = LEAST_COMPARED if compares(claim) else LEAST_SHOWN
    bare = share(claim, quoted(selected[best].passage, stances[best])) < least
    supported = supported and not (bare and stances[best].supports < SURE)
    free = [i for i, limit in enumerate(limits) if limit is None]
    if supported and 0 < len(free) < len(limits):  # what cannot prove the claim does not make it more probable either
        passages, read = [selected[i].passage.text for i in free], [stances[i] for i in free]
        supported = support(claim, passages, read, share) >= thresholds.correct
    refuted = against >= thresholds.incorrect and against > stances[worst].supports
    if refuted and best != worst and stances[best].supports >= thresholds.incorrect:
        proposal = _proposal("uncertain", against, best, selected, stances, "passages contradict each other")
        return Reading(proposal=proposal, support=probability, stance=stances[best], contradictory=True)
    if refuted:
        proposal = _proposal("incorrect", against, worst, selected, stances)
        return Reading(proposal=proposal, support=min(probability, 1 - against), stance=stances[worst])
    if supported and (limit := limits[best]) is not None:
        proposal = _proposal("uncertain", probability, best, selected, stances, limit)
        return Reading(proposal=proposal, support=probability, stance=stances[best])
    proposal = _proposal("correct" if supported else "uncertain", probability, best, selected, stances)
    return Reading(proposal=proposal, support=probability, stance=stances[best])


def _proposal(
    label: str, confidence: float, index: int, selected: Sequence[Selected], stances: "Sequence[Stance]", why: str = ""
) -> Proposal:
    reason = f"stance: {why or selected[index].reason}"
    return Proposal(
        label=label,
        index=index,
        quote=quoted(selected[index].passage, stances[index]),
        confidence=confidence,
        selection_reason=reason,
    )


def may_refute(claim: str, passage: Passage, stance: "Stance") -> bool:
    """Whether the sentence that decides can speak against a claim at all.

    It must be about the same thing, must not be an aim or a conjecture, and must not have the claim's own wording
    in the claim's own order: then reader and wording disagree, and nothing is decided.
    """
    said = quoted(passage, stance)
    wanted = set(content(claim))
    shared = len(wanted & set(content(said))) / len(wanted) if wanted else 0.0
    if shared < SAME_TOPIC or any(token.folded in words("wording", "aims") for token in tokens(said)):
        return False
    if tells_of_design(claim) and reading(said).effects:  # what came out says nothing against what was done
        return False
    if set_apart(claim, said):
        return False
    bare = without_numbers(claim)
    laid = [align(bare, without_numbers(s.of(passage.document.text))) for s in passage.sentences]
    return not any(one.share >= SAME_WORDS and not one.turned for one in laid)
