"""The packs that ship, and those a user adds."""

import re
from datetime import date
from pathlib import Path

import pytest
import yaml

from evidencegate.documents import sentences
from evidencegate.errors import InvalidInput, UnknownName
from evidencegate.evidence import DirectUrl, Level, anchor_document, check_packs, load_packs
from evidencegate.question._vocabulary import load_vocabulary

SCENARIOS = {
    "af_ckd_anticoagulation",
    "cap_sepsis_antibiotics",
    "dapt_hbr",
    "hfpef_ckd",
    "ahre_anticoagulation",
    "gi_bleed_anticoagulation_restart",
    "cancer_vte_thrombocytopenia",
    "sglt2i_ckd",
    "t2dm_ascvd_glp1",
    "htn_intensive_bp",
    "stroke_tia_dapt",
    "statin_macrolide_interaction",
}
# Identifiers that another project printed beside these works, found wrong; none may come back.
WRONG = {
    "pmid:37634143", "pmid:37952133", "pmid:31196997", "pmid:35878313", "pmid:38795186", "pmid:35525255",
    "pmid:39788934", "pmid:36243226", "pmid:33356944", "pmid:31375372", "doi:10.1056/nejmoa2025816",
}  # fmt: skip
OWN = {
    "schema": "evidencegate/pack/1",
    "scenario": "my_gout",
    "title": "Gout in my hospital",
    "disease_tags": ["GOUT"],
    "decision_tags": ["therapy"],
    "anchors": [
        {
            "id": "invented_gout_2025",
            "kind": "guideline",
            "name": "Invented gout",
            "title": "An invented guideline on gout",
            "authors": ["Doe J", "et al"],
            "journal": "Journal of Invented Results",
            "year": 2025,
            "url": "https://guidelines.example.org/gout/2025",
            "summary": ["The invented guideline advises colchicine for acute gout."],
            "disease_tags": ["GOUT"],
            "decision_tags": ["therapy"],
            "confirmation": {"url": "confirmed1", "figures": "confirmed1"},
            "sources": {"identifiers": ["its own page"], "figures": ["its own page"]},
            "checked": date(2026, 1, 1),
            "next_review": date(2027, 1, 1),
        }
    ],
}


def own(tmp_path: Path, **changes: object) -> Path:
    pack = yaml.safe_load(yaml.safe_dump(OWN))
    anchor = pack["anchors"][0]
    for name, value in changes.items():
        target = pack if name in pack else anchor
        if value is None:
            target.pop(name, None)
        else:
            target[name] = value
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(pack), "utf-8")
    return tmp_path


def test_every_scenario_ships_and_is_valid() -> None:
    assert {pack.scenario for pack in load_packs()} == SCENARIOS
    assert check_packs() == ()


def test_each_scenario_has_current_guidelines_to_stand_on() -> None:
    for pack in load_packs():
        assert sum(a.guideline and a.current for a in pack.anchors) >= 2, pack.scenario
        assert all(a.current for a in pack.current)


def test_no_identifier_known_to_be_wrong_is_in_a_pack() -> None:
    keys = frozenset().union(*(anchor.keys() for anchor in load_packs().anchors))
    assert not keys & WRONG
    assert "pmid:37622677" in keys  # NOAH-AFNET 6
    assert "pmid:37952132" in keys  # ARTESiA


def test_no_identifier_names_two_anchors() -> None:
    keys = [anchor.keys() for anchor in load_packs().anchors]
    assert sum(map(len, keys)) == len(frozenset().union(*keys))


def test_the_stored_address_is_built_from_pmid_else_doi() -> None:
    for anchor in load_packs().anchors:
        ids = anchor.identifiers
        expected = f"https://pubmed.ncbi.nlm.nih.gov/{ids.pmid}/" if ids.pmid else f"https://doi.org/{ids.doi}"
        assert anchor.url.casefold() == expected.casefold(), anchor.id
        assert isinstance(anchor.url, DirectUrl)


def test_unconfirmed_figures_are_not_stated() -> None:
    for anchor in load_packs().anchors:
        if anchor.confirmation["figures"] not in ("confirmed1", "confirmed2"):
            assert anchor.scope_only, anchor.id
            assert anchor.n is None, anchor.id
            assert not re.search(r"\d\s?%|\bratio\b|\bCI\b|\bclass I", " ".join(anchor.summary)), anchor.id


def test_each_summary_sentence_stands_alone_in_the_document() -> None:
    for anchor in load_packs().anchors:
        document = anchor_document(anchor)
        found = tuple(span.of(document.text) for span in sentences(document.text))
        assert found == anchor.summary, anchor.id
        assert document.curated
        assert document.stored_url == anchor.url == document.url
        assert document.id == f"anchor:{anchor.id}"


def test_every_number_of_a_summary_comes_with_what_it_measures() -> None:
    """A sentence with a ratio names both sides of the comparison."""
    for anchor in load_packs().anchors:
        for line in anchor.summary:
            if "ratio" in line and "%" in line and anchor.kind != "guideline":
                assert re.search(r"\b(?:than|versus|compared|with|on|and|between)\b", line), line


def test_superseded_anchors_know_their_successor_and_it_them() -> None:
    packs = load_packs()
    for anchor in packs.anchors:
        if anchor.superseded_by:
            assert anchor.id in packs.anchor(anchor.superseded_by).supersedes
    assert not packs.anchor("ssc_2021_icm").current
    assert packs.anchor("ats_idsa_cap_2019").current  # superseded in part only


