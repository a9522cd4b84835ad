"""Taking a question apart: tokens, names, what is asked, what is denied."""

from bisect import bisect_right

from evidencegate.question._asks import asking_spans, with_pointed_to
from evidencegate.question._denial import denied
from evidencegate.question._joined import joined
from evidencegate.question._matcher import Match
from evidencegate.question._normal import BREAKS, Token, tokenize
from evidencegate.question._reading import Mention, Reading
from evidencegate.question._stems import new_treatments
from evidencegate.question._vocabulary import DISEASE, TREATMENT, Vocabulary
from evidencegate.question._words import DECOY, language

_MOST_BETWEEN_VACCINES = 4


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
    spans = with_pointed_to(reading, asking_spans(text))
    starts = [start for start, _ in spans]
    for token in tokens:
        position = bisect_right(starts, token.start) - 1
        reading.asked.append(position >= 0 and token.start < spans[position][1])
    reading.asks += [text[a:b] for a, b in spans]
    asked = reading.asked
    reading.denied = denied(reading)
    for match in matches:
        if match.kind not in (DISEASE, TREATMENT) or match.name == DECOY:
            continue
        # What is only a way of saying something hides no name: "ESBL bacteremia" is a bacteremia all the same.
        if _within_longer(match, matches if match in said else listed):
            continue
        # The last word counts as well: the "on dialysis" of "not yet on dialysis" begins within the denial.
        no = reading.denied[match.start] or reading.denied[match.end - 1]
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
