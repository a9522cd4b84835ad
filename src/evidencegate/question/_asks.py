"""Which parts of a text ask, and which only tell."""

import re
from itertools import chain

from evidencegate.documents import sentences
from evidencegate.question._reading import Reading
from evidencegate.question._vocabulary import DECISION, TREATMENT
from evidencegate.question._words import language

# The clause that asks, where a long sentence tells first and asks after a comma.
_CLAUSE = re.compile(
    r"[,;:–—-]\s*(?:and |so |then |but )?"
    r"(?=(?:what|which|should|how|when|whether|is it|is there|are there|can|could|does|do|would|will|for how long)\b)",
    re.IGNORECASE,
)
_LONG_SENTENCE = 25
# "In children aged 6 to 23 months with otitis, does ...": whom a question is about belongs to it.
_WHOM = re.compile(
    r"\W*(?:in|among|for|amongst)\s+(?!an?\s+\d)(?!\d)(?:\w+\s+){0,4}?(?:\w+s|men|women|children|people)\b",
    re.IGNORECASE,
)
# "Is that really needed?", "Would this be safe for her?": what is asked stands in the sentence before.
_POINTING = re.compile(
    r"\b(?:that|this|it|these|those|them|they|so|do so|the (?:drug|medicine|treatment|procedure|operation|test|latter|"
    r"combination|tablets?|pills?))\b",
    re.IGNORECASE,
)
_SHORT_QUESTION = 12
_CASE_WORDS = 80
_NOTE_WORDS = 30
_SHORT_END = 7
# Where the story of a case is told, and nothing requested: a share of its length.
_STORY = 0.4
_TELLING = re.compile(r"\W*(?:she|he|it|they|i|we|her|his|my|our|the|this|that|patient|there)\b", re.IGNORECASE)
_CASE = re.compile(r"\b\d{1,3}[\s-]*(?:years?|yrs?|months?|weeks?|days?|yo|y/o|[MF]\b)", re.IGNORECASE)


def _ask_start() -> re.Pattern[str]:
    leads = sorted(language()["ask"], key=len, reverse=True)
    joined = "|".join(re.escape(lead) for lead in leads)
    return re.compile(rf"\W*(?:and |so |now |thus |then )?(?:{joined})\b", re.IGNORECASE)


_ASKING_WITHIN = re.compile(r"\bwhether\b|\b(?:advice|guidance) (?:on|about|regarding)\b|\bwondering\b", re.IGNORECASE)

# What the writer of a case asks without a question mark: "My question is with what ...", "We should like to know ...".
_STATED = re.compile(
    r"\W*(?:(?:and|but|so|then|also|finally|what|lastly|point \w+)\W+)?(?:"
    r"(?:my|our|the|one|a|an|main|another|next|last)\W+(?:(?!in\b)\w+\W+){0,2}questions?\b"
    r"(?:\W+\w+){0,4}?\W+(?:is|are|was|concerns?)\b|"
    r"(?:i|we|members|he|she|they|team|the \w+)\W+"
    r"(?:(?:really|also|would|should|could|shall|do|d|only|still|ll|just)\W+){0,3}"
    r"(?:need|want|like|be (?:glad|grateful|pleased)|value|appreciate|hope|ask you)\w*\W+(?:\w+\W+){0,4}?"
    r"(?:know|learn|hear|told|figures|numbers|data|summary|evidence|view|opinion|advice|guidance|estimates?|whether|rates?"
    r"|effect)\b|"
    r"(?:please|kindly)\W+(?!see|read|find|do not|don|note|check)|tell me\b|members (?:asked|ask)\b|"
    r"(?:is|are|was) whether\b|you ask whether\b|also (?:how|when|what|which|whether)\b)",
    re.IGNORECASE,
)

