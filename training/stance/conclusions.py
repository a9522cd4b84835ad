"""Pairs made from real abstracts: a conclusion against its own results, an edited one, a neighbour's results.

Every base pair gives the same claim under every label: the claim and the edited claim each appear as supports
(with the results left or edited alike), as refutes, and as neutral (with the results of the most similar other
abstract), so that the wording of a claim alone says nothing about its label.
"""

from __future__ import annotations

import io
import re
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from edits import change_number, exchange_word, flip_direction, flip_negation, has_comparison, has_direction
from lxml import etree
from rows import Example, read_rows
from sklearn.feature_extraction.text import TfidfVectorizer

from evidencegate.documents import sentences
from evidencegate.models.stance._text import content, focus, stem, stop_words

_LEAD = re.compile(
    r"^(?:in conclusion|conclusions?|interpretation|in summary|overall|taken together|thus|therefore|"
    r"(?:these|our|the|this|present)[\w\s]{0,40}?(?:results?|findings?|data|study|trial|review|analysis|evidence)?\s*"
    r"(?:suggests?|indicates?|shows?|demonstrates?|confirms?|conclude[sd]?|provides? evidence)\s+that|"
    r"we (?:conclude|found|show|demonstrate|suggest)(?:ed)? that|it (?:is|was) concluded that)[\s:,]+",
    re.I,
)
_RESULTS = re.compile(r"(?:^|[.\s])(?:MAIN |KEY )?(?:RESULTS?|FINDINGS)(?: AND LIMITATIONS?)?\s*[:.]?\s", re.M)
_RESULTS_LOWER = re.compile(r"(?:^|[.\s])(?:Main |Key )?(?:Results?|Findings):\s")
_CONCLUSION = re.compile(r"(?:^|[.\s])(?:CONCLUSIONS?(?:/\w+)?|INTERPRETATION|Conclusions?:|Interpretation:)\s*:?\s")

_PLAN = re.compile(r"further (?:research|stud)|should be|warrant|needed", re.I)


@dataclass(frozen=True, slots=True)
class Abstract:
    results: str
    conclusion: str


