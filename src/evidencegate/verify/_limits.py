"""What a sentence cannot prove, however near it is to a claim and however sure a reader is of it.

Readers are sure of a sentence that has the claim's words; these rules ask whether it says them of the same thing, the
same group and the same people, and as much. They only ever leave a claim open: none of them refutes anything.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from evidencegate.documents import Passage, tokens
from evidencegate.models.stance import Direction, Reading
from evidencegate.verify._effects import directed, reading
from evidencegate.verify._foreign import another_label, told_of_others
from evidencegate.verify._lexicon import lexicon, pattern, words
from evidencegate.verify._quantities import without_numbers
from evidencegate.verify._scope import comparator, out_of_scope
from evidencegate.verify._wording import align, content, denial_of_one, denials, meanings, negates, opposed, stem

if TYPE_CHECKING:
    from evidencegate.models.stance import Stance

SAME_WORDS = 0.75
"""With this much of a claim's wording in order, a sentence says the claim or has it turned round."""
_OPENING = 3_000
"""Characters of a record that say whom it is about: an abstract."""
_TOGETHER = 3
"""Words of one name stand at most so far apart."""
_SPECIFIC = 2
"""Words that say of what a claim is; "they were lower in this dimension" has one, and is found anywhere."""
SAME_MATTER = 0.5
_REPLACED = 2
"""A sentence that has all of a claim but so many words has others in their place."""
_OPPOSITE = {Direction.UP: Direction.DOWN, Direction.DOWN: Direction.UP}
_STOP = re.compile(r"[,;:(]")
# An interval in brackets, from below nought to above it.
_AROUND_NOUGHT = re.compile(
    r"[(\[][^()\[\]]*(?<![\w.])[-−–]\s?\d+(?:\.\d+)?\s?%?\s*(?:,|;|to)\s*\+?\d+(?:\.\d+)?[^()\[\]]*[)\]]"
)
# A name with more than one capital or a figure in it: IgG, HER2, IL-6.
_NAME = re.compile(r"(?<![\w-])(?=[\w-]*(?:[A-Z][\w-]*[A-Z]|[A-Za-z]-?\d))[A-Za-z][\w-]*")
_CLAUSE = re.compile(r"[,;](?![^(\[]*[)\]])")


def quoted(passage: Passage, stance: "Stance") -> str:
    """The sentence that decides, or the passage where the reader names none that stands in it."""
    start, end = stance.sentence or (0, 0)
    named = passage.text[start:end]
    return named if named.strip() else passage.text


def limit_of(claim: str, passage: Passage, stance: "Stance") -> str | None:
    """Why the sentence that decides cannot prove a claim; None where it can."""
    wanted = set(content(claim))
    parts = [s.of(passage.document.text) for s in passage.sentences]
    nearest = max(parts, key=lambda p: len(wanted & set(content(p))))
    said = quoted(passage, stance) if stance.sentence else nearest
    why = next(_limits(claim, said, passage, stance), None)
    if why is None and nearest != said and wanted & set(content(nearest)) - set(content(said)):
        # A reader may take two sentences together, and name the one that does not say it of something else.
        why = next(_of_something_else(claim, nearest), None)
    return why


def _limits(claim: str, said: str, passage: Passage, stance: "Stance") -> Iterator[str]:
    yield from _nothing_found(claim, said)
    empty = {stem(word) for word in words("wording", "unspecific") | words("quantities", "up", "down")}
    if len(set(content(claim)) - empty) < _SPECIFIC:
        yield "the claim does not say of what"
    if any(reason.code == "arms_swapped" for reason in stance.reasons):
        yield "the source says this of the other group"
    if _reports_no_effect(claim, said, passage.text):
        yield "the source reports no effect here"
    for word in _beyond(claim, said, passage):
        yield f"the source does not say “{word}”"
    yield from out_of_scope(claim, said, passage.text)
    if told_of_others(claim, said, passage):
        yield "the source says this of what others found"
    yield from _of_something_else(claim, said)


def _of_something_else(claim: str, said: str) -> Iterator[str]:
    """The sentence has the claim turned round, or says it of another group, outcome, part or kind."""
    if _turned(claim, said) or _otherwise(claim, said):
        yield "the source says this turned round"
    if _of_the_other_group(claim, said) or _of_groups_not_named(claim, said):
        yield "the source says this of the other group"
    if _denied_at_the_end(claim, said):
        yield "the source denies this in the same sentence"
    if _apart(claim, said):
        yield "the source says this of something else"
    if another_label(claim, said):
        yield "the source says this of another part"
    if denial_of_one(claim, said) or denial_of_one(said, claim):
        yield "only one of the two denies this"
    if (other := _sibling(claim, said) or _other_kind(claim, said)) is not None:
        yield f"the source says this of {other}"


