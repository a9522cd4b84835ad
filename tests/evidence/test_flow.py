"""The search log: every record is somewhere, and every search is told."""

import json
import xml.etree.ElementTree as ET

from evidence_strategies import NOW, documents, packages, result
from hypothesis import given, settings
from hypothesis import strategies as st

from evidencegate.documents import Document
from evidencegate.evidence import EvidencePackage, Flow, Packs, assemble, flow, load_packs
from evidencegate.question import understand
from evidencegate.sources import SearchRecord, SearchResult, Status

QUESTION = "Which anticoagulant is preferred for atrial fibrillation in a patient on hemodialysis?"
DOWN = SearchResult(
    record=SearchRecord(
        source="crossref", query='x | y `z` <&>"', status=Status.UNREACHABLE, reason="Crossref <is> down"
    )
)


@given(packages(), st.data())
def test_every_record_is_counted_once(package: EvidencePackage, data: st.DataObject) -> None:
    ids = sorted({item.document.id for item in package.items})
    cited = data.draw(st.sets(st.sampled_from(ids))) if ids else set()
    counted = flow(package, cited)
    assert counted.screened == len(package.items) + len(package.excluded)
    assert counted.included + counted.not_cited + sum(counted.excluded.values()) == counted.screened
    assert sum(counted.identified.values()) + counted.other - counted.duplicates == counted.screened


@given(packages())
def test_a_flow_is_read_back_from_its_json(package: EvidencePackage) -> None:
    counted = flow(package, ())
    assert Flow.from_json(json.loads(json.dumps(counted.to_json()))) == counted


@settings(max_examples=25)
@given(st.lists(documents(addressed=True), max_size=8))
def test_what_was_searched_is_what_is_shown(found: list[Document]) -> None:
    results = [result(*found), result(*found, source="europe_pmc"), DOWN]
    package = assemble(understand(QUESTION), results, packs=load_packs(), now=NOW)
    counted = flow(package, [item.document.id for item in package.items[:3]])
    assert counted.identified == {"pubmed": len(found), "europe_pmc": len(found), "crossref": 0}
    assert counted.duplicates >= len(found)
    assert counted.included == min(3, len(package.items))
    assert counted.unanswered == (DOWN.record,)
    text = counted.markdown()
    assert "Crossref <is> down" in text
    for line in text.splitlines():
        if line:
            # A query may hold bars; a cell of a table may not, unless escaped.
            assert line.replace("\\|", "").count("|") in (7, 3)


@given(packages())
def test_the_picture_is_whole_and_says_what_it_shows(package: EvidencePackage) -> None:
    counted = flow(package, ())
    root = ET.fromstring(counted.svg())
    space = {"s": "http://www.w3.org/2000/svg"}
    shown = " ".join(node.text or "" for node in root.iterfind(".//s:text", space))
    assert f"Records screened: {counted.screened}" in shown
    assert f"Included in the answer: {counted.included}" in shown
    assert root.find("s:title", space) is not None
    assert root.get("role") == "img"
    assert not root.findall(".//s:image", space) + root.findall(".//s:script", space)


def test_hostile_words_stay_words() -> None:
    package = assemble(understand(QUESTION), [DOWN], packs=Packs(()), now=NOW)
    counted = flow(package, ())
    ET.fromstring(counted.svg())
    assert counted.to_json()["searches"][0]["status"] == "unreachable"  # type: ignore[index]
