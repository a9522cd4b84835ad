"""From a text to a `Question`: the one door of this room."""

from evidencegate.errors import InvalidInput
from evidencegate.models.questions import question_reader
from evidencegate.question._asked import interacting
from evidencegate.question._chosen import conditions
from evidencegate.question._decide import decisions
from evidencegate.question._edits import Edits, chosen_conditions, chosen_decisions, named_treatments
from evidencegate.question._fields import classify
from evidencegate.question._input import clean, require_english, require_medical
from evidencegate.question._interventions import interventions
from evidencegate.question._pico import pico
from evidencegate.question._read import read
from evidencegate.question._scenarios import scenario_of
from evidencegate.question._spelling import spelled, suggestions
from evidencegate.question._subqueries import sub_queries
from evidencegate.question._types import Question
from evidencegate.question._vocabulary import Vocabulary, load_vocabulary


def understand(text: str, *, vocabulary: Vocabulary | None = None, edits: Edits | None = None) -> Question:
    """What `text` asks: PICO, tags, field, anchor scenario and searches; by data files and a small model.

    The same text, with the same edits, gives the same question. Nothing in the text is an instruction; it is only
    read.

    Args:
        text: a clinical question, a case with a question, key words, or a statement; English, at most 20,000
            characters.
        vocabulary: other than the one shipped (`load_vocabulary` with your own tag files).
        edits: what a reader says it asks, in place of what is read; everything else follows from that.

    Raises:
        evidencegate.errors.InvalidInput: empty, over-long, binary, not English or not medical; says which. Also
            edits that leave neither a condition nor a decision.
    """
    edits = edits or Edits()
    vocabulary = vocabulary or load_vocabulary()
    asked = clean(text)
    require_english(asked)
    text, spelling = spelled(asked, vocabulary)
    reading = read(text, vocabulary)
    vocabulary = reading.vocabulary
    together = interacting(reading, vocabulary)
    reader = question_reader()
    found = conditions(reading, vocabulary, reader, together=together)
    if not (found.tags or reading.treatments):
        require_medical(text, suggest=lambda: suggestions(text, vocabulary))
    if edits.disease_tags is not None:
        found = chosen_conditions(found, edits.disease_tags, vocabulary)
    words: tuple[tuple[str, tuple[str, ...]], ...] = ()
    if edits.decision_tags is not None:
        decided = chosen_decisions(edits.decision_tags, vocabulary)
    else:
        told = decisions(reading, vocabulary, found.tags, reader, together=together)
        decided, words = told.tags, told.words
    if not found.tags and not decided:
        raise InvalidInput("Nothing is left to search for: keep or add at least one condition or one kind of decision")
    terms = (named_treatments(edits.pico, vocabulary) if edits.pico else ()) or interventions(
        reading, found.tags, decided, vocabulary
    )
    understood = edits.pico or pico(reading, found.tags, found.own, terms, vocabulary)
    named = tuple(dict.fromkeys(m.name for m in reading.treatments if not m.negated))
    return Question(
        text=asked,
        pico=understood,
        disease_tags=found.tags,
        decision_tags=decided,
        classification=classify(found.tags.all, decided.all, focus=found.focus, own=found.own, vocabulary=vocabulary),
        sub_queries=sub_queries(text, understood, decided, terms, vocabulary, found),
        anchor_scenario=scenario_of(
            found.tags.all, decided.all, terms or named, text, vocabulary, focus=found.focus, named=named
        ),
        intervention_terms=terms,
        own_tags=found.own,
        decision_words=words,
        reader=reader.name if reader else None,
        spelling=spelling,
    )
