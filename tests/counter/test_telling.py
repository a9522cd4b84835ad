"""Which sentences of a passage can decide about a claim. Every study here is invented."""

import pytest
from counter_support import Scripted, stance
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.counter import Ground, Rejected, Telling, counterfactual, main_claims, telling, validate
from evidencegate.models.stance import RulesModel, Stance

CLAIM = "Exercise has no effect on depression."
FINDING = "Exercise significantly reduced depression."


@pytest.mark.parametrize(
    ("passage", "ground"),
    [
        ("Exercise was followed by ST depression on the electrocardiogram in 4 % of patients.", Ground.OTHER_OUTCOME),
        ("Prolonged exercise is associated with depressed immune function.", Ground.OTHER_OUTCOME),
        ("Exercise increased immunodepression in athletes.", Ground.OTHER_OUTCOME),
        ("Exercise reduced respiratory depression after opioids.", Ground.OTHER_OUTCOME),
        ("Exercise improved walking distance (p=0.01).", Ground.OTHER_OUTCOME),
        ("Sertraline significantly reduced depression.", Ground.OTHER_TREATMENT),
        ("We aimed to show that exercise reduces depression.", Ground.AIM),
        ("The present study determined the efficacy of exercise in reducing symptoms of depression.", Ground.AIM),
        ("The aim of this trial was to reduce depression by exercise.", Ground.AIM),
        ("Patients with depression were randomly assigned to exercise or placebo.", Ground.METHOD),
        ("Depression was assessed before and after the exercise programme.", Ground.METHOD),
        ("Several studies have suggested that exercise reduces depression.", Ground.BACKGROUND),
        ("An effect of exercise on depression has previously been shown.", Ground.BACKGROUND),
        ("Whether exercise reduces depression is debated.", Ground.OPEN_QUESTION),
        ("Exercise is used for its effects on depression.", Ground.BACKGROUND),
        ("Exercise is commonly used to reduce depression.", Ground.BACKGROUND),
        ("Exercise that reduced depression warrants a more detailed analysis.", Ground.OPEN_QUESTION),
        ("We also argue that exercise reduces depression.", Ground.OPEN_QUESTION),
        ("In this review we discuss how exercise reduces depression.", Ground.AIM),
        ("INTERVENTION: Exercise as part of a programme that reduced depression.", Ground.METHOD),
        ("Adults were studied to investigate exercise and reduced depression.", Ground.METHOD),
        ("Depression was analysed by exercise group.", Ground.METHOD),
        ("Preclinical studies in experimental animals showed that exercise reduced depression.", Ground.OTHER_SPECIES),
        ("It is proposed that exercise reduces depression.", Ground.OPEN_QUESTION),
        ("We explored the hypothesis that exercise reduces depression.", Ground.OPEN_QUESTION),
        ("We were unable to adequately test whether exercise reduces depression.", Ground.OPEN_QUESTION),
        ("This design can determine whether exercise reduces depression.", Ground.OPEN_QUESTION),
        ("Limitations include that exercise reduced depression only by report.", Ground.METHOD),
        ("Further studies of exercise and reduced depression are needed.", Ground.OPEN_QUESTION),
        ("The effect of exercise on depression has not yet been evaluated.", Ground.OPEN_QUESTION),
        ("A better understanding of exercise in depression will help.", Ground.OPEN_QUESTION),
        ("This review discusses how exercise reduces depression.", Ground.AIM),
        ("A weakness of our study is that depression was lower after exercise.", Ground.METHOD),
        ("In rats, exercise reduced depression-like behaviour and depression scores.", Ground.OTHER_SPECIES),
    ],
)
def test_what_cannot_decide_is_refused_by_name(passage: str, ground: Ground) -> None:
    told = telling(CLAIM, passage)
    assert told.ground is ground
    assert told.reason


