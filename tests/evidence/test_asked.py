"""What a question asks for, part by part, and whether a text speaks of it. The records are invented."""

import pytest

from evidencegate.documents import Document
from evidencegate.evidence import Part, asked, content, covered, labels, named_itself, of_population, outcomes_named
from evidencegate.evidence._asked import sought
from evidencegate.evidence._function_words import function_words
from evidencegate.question import understand


def parts(text: str) -> dict[Part, str]:
    return {one.part: one.label for one in asked(understand(text))}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Does azithromycin improve asthma control?", {Part.INTERVENTION: "azithromycin"}),
        (
            "Is etoricoxib as effective as naproxen for rheumatoid arthritis?",
            {Part.INTERVENTION: "etoricoxib", Part.COMPARISON: "naproxen"},
        ),
        (
            "Does vitamin A supplementation reduce mortality in preschool children?",
            {Part.INTERVENTION: "vitamin a", Part.OUTCOME: "mortality", Part.POPULATION: "preschool children"},
        ),
        (
            "Does soy food intake affect breast cancer recurrence and survival?",
            {Part.SUBJECT: "soy, food", Part.OUTCOME: "recurrence, survival"},
        ),
        (
            "Is early enteral feeding advancement harmful in very low birth weight infants?",
            {Part.SUBJECT: "enteral, feeding, advancement", Part.POPULATION: "very low birth weight infants"},
        ),
        (
            "Is early urinary catheter removal harmful in stroke?",
            {Part.SUBJECT: "urinary, catheter, removal"},
        ),
    ],
)
def test_a_question_is_taken_apart(text: str, expected: dict[Part, str]) -> None:
    found = parts(text)

    assert {part: found.get(part) for part in expected} == expected
    assert Part.SUBJECT not in found or Part.INTERVENTION not in found


def test_a_story_has_no_subject_of_its_own() -> None:
    told = (
        "A man of 60 with heart failure came in. " + "He sleeps badly and walks little. " * 8 + "What should be done?"
    )

    assert Part.SUBJECT not in parts(told)


def test_words_that_many_interventions_share_are_none() -> None:
    question = understand("Does vitamin A supplementation reduce mortality in preschool children?")

    assert sought(question) == ("vitamin a",)


@pytest.mark.parametrize(
    ("sentence", "title", "held"),
    [
        ("Vitamin A lowered deaths.", "", {Part.INTERVENTION, Part.OUTCOME}),
        ("Fewer children died.", "Retinol and vitamin A: an invented trial", {Part.INTERVENTION, Part.OUTCOME}),
        ("Vitamin D lowered mortality.", "", {Part.OUTCOME}),
        ("Vitamin A lowered the incidence of measles.", "", {Part.INTERVENTION}),
        ("Zinc was given to all.", "", set()),
    ],
)
def test_a_sentence_names_parts_itself_or_by_its_title(sentence: str, title: str, held: set[Part]) -> None:
    question = understand("Does vitamin A supplementation reduce mortality in preschool children?")

    assert covered(question, sentence, title) == held


def test_interventions_asked_about_together_must_both_be_named_and_of_a_choice_one() -> None:
    together = understand("Should metformin be continued with insulin in type 2 diabetes?")
    choice = understand("Does spironolactone or finerenone or dapagliflozin reduce death in heart failure?")

    assert Part.INTERVENTION not in covered(together, "Metformin lowered glucose.")
    assert Part.INTERVENTION in covered(together, "Metformin with insulin glargine lowered glucose.")
    assert covered(choice, "Finerenone lowered mortality.") == {Part.INTERVENTION, Part.OUTCOME}


def test_a_record_tells_of_whom_it_speaks_anywhere() -> None:
    question = understand("Does vitamin A supplementation reduce mortality in preschool children?")
    young, old = (
        Document(id=f"local:{n}", title="Vitamin A: an invented trial", text=f"We gave it to {whom}. Mortality fell.")
        for n, whom in enumerate(("infants", "men over 70"))
    )

    assert of_population(question, young)
    assert not of_population(question, old)
    assert of_population(understand("Does azithromycin improve asthma control?"), old)


def test_parts_are_told_in_words() -> None:
    question = understand("Does vitamin A supplementation reduce mortality in preschool children?")

    assert labels(question, {Part.OUTCOME}) == "the outcome (mortality)"
    assert labels(question, {Part.INTERVENTION, Part.OUTCOME}).endswith("(vitamin a) and the outcome (mortality)")
    assert labels(question, ()) == ""


def test_what_a_sentence_names_itself_and_the_outcomes_in_it() -> None:
    question = understand("Does azithromycin improve asthma control?")

    assert named_itself(question, "Azithromycin did not improve asthma.") == 1.0
    assert named_itself(question, "Azithromycin did not help.") == 0.5
    assert outcomes_named("Fewer patients died of strokes.") == {"mortality", "stroke"}