def test_doubtful_anchors_were_left_out() -> None:
    ids = {anchor.id for anchor in load_packs().anchors}
    assert not ids & {"aristotle_renal_2012", "onyx_one"}  # no confirmed identifier
    disputed = load_packs().anchor("qureshi_2014")
    assert disputed.scope_only
    assert "erratum" in disputed.limits


def test_tags_are_of_the_vocabulary() -> None:
    vocabulary = load_vocabulary()
    diseases, decisions = vocabulary.tags, vocabulary.decisions
    for pack in load_packs():
        assert set(pack.disease_tags) <= set(diseases), pack.scenario
        for anchor in pack.anchors:
            assert set(anchor.disease_tags) <= set(diseases), anchor.id
            assert set(anchor.decision_tags) <= set(decisions), anchor.id


def test_a_user_adds_a_pack(tmp_path: Path) -> None:
    packs = load_packs(own(tmp_path))
    assert packs.anchor("invented_gout_2025").level is Level.GUIDELINE
    assert packs.pack("my_gout").title == "Gout in my hospital"
    assert len(packs) == len(SCENARIOS) + 1
    assert check_packs(tmp_path, today=date(2026, 6, 1)) == tuple(p for p in check_packs(today=date(2026, 6, 1)))
    assert any("review was due" in problem for problem in check_packs(tmp_path, today=date(2027, 2, 1)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"url": "https://www.google.com/search?q=gout"}, "a search"),
        ({"url": "http://guidelines.example.org/gout"}, "https"),
        ({"summary": ["Colchicine helps, from memory."]}, "from memory"),
        ({"summary": ["Two sentences. In one line."]}, "one full sentence"),
        ({"confirmation": {"url": "recall", "figures": "confirmed1"}}, "must be confirmed"),
        ({"confirmation": {"url": "confirmed1", "figures": "recall"}}, "scope_only"),
        ({"identifiers": {"pmid": "123"}}, "pmid is given but not confirmed"),
        ({"identifiers": {"pmid": "not one"}}, "has not the form"),
        ({"sources": {"identifiers": ["x"]}}, "no source of them"),
        ({"next_review": "2025-01-01"}, "after checked"),
        ({"surprise": 1}, "surprise"),
        ({"schema": "evidencegate/pack/9"}, "schema"),
        ({"superseded_by": "nothing_known"}, "no pack holds"),
        ({"id": "aristotle"}, "exists already"),
        ({"scenario": "dapt_hbr"}, "exists already"),
    ],
)
def test_a_pack_that_breaks_a_rule_is_refused_by_name(tmp_path: Path, change: dict[str, object], message: str) -> None:
    directory = own(tmp_path, **change)
    with pytest.raises(InvalidInput, match=re.escape(message)):
        load_packs(directory)
    assert any(message in problem for problem in check_packs(directory))


@pytest.mark.parametrize("text", ["a: [", "just a line", "- 1", "\x00", ""])
def test_files_that_are_no_packs_are_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "odd.yaml").write_text(text, "utf-8")
    with pytest.raises(InvalidInput, match=r"odd\.yaml"):
        load_packs(tmp_path)


def test_unknown_names_say_what_there_is(tmp_path: Path) -> None:
    packs = load_packs()
    with pytest.raises(UnknownName, match="dapt_hbr"):
        packs.pack("nothing")
    with pytest.raises(UnknownName, match="anchors list"):
        packs.find("nothing")
    assert packs.find("twilight")[0].name == "TWILIGHT"
    assert len(packs.find("dapt_hbr")) == 7
    with pytest.raises(InvalidInput, match="not a directory"):
        load_packs(tmp_path / "none")


def test_the_shared_facts_allow_every_identifier_and_figure(shared_data: Path) -> None:
    """Every identifier of a pack is confirmed in the checked facts, and no figure there is from memory alone."""
    facts = shared_data.parent / "anchors.yaml"
    if not facts.is_file():
        pytest.skip("no checked facts beside the shared data")
    checked = yaml.safe_load(facts.read_text("utf-8"))
    known = {fact["id"]: fact for fact in checked["anchors"]}
    labels = {fact["id"]: fact["fact"] for fact in checked["label_facts"]}
    confirmed = ("confirmed1", "confirmed2")
    for anchor in load_packs().anchors:
        if anchor.id in labels:
            numbers = (*re.findall(r"\d+\.\d+", " ".join(anchor.summary)), anchor.identifiers.pmid or "", anchor.title)
            assert all(number in labels[anchor.id] for number in numbers)
            continue
        fact = known[anchor.id]
        if anchor.identifiers.pmid:
            assert fact["pmid_confirmation"] in confirmed
            assert fact["pmid"] == anchor.identifiers.pmid
        if anchor.identifiers.doi:
            assert fact["doi_confirmation"] in confirmed
            assert fact["doi"].casefold() == anchor.identifiers.doi
        assert fact["url"] == anchor.url
        if fact["confirmation"]["figures"] not in confirmed:
            assert anchor.scope_only
        stated = " ".join(str(fact[name]) for name in ("key_finding", "population", "intervention", "comparator"))
        for number in re.findall(r"\d+\.\d+", " ".join(anchor.summary).replace("/1.73 m2", "")):
            assert number in stated, (anchor.id, number)
        for remembered in re.findall(r"(?:CIs?|range|rates?) ([\d., -]+) from memory", fact["key_finding"]):
            assert remembered not in " ".join(anchor.summary), anchor.id
