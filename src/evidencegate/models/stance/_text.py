"""Text as the stance model reads it: cleaned, cut into sentences, and narrowed to what bears on the claim."""

import html
import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import log

from evidencegate.documents import Span, sentences

WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_MARK = re.compile(r"[\[(]?\s*<\|(?:multi_)?cit\|>(?:\s*[,;–-]?\s*\d+)*\s*[\])]?")
_OTHER_MARK = re.compile(r"[\[(]?\s*<\|other_cit\|>(?:\s*[,;–-]?\s*\d+)*\s*[\])]?")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060\ufeff\ud800-\udfff]")
_BEFORE_STOP = re.compile(r"\s+([.,;])")
_SPACES = re.compile(r"\s+")

# A claim longer than this is not one statement; the rest is not read.
CLAIM_CHARACTERS = 2_000
# A sentence of fewer words is a heading or the number of a list: alone it says nothing of a claim.
FRAGMENT_WORDS = 4


@lru_cache(maxsize=1)
def stop_words() -> frozenset[str]:
    """Words that say nothing about the topic."""
    raw = tomllib.loads(files(__package__).joinpath("data/words.toml").read_text("utf-8"))
    return frozenset(raw["stop"]["words"])


@lru_cache(maxsize=1)
def _results_words() -> re.Pattern[str]:
    raw = tomllib.loads(files(__package__).joinpath("data/words.toml").read_text("utf-8"))
    return re.compile("|".join(rf"\b{cue}" for cue in raw["finding"]["cues"]), re.IGNORECASE)


def clean(text: str) -> str:
    """One line without mark-up or control characters. For claims: spans are not kept."""
    text = _TAG.sub(" ", html.unescape(text))
    return _SPACES.sub(" ", _CONTROL.sub(" ", text)).strip()


def blank(text: str) -> str:
    """The same text with mark-up and control characters made blank: every offset keeps its meaning."""
    text = _TAG.sub(lambda found: " " * len(found.group()), text)
    return _CONTROL.sub(" ", text)


