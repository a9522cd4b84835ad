"""A sentence that holds for another time, people, comparison, analysis or outcome than a claim proves nothing.

The articles are invented.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.documents import Document, Section, Span
from evidencegate.verify import Verdict, check
from evidencegate.verify._whole import less_than_all

NURSES = "Nurses took part in this invented trial."


@pytest.mark.parametrize(
    ("claim", "sentence", "why"),
    [
        (
            "One month after the course tavaxin already eased wheeze more than zelfan.",
            "At 4 months after the course tavaxin eased wheeze more than zelfan did.",
            "another time",
        ),
        (
            "After two weeks tavaxin clearly eased wheeze at work.",
            "Tavaxin relieved wheeze at work by week 12.",
            "another time",
        ),
        (
            "Tavaxin did not change how surgeons hear murmurs.",
            "Tavaxin did in no way change how medical students hear murmurs.",
            "“surgeons”",
        ),
        ("Tavaxin helped surgeons to hear.", "Tavaxin helped students to hear. Surgeons chose them.", "other people"),
        ("Tavaxin lengthened the life of patients.", "Tavaxin lengthened the life of rats and mice.", "other people"),
        (
            "Tavaxin 40 mg eased wheeze better than tavaxin 20 mg.",
            "Tavaxin 20 mg and 40 mg eased wheeze far better than placebo.",
            "something else",
        ),
        (
            "Tavaxin eased wheeze better than zelfan.",
            "Tavaxin eased wheeze far better than morulin did.",
            "something else",
        ),
        (
            "Tavaxin lowered costs over the whole stay.",
            "Mean daily costs were clearly lowered with tavaxin.",
            "another time",
        ),
        (
            "The primary outcome was the number of wheezes.",
            "The number of wheezes fell markedly in most nurses.",
            "primary outcome",
        ),
        (
            "The absolute risk of wheeze fell with tavaxin.",
            "The risk of wheeze fell a good deal with tavaxin.",
            "absolute",
        ),
        ("Tavaxin eased wheeze.", "In a subgroup with fever tavaxin eased wheeze.", "less than all"),
        ("Tavaxin eased wheeze.", "In a subgroup with fever tavaxin clearly lessened wheeze.", "subgroup"),
        ("Tavaxin eased wheeze.", "In the per-protocol analysis tavaxin clearly lessened wheeze.", "per-protocol"),
        ("Tavaxin eased wheeze.", "In post hoc work tavaxin clearly lessened wheeze.", "post hoc"),
        (
            "Tavaxin reduced strokes in nurses.",
            "Tavaxin reduced the blood pressure of nurses.",
            "“strokes”",
        ),
        (
            "The supplement raised blood pressure.",
            "This is in contrast to previous studies, in which the supplement raised blood pressure.",
            "less than all",
        ),
        (
            "Tavaxin raised the mood of nurses.",
            "Miller et al. saw on tavaxin that the mood of nurses clearly rose.",
            "what others found",
        ),
        (
            "Night work causes wheeze in nurses.",
            "Night work was associated with wheeze in nurses.",
            "goes together",
        ),
        (
            "Tavaxin reduced wheeze and strokes.",
            "WH = wheeze with strokes; TX = tavaxin given daily.",
            "explains words",
        ),
        (
            "Tavaxin improved the survival of nurses.",
            "Tavaxin and zelfan gave comparable survival of nurses, although tavaxin shortened stays.",
            "no difference",
        ),
        (
            "Significantly more nurses slept well on tavaxin.",
            "More nurses slept well on tavaxin at home: 66 of 98, and 53 of 98 on zelfan.",
            "call this significant",
        ),
        (
            "In healthy nurses tavaxin raised the mood.",
            "In those with asthma tavaxin raised the mood of nurses.",
            "“healthy”",
        ),
        (
            "Tavaxin reduced coughs of nurses.",
            "Some 13% of those with lower limb pain had coughs, wheezes or both among nurses.",
            "no effect",
        ),
        (
            "Sleep improved in the control group.",
            "Tavaxin clearly improved sleep in the tavaxin group versus the control group.",
            "other group",
        ),
        (
            "The relief by tavaxin persisted in nurses.",
            "Nurses had good relief by tavaxin, at home and at work.",
            "persisted",
        ),
        (
            "Tavaxin lowered the weight of nurses.",
            "It has been shown that the weight of nurses clearly fell on tavaxin.",
            "what others found",
        ),
        (
            "Tavaxin was given to nurses with severe wheeze.",
            "Nurses with moderate to severe wheeze were excluded from tavaxin.",
            "left out",
        ),
        (
            "Scores were highest with morulin.",
            "Scores were clearly higher with tavaxin as compared with zelfan and morulin.",
            "other group",
        ),
        ("Tavaxin changed the risk of wheeze.", "This paper evaluates the change in the risk of wheeze.", "was meant"),
        (
            "All nurses with coughs had mild ones on tavaxin.",
            "Nurses with coughs on tavaxin had mild ones, with the exception of one nurse at home.",
            "an exception",
        ),
        (
            "In both Bergen and Tromso most nurses slept well on tavaxin.",
            "In Bergen by far the most nurses slept well on tavaxin.",
            "“Tromso”",
        ),
        (
            "Wheeze fell significantly in both arms, with tavaxin and with zelfan.",
            "The wheeze of nurses changed by -29.1% (P = 0.019) with tavaxin and -8.2% (P = 0.384) with zelfan.",
            "one of these not significant",
        ),
        (
            "Severe wheeze was rarer on tavaxin after 1, 12 and 52 weeks.",
            "Mild wheeze was rarer on tavaxin at 1, 12 and 52 weeks, and severe wheeze far rarer at 1 and 52 weeks.",
            "each time",
        ),
        (
            "Sleep improved more on tavaxin than on zelfan.",
            "The sleep of nurses clearly improved, however equivalently on tavaxin and on zelfan.",
            "no difference",
        ),
        (
            "In this trial tavaxin raised the scores of nurses.",
            "Tavaxin clearly raised the scores of nurses in a crossover phase II trial at home [11].",
            "what others found",
        ),
    ],
)
def test_a_sentence_of_another_scope_leaves_a_claim_open(claim: str, sentence: str, why: str, says) -> None:  # type: ignore[no-untyped-def]
    source = Document(id="local:a", title="", text=f"{sentence} {NURSES}")

    (found,) = check(claim, source, reader=says(0.97, 0.02)).claims

    assert found.verdict is Verdict.UNCERTAIN
    assert why in found.decision.trace.selection_reason


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("After 3 months tavaxin helped nurses to breathe.", "At 12 weeks nurses on tavaxin breathed more freely."),
        ("Tavaxin eased the wheeze of students.", "Tavaxin had eased the wheeze of undergraduates at home."),
        ("Tavaxin eased wheeze better than saline.", "Tavaxin had eased wheeze far better than placebo."),
        ("Tavaxin eased wheeze better than the control.", "Tavaxin had eased wheeze far better than zelfan did."),
        ("Daily costs fell on tavaxin.", "Costs per day clearly fell on tavaxin at home."),
        ("The main outcome was the count of wheezes.", "Wheezes, to be counted, were our primary outcome."),
        ("Tavaxin made deaths of nurses rarer.", "Tavaxin lowered the mortality of all nurses at home."),
        ("Miller et al. saw better moods on tavaxin.", "In earlier studies Miller et al. saw moods rise on tavaxin."),
        ("Night work is linked to wheeze in nurses.", "Night work was associated with much wheeze in nurses."),
        ("Night work causes wheeze in nurses.", "Night work led to wheeze, and was associated with coughs, in nurses."),
        ("Tavaxin shortened the stays of nurses.", "Survival was comparable, although tavaxin cut stays of nurses."),
        ("Significantly more nurses slept on tavaxin.", "Nurses slept more on tavaxin at home (P=0.003)."),
        ("All nurses slept well on tavaxin.", "Every one of the nurses slept well on tavaxin at home."),
        ("Nurses slept well in both Bergen and Tromso.", "In Tromso, as in Bergen, nurses slept very well at home."),
        ("Wheeze was rarer at 1 and 52 weeks.", "Wheeze was far rarer on tavaxin at 1, 12 and 52 weeks in nurses."),
        ("In this trial tavaxin raised the scores.", "Tavaxin clearly raised the scores of nurses in our trial."),
    ],
)
def test_what_holds_for_the_same_is_not_held_up(claim: str, sentence: str, says) -> None:  # type: ignore[no-untyped-def]
    source = Document(id="local:a", title="", text=f"{sentence} {NURSES}")

    (found,) = check(claim, source, reader=says(0.97, 0.02)).claims

    assert found.verdict is Verdict.CORRECT


@given(
    claim=st.sampled_from(["Tavaxin eased wheeze significantly.", "Wheeze was rarer on tavaxin after 4 weeks."]),
    said=st.lists(
        st.sampled_from(["except", "all but one", "apart from nurses", "P = 0.4", "both", "wheeze", "tavaxin", ","])
    ).map(" ".join),
)
def test_a_claim_that_does_not_speak_of_all_is_held_up_by_no_exception(claim: str, said: str) -> None:
    assert not list(less_than_all(claim, said))
    assert list(less_than_all(f"In all nurses {claim.lower()}", f"{said} with the exception of one"))


def test_what_a_work_tells_of_before_it_begins_is_none_of_its_findings(says) -> None:  # type: ignore[no-untyped-def]
    known, found_here = "Tavaxin raised the scores of nurses a good deal.", "Scores were as before in nurses here."
    source = Document(
        id="local:a",
        title="",
        text=f"{known}\n\n{found_here}",
        sections=(
            Section(label="Background", span=Span(0, len(known))),
            Section(label="Results", span=Span(len(known) + 2, len(known) + 2 + len(found_here))),
        ),
    )

    (found,) = check("In this trial tavaxin raised the scores of nurses.", source, reader=says(0.97, 0.02)).claims
    (known_before,) = check("Tavaxin raised the scores of nurses.", source, reader=says(0.97, 0.02)).claims

    assert found.verdict is Verdict.UNCERTAIN
    assert "what others found" in found.decision.trace.selection_reason
    assert known_before.verdict is Verdict.CORRECT


def test_what_holds_of_the_other_thing_does_not_refute(says) -> None:  # type: ignore[no-untyped-def]
    sentence = "Unlike zelfan, tavaxin did not raise the weight of nurses a good deal at home."
    source = Document(id="local:a", title="", text=f"{sentence} {NURSES}")

    (found,) = check(
        "The weight of nurses rose more on zelfan than on tavaxin.", source, reader=says(0.03, 0.95)
    ).claims

    assert found.verdict is Verdict.UNCERTAIN