@pytest.mark.parametrize(
    ("claim", "passage", "context"),
    [
        (CLAIM, "Exercise significantly reduced depressive symptoms.", ""),
        (CLAIM, "HAM-D scores were significantly lower after exercise.", ""),
        (CLAIM, "Exercise lowered MDD severity compared with usual care.", ""),
        ("Vitamin E reduces mortality.", "Vitamins C and E had no significant effect on mortality.", ""),
        ("Sunitinib prolongs progression-free survival.", "PFS did not differ with sunitinib.", ""),
        ("Acupuncture relieves dyspnoea.", "Acupuncture did not reduce dyspnea compared with placebo.", ""),
        ("Aspirin reduces deaths.", "Mortality did not differ between groups.", "Aspirin in adults"),
        ("Statins lower LDL.", "Simvastatin significantly lowered LDL cholesterol.", ""),
        ("Exercise training reduces anxiety in rats.", "In rats, exercise training reduced anxiety (p=0.01).", ""),
        ("Tolvaptan lowers TKV.", "TKV fell with tolvaptan (p=0.01).", "T\n\nO.\n\ntotal kidney volume (TKV)"),
        ("Delay in surgery worsens survival.", "Delayed surgery did not affect survival.", ""),
        (
            "Organic food is more nutritious than conventional food.",
            "Nutritional quality of organically and conventionally grown food did not differ.",
            "",
        ),
        ("Caffeine does not worsen insomnia.", "Caffeine was associated with insomnia (p=0.01).", ""),
        ("Elevated troponin does not predict mortality.", "Troponin was associated with mortality (p=0.02).", ""),
        ("Pain relief stayed the same with aspirin.", "Pain relief was greater with aspirin (p=0.01).", ""),
        ("Ultrasound is accurate in appendicitis.", "Ultrasound had a sensitivity of 40 % in appendicitis.", ""),
        (
            "Alcohol increases the risk of breast cancer.",
            "Alcohol is no risk factor for breast, ovarian or endometrial cancers.",
            "",
        ),
        (
            "Gluten causes pain in people without coeliac disease.",
            "Pain did not differ between gluten and placebo.",
            "Gluten in subjects without coeliac disease",
        ),
        ("Anaemia worsens outcomes after surgery.", "Anaemia did not affect postoperative outcomes.", ""),
        (
            "Epidural analgesia prolongs labour.",
            "With epidural analgesia labour was not significantly longer.",
            "Effects of epidural lidocaine analgesia on labour",
        ),
        ("Obesity increases mortality.", "Mortality did not differ between obese and other patients.", ""),
        (
            "Low-carbohydrate diets are no better than low-fat diets for weight loss.",
            "Weight loss was greater with the low-carbohydrate than with the low-fat diet.",
            "",
        ),
        (
            "Food additives do not increase hyperactivity.",
            "INTERPRETATION: Artificial colours resulted in increased hyperactivity.",
            "Food additives and hyperactivity",
        ),
        (
            "Methotrexate does not reduce disease activity in rheumatoid arthritis.",
            "Methotrexate lowered the DAS28.",
            "Methotrexate in rheumatoid arthritis",
        ),
    ],
)
def test_other_names_spellings_and_abbreviations_are_the_same_matter(claim: str, passage: str, context: str) -> None:
    assert telling(claim, passage, context).sentences


