"""Evidence passages for a claim: which sentences of the documents bear on it. Deterministic, without a model."""

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from evidencegate.documents import Document, Passage, Span, sentences
from evidencegate.verify._wording import meanings
from evidencegate.verify._written import Glossary, glossary

WINDOW = 3
"""Sentences in a passage."""
WHOLE_WORDS = 90
"""A document of up to this many words is one passage."""
TOP = 3
"""Passages offered for a claim."""
# What a number or a name that the claim shares with a sentence adds, beside its weight as a word.
NUMBER_BOOST = 0.15
ENTITY_BOOST = 0.10
_ENTITY = re.compile(r"\b(?:[A-Z][A-Za-z]*\d[\w-]*|[A-Z]{2,}[\w-]*|[A-Z][a-z]+(?:-[A-Z]\w+)?)\b")
# A sentence longer than this is a table or a list that lost its breaks; only its beginning is read.
_SENTENCE_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class _Sentence:
    span: Span
    words: frozenset[str]
    entities: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Source:
    document: Document
    sentences: tuple[_Sentence, ...]
    paragraph: tuple[int, ...]
    """Which paragraph each sentence is in: windows stay within one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """A passage with why it was taken."""

    passage: Passage
    score: float
    reason: str


class Evidence:
    """Documents, read once, from which passages are selected for any number of claims.

    Abbreviations that the documents, or the text `own` whose claims are checked, define are read written out. Building
    it is linear in the text; a selection touches only the sentences that share a word with the claim.
    """

    def __init__(self, documents: Iterable[Document], *, own: str = "") -> None:
        held = tuple(documents)
        self._glossary = glossary((document.text for document in held), own=own)
        self._sources = tuple(_read(document, self._glossary) for document in held)
        counts: Counter[str] = Counter()
        postings: dict[str, list[tuple[int, int]]] = {}
        for i, source in enumerate(self._sources):
            for j, sentence in enumerate(source.sentences):
                counts.update(sentence.words)
                for word in sentence.words:
                    postings.setdefault(word, []).append((i, j))
        self._postings = postings
        total = sum(len(source.sentences) for source in self._sources)
        self._weights = {word: math.log(1 + total / (0.5 + n)) for word, n in counts.items()}
        self._unseen = math.log(1 + total / 0.5)

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents that passages come from."""
        return tuple(source.document for source in self._sources)

    def share(self, claim: str, text: str) -> float:
        """Part of the claim's words, each weighed by its rarity, that `text` has; in [0, 1]."""
        weight = self._weighed(claim)
        total = sum(weight.values())
        return sum(weight[word] for word in weight.keys() & set(meanings(text))) / total if total else 0.0

    def select(self, claim: str, *, top: int = TOP) -> list[Selected]:
        """Up to `top` passages of two or three sentences that bear most on the claim, best first.

        Scored by weighted Jaccard overlap, raised by shared numbers and names; no two of one document overlap.
        A short document is one passage as it is. Empty where no sentence shares a word with the claim.
        """
        scores = self._scores(claim)
        chosen: list[Selected] = []
        taken: dict[int, list[Span]] = {}
        # A few more centres than passages are enough: neighbours fall into the same window.
        for (i, j), score in sorted(scores.items(), key=lambda item: (-item[1], item[0]))[: top * 6]:
            source = self._sources[i]
            passage = self._window(i, j, scores)
            if any(passage.span.overlaps(span) for span in taken.get(i, ())):
                continue
            taken.setdefault(i, []).append(passage.span)
            reason = f"overlap {score:.2f}, sentence {j + 1} of {source.document.id}"
            chosen.append(Selected(passage=passage, score=score, reason=reason))
            if len(chosen) == top:
                break
        return chosen

    def _scores(self, claim: str) -> dict[tuple[int, int], float]:
        claim = self._glossary.claim(claim).text
        names = _entities(claim)
        weight = self._weighed(claim)
        numbers = {word for word in weight if word[0].isdigit()}
        total = sum(weight.values()) or 1.0
        shared: dict[tuple[int, int], float] = {}
        for word in weight:
            for place in self._postings.get(word, ()):
                shared[place] = shared.get(place, 0.0) + weight[word]
        scores = {}
        for place, common in shared.items():
            sentence = self._sources[place[0]].sentences[place[1]]
            own = sum(weight.get(word, self._weights[word]) for word in sentence.words)
            # Jaccard alone favours short sentences, containment long ones.
            score = 0.7 * common / total + 0.3 * common / (total + own - common)
            if numbers & sentence.words:
                score += NUMBER_BOOST * len(numbers & sentence.words) / len(numbers)
            if names & sentence.entities:
                score += ENTITY_BOOST * len(names & sentence.entities) / len(names)
            scores[place] = score
        return scores

    def _weighed(self, claim: str) -> dict[str, float]:
        """The words of a claim written out, each with its weight: its rarity; of a name that has an abbreviation, the
        words share the weight of one."""
        weight = {word: self._weights.get(word, self._unseen) for word in meanings(claim)}
        folded = claim.casefold()
        for name in {long for long in self._glossary.of_claim.values() if long.casefold() in folded}:
            words = set(meanings(name)) & weight.keys()
            weight |= {word: weight[word] / len(words) for word in words}
        return weight

    def _window(self, i: int, j: int, scores: dict[tuple[int, int], float]) -> Passage:
        """The sentence with its better neighbours, within its paragraph."""
        source = self._sources[i]
        if source.paragraph[-1] == -1:
            return Passage(source.document, tuple(s.span for s in source.sentences))
        first = last = j
        while last - first + 1 < WINDOW:
            before = first > 0 and source.paragraph[first - 1] == source.paragraph[j]
            after = last + 1 < len(source.sentences) and source.paragraph[last + 1] == source.paragraph[j]
            if not before and not after:
                break
            ahead = scores.get((i, last + 1), 0.0)
            # What a sentence says is more often continued after it than before.
            if after and (not before or ahead >= scores.get((i, first - 1), 0.0)):
                last += 1
            else:
                first -= 1
        return Passage(source.document, tuple(s.span for s in source.sentences[first : last + 1]))


def _read(document: Document, defined: Glossary) -> _Source:
    found: list[_Sentence] = []
    paragraphs: list[int] = []
    for number, paragraph in enumerate(document.paragraphs()):
        for local in sentences(paragraph.of(document.text)):
            span = local.shift(paragraph.start)
            text = defined.text(span.of(document.text)[:_SENTENCE_CHARACTERS])
            found.append(_Sentence(span, frozenset(meanings(text)), _entities(text)))
            paragraphs.append(number)
    if len(document.text.split(None, WHOLE_WORDS)) <= WHOLE_WORDS:
        paragraphs = [-1] * len(found)
    return _Source(document, tuple(found), tuple(paragraphs))


def _entities(text: str) -> frozenset[str]:
    """Names: capitalised words but the first, abbreviations, words with digits."""
    return frozenset(m[0].casefold() for m in _ENTITY.finditer(text) if m.start() or not m[0].istitle())