def _nothing_found(claim: str, said: str) -> Iterator[str]:
    """It reports nothing, tells what was meant to be found, is less sure, or calls it not significant."""
    if pattern("wording", "silent").search(said) and not pattern("wording", "silent").search(claim):
        yield "the source reports nothing of this"
    here, there = ({token.folded for token in tokens(text)} for text in (said, claim))
    purpose = there & words("wording", "aims", "hedges") or pattern("wording", "studied").search(claim)
    if not purpose and (here & words("wording", "aims") or pattern("scope", "setting_out").search(said)):
        yield "the source says what was meant to be found"
    if here & words("wording", "modals") and not there & words("wording", "hedges"):
        yield "the source is less sure of this"
    if not pattern("wording", "allowing").search(claim) and (
        pattern("wording", "insignificant").search(said) or _holds_nought(claim, said)
    ):
        yield "the source calls this not significant"


def _turned(claim: str, said: str) -> bool:
    """Whether the sentence has the claim's words with one of them opposed, or one denial more or less."""
    laid = align(without_numbers(claim), without_numbers(said))
    only_one = (denials(claim) - denials(said)) % 2 == 1
    return bool(laid.turned) or (laid.softened and laid.share >= SAME_WORDS and only_one)


def _holds_nought(claim: str, said: str) -> bool:
    """Whether the clause that a claim of an effect rests on gives an interval from below nought to above it."""
    effect = directed(claim)
    if effect is None or _AROUND_NOUGHT.search(claim):
        return False
    before, after = claim[: effect.start], content(claim[effect.end :])
    passive = before.split()[-1:] and before.split()[-1].casefold() in words("wording", "auxiliaries")
    wanted = set(content(before) if passive or not after else after)
    clauses = _CLAUSE.split(said)
    nearest = max(clauses, key=lambda clause: len(wanted & set(content(clause))))
    return _AROUND_NOUGHT.search(nearest) is not None


def _of_the_other_group(claim: str, said: str) -> bool:
    """Whether a claim that names one group says of it what the sentence says of the one that is compared with it."""
    mine, theirs = reading(claim), reading(said)
    if mine.comparison or not mine.effects or not theirs.effects or theirs.comparison is None:
        return False
    direction = mine.effects[0].said
    if direction not in (Direction.UP, Direction.DOWN, Direction.EFFECT) or theirs.effects[0].said is not direction:
        return False
    wanted, other = set(meanings(claim)), comparator(said)
    for named in _phrases(said, theirs):
        first = set(meanings(named)) - other
        if first and wanted & (other - set(meanings(named))) and not wanted & first:
            return True
    return False


def _of_groups_not_named(claim: str, said: str) -> bool:
    """Whether a claim speaks of one group by its name, and the sentence of groups of which none has that name."""
    theirs = set(meanings(said))
    names = {key for found in pattern("wording", "group").finditer(claim) for key in meanings(found["name"])}
    return bool(names) and not names & theirs and pattern("wording", "groups").search(said) is not None


def _reports_no_effect(claim: str, said: str, passage: str) -> bool:
    """Whether a claim compares two things by an effect and the sentence tells of none; or tells the effect of
    something that the passage does not name at all."""
    if reading(said).effects:
        return False
    effect = directed(claim)
    subject = set(meanings(claim[: effect.start])) if effect else set()
    return compares(claim) or bool(subject and not subject & set(meanings(passage)))


def compares(claim: str) -> bool:
    """Whether a claim tells of an effect, significant or beside another group."""
    mine = reading(claim)
    weighed = mine.comparison is not None or mine.significant is not None
    return weighed and directed(claim) is not None


def tells_of_design(claim: str) -> bool:
    """Whether a claim says what was done, or was meant to be done, and not what came out."""
    purpose = {token.folded for token in tokens(claim)} & words("wording", "aims")
    return bool(purpose) or any(pattern("wording", key).search(claim) for key in ("studied", "designed"))


def _phrases(said: str, told: Reading) -> list[str]:
    """What may name the group that a sentence speaks of, beside the one that it compares with."""
    if told.comparison is None or told.effects[0].start > told.comparison[0]:  # "Compared with placebo, ..."
        return []
    head, start = told.effects[0], told.comparison[0]
    phrases = pattern("wording", "beside").split(said[head.end : start])[1:]
    return phrases or [said[: head.start]]