@pytest.mark.parametrize(
    ("claim", "passage", "context", "ground"),
    [
        ("Insulin causes weight gain.", "Insulin resistance increased with weight gain.", "", Ground.OTHER_TREATMENT),
        ("Vitamin D prevents falls.", "Vitamin C significantly reduced falls.", "", Ground.OTHER_TREATMENT),
        (
            "Aspirin lowers mortality.",
            "The effect of heparin on mortality was large.",
            "Aspirin",
            Ground.OTHER_TREATMENT,
        ),
        (
            "Melatonin does not improve sleep.",
            "Sleep improved, and melatonin was higher (p=0.01).",
            "Effects of cherry juice (Prunus cerasus) on melatonin and sleep",
            Ground.OTHER_TREATMENT,
        ),
        (
            "Melatonin does not improve sleep.",
            "Sleep improved, and so did melatonin (p=0.01).",
            "Cherries improve sleep and melatonin",
            Ground.OTHER_TREATMENT,
        ),
        (
            "Melatonin does not improve sleep.",
            "Sleep improved, as did levels of cortisol and melatonin (p=0.01).",
            "",
            Ground.OTHER_TREATMENT,
        ),
        (
            "Melatonin does not improve sleep.",
            "There was a significant association between physical fitness and quality of sleep.",
            "Melatonin in women",
            Ground.OTHER_COMPARISON,
        ),
        (
            "Obesity increases mortality in heart failure.",
            "Obese adults had a lower mortality (p=0.01).",
            "Obesity in a cohort of adults",
            Ground.OTHER_CONDITION,
        ),
        (
            "Obesity increases mortality after cardiac surgery.",
            "Obese adults had a lower mortality (p=0.01).",
            "Obesity in a cohort of adults",
            Ground.OTHER_CONDITION,
        ),
        (
            "Statins worsen outcome after stroke.",
            "Statins significantly reduced the risk of stroke.",
            "Statins in secondary prevention",
            Ground.OTHER_OUTCOME,
        ),
        (
            "Prunes are less effective than psyllium for constipation.",
            "Bran was less effective than psyllium for constipation.",
            "",
            Ground.OTHER_TREATMENT,
        ),
        (
            "Low-carbohydrate diets are no better than low-fat diets for weight loss.",
            "Total fat intake was lower with the low-carbohydrate than with the low-fat diet.",
            "",
            Ground.OTHER_OUTCOME,
        ),
        (
            "Soy increases the risk of breast cancer.",
            "Soy significantly reduced breast cancer mortality.",
            "",
            Ground.OTHER_OUTCOME,
        ),
        (
            "Aspirin increases bleeding.",
            "Bleeding under aspirin did not differ between men and women.",
            "",
            Ground.OTHER_COMPARISON,
        ),
        (
            "Laparoscopic surgery reduces complications compared with open surgery.",
            "Laparoscopic surgery led to significantly fewer complications in men.",
            "",
            Ground.OTHER_COMPARISON,
        ),
        (
            "Metformin increases live births in polycystic ovary syndrome.",
            "Live births did not differ between metformin and placebo.",
            "Metformin in women without polycystic ovary syndrome",
            Ground.OTHER_CONDITION,
        ),
        (
            "Gluten causes pain in people without coeliac disease.",
            "Pain did not differ between gluten and placebo.",
            "Gluten in patients with coeliac disease",
            Ground.OTHER_CONDITION,
        ),
        (
            "Chemotherapy improves survival in breast cancer.",
            "Chemotherapy did not improve survival in ovarian cancer.",
            "",
            Ground.OTHER_CONDITION,
        ),
        (
            "Sperm counts in Western men have declined.",
            "Sperm counts did not decline in non-Western men.",
            "Sperm counts in Western and other men",
            Ground.OTHER_CONDITION,
        ),
        (
            "Ginger eases nausea.",
            "No significant difference was observed in nausea between ginger and vitamin B6.",
            "Comparison of ginger with vitamin B6 in nausea",
            Ground.OTHER_COMPARISON,
        ),
        (
            "Vitamin D prevents falls.",
            "Falls did not differ after controlling for vitamin D.",
            "Diet and falls",
            Ground.OTHER_TREATMENT,
        ),
        (
            "There is no relationship between periodontal disease and rheumatoid arthritis.",
            "Rheumatoid arthritis was associated with smoking.",
            "Smoking and rheumatoid arthritis",
            Ground.OTHER_CONDITION,
        ),
        (
            "Exercise reduces depression.",
            "Depression did not differ between the groups with and without exercise.",
            "Use of a self-rating scale to monitor depression",
            Ground.OTHER_TREATMENT,
        ),
    ],
)
def test_another_matter_is_refused_by_name(claim: str, passage: str, context: str, ground: Ground) -> None:
    assert telling(claim, passage, context).ground is ground


