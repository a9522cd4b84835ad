"""The data files, and those a user adds."""

from pathlib import Path

import pytest

from evidencegate.errors import InvalidInput, UnknownName
from evidencegate.question import load_vocabulary, tag, tags_in, treatment, understand
from evidencegate.question._load import language

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


@pytest.mark.parametrize("name", ["weighty", "averted", "events", "only_asked", "passing", "kinds_of", "stopped_for"])
def test_lists_of_conditions_name_tags_that_there_are(name: str) -> None:
    assert set(language()[name]) <= load_vocabulary().tags.keys()


def test_lists_of_fields_name_fields_that_there_are() -> None:
    pairs = [pair.partition("=") for pair in language()["same_field"]]
    named = {
        *language()["by_the_way"],
        *(group for group, _, _ in pairs),
        *(f for _, _, names in pairs for f in names.split()),
    }
    assert named <= {tag.specialty for tag in load_vocabulary().tags.values()}


@pytest.mark.parametrize("said", ["Peyronie's", "Peyronie’s disease", "Osgood-Schlatter"])
def test_an_illness_named_after_somebody_is_known_by_the_name_alone(said: str) -> None:
    assert len(tags_in(f"The doctor says {said}.").disease) == 1
