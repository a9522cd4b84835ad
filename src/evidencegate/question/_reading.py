"""A question taken apart: its tokens, what was found in them, what is asked and what is said beside it."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from evidencegate.documents import sentences
from evidencegate.question._joined import joined
from evidencegate.question._matcher import Match
from evidencegate.question._normal import BREAKS, Token, tokenize
from evidencegate.question._stems import new_treatments
from evidencegate.question._vocabulary import DECISION, DISEASE, TREATMENT, WEAK, Vocabulary
from evidencegate.question._words import DECOY, language

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
_PREVENTED = "prevention"
_CASE_WORDS = 80
_NOTE_WORDS = 30
_TELLING = re.compile(r"\W*(?:she|he|it|they|i|we|her|his|my|our|the|this|that|patient|there)\b", re.IGNORECASE)
_MOST_BETWEEN_VACCINES = 4
_MOST_BETWEEN = 3
_THERE = frozenset({"positive", "reactive"})
_TESTED = frozenset({"infection", "infectious"})
_LISTING = frozenset({"or", "and", "nor", ",", "/", "&"})
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


def _asking_spans(text: str) -> list[tuple[int, int]]:
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
    return asking or [(0, len(text))]


def _pointing(reading: "Reading", spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
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


def _broken(reading: Reading, start: int, end: int) -> bool:
    """Whether a sentence ends between two tokens, or a test begins: the "HHV-8" of "Castleman, HHV-8 negative"."""
    between = [token.text if token.text in BREAKS else token.folded for token in reading.tokens[start:end]]
    return bool(BREAKS & set(between)) or ("," in between and not set(between) <= _LISTING)


def _goes_on(reading: Reading, position: int) -> bool:
    """Whether the list of what is denied goes on with the token: "no gout, known asthma", "no gout or known asthma"."""
    token = reading.tokens[position]
    between = reading.text[reading.tokens[position - 1].end : token.start]
    return token.folded in _LISTING or bool(set(",/&") & set(between))


def _ends_results(reading: Reading, match: Match, place: int, trigger: Match) -> bool:
    """Whether a list of negative results begins after a condition, which stands before `place`.

    It is there ("hepatitis B core antibody positive, surface antigen negative"), or no test with a result: "Crohn's
    disease, HIV negative".
    """
    if _THERE & set(reading.folded[match.end - 1 : place]):
        return True
    tag = reading.vocabulary.tags.get(match.name)
    tested = tag is None or tag.specialty in _TESTED
    return place != trigger.start and reading.folded[match.end : place] == [","] and not tested


def _scope_of_negation(reading: Reading) -> list[bool]:
    """For each token whether it is denied: from a trigger to the end of its list, clause or six words."""
    denied = [False] * len(reading.tokens)
    ends = {match.start for match in reading.of("negation_end")}
    known = {i for match in reading.of(DISEASE) for i in range(match.start, match.end)}
    single = {match.start for match in reading.of(DISEASE) if match.end == match.start + 1}
    names = [match for match in reading.of(DISEASE) if match.name]
    # The "no thyroid" of "no thyroid cancer" is no name.
    whole = [m for m in names if not any(m.start < other.start < m.end < other.end for other in names)]
    named = {i for match in whole for i in range(match.start, match.end)}
    named |= {match.start for match in reading.of("affirmed")}
    for trigger in reading.of("negation_before"):
        if trigger.start in named:
            continue  # "coronary no-reflow" is a name, "no doubt about her gout" no denial
        reach, position = 6, trigger.end
        if trigger.name in ("non", "not"):
            # "non-diabetic", but not "non-severe pneumonia".
            reach = 0 if position in single else -1
        while position < len(reading.tokens) and reach >= 0:
            token = reading.tokens[position]
            if token.text in BREAKS or (position in ends and position not in known):
                break
            if position - 1 in known and position not in known and not _goes_on(reading, position):
                break
            denied[position] = True
            # Each condition of a list ("no diabetes, hypertension or CKD") lets the list go on.
            reach = (
                (3 if position in known else reach - 1)
                if trigger.name not in ("non", "not")
                else (0 if position + 1 in known else -1)
            )
            position += 1
    for trigger in reading.of("negation_after"):
        if trigger.start and reading.tokens[trigger.start - 1].folded == "be":
            # "can be ruled out" asks how, "was ruled out" tells.
            continue
        place = trigger.start
        for match in sorted(reading.of(DISEASE), key=lambda match: -match.end):
            # Each condition of a list ("HIV, hepatitis B and C and syphilis serology are negative") is denied.
            if match.end <= place <= match.end + _MOST_BETWEEN and not _broken(reading, match.end, place):
                if "negative" in trigger.name and _ends_results(reading, match, place, trigger):
                    break
                for position in range(match.start, match.end):
                    denied[position] = True
                place = match.start
    return denied


def read(text: str, vocabulary: Vocabulary) -> Reading:
    """Takes `text` apart: tokens, matches, what is asked, mentions with their negation."""
    tokens = tokenize(text)
    raw, folded = [t.text for t in tokens], [t.folded for t in tokens]
    matches = vocabulary.questions.find(raw, folded)
    said = [match for match in vocabulary.said.find(raw, folded) if match not in matches]
    unlisted, vocabulary = new_treatments(tokens, matches, vocabulary)
    matches = [m for m in (*matches, *unlisted) if not (m.short and _longer_short(text, tokens, m))]
    listed = [*matches, *joined(tokens, matches, vocabulary)]
    matches = sorted((*listed, *said), key=lambda match: match.start)
    reading = Reading(text, vocabulary, tokens, matches, [], [])
    spans = _pointing(reading, _asking_spans(text))
    starts = [start for start, _ in spans]
    for token in tokens:
        position = bisect_right(starts, token.start) - 1
        reading.asked.append(position >= 0 and token.start < spans[position][1])
    reading.asks += [text[a:b] for a, b in spans]
    asked = reading.asked
    reading.denied = denied = _scope_of_negation(reading)
    for match in matches:
        if match.kind not in (DISEASE, TREATMENT) or match.name == DECOY:
            continue
        # What is only a way of saying something hides no name: "ESBL bacteremia" is a bacteremia all the same.
        if _within_longer(match, matches if match in said else listed):
            continue
        # The last word counts as well: the "on dialysis" of "not yet on dialysis" begins within the denial.
        no = denied[match.start] or denied[match.end - 1]
        mention = Mention(match.name, match.start, match.end, asked[match.start], no, match.short)
        (reading.diseases if match.kind == DISEASE else reading.treatments).append(mention)
    reading.diseases = _without_vaccines(reading)
    return reading


def _without_vaccines(reading: Reading) -> list[Mention]:
    """The diseases without those that a case says someone is vaccinated against: "influenza and COVID vaccines".

    One that what is asked points back to stays: "She never had the yellow fever vaccine. Is her age against it?".
    """
    vaccines = language()["vaccines"]
    kept: list[Mention] = []
    protected = -1
    back_to = _pointed_back_to(reading)
    for mention in reversed(reading.diseases):
        after = reading.tokens[mention.end : mention.end + _MOST_BETWEEN_VACCINES + 1]
        near = bool(after) and after[0].text.lower() in vaccines
        listed = 0 <= protected - mention.end <= _MOST_BETWEEN_VACCINES
        if not mention.asked and (near or listed) and mention.start not in back_to:
            protected = mention.start
        else:
            kept.append(mention)
    return kept[::-1]


def _pointed_back_to(reading: Reading) -> range:
    """The tokens of the sentence before what is asked, where that names no condition or treatment itself."""
    if True not in reading.asked or any(other.asked for other in (*reading.diseases, *reading.treatments)):
        return range(0)
    asking = reading.asked.index(True)
    # Its own end is none of the ends before it.
    ends = [place for place in range(asking - 1) if reading.tokens[place].text in BREAKS]
    return range(ends[-1] if ends else 0, asking)


def _longer_short(text: str, tokens: list[Token], match: Match) -> bool:
    """Whether an abbreviation is only part of another: the ADD of "ADD-RS"."""
    end = tokens[match.end - 1].end
    return text[end : end + 1] == "-" and text[end + 1 : end + 3].isupper() and text[end + 1 : end + 3].isalpha()


def _within_longer(match: Match, matches: list[Match]) -> bool:
    """Whether a name is only part of a longer one: the PD of PD-1 inhibitor, the iron of iron deficiency."""
    longer = (DISEASE, TREATMENT) if match.short else (DISEASE,)
    return any(
        other.kind in longer
        and other.start <= match.start
        and other.end >= match.end
        and other.end - other.start > match.end - match.start
        for other in matches
    )


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
