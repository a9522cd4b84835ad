"""Which conditions a question names: shared words, what is denied, told by the way, or only looked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.question import load_vocabulary, understand
from evidencegate.question._candidates import candidates
from evidencegate.question._figures import set_against
from evidencegate.question._read import read


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("Fluoroquinolones and the risk of aortic aneurysm or dissection", {"AORTIC_ANEURYSM", "AORTIC_DISSECTION"}),
        ("Breast and ovarian cancer screening", {"BREAST_CANCER", "OVARIAN_CANCER", "CANCER"}),
        ("Breast, lung and colorectal cancer", {"BREAST_CANCER", "LUNG_CANCER", "COLORECTAL_CANCER", "CANCER"}),
        ("Screening for hepatitis B and C before rituximab", {"HEPATITIS_B", "HEPATITIS_C"}),
        ("Which insulin pump in type 1 and type 2 diabetes?", {"T1DM", "DIABETES"}),
    ],
)
def test_names_that_share_a_word(text: str, tags: set[str]) -> None:
    assert set(understand(text).disease_tags.all) == tags


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("Does passive smoking harm children?", "PASSIVE_SMOKING"),
        ("Tablets for athlete's foot", "TINEA"),
        ("My baby has a flat head. Do helmets work?", "PLAGIOCEPHALY"),
        ("Which treatment is best for stammering?", "STUTTERING"),
        ("Can heat stroke be prevented in runners?", "HEAT_STROKE"),
        ("Ciclosporin in VEXAS syndrome", "VEXAS_SYNDROME"),
        ("Is surgery needed for squint in a child?", "STRABISMUS"),
        ("Phaeochromocytoma: which alpha-blocker before surgery?", "PHEOCHROMOCYTOMA"),
    ],
)
def test_everyday_and_british_names(text: str, tag: str) -> None:
    assert understand(text).disease_tags.primary == tag


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("Chest pain and a low ADD-RS: is D-dimer enough to rule out aortic dissection?", "ADHD"),
        ("Surveillance of Barrett's oesophagus without dysplasia", "DYSPLASIA"),
        ("Mass azithromycin for trachoma in districts of Ethiopia", "ETHIOPIA"),
        ("Does one ultrasound reduce death from aneurysm, and what harm comes from overdiagnosis?", "OVERDIAGNOSIS"),
    ],
)
def test_what_is_no_condition(text: str, absent: str) -> None:
    assert absent not in understand(text).disease_tags


def test_a_minor_complaint_told_beside_the_condition_asked_about_is_no_tag() -> None:
    question = understand(
        "A 45-year-old hairdresser has painful boils in both armpits and had an ingrown toenail as a girl. "
        "She takes nothing and is well otherwise. In hidradenitis suppurativa, is adalimumab better than antibiotics?"
    )

    assert question.disease_tags.all == ("HIDRADENITIS",)


def test_what_is_only_looked_for_is_not_the_primary_condition() -> None:
    question = understand(
        "In acute diverticulitis, is treatment without antibiotics safe, and is colonoscopy needed to look for cancer?"
    )

    assert question.disease_tags.primary == "DIVERTICULITIS"


def test_whom_a_long_question_is_about_belongs_to_it() -> None:
    question = understand(
        "In children aged 6 to 23 months with acute otitis media, does a 5-day course of amoxicillin compared with a "
        "10-day course increase treatment failure, and does it reduce diarrhoea and nappy rash?"
    )

    assert question.disease_tags.primary == "OTITIS_MEDIA"
    assert "duration" in question.decision_tags


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("aspirin 75 or 150 mg a day", ["dose"]),
        ("is 150 mg better than 75 mg", ["dose"]),
        ("5 mg once a week or six days a week", ["dose"]),
        ("tamoxifen 5 or 10 years", ["duration"]),
        ("a 5-day course compared with a 10-day course", ["duration"]),
        ("prednisolone for 16 weeks; prednisolone for 8 weeks", ["duration"]),
        ("children aged 6 to 12 years", []),
        ("a stroke two or three years ago", []),
    ],
)
def test_figures_set_against_each_other(text: str, heard: list[str]) -> None:
    assert set_against(text) == heard


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("What protects the stomach from ibuprofen in rheumatoid arthritis?", ("ibuprofen",)),
        ("How is warfarin changed to apixaban in AF? Switch from warfarin when?", ("warfarin", "apixaban")),
        ("My father has gout and heart failure. Can he take colchicine?", ("colchicine",)),
    ],
)
def test_which_treatments_are_asked_about(text: str, terms: tuple[str, ...]) -> None:
    assert understand(text).intervention_terms == terms


@pytest.mark.parametrize(
    ("text", "scenario"),
    [
        ("Is dexmedetomidine better than propofol for sedation in sepsis?", None),
        ("Should hydrocortisone be given in septic shock?", None),
        ("Which antibiotic in sepsis of unknown origin, and for how long?", "cap_sepsis_antibiotics"),
        ("Does hydrocortisone reduce deaths in severe community-acquired pneumonia?", "cap_sepsis_antibiotics"),
        ("Aspirin or clopidogrel for life in stable coronary disease?", None),
    ],
)
def test_a_scenario_is_about_its_own_drugs(text: str, scenario: str | None) -> None:
    assert understand(text).anchor_scenario == scenario


def test_a_second_question_does_not_hide_the_first() -> None:
    question = understand("Which antibiotic for community-acquired pneumonia? And how should migraine be prevented?")

    assert {"CAP", "MIGRAINE"} <= set(question.disease_tags.all)
    assert {"drug_choice", "prevention"} <= set(question.decision_tags.all)


_CASE = (
    "A 74-year-old retired sailor with gout, {besides} came to the clinic because his home readings stay high. He "
    "takes indapamide and candesartan at full doses, sleeps well, does not smoke and walks an hour each morning. His "
    "potassium is 3.4 mmol/L and the urine holds no protein. He lives with his daughter, who measures the pressure "
    "twice a week and keeps a careful list of every figure. {asked}"
)


def test_a_long_case_tells_of_other_fields_by_the_way() -> None:
    case = _CASE.format(
        besides="a cataract operation last spring, psoriasis of the elbows and atrial fibrillation,",
        asked="Which drug should be added for his resistant hypertension?",
    )
    found = understand(case).disease_tags.all
    assert found[0] == "RESISTANT_HTN"
    assert "AF" in found  # changes what is done
    assert not {"GOUT", "CATARACT", "PSORIASIS"} & set(found)


def test_what_a_long_case_asks_about_is_never_by_the_way() -> None:
    case = _CASE.format(
        besides="and psoriasis of the elbows,", asked="Does indapamide make gout attacks more frequent?"
    )
    assert "GOUT" in understand(case).disease_tags.all


def test_a_short_question_tells_nothing_by_the_way() -> None:
    assert (
        "GOUT" in understand("Man of 74 with gout and high pressure: which diuretic for hypertension?").disease_tags.all
    )


def test_the_stroke_that_is_to_be_prevented_comes_after_what_it_is_prevented_in() -> None:
    found = understand(
        "A pacemaker check shows atrial high-rate episodes of nine hours. Does a DOAC prevent strokes here?"
    )
    assert found.disease_tags.all == ("AHRE", "STROKE")


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("My mother is 84 and has had Alzheimer's for five years. Is risperidone safe for her?", "ALZHEIMER"),
        ("My mother, 84, with AF was taken off apixaban after a bleed. Her GP would start again. Who is right?", "AF"),
        (
            "Mum is 74 and has a mechanical valve. She bled from an ulcer. When is warfarin right again?",
            "VALVE_PROSTHESIS",
        ),
        ("Mother with migraine, fully breastfeeding: any harm to the baby from sumatriptan?", "MIGRAINE"),
    ],
)
def test_a_relative_may_be_the_patient(text: str, tag: str) -> None:
    assert tag in understand(text).disease_tags.all


def test_what_her_mother_had_is_not_hers_though_she_is_pregnant() -> None:
    found = understand("She is 20 weeks pregnant; her mother had breast cancer. Is nitrofurantoin safe for cystitis?")
    assert "BREAST_CANCER" not in found.disease_tags.all


def test_an_illness_of_long_ago_is_by_the_way_wherever_the_years_stand() -> None:
    for told in (
        "Twenty years ago she had a pneumonia.",
        "She had a pneumonia in 2003.",
        "A pneumonia twenty years ago.",
    ):
        case = _CASE.format(besides="", asked=f"{told} Which drug should be added for his resistant hypertension?")
        assert "CAP" not in understand(case).disease_tags.all, told


def test_a_treatment_told_before_is_what_is_asked_when_the_question_points_back() -> None:
    question = understand(
        "I have type 2 diabetes and had a heart attack. I may get semaglutide or dapagliflozin. Which one protects me?"
    )
    assert set(question.intervention_terms) == {"semaglutide", "dapagliflozin"}


def test_a_target_of_pressure_is_asked_though_strokes_are_counted() -> None:
    asked = "Systolic pressure below 130 versus below 150 mmHg in hypertensive people over 80: strokes, falls, death?"
    assert understand(asked).anchor_scenario == "htn_intensive_bp"


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("Practice nurse: 68, off to Ghana, never had the yellow fever vaccine. Is her age a reason to say no?", True),
        (
            "Nurse: 68, had the yellow fever vaccine in May. Is apixaban safe in her atrial fibrillation?",
            False,
        ),
        ("Yellow fever vaccine in May. All was well with her. Is her age a reason to say no?", False),
    ],
)
def test_what_a_vaccine_is_against_counts_where_what_is_asked_points_back_to_it(text: str, tag: bool) -> None:
    reading = read(text, load_vocabulary())
    assert ("YELLOW_FEVER" in {mention.name for mention in reading.diseases}) is tag


def test_what_is_positive_ends_a_denial() -> None:
    told = "Hepatitis B core antibody positive, surface antigen negative. Is entecavir needed before rituximab?"
    assert understand(told).disease_tags.primary == "HEPATITIS_B"
    denied = "Asthma. HIV, hepatitis B and syphilis serology negative. Is entecavir needed before rituximab?"
    assert "HEPATITIS_B" not in understand(denied).disease_tags.all
    out = "Gout. HER2-positive breast cancer was ruled out. Is allopurinol or febuxostat better?"
    assert "BREAST_CANCER" not in understand(out).disease_tags.all


@pytest.mark.parametrize(
    ("told", "tag"),
    [
        ("Crohn's disease, TB screen negative.", "CROHN"),
        ("Rheumatoid arthritis, hepatitis B and HIV negative.", "RA"),
        ("Idiopathic multicentric Castleman, HHV-8 negative.", "CASTLEMAN_DISEASE"),
        ("Lupus, dsDNA negative.", "LUPUS"),
    ],
)
def test_a_condition_before_a_negative_test_for_something_else_is_there(told: str, tag: str) -> None:
    assert understand(f"{told} Is tocilizumab worth trying?").disease_tags.all == (tag,)


def test_who_wants_to_be_told_asks_for_the_relative() -> None:
    case = "My son is four and has nephrotic syndrome. He met chickenpox. Please tell me should he have aciclovir?"
    assert "NEPHROTIC_SYNDROME" in understand(case).disease_tags.all


def test_a_score_in_capitals_is_no_piece_of_furniture() -> None:
    assert "SEPSIS" not in understand("He has gout and sits on the sofa. Is allopurinol needed?").disease_tags.all
    assert "SEPSIS" in understand("SOFA 9 and lactate 4. Which antibiotic first?").disease_tags.all


@given(
    st.sampled_from(sorted(tag.name for tag in load_vocabulary().tags.values() if "infect" not in str(tag.specialty)))
)
def test_a_negative_test_for_an_infection_denies_no_other_condition_before_it(name: str) -> None:
    asks = "Is tocilizumab worth trying?"
    label = load_vocabulary().tags[name].label
    affirmed = {mention.name for mention in read(f"{label}. {asks}", load_vocabulary()).diseases}
    mentions = read(f"{label}, HIV negative. {asks}", load_vocabulary()).diseases
    assert name not in affirmed or any(m.name == name and not m.negated for m in mentions)
    assert all(m.negated for m in mentions if m.name == "HIV")


@pytest.mark.parametrize(
    ("told", "named", "not_named"),
    [
        ("alcohol-related cirrhosis with ascites", "CIRRHOSIS", "ALCOHOLIC_HEPATITIS"),
        ("takotsubo last winter", "TAKOTSUBO_SYNDROME", "ACS"),
        ("an ACL rupture", "ANTERIOR_CRUCIATE_LIGAMENT_INJURY", "FRACTURE"),
        ("has low blood pressure", "HYPOTENSION", "HYPOGLYCEMIA"),
        ("GBS in a urine at 24 weeks", "GROUP_B_STREPTOCOCCAL_DISEASE", "GBS"),
        ("GBS with areflexia after Campylobacter", "GBS", "GROUP_B_STREPTOCOCCAL_DISEASE"),
        ("GERD, and a Whipple in 2019", "GERD", "WHIPPLE_DISEASE"),
        ("fever of 38.1, white cells 14, a tender abdomen", "FEVER", "NEUTROPENIC_FEVER"),
        ("endocarditis, nothing left but scars like rope", "ENDOCARDITIS", "PFO"),
    ],
)
def test_a_name_names_its_own_condition_and_no_other(told: str, named: str, not_named: str) -> None:
    reading = read(f"Woman of 61, {told}. What should be done next?", load_vocabulary())
    found = {candidate.name for candidate in candidates(reading, reading.vocabulary)}
    assert named in found
    assert not_named not in found