def _denied_at_the_end(claim: str, said: str) -> bool:
    """Whether the sentence ends by denying of the claim's matter what it states of another."""
    if any(negates(token.folded) for token in tokens(claim)):
        return False
    wanted = set(content(claim))
    for found in pattern("wording", "denied").finditer(said):
        denied = set(content(found["what"] or found["nor"])) - set(content(said[: found.start()]))
        if denied & wanted:
            return True
    return False


def _subject(claim: str) -> tuple[str, ...]:
    """The stems of the two words that name what a claim says something of: "respiratory rate" of "... was higher"."""
    effects = reading(claim).effects
    before = [token.folded for token in tokens(claim[: effects[0].start])] if effects else []
    if not before or before[-1] not in words("wording", "auxiliaries"):
        return ()
    name = [word for word in before if word not in words("wording", "auxiliaries")][-2:]
    return tuple(map(stem, name)) if len(name) == 2 and all(w.isalpha() and content(w) for w in name) else ()


def _places(name: tuple[str, ...], said: str) -> list[list[int]]:
    """Where each word of a name stands in a sentence, counted in words and signs."""
    held = [stem(token.folded) for token in tokens(said)]
    return [[at for at, word in enumerate(held) if word == wanted] for wanted in name]


def _apart(claim: str, said: str) -> bool:
    """Whether the name of what a claim is about falls apart in the sentence: it names other things there."""
    name = _subject(claim)
    places = _places(name, said)
    return bool(name) and all(places) and min(abs(a - b) for a in places[0] for b in places[1]) > _TOGETHER


def _otherwise(claim: str, said: str) -> bool:
    """Whether what a claim is about goes the other way in its own clause, beside a clause that goes the claim's way."""
    name, mine = _subject(claim), reading(claim).effects
    if not name or mine[0].said not in _OPPOSITE:
        return False
    held = tokens(said)
    places = _places(name, said)
    for at in places[1]:
        if any(abs(at - other) <= _TOGETHER for other in places[0]):
            here = next((effect for effect in reading(said).effects if effect.start >= held[at].end), None)
            return here is not None and here.said is _OPPOSITE[mine[0].said]
    return False


def _sibling(claim: str, said: str) -> str | None:
    """The name that a sentence has in the place of the claim's, one letter or figure another: IgA for IgG."""
    there: list[str] = _NAME.findall(said)
    for name in _NAME.findall(claim):
        if name.casefold() not in said.casefold():
            for other in there:
                if len(other) == len(name) and sum(a != b for a, b in zip(name, other, strict=True)) == 1:
                    return other
    return None


def _other_kind(claim: str, said: str) -> str | None:
    """The name that a sentence has where the claim has one of another kind: rheumatoid arthritis for psoriatic."""
    held, wanted = set(meanings(said)), set(meanings(claim))
    if len(wanted - held) > _REPLACED or len(wanted & held) < SAME_MATTER * len(wanted):
        return None
    mine, theirs = _named_kinds(claim), _named_kinds(said)
    for head, kinds in mine.items():
        others = theirs.get(head, {})
        if others and not kinds.keys() & held and not others.keys() & wanted:
            if any(opposed(a, b) for a in kinds.values() for b in others.values()):
                continue  # told apart as turned round
            return f"{next(iter(others.values()))} …"
    return None


def _named_kinds(text: str) -> dict[str, dict[str, str]]:
    """For each word that carries content the words of content that stand right before it, by meaning."""
    found: dict[str, dict[str, str]] = {}
    for before, head in pairwise(tokens(text)):
        first, second = meanings(before.text), meanings(head.text)
        named = before.text.isalpha() and head.text.isalpha() and before.folded not in words("claims", "verbs")
        if len(first) == len(second) == 1 and named:
            found.setdefault(second[0], {})[first[0]] = before.folded
    return found


def _beyond(claim: str, said: str, passage: Passage) -> Iterator[str]:
    """Words for more, or for other people, than the source speaks of."""
    there = {token.folded for token in tokens(said)}
    mine = [token.folded for token in tokens(claim)]
    yield from (word for word in mine if word in words("wording", "absolutes") and word not in there)
    document = passage.document
    about = {t.folded for t in tokens(f"{document.title} {document.text[:_OPENING]} {passage.text}")}
    for row in lexicon("scope")["people"]:
        if (word := next((word for word in mine if word in row), None)) and not about.intersection(row):
            yield word
    for row in lexicon("wording")["populations"]:
        named = next((word for word in mine if word in row["said"]), None)
        if named is None or about.intersection(row["said"]) or about.intersection(row["also"]):
            continue
        if "instead" not in row or about.intersection(row["instead"]):
            yield named
