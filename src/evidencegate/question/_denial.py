"""What a text denies: "no history of gout", "HIV and hepatitis B negative"."""

from evidencegate.question._matcher import Match
from evidencegate.question._normal import BREAKS
from evidencegate.question._reading import Reading
from evidencegate.question._vocabulary import DISEASE

_MOST_BETWEEN = 3
_THERE = frozenset({"positive", "reactive"})
_TESTED = frozenset({"infection", "infectious"})
_LISTING = frozenset({"or", "and", "nor", ",", "/", "&"})


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


def denied(reading: Reading) -> list[bool]:
    """For each token whether it is denied: from a trigger to the end of its list, clause or six words."""
    result = [False] * len(reading.tokens)
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
            result[position] = True
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
                    result[position] = True
                place = match.start
    return result