def test_what_leans_on_a_sentence_or_follows_it_is_read_with_it() -> None:
    leaning = "Mindful walks are a kind of exercise. These significantly reduced depression."
    assert telling(CLAIM, leaning).text == leaning
    following = "Depression occurred in 4 % with exercise and 5 % without. No difference was observed between groups."
    assert telling(CLAIM, following).text == following


def test_only_the_sentences_that_report_are_read_again() -> None:
    aim = "We aimed to show that exercise reduces depression."
    assert telling(CLAIM, f"{aim} {FINDING}").sentences == (FINDING,)


_OTHER_PHRASES = [
    "ST depression", "respiratory depression", "immune depression", "myocardial depression", "bone marrow depression",
    "depressed immune function", "depressed respiratory function", "immunodepression",
]  # fmt: skip


@given(
    st.sampled_from(_OTHER_PHRASES),
    st.sampled_from(["increased", "reduced", "prevented", "was associated with"]),
    st.sampled_from(["significantly", "(p=0.01)", "in adults", "compared with placebo"]),
)
def test_a_word_in_a_phrase_of_another_meaning_is_never_the_outcome(other: str, verb: str, end: str) -> None:
    assert telling(CLAIM, f"Exercise {verb} {other} {end}.").ground is Ground.OTHER_OUTCOME


@given(
    st.sampled_from(["depression", "bleeding", "fractures", "mortality", "pain", "sleep"]),
    st.text("abcdeiou", min_size=2, max_size=6),
)
def test_a_longer_word_that_begins_alike_is_another_word(outcome: str, tail: str) -> None:
    """Words are compared whole: what a prefix of six letters joined stays apart."""
    told = telling(f"Aspirin increases {outcome}.", f"Aspirin significantly increased x{outcome}x{tail}.")
    assert told.ground is Ground.OTHER_OUTCOME


@given(st.text(max_size=300), st.text(max_size=120))
def test_any_text_is_judged_with_a_reason_or_with_its_own_sentences(passage: str, context: str) -> None:
    told = telling(CLAIM, passage, context)
    assert bool(told.sentences) == (told.ground is None)
    assert all(sentence in passage for sentence in told.sentences)


@given(st.permutations(["We aimed to reduce depression by exercise.", FINDING, "Methods: exercise for depression."]))
def test_sentences_that_decide_do_not_depend_on_their_order(order: list[str]) -> None:
    assert telling(CLAIM, " ".join(order)).sentences == (FINDING,)


def test_a_passage_without_sentences_that_decide_has_a_reason() -> None:
    with pytest.raises(ValueError, match="or a reason why not"):
        Telling()
    with pytest.raises(ValueError, match="or a reason why not"):
        Telling((FINDING,), Ground.AIM, "says what was to be found")
    assert "ground" in Rejected.__dataclass_fields__


def test_a_passage_is_read_with_what_its_document_calls_an_abbreviation_and_in_plain_words() -> None:
    claim = "Elevated troponin does not predict mortality"
    read: list[str] = []

    def answer(_: str, passage: str) -> Stance:
        read.append(passage)
        return stance(0.2, 0.2)

    context = "PE\n\nPatients had acute disease.\n\ncardiac troponin I (cTnI); odds ratio (OR)"
    passage = "cTnI was inversely associated with mortality (OR 0.7)."
    made, _ = counterfactual(main_claims(claim)[0][0], RulesModel())
    validate(made, [(passage, context)], Scripted(answer))
    assert set(read) == {"cardiac troponin I was associated with lower mortality (OR 0.7)."}


def test_what_a_text_begins_with_was_known_before_unless_it_tells_of_studies() -> None:
    known, studies = "Exercise reduces depression.", "Trials show that exercise reduces depression."
    rest = " We enrolled adults. They walked daily. They were seen twice. None was lost. All were well."
    context = "Exercise\n\n{}"
    assert telling(CLAIM, known, context.format(known + rest)).ground is Ground.BACKGROUND
    assert telling(CLAIM, known, context.format(rest + f" {known}")).sentences == (known,)
    assert telling(CLAIM, known, context.format(known)).sentences == (known,)
    assert telling(CLAIM, studies, context.format(studies + rest)).sentences == (studies,)
