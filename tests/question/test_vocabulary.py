"""The data files, and those a user adds."""

from pathlib import Path

import pytest

from evidencegate.errors import InvalidInput, UnknownName
from evidencegate.question import load_vocabulary, tag, tags_in, treatment, understand
from evidencegate.question._normal import phrase
from evidencegate.question._words import language, said

REQUIRED = (
    "AF CKD ESRD HF HFpEF HFrEF CAD PCI ACS STROKE AHRE VTE CAP HAP SEPSIS UTI GI_BLEED CIRRHOSIS DIABETES OBESITY HTN "
    "COPD ASTHMA CANCER DEPRESSION DEMENTIA COVID19 PREGNANCY"
).split()
DECISIONS = {
    "anticoagulation",
    "antiplatelet",
    "drug_choice",
    "dose",
    "duration",
    "de-escalation",
    "monitoring",
    "therapy",
    "diagnosis",
    "screening",
    "prognosis",
    "prevention",
    "procedure",
    "interaction",
    "safety",
}


def test_the_required_tags_are_there() -> None:
    vocabulary = load_vocabulary()

    assert set(REQUIRED) <= set(vocabulary.tags)
    assert set(vocabulary.decisions) == DECISIONS


def test_every_tag_is_found_by_each_of_its_names() -> None:
    vocabulary = load_vocabulary()
    missed = [
        (name, synonym)
        for name, known in vocabulary.tags.items()
        for synonym in (known.label, *known.synonyms)
        if name not in tags_in(f"About {synonym} and more.").disease
    ]

    assert missed == []


def test_lookups() -> None:
    assert tag("AF").mesh[0] == "Atrial Fibrillation"
    assert treatment("clarithromycin").classes == ("macrolides", "antibiotics")
    assert "simvastatin" in treatment("statins").members
    assert treatment("apixaban").decision == "anticoagulation"
    with pytest.raises(UnknownName, match="NOPE"):
        tag("NOPE")
    with pytest.raises(UnknownName, match="nopezumab"):
        treatment("nopezumab")


def test_users_add_and_replace_tags(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        "SILLY_WALK:\n  label: silly walk disorder\n  synonyms: silly walking; funny gait\n  short: SWD\n"
        "neurology:\n  MIGRAINE:\n    label: migraine\n    synonyms: [sick headache]\n"
    )
    mine = load_vocabulary(tmp_path)

    assert understand("How is SWD treated in adults?", vocabulary=mine).disease_tags.primary == "SILLY_WALK"
    assert tags_in("A funny gait", vocabulary=mine).disease == {"SILLY_WALK"}
    assert tags_in("sick headache", vocabulary=mine).disease == {"MIGRAINE"}
    assert "SILLY_WALK" not in load_vocabulary().tags


def test_the_environment_names_tag_directories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.yml").write_text("SILLY_WALK:\n  label: silly walk disorder\n")
    monkeypatch.setenv("EVIDENCEGATE_TAGS", str(tmp_path))

    assert "SILLY_WALK" in load_vocabulary().tags


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("X:\n  label: [unclosed", "not valid YAML"),
        ("- a list", "tags by name"),
        ("BAD TAG:\n  label: x", "letters, digits and underscores"),
        ("X:\n  label: ''", "`label` must be given"),
        ("X:\n  label: x\n  synonims: y", "unknown field 'synonims'"),
        ("X:\n  label: x\n  mesh: 3", "`mesh` must be a list"),
        ("X:\n  label: x\n  parents: NOWHERE", "names NOWHERE as a parent"),
        ("X:\n  label: x\n  role: king", "`role` must be one of"),
    ],
)
def test_a_mistake_in_a_tag_file_is_named(tmp_path: Path, content: str, says: str) -> None:
    (tmp_path / "mine.yaml").write_text(content)

    with pytest.raises(InvalidInput, match=says):
        load_vocabulary(tmp_path)


def test_a_missing_directory_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="No directory"):
        load_vocabulary(tmp_path / "nowhere")


def test_a_file_that_is_not_text_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_bytes(b"\xff\xfe\x00bad")

    with pytest.raises(InvalidInput, match="cannot be read"):
        load_vocabulary(tmp_path)


@pytest.mark.parametrize("name", ["averted", "events", "stopped_for"])
def test_lists_of_conditions_name_tags_that_there_are(name: str) -> None:
    assert set(language()[name]) <= load_vocabulary().tags.keys()


def test_lists_of_fields_name_fields_that_there_are() -> None:
    pairs = [pair.partition("=") for pair in language()["same_field"]]
    named = {
        *(group for group, _, _ in pairs),
        *(f for _, _, names in pairs for f in names.split()),
    }
    assert named <= {tag.specialty for tag in load_vocabulary().tags.values()}


@pytest.mark.parametrize("name", ["Peyronie's", "Peyronie’s disease", "Osgood-Schlatter"])
def test_an_illness_named_after_somebody_is_known_by_the_name_alone(name: str) -> None:
    assert len(tags_in(f"The doctor says {name}.").disease) == 1


def test_every_way_of_saying_is_of_a_tag_there_is_and_names_it_alone() -> None:
    tags = load_vocabulary().tags
    listed = {phrase(name) for one in tags.values() for name in (one.label, *one.synonyms)}
    owners: dict[tuple[str, ...], str] = {}
    for text, entry in said():
        words = phrase(text)
        assert entry.name in tags, text
        assert words, text
        assert words not in listed, text
        assert owners.setdefault(words, entry.name) == entry.name, text


def test_what_bears_on_a_treatment_names_treatments_and_tags_that_there_are() -> None:
    vocabulary = load_vocabulary()
    for term, bearing in vocabulary.bearings.items():
        assert term in vocabulary.treatments or term in vocabulary.classes, term
        assert {*bearing.given, *bearing.minds} <= vocabulary.tags.keys(), term
        assert bearing.given or bearing.minds, term


def test_what_bears_on_a_class_bears_on_its_drugs() -> None:
    vocabulary = load_vocabulary()
    of_class = vocabulary.bearing("beta-blockers")
    of_drug = vocabulary.bearing("propranolol")
    assert set(of_class.given) < set(of_drug.given)
    assert of_drug.given[0] == vocabulary.bearings["propranolol"].given[0]
    assert "ASTHMA" in of_drug.minds
