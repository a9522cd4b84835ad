"""A question taken apart: its tokens, what was found in them, what is asked and what is said beside it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from evidencegate.question._matcher import Match
from evidencegate.question._normal import BREAKS, Token
from evidencegate.question._vocabulary import DECISION, DISEASE, TREATMENT, WEAK, Vocabulary
from evidencegate.question._words import DECOY

_PREVENTED = "prevention"


@dataclass(frozen=True, slots=True)
class Mention:
    """A disease or a treatment named in the question."""

    name: str
    start: int
    end: int
    """Tokens, half-open."""
    asked: bool
    negated: bool
    short: bool


@dataclass(slots=True)
class Reading:
    """The question's text as everything below reads it."""

    text: str
    vocabulary: Vocabulary
    """With the drugs in it that only the stem of their name tells."""
    tokens: list[Token]
    matches: list[Match]
    asked: list[bool]
    """Whether each token is part of what is asked."""
    asks: list[str]
    """The parts of the text that ask, in order."""
    denied: list[bool] = field(default_factory=list)
    """Whether each token is denied."""
    diseases: list[Mention] = field(default_factory=list)
    treatments: list[Mention] = field(default_factory=list)

    @property
    def asking(self) -> list[tuple[int, int]]:
        """The characters of what is asked, run by run."""
        runs: list[tuple[int, int]] = []
        for place, token in enumerate(self.tokens):
            if self.asked[place]:
                begun = place and self.asked[place - 1]
                runs.append((runs.pop()[0] if begun else token.start, token.end))
        return runs

    @property
    def folded(self) -> list[str]:
        """The folded tokens."""
        return [token.folded for token in self.tokens]

    def of(self, kind: str) -> Iterator[Match]:
        """The matches of one kind."""
        return (match for match in self.matches if match.kind == kind)

    def before(self, kind: str, start: int, within: int, *, stop: frozenset[str] = frozenset()) -> Match | None:
        """The nearest match of `kind` that ends at most `within` words before token `start`, in its sentence.

        None of the words `stop` may stand between: "reduces death in AF" says nothing of AF as an effect.
        """
        nearest = None
        for match in self.of(kind):
            if match.end <= start and start - match.end <= within:
                between = self.tokens[match.end : start]
                if not any(token.text in BREAKS or token.folded in stop for token in between):
                    nearest = match
        return nearest

    def slice(self, start: int, end: int) -> str:
        """The text of tokens `start` to `end`."""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end] if start < end else ""


def decisions_heard(reading: Reading) -> list[Match]:
    """Cues for decisions that stand on their own: "therapy" in "antiplatelet therapy" is none."""
    names = [m for m in reading.matches if m.kind in (DISEASE, TREATMENT)]
    return [
        cue
        for cue in reading.matches
        if cue.kind in (DECISION, WEAK)
        and cue.name != DECOY
        and not any(o.name == DECOY and o.start <= cue.start and o.end >= cue.end for o in reading.of(DECISION))
        and not any(
            name.start <= cue.start and name.end >= cue.end and name.end - name.start > cue.end - cue.start
            for name in names
            # "Preventing falls" names a condition and what is done about it.
            if not (name.kind == DISEASE and cue.name == _PREVENTED)
        )
    ]
