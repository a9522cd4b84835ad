"""The reader of questions inside the package: one encoder with three heads, on ONNX Runtime.

One head tells which decisions a text asks for, another which of them what is asked asks for within its question, the
third, word piece by word piece, which conditions count.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from evidencegate._extras import require
from evidencegate.models._onnx import load_session, load_tokenizer, models_installed
from evidencegate.models.embedding import TOKENIZER

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MODEL = Path(__file__).parent / "data" / "questions.onnx"
MOST_ASKED, MOST_PIECES = 192, 384
"""Word pieces that are read of what is asked, and of a whole question; the two that begin and end it count."""
DECISIONS = tuple(
    "anticoagulation antiplatelet de-escalation diagnosis dose drug_choice duration interaction monitoring "
    "prevention procedure prognosis safety screening therapy".split()
)
"""What the outputs of the heads of decisions stand for, in their order."""

Span = tuple[int, int]
"""Characters of a text, half-open."""


@dataclass(frozen=True, slots=True)
class Weight:
    """What is thought of a condition that a question names."""

    counts: float
    """Log-odds that it is one of the question's."""
    primary: float
    """Its score as the primary one; only differences within a question mean something."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """A question as the head of conditions reads it."""

    ids: tuple[int, ...]
    asked: tuple[bool, ...]
    """Whether each piece belongs to what is asked."""
    named: tuple[tuple[tuple[int, ...], ...], ...]
    """For each condition the pieces of each place that names it; a place that is not read is left out."""


def asked_pieces(tokenizer: Any, asked: str) -> list[int]:
    """What the head of decisions sees of what is asked: the last word pieces, between those that begin and end a text.

    Args:
        tokenizer: one that neither pads nor cuts.
        asked: the part of a question that asks.
    """
    begin, *inner, end = tokenizer.encode(asked).ids
    return [begin, *inner[2 - MOST_ASKED :], end]


def pieces(tokenizer: Any, text: str, asked: Sequence[Span], named: Sequence[Sequence[Span]]) -> Pieces:
    """Cuts `text` into word pieces; of one that is too long, what is asked and what stands last is kept.

    Args:
        tokenizer: one that neither pads nor cuts.
        text: a question.
        asked: the parts of it that ask, in order.
        named: for each condition where the text names it.
    """
    encoding = tokenizer.encode(text)
    ids, places = encoding.ids, encoding.offsets
    last = len(ids) - 1
    starts = [start for start, _ in asked]

    def asks(place: Span) -> bool:
        at = bisect_right(starts, place[0]) - 1
        return at >= 0 and place[0] < asked[at][1]

    inner = list(range(1, last))
    asking = [asks(place) for place in places]
    if len(ids) > MOST_PIECES:
        foremost = [i for i in inner if asking[i]][-MOST_ASKED:]
        told = [i for i in inner if not asking[i]]
        left = MOST_PIECES - 2 - len(foremost)
        inner = sorted((*foremost, *told[max(0, len(told) - left) :]))
    kept = (0, *inner, last)
    begins, ends = [places[i][0] for i in inner], [places[i][1] for i in inner]

    def pieces_of(span: Span) -> tuple[int, ...]:
        first, after = bisect_right(ends, span[0]), bisect_right(begins, span[1] - 1)
        return tuple(range(first + 1, after + 1))

    return Pieces(
        tuple(ids[i] for i in kept),
        (False, *(asking[i] for i in inner), False),
        tuple(tuple(filter(None, map(pieces_of, spans))) for spans in named),
    )


@dataclass(frozen=True, slots=True)
class QuestionReader:
    """Tells what a clinical question asks to be decided, and which conditions it is about. English. Thread-safe.

    `name` holds the first 12 hex digits of the SHA-256 of the weights it was written from.
    """

    name: str
    _session: Any = field(repr=False, compare=False)
    _tokenizer: Any = field(repr=False, compare=False)

    def decisions(self, asked: str) -> Mapping[str, float]:
        """The log-odds that `asked`, the part of a question that asks, asks for each of `DECISIONS`.

        Of more than 192 word pieces the last count.
        """
        ids = asked_pieces(self._tokenizer, _clean(asked))
        return _by_decision(self._run("decisions", ids, [False] * len(ids)))

    def decisions_in_context(self, text: str, asked: Sequence[Span]) -> Mapping[str, float]:
        """The log-odds that the question `text` asks for each of `DECISIONS`, what is asked being read within it.

        Args:
            text: the whole question. Of more than 384 word pieces, what is asked and what stands last is read.
            asked: the parts of it that ask, in order, apart from each other; without any, all of it does.
        """
        read = pieces(self._tokenizer, _clean(text), asked, ())
        return _by_decision(self._run("in_context", read.ids, read.asked))

    def conditions(
        self, text: str, asked: Sequence[Span], named: Sequence[Sequence[Span]]
    ) -> tuple[Weight | None, ...]:
        """What the question `text` makes of each condition that it names.

        Args:
            text: the whole question. Of more than 384 word pieces, what is asked and what stands last is read.
            asked: the parts of it that ask, in order, apart from each other.
            named: for each condition where the text names it.

        Returns:
            A weight for each condition, that of the place that speaks for it most; None where no place of it is read.
        """
        read = pieces(self._tokenizer, _clean(text), asked, named)
        rows = self._run("conditions", read.ids, read.asked)

        def weight(places: tuple[tuple[int, ...], ...]) -> Weight | None:
            if not places:
                return None
            means = [rows[list(place)].mean(axis=0) for place in places]
            counts, primary = (max(float(mean[head]) for mean in means) for head in (0, 1))
            return Weight(counts, primary)

        return tuple(map(weight, read.named))

    def _run(self, head: str, ids: Sequence[int], asked: Sequence[bool]) -> "npt.NDArray[np.float32]":
        np = require("models", "numpy")
        feed = {"input_ids": np.array([ids], dtype=np.int64), "token_type_ids": np.array([asked], dtype=np.int64)}
        return self._session.run([head], feed)[0][0]  # type: ignore[no-any-return]


def _by_decision(row: "npt.NDArray[np.float32]") -> Mapping[str, float]:
    return MappingProxyType({name: float(value) for name, value in zip(DECISIONS, row, strict=True)})


def averaged(own: float, read: float, *, share: float, surest: float) -> float:
    """Log-odds by other means and those of the reader together.

    Args:
        own: by other means.
        read: by the reader.
        share: how much the reader's count, from 0 to 1.
        surest: the log-odds beyond which neither is surer.
    """
    own, read = (max(-surest, min(surest, value)) for value in (own, read))
    return (1 - share) * own + share * read


def _clean(text: str) -> str:
    """What UTF-8 cannot carry, replaced by a character of the same length."""
    return text.encode("utf-8", "replace").decode("utf-8")


@cache
def question_reader() -> QuestionReader | None:
    """The reader, loaded at the first call and then kept; None without the extra `models`.

    Raises `ModelError` if its files are missing or damaged.
    """
    if not models_installed():
        return None
    session = load_session(MODEL)
    return QuestionReader(session.get_modelmeta().custom_metadata_map["name"], session, load_tokenizer(TOKENIZER))