def clean_claim(claim: str) -> str:
    """A claim as one clean statement.

    Where a citation mark stands in one sentence of several, that sentence is the claim: the others are there
    for context. The mark itself goes.
    """
    claim = _OTHER_MARK.sub(" ", claim[:CLAIM_CHARACTERS])
    marked = [found.start() for found in _MARK.finditer(claim)]
    if marked:
        spans = list(sentences(_MARK.sub(lambda found: " " * len(found.group()), claim)))
        near = [span for span in spans if any(span.start < at <= span.end + 2 for at in marked)]
        if near and len(spans) > 1:
            claim = " ".join(claim[span.start : span.end] for span in near)
    return _BEFORE_STOP.sub(r"\1", clean(_MARK.sub(" ", claim)))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A crude stem: enough to meet a plural, a tense or a derived form; lower case."""
    word = word.lower()
    for ending in ("ization", "isation", "ations", "ation", "ments", "ment", "ities", "ings", "ing", "ions"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    for ending in ("ies", "ied", "ion", "ity", "ive", "es", "ed", "al", "ic", "ly", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def content(text: str) -> list[str]:
    """Stems of the words that carry the topic, in order; figures excluded."""
    stops = stop_words()
    found = (match.group() for match in WORD.finditer(text))
    return [stem(word) for word in found if word.lower() not in stops and not word[0].isdigit()]


@lru_cache(maxsize=1)
def _concepts() -> tuple[tuple[re.Pattern[str], frozenset[str]], ...]:
    raw = tomllib.loads(files(__package__).joinpath("data/words.toml").read_text("utf-8"))
    return tuple(
        (re.compile(entry["pattern"], re.IGNORECASE), frozenset(stem(name) for name in entry["names"]))
        for entry in raw["concept"]
    )


@lru_cache(maxsize=65_536)
def _implied(word: str) -> frozenset[str]:
    return frozenset().union(*(names for pattern, names in _concepts() if pattern.fullmatch(word)))


def topics(text: str) -> set[str]:
    """What a passage can be said to be about: its stems, and the classes and synonyms of its words."""
    found = set(content(text))
    for match in WORD.finditer(text):
        found |= _implied(match.group().lower())
    return found


@dataclass(frozen=True, slots=True)
class Window:
    """Some sentences of a passage, in order, as one text; `spans` are theirs in the passage."""

    spans: tuple[Span, ...]
    text: str

    @property
    def sentences(self) -> tuple[str, ...]:
        """The text of each sentence, in order."""
        found, left = [], 0
        for span in self.spans:
            found.append(self.text[left : left + len(span)])
            left += len(span) + 1
        return tuple(found)

    def locate(self, offset: int) -> int:
        """Index of the sentence that holds character `offset` of `text`."""
        left = 0
        for index, span in enumerate(self.spans):
            left += len(span) + 1
            if offset < left:
                return index
        return len(self.spans) - 1


def window(passage: str, spans: Sequence[Span]) -> Window:
    """The sentences at `spans`, joined by one space; `passage` is already blanked."""
    return Window(tuple(spans), " ".join(passage[span.start : span.end] for span in spans))


def scores(claim: str, texts: Sequence[str]) -> list[float]:
    """How much each sentence bears on the claim: rare shared words first, then findings and position.

    Shared stems weigh by their rarity among the sentences (inverse document frequency); a sentence that
    reports a finding gets a little more, its neighbours a share of its weight, and the last sentences (where
    conclusions stand) a little.
    """
    wanted = set(content(claim))
    bags = [topics(text) for text in texts]
    seen = Counter(word for bag in bags for word in bag)
    weight = {word: log(1 + len(texts) / (0.5 + seen[word])) for word in wanted}
    total = sum(weight.values()) or 1.0
    numbers = set(re.findall(r"\d+(?:\.\d+)?", claim))
    cues = _results_words()
    raw: list[float] = []
    for bag, text in zip(bags, texts, strict=True):
        score = sum(weight[word] for word in bag & wanted) / total
        if cues.search(text):
            score += 0.12
        if numbers and numbers & set(re.findall(r"\d+(?:\.\d+)?", text)):
            score += 0.1
        raw.append(score)
    if len(raw) > 3:
        raw[-1] += 0.12
    around = [max(raw[max(0, i - 1) : i + 2]) for i in range(len(raw))]
    return [score + 0.1 * near for score, near in zip(raw, around, strict=True)]


def nearest(claim: str, whole: Window, most: int) -> tuple[Window, ...]:
    """The sentences of a window that bear most on the claim, in order, each as a window of its own.

    None where there is one sentence only; fragments (headings, numbers of a list) are left out.
    """
    if len(whole.spans) < 2:
        return ()
    texts = whole.sentences
    ranked = scores(claim, texts)
    long_enough = [i for i, text in enumerate(texts) if len(text.split()) >= FRAGMENT_WORDS]
    chosen = sorted(sorted(long_enough, key=lambda i: (-ranked[i], i))[:most])
    return tuple(Window((whole.spans[i],), texts[i]) for i in chosen)


def focus(claim: str, passage: str, words: int) -> Window:
    """The sentences of `passage` that bear most on `claim`, in order, up to about `words` words.

    A passage that fits is kept whole. `passage` is already blanked; at least one sentence is kept.
    """
    spans = list(sentences(passage))
    texts = [passage[span.start : span.end] for span in spans]
    sizes = [len(text.split()) for text in texts]
    if sum(sizes) <= words:
        return window(passage, spans)
    ranked = scores(claim, texts)
    order = sorted(range(len(spans)), key=lambda i: (-ranked[i], i))
    kept: list[int] = []
    room = words
    for index in order:
        if sizes[index] <= room or not kept:
            kept.append(index)
            room -= sizes[index]
        if room <= 0:
            break
    return window(passage, [spans[i] for i in sorted(kept)])
