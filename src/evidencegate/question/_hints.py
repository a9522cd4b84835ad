"""What a case tells that bears on what it asks, and what the trained reader of questions sees of both."""

from collections.abc import Set as AbstractSet

from evidencegate.question._asked import THINNING, asked_treatments
from evidencegate.question._reading import Reading
from evidencegate.question._types import Tags
from evidencegate.question._vocabulary import Vocabulary

# How many words of the case are read with a question that only points back.
_CASE_WORDS = 60


def given_for(vocabulary: Vocabulary, name: str, diseases: Tags) -> bool:
    """Whether the drug class `name` is given for one of the conditions."""
    treats = frozenset(vocabulary.classes[name].treats)
    return any({d, *vocabulary.ancestors.get(d, ())} & treats for d in diseases.all)


def thinners_told(reading: Reading, vocabulary: Vocabulary, diseases: Tags) -> set[str]:
    """Features of treatments that thin the blood and are told before it is asked: what "the dose" or "it" may be of."""
    asked = {vocabulary.treatments[m.name].decision for m in asked_treatments(reading)}
    found = set()
    for mention in reading.treatments:
        treatment = vocabulary.treatments[mention.name]
        name = treatment.decision
        if name not in THINNING or mention.negated or mention.asked or name in asked:
            continue
        found.add(f"@told {name}")
        if given_for(vocabulary, treatment.classes[-1], diseases):
            found.add(f"@meant {name}")
    return found


def pairs(reading: Reading, vocabulary: Vocabulary) -> set[str]:
    """Features of drugs that are known not to go together: both asked about, or one of them told."""
    asked = {mention.name for mention in asked_treatments(reading)}
    told = {mention.name for mention in reading.treatments if not mention.negated} - asked
    if any(vocabulary.interact(one, other) for one in asked for other in asked):
        return {"@pair asked"}
    return {"@pair told"} if any(vocabulary.interact(one, other) for one in asked for other in told) else set()


def hints(reading: Reading, vocabulary: Vocabulary, diseases: Tags) -> frozenset[str]:
    """Features of what the case tells that bears on what it asks."""
    return frozenset(thinners_told(reading, vocabulary, diseases) | pairs(reading, vocabulary))


def asks_for_reader(reading: Reading, told: AbstractSet[str]) -> str:
    """What the trained reader sees of a question: what is asked, after what it may point back to.

    Args:
        reading: the question taken apart.
        told: features, those of `hints` among them.
    """
    given = sorted({feature.split()[1] for feature in told if feature.startswith(("@told", "@meant"))})
    given += [f"a {feature[1:]} about" for feature in sorted(told) if feature.startswith("@pair")]
    return " ".join([*(f"On {name}." for name in given), *_pointed_to(reading), *reading.asks])


def _pointed_to(reading: Reading) -> list[str]:
    """The last words of the case where what is asked names no treatment: "Which of the three?"."""
    if any(mention.asked for mention in reading.treatments):
        return []
    told = [place for place, asked in enumerate(reading.asked) if not asked][-_CASE_WORDS:]
    if not told:
        return []
    breaks = [at for at in range(1, len(told)) if told[at] != told[at - 1] + 1]
    parts = zip([0, *breaks], [*breaks, len(told)], strict=True)
    return [*(reading.slice(told[a], told[b - 1] + 1) for a, b in parts), ">>"]