def test_a_greek_letter_is_its_name() -> None:
    question = understand("Does beta carotene supplementation increase the risk of lung cancer?")

    assert Part.INTERVENTION in covered(question, "β-Carotene was given to smokers.")


def test_a_name_may_be_parted_by_a_list() -> None:
    question = understand("Does red meat consumption increase the risk of colorectal cancer?")
    found = covered(question, "Red and processed meat raised the risk of colorectal, colon and rectal cancers.")

    assert {Part.INTERVENTION, Part.OUTCOME} <= found
    vitamin = understand("Does vitamin A supplementation reduce mortality in preschool children?")
    assert Part.INTERVENTION not in covered(vitamin, "Vitamin D was given in a trial.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # An outcome that its PICO does not have: words of the list of outcomes behind what is asked about.
        ("Does flaxseed improve glycaemic control?", {Part.SUBJECT: "flaxseed", Part.OUTCOME: "glycaemic"}),
        ("Does cinnamon lower blood glucose?", {Part.SUBJECT: "cinnamon", Part.OUTCOME: "glucose"}),
        (
            "Does cholesterol lowering prevent dementia?",
            {Part.SUBJECT: "cholesterol", Part.OUTCOME: "risk of dementia"},
        ),
        (
            "Which anticoagulant for atrial fibrillation with chronic kidney disease?",
            {Part.INTERVENTION: "anticoagulants"},
        ),
        # A condition that is to come about, and those in whom: the one behind the verb is the outcome.
        (
            "Do preoperative statins reduce atrial fibrillation after coronary artery bypass grafting?",
            {Part.INTERVENTION: "statins", Part.OUTCOME: "risk of atrial fibrillation"},
        ),
        # What is asked about may sound like a condition.
        (
            "Does alcohol consumption increase the risk of breast cancer?",
            {Part.SUBJECT: "alcohol", Part.OUTCOME: "risk of breast cancer"},
        ),
        # British spelling names the same.
        (
            "Does dietary fibre reduce the risk of breast cancer?",
            {Part.INTERVENTION: "dietary fiber", Part.OUTCOME: "risk of breast cancer"},
        ),
    ],
)
def test_what_comes_of_it_is_known_where_the_pico_has_no_outcome(text: str, expected: dict[Part, str]) -> None:
    found = parts(text)
    found.pop(Part.POPULATION, None)

    assert found == expected


@pytest.mark.parametrize(
    ("sentence", "held"),
    [
        ("Zelfaban was not associated with the incidence of breast cancer.", True),
        ("There was no association between high intake of zelfaban and breast cancer.", True),
        ("Zelfaban reduced breast cancer by a third.", True),
        ("Zelfaban lowered the risk of breast cancer recurrence.", False),
        ("Zelfaban reduced mortality due to breast cancer.", False),
        ("Zelfaban had effects on weight in breast cancer.", False),
    ],
)
def test_that_a_condition_comes_about_is_not_what_became_of_it(sentence: str, held: bool) -> None:
    question = understand("Do statins increase the risk of breast cancer?")

    assert (Part.OUTCOME in covered(question, sentence)) is held


def test_the_want_of_a_thing_is_not_the_thing_unless_it_is_asked_about() -> None:
    given = understand("Does vitamin A supplementation reduce mortality in preschool children?")
    wanting = understand("Does vitamin A supplementation reduce mortality in children with vitamin A deficiency?")
    told = "Vitamin A deficiency raises mortality."

    assert covered(given, told) == {Part.OUTCOME}
    assert covered(given, f"{told[:-1]}, vitamin A lowers it.") == {Part.INTERVENTION, Part.OUTCOME}
    assert Part.INTERVENTION in covered(wanting, told)


def test_one_list_of_function_words_serves_every_comparison() -> None:
    assert function_words() < function_words(in_records=True)
    assert not {word for word in function_words() if content(word)}
    question = understand("Does shelfberry, being so much among many others, help with asthma?")
    assert parts(question.text).get(Part.SUBJECT) == "shelfberry"


def test_what_is_measured_in_those_who_have_it_is_not_that_it_came_about() -> None:
    question = understand("Does fish intake reduce the risk of type 2 diabetes?")

    assert Part.OUTCOME in covered(question, "Fish intake was associated with incident diabetes.")
    assert Part.OUTCOME not in covered(question, "Fish had no effect on glycemic control.")


def test_a_case_weighs_what_it_names_and_an_interaction_needs_both() -> None:
    told = (
        "Lewy body dementia, 84, three falls since the summer, lives with her nephew and sleeps badly. Quetiapine "
        "makes her drowsy, rivastigmine was taken off because her pulse was 47. It seems to me that we ought to stop "
        "quetiapine and bring back rivastigmine. {} She walks with a stick and eats well."
    )
    alone = "Rivastigmine was safe in bradycardia."
    assert Part.INTERVENTION in covered(understand(told.format("Is that safe with her pulse?")), alone)
    together = "Do quetiapine and rivastigmine interact?"
    assert Part.INTERVENTION not in covered(understand(told.format(together)), alone)