def _split(text: str) -> Abstract | None:
    """Results and conclusion of a labelled abstract; of an unlabelled one, its middle and its last sentences."""
    ends = list(_CONCLUSION.finditer(text))
    if ends and ends[-1].start() > 200:
        end = ends[-1]
        begin = _RESULTS.search(text) or _RESULTS_LOWER.search(text)
        start = begin.end() if begin and begin.end() < end.start() else end.start() // 3
        return Abstract(text[start : end.start() + 1].strip(), text[end.end() :].strip())
    spans = list(sentences(text))
    if len(spans) < 5:
        return None
    last = text[spans[-1].start : spans[-1].end]
    if not _LEAD.match(last):
        return None
    return Abstract(text[spans[len(spans) // 3].start : spans[-2].end], last)


def _jats(path: Path) -> Iterator[Abstract]:
    with tarfile.open(path) as archive:
        for member in archive:
            handle = archive.extractfile(member)
            if handle is None:
                continue
            parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
            root = etree.parse(io.BytesIO(handle.read()), parser).getroot()
            parts: dict[str, str] = {}
            for section in root.iterfind(".//abstract/sec"):
                title = (section.findtext("title") or "").lower()
                parts[title] = " ".join("".join(p.itertext()).strip() for p in section.iterfind("p"))
            results = next((v for k, v in parts.items() if "result" in k or "finding" in k), "")
            conclusion = next((v for k, v in parts.items() if "conclu" in k or "interpret" in k), "")
            if results and conclusion:
                yield Abstract(" ".join(results.split()), " ".join(conclusion.split()))


@lru_cache(maxsize=2)
def abstracts(data: Path, leave_out: frozenset[str]) -> list[Abstract]:
    """Every abstract with a results part and a conclusion; `leave_out`: SciFact corpus ids not to touch."""
    found = list(_jats(data / "corpora" / "pmc_rct_fulltext.tar.gz"))
    for row in read_rows(data / "corpora" / "screening.jsonl.gz"):
        split = _split(row["abstract"] or "")
        if split:
            found.append(split)
    for name in ("nfcorpus", "scifact"):
        for row in read_rows(data / "retrieval" / name / "corpus.jsonl.gz"):
            if name == "scifact" and row["_id"] in leave_out:
                continue
            split = _split(row["text"])
            if split:
                found.append(split)
    return [a for a in found if 25 <= len(a.results.split()) <= 420]


def _claims(conclusion: str) -> list[str]:
    """Sentences of a conclusion that state a finding, without their lead-in."""
    result = []
    for span in sentences(conclusion):
        text = _LEAD.sub("", conclusion[span.start : span.end]).strip()
        states = has_direction(text) or flip_negation(text)
        if 7 <= len(text.split()) <= 45 and states and not _PLAN.search(text):
            result.append(text[:1].upper() + text[1:])
    return result


def _shorten(claim: str, results: str, generator: np.random.Generator) -> str:
    words = 60 if generator.random() < 0.6 else 120
    return focus(claim, results, words).text


def conclusion_examples(
    data: Path, leave_out: frozenset[str], weight: float, count: int, generator: np.random.Generator
) -> list[Example]:
    """About `count` pairs. From each conclusion: supports, refutes (claim edited, or results edited), neutral (nearest neighbour)."""
    pool = abstracts(data, leave_out)
    matrix = TfidfVectorizer(max_features=40_000, sublinear_tf=True, stop_words="english").fit_transform(
        [a.results + " " + a.conclusion for a in pool]
    )
    examples: list[Example] = []
    for index in generator.permutation(len(pool)).tolist():
        if len(examples) >= count:
            break
        abstract = pool[index]
        claims = _claims(abstract.conclusion)
        if not claims:
            continue
        claim = claims[int(generator.integers(len(claims)))]
        topics = set(content(claim))
        if len(topics & set(content(abstract.results))) < 2:
            continue
        near = (matrix[index] @ matrix.T).toarray().ravel()
        near[index] = 0
        ranked = [i for i in np.argsort(-near)[:6].tolist() if near[i] < 0.8]
        edit: Callable[[str], str | None] = (
            flip_direction if has_direction(claim) and generator.random() < 0.7 else flip_negation
        )
        edited = edit(claim)
        evidence = _shorten(claim, abstract.results, generator)

        def add(text: str, passage: str, label: int) -> None:
            examples.append(Example(text, passage, label, weight, None, "conclusions"))

        add(claim, evidence, 0)
        if edited:
            add(edited, evidence, 1)
            opposite = flip_direction(evidence, every=True) if edit is flip_direction else None
            if opposite and len(evidence.split()) <= 75:
                add(claim, opposite, 1)
                add(edited, opposite, 0)
        if ranked:
            other = pool[ranked[int(generator.integers(len(ranked)))]].results
            text = edited if edited and generator.random() < 0.5 else claim
            add(text, _shorten(text, other, generator), 2)
    return examples


#: The label that masks the loss between the two: another word may contradict, or merely speak of something else.
REFUTES_OR_NEUTRAL = 3


def _by_ending(pool: list[Abstract]) -> dict[str, list[str]]:
    """Longer lower-case words of the abstracts by their last three letters, the rarest and the commonest left out."""
    counts = Counter(word for a in pool for word in set(re.findall(r"\b[a-z]{6,}\b", a.results)))
    endings: dict[str, list[str]] = {}
    for word in sorted(word for word, n in counts.items() if 5 <= n <= len(pool) // 20):
        endings.setdefault(word[-3:], []).append(word)
    return endings


_ASIDE = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_OPENING = re.compile(
    r"^(?:however|moreover|in addition|additionally|furthermore|overall|thus|finally|also)[\s,]+", re.I
)


def _restate(sentence: str, generator: np.random.Generator) -> str:
    """The sentence without asides and openings; sometimes without *significantly*."""
    text = _OPENING.sub("", _ASIDE.sub("", sentence))
    if generator.random() < 0.5:
        text = re.sub(r"\b(?:statistically |significantly |also )", "", text)
    if generator.random() < 0.5:
        text = re.sub(r"\bcompared (?:with|to)\b", "versus", text)
    return text[:1].upper() + text[1:]


def edited_sentence_examples(
    data: Path, leave_out: frozenset[str], weight: float, count: int, generator: np.random.Generator
) -> list[Example]:
    """One finding restated, against its own sentences with or without the same edit.

    claim × passage in four combinations: (as is, as is) and (edited, edited) are supports, the mixed two are
    refutes (one word exchanged: not supported); with the finding taken out of the passage, the claim is neutral though the topic is the same.
    """
    pool = abstracts(data, leave_out)
    vocabulary = _by_ending(pool)
    stops = stop_words()
    examples: list[Example] = []
    for index in generator.permutation(len(pool)).tolist():
        if len(examples) >= count:
            break
        text = pool[index].results
        spans = list(sentences(text))
        fit = [
            i
            for i, s in enumerate(spans)
            if 8 <= len(text[s.start : s.end].split()) <= 45
            and (has_direction(text[s.start : s.end]) or has_comparison(text[s.start : s.end]))
        ]
        if not fit or len(spans) < 3:
            continue
        chosen = fit[int(generator.integers(len(fit)))]
        own = text[spans[chosen].start : spans[chosen].end]
        edits: list[Callable[[str], str | None]] = [
            flip_direction,
            flip_negation,
            lambda t: change_number(t, generator),
            lambda t: exchange_word(t, vocabulary, generator),
        ]
        kind = int(generator.choice(4, p=[0.3, 0.25, 0.15, 0.3]))
        edit = edits[kind]
        changed = REFUTES_OR_NEUTRAL if kind == 3 else 1
        changed_own = edit(own)
        if changed_own is None:
            continue
        same_draws = int(generator.integers(1 << 30))
        claim = _restate(own, np.random.default_rng(same_draws))
        changed_claim = _restate(changed_own, np.random.default_rng(same_draws))
        if changed_claim == claim:
            continue
        before = [text[s.start : s.end] for s in spans[max(0, chosen - 1) : chosen]]
        after = [text[s.start : s.end] for s in spans[chosen + 1 : chosen + 2]]
        passage, edited = " ".join([*before, own, *after]), " ".join([*before, changed_own, *after])
        rest = " ".join(text[s.start : s.end] for i, s in enumerate(spans) if i != chosen and abs(i - chosen) <= 2)
        for words, where, label in (
            (claim, passage, 0),
            (changed_claim, edited, 0),
            (claim, edited, changed),
            (changed_claim, passage, changed),
        ):
            examples.append(Example(words, where, label, weight, None, "edited_sentences"))
        topics = {stem(w) for w in claim.lower().split() if w not in stops}
        if rest and topics:
            text_claim = claim if generator.random() < 0.5 else changed_claim
            examples.append(Example(text_claim, rest, 2, weight, None, "edited_sentences"))
    return examples
