"""The two readers of the package: rules alone, and rules with the encoder."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from evidencegate._giving_up import may_go_on
from evidencegate.documents import without_orders
from evidencegate.models._onnx import models_installed
from evidencegate.models.stance._claims import split_claim
from evidencegate.models.stance._combine import combination, encoder_inputs
from evidencegate.models.stance._encoder import FOCUS_WORDS, Read, load_encoder
from evidencegate.models.stance._rules import Comparison, compare
from evidencegate.models.stance._text import Window, blank, clean_claim, focus
from evidencegate.models.stance._types import Label, Reason, ReasonCode, Stance, StanceModel

# A longer passage is cut: it is read in one piece for its nearest sentences, never held whole in the encoder.
PASSAGE_CHARACTERS = 2_000_000


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair made ready: clean claim, passage with every offset kept, and the part of it that is read."""

    claim: str
    passage: str
    window: Window
    cut: bool
    """Whether the window leaves sentences of the passage out."""


@dataclass(frozen=True, slots=True)
class _Job:
    """One asked pair: what is read for it (the claim, then its parts), or the answer where nothing is."""

    pairs: tuple[Pair, ...]
    answer: Stance | None = None


def ready(claim: str, passage: str) -> Pair:
    """A clean claim and a blanked passage, with the part of the passage that is read."""
    window = focus(claim, passage, FOCUS_WORDS)
    return Pair(claim, passage, window, len(window.text) < len(passage.strip()) - 1)


def _job(claim: str, passage: str, name: str) -> _Job:
    cleaned = clean_claim(claim)
    text = blank(without_orders(passage[:PASSAGE_CHARACTERS]))
    for code, value in ((ReasonCode.EMPTY_CLAIM, cleaned), (ReasonCode.EMPTY_PASSAGE, text)):
        if not any(character.isalnum() for character in value):
            which = "claim" if code is ReasonCode.EMPTY_CLAIM else "passage"
            reason = Reason(code, f"the {which} holds nothing to read", Label.NEUTRAL)
            return _Job((), Stance(0.0, 0.0, 1.0, None, (reason,), name))
    parts = split_claim(cleaned)
    claims = (cleaned, *parts) if len(parts) > 1 else (cleaned,)
    return _Job(tuple(ready(part, text) for part in claims))


def rules_on(pair: Pair) -> Comparison:
    """The rules on the window, with every span moved back into the passage."""
    if not pair.cut:
        return compare(pair.claim, pair.passage)
    found = compare(pair.claim, pair.window.text)
    starts = [0]
    for span in pair.window.spans:
        starts.append(starts[-1] + len(span) + 1)

    def back(place: tuple[int, int] | None) -> tuple[int, int] | None:
        if place is None:
            return None
        index = pair.window.locate(place[0])
        shift = pair.window.spans[index].start - starts[index]
        return place[0] + shift, min(place[1] + shift, pair.window.spans[index].end)

    reasons = tuple(
        Reason(reason.code, reason.detail, reason.toward, reason.claim, back(reason.passage))
        for reason in found.reasons
    )
    return Comparison(found.values, reasons, back(found.sentence))


def _with_parts(whole: Stance, parts: Sequence[Stance], claims: Sequence[str]) -> Stance:
    """A claim of several facts: half its own reading, half that of its facts.

    It is refuted as soon as one fact is, and supported only as far as its least supported fact.
    """
    supports = min(part.supports for part in parts)
    worst = max(parts, key=lambda part: part.refutes)
    refutes = min(worst.refutes, 1.0 - supports)
    neutral = 1.0 - supports - refutes
    notes = tuple(
        Reason(ReasonCode.PART_OF_CLAIM, f"“{claim}”: {part.label} {part.confidence:.2f}", part.label)
        for claim, part in zip(claims, parts, strict=True)
    )
    mixed = [
        (mine + other) / 2
        for mine, other in zip(
            (whole.supports, whole.refutes, whole.neutral), (supports, refutes, neutral), strict=True
        )
    ]
    return Stance.of(mixed, sentence=whole.sentence, reasons=whole.reasons + notes, reader=whole.reader)