# What a case asks for in other words: "I would be thankful for ...", "Options please", "Plan wanted: ...", "Choose".
_REQUEST = re.compile(
    r"\b(?:grateful|glad|thankful|obliged|welcome|appreciate|kindly|need to know|requested of|is invited to|set out|"
    r"(?:would|should|could|d)\W+(?:(?:all|both|really|so|also)\W+)?(?:like|love|value|ask|accept an?)\b"
    r"(?!\W+(?:her|him))|"
    r"asks? (?:what|which|how|when|whether|for|if)|we\W+(?:ask|request|need)|wish(?:es)? to (?:know|hear|learn)|"
    r"you to (?:say|name|state|choose|set|advise|tell)|asked to (?:rank|name|present|recommend|state|choose|say)|"
    r"(?:options|plan|advice|opinions?|answer|verdict|reply|guidance|views?|thoughts|data)\W+"
    r"(?:please|wanted|sought|needed)|(?:tell|persuade|convince) (?:us|me)|best course is)\b|"
    r"^\W*(?:please|choose|questions?\b[^:]*:|query|need|points for|not clear)\b|"
    r"^[^,]{3,70}, (?:so )?(?:what|how|when|"
    r"which (?!(?:is|was|has|had|are|were|he|she|i|we|they|may|will|can|the|my|it)\b))",
    re.IGNORECASE,
)
_PICO = re.compile(r"\W*(?:\w+\W+){0,6}?P(?:opulation|atients?)?\s*[:=-]\s", re.IGNORECASE)


def asking_spans(text: str) -> list[tuple[int, int]]:
    """The characters of what `text` asks, half-open, in order; all of a text that only names something."""
    spans = [(span.start, span.end) for span in sentences(text)]
    if not spans:
        return [(0, len(text))]
    start_of_ask = _ask_start()
    asking: list[tuple[int, int]] = []
    for start, end in spans:
        sentence = text[start:end]
        question = "?" in sentence
        if not question and not start_of_ask.match(sentence) and not _ASKING_WITHIN.search(sentence):
            continue
        if question and len(sentence.split()) > _LONG_SENTENCE and not start_of_ask.match(sentence):
            clause = _CLAUSE.search(sentence)
            told = clause and _CASE.search(sentence[: clause.start()]) and not _WHOM.match(sentence)
            if clause and told:
                asking.append((start + clause.end(), end))
                continue
        asking.append((start, end))
    marked = [(start, end) for start, end in asking if "?" in text[start:end]]
    if marked and len(text.split()) > _CASE_WORDS:
        # In a case that ends in a question, "she asks whether it is really needed" is part of the story.
        half = len(text) // 2
        stated = [(start, end) for start, end in spans if start > half and _STATED.match(text[start:end])]
        return sorted({*marked, *stated})
    if marked and len(text.split()) <= _NOTE_WORDS:
        # In a short note what follows the first question is asked too: "... safe? if not what else".
        after = ((start, end) for start, end in spans if start >= asking[0][1])
        return sorted({*asking, *((start, end) for start, end in after if not _TELLING.match(text[start:end]))})
    return asking or _requested(text, spans)


def _requested(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """What is asked where no sentence asks: all of a short text, the requests or else the end of a case."""
    if len(text.split()) <= _CASE_WORDS or _PICO.match(text):
        return [(0, len(text))]
    late = [(start, end) for start, end in spans if start > len(text) * _STORY]
    requests = (start for start, end in late if _REQUEST.search(text[start:end]))
    # Else the last sentence, with a closing one after it.
    ends = (start for start, end in reversed(late) if len(text[start:end].split()) > _SHORT_END)
    begun = next(chain(requests, ends), len(text))
    return [(start, end) for start, end in late if start >= begun] or [(0, len(text))]


def with_pointed_to(reading: Reading, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """`spans` with the sentence before one that only points back: "Is that safe?" names nothing to be decided."""
    named = [reading.tokens[m.start].start for m in reading.matches if m.kind in (TREATMENT, DECISION)]
    if not spans or any(start <= place < end for start, end in spans for place in named):
        return spans
    start, end = spans[0]
    words = reading.text[start:end]
    if len(words.split()) > _SHORT_QUESTION or not _POINTING.search(words):
        return spans
    before = [(span.start, span.end) for span in sentences(reading.text) if span.end <= start]
    return [*before[-1:], *spans]