def _assemble(jobs: Sequence[_Job], stances: Sequence[Stance]) -> list[Stance]:
    result: list[Stance] = []
    at = 0
    for job in jobs:
        if job.answer is not None:
            result.append(job.answer)
            continue
        mine = stances[at : at + len(job.pairs)]
        at += len(job.pairs)
        whole = mine[0]
        if len(mine) > 1:
            whole = _with_parts(whole, mine[1:], [pair.claim for pair in job.pairs[1:]])
        result.append(whole)
    return result


@dataclass(frozen=True, slots=True)
class RulesModel:
    """The deterministic reader: rules and a fitted logistic model, no numerical library needed."""

    name: str = "rules"

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """One stance a pair (claim, passage), in order."""
        jobs = [_job(claim, passage, self.name) for claim, passage in pairs]
        model = combination("rules")
        look = may_go_on()
        stances = []
        for job in jobs:
            for pair in job.pairs:
                look()
                found = rules_on(pair)
                stances.append(
                    Stance.of(
                        model.probabilities(found.values),
                        sentence=found.sentence,
                        reasons=found.reasons,
                        reader=self.name,
                    )
                )
        return _assemble(jobs, stances)


@dataclass(frozen=True, slots=True)
class EncoderModel:
    """The encoder alone or with the rules; `folder` holds `stance.onnx` (default: ours)."""

    folder: Path | None = None
    threads: int | None = None
    with_rules: bool = True

    @property
    def name(self) -> str:
        """`rules+encoder`, or `encoder`."""
        return "rules+encoder" if self.with_rules else "encoder"

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """One stance a pair (claim, passage), in order; several run at once, the longest first."""
        jobs = [_job(claim, passage, self.name) for claim, passage in pairs]
        flat = [pair for job in jobs for pair in job.pairs]
        reads = load_encoder(self.folder, self.threads).read([(pair.claim, pair.window) for pair in flat])
        look = may_go_on()
        stances: list[Stance] = []
        for pair, read in zip(flat, reads, strict=True):
            look()
            stances.append(self._one(pair, read))
        return _assemble(jobs, stances)

    def _one(self, pair: Pair, read: Read) -> Stance:
        inputs = encoder_inputs(read)
        label = tuple(Label)[max(range(3), key=lambda i: inputs[i])]
        spans = pair.window.spans
        sentence = (spans[read.sentence].start, spans[read.sentence].end) if read.sentence >= 0 else None
        reason = Reason(ReasonCode.READ_BY_ENCODER, f"the encoder reads {label}", label, None, sentence)
        if not self.with_rules:
            weights = combination("encoder").probabilities(inputs)
            return Stance.of(weights, sentence=sentence, reasons=(reason,), reader=self.name)
        found = rules_on(pair)
        weights = combination("rules+encoder").probabilities((*found.values, *inputs))
        return Stance.of(
            weights, sentence=sentence or found.sentence, reasons=(*found.reasons, reason), reader=self.name
        )


@lru_cache(maxsize=1)
def default_model() -> StanceModel:
    """Rules with the encoder where the extra `models` is installed, else the rules alone."""
    return EncoderModel() if models_installed() else RulesModel()


def stances(pairs: Sequence[tuple[str, str]], *, model: StanceModel | None = None) -> list[Stance]:
    """What each passage says about its claim; pairs are (claim, passage). One answer a pair, in order."""
    return (model or default_model()).judge(pairs)


def stance(claim: str, passage: str, *, model: StanceModel | None = None) -> Stance:
    """What a passage says about a claim: supports, refutes, or neither, with probabilities and reasons.

    Any text is accepted. An empty claim or passage is neutral, with a reason that says so.
    """
    return stances([(claim, passage)], model=model)[0]
