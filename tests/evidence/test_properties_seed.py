"""Correctness properties 4-12 of the design document "Evidence Brain Quality Fix", over generated values.

Named after the document; none is weakened. Properties 1-3 are the question room's, and tested there.
"""

import random
import re
from dataclasses import replace
from urllib.parse import unquote

from evidence_strategies import (
    ANCHOR_IDS,
    DECISIONS,
    GUIDELINES,
    NOW,
    TRIALS,
    decision_sets,
    disease_sets,
    documents,
    items,
    make_question,
    packages,
    questions,
    sentences,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evidencegate.documents import Document, Identifiers
from evidencegate.evidence import (
    Anchor,
    EvidenceItem,
    EvidencePackage,
    Image,
    ImagePolicy,
    Level,
    Merged,
    Pack,
    Packs,
    SufficiencyLevel,
    Work,
    anchor_document,
    fallback_decision,
    image_policy,
    image_queries,
    rank,
    score,
    select,
    select_images,
)
from evidencegate.evidence._sufficiency import relevant
from evidencegate.question import Question
from evidencegate.report._references import metadata_line, reference_list

NAMES = {
    "AF": ("atrial fibrillation",),
    "CKD": ("chronic kidney disease",),
    "CAP": ("community-acquired pneumonia",),
    "anticoagulation": ("anticoagulation", "anticoagulant"),
    "drug_choice": ("drug choice",),
    "duration": ("duration",),
    "therapy": ("treatment", "therapy"),
}


def names(tag: str) -> tuple[str, ...]:
    return NAMES.get(tag, ())


def guideline_item(question: Question, number: int, score_: float) -> EvidenceItem:
    anchor = GUIDELINES[number]
    return EvidenceItem(
        document=anchor_document(anchor),
        level=anchor.level,
        disease_tags=frozenset(question.disease_tags.all),
        decision_tags=frozenset(question.decision_tags.all),
        score=score_,
        anchor=anchor.id,
    )


# Property 4: Anchor-Aware Sufficiency Scoring


@given(packages(), st.integers(3, 5), st.floats(10, 100))
def test_property_4_three_matching_anchor_guidelines_are_good(
    package: EvidencePackage, count: int, relevance: float
) -> None:
    more = tuple(guideline_item(package.question, n, relevance) for n in range(count))
    sufficiency = score(replace(package, items=(*package.items, *more)), now=NOW)
    assert sufficiency.score >= 70
    assert sufficiency.level in (SufficiencyLevel.GOOD, SufficiencyLevel.EXCELLENT)


@given(packages(), items(number=99, anchors=ANCHOR_IDS))
def test_sufficiency_is_monotone_in_evidence(package: EvidencePackage, item: EvidenceItem) -> None:
    before = score(package, now=NOW).score
    after = score(replace(package, items=(*package.items, item)), now=NOW).score
    assert after >= before


@given(packages())
def test_sufficiency_counts_only_relevant_items_and_is_the_sum_of_its_parts(package: EvidencePackage) -> None:
    whole = score(package, now=NOW)
    assert score(replace(package, items=relevant(package)), now=NOW).components == whole.components
    assert abs(min(100.0, sum(whole.components.values())) - whole.score) < 0.011
    assert whole.level is SufficiencyLevel.of(whole.score)
    assert whole.reasons
    assert whole.version == "sufficiency/2"


@given(packages(), st.lists(st.tuples(sentences, sentences), max_size=4), st.tuples(sentences, sentences))
def test_sufficiency_is_monotone_in_what_is_said(
    package: EvidencePackage, said: list[tuple[str, str]], one: tuple[str, str]
) -> None:
    asking = replace(package.question, pico=replace(package.question.pico, outcome="mortality"))
    package = replace(package, question=asking)
    before, after = (score(package, now=NOW, said=told) for told in (said, [*said, one]))
    assert after.score >= before.score
    assert score(package, now=NOW).score >= after.score
    for told in (before, after):
        assert abs(min(100.0, sum(told.components.values())) - told.score) < 0.011


@given(packages(), items(number=99, anchors=ANCHOR_IDS), st.sampled_from(["mortality", "stroke, bleeding"]), sentences)
def test_sufficiency_is_monotone_in_evidence_where_an_outcome_is_asked(
    package: EvidencePackage, item: EvidenceItem, outcome: str, text: str
) -> None:
    asking = replace(package.question, pico=replace(package.question.pico, outcome=outcome))
    package = replace(package, question=asking)
    telling = replace(item, document=replace(item.document, text=text))
    before = score(package, now=NOW).score
    assert score(replace(package, items=(*package.items, telling)), now=NOW).score >= before


# Property 5: Perplexity Blocking


@given(packages(), st.booleans(), st.booleans())
def test_property_5_the_fallback_is_blocked_by_sufficiency_or_an_anchor_pack(
    package: EvidencePackage, matching: bool, empty: bool
) -> None:
    pack = Pack(
        scenario="the_scenario",
        title="An invented pack",
        disease_tags=("AF",),
        decision_tags=("anticoagulation",),
        anchors=() if empty else GUIDELINES,
    )
    question = replace(package.question, anchor_scenario="the_scenario" if matching else None)
    sufficiency = score(replace(package, question=question), now=NOW)
    decision = fallback_decision(sufficiency, question, Packs((pack,)))
    blocked = sufficiency.score >= 50 or (matching and not empty)
    assert decision.called is not blocked
    assert f"{sufficiency.score:.0f}" in decision.reason


# Property 6: Off-Topic Reference Exclusion


def as_work(document: Document, diseases: frozenset[str], decisions: frozenset[str]) -> Work:
    return Work(merged=Merged(document=document), disease_tags=diseases, decision_tags=decisions)


@given(questions(), st.lists(st.tuples(documents(), disease_sets, decision_sets), max_size=10), st.booleans())
def test_property_6_off_topic_is_below_10_and_excluded(
    question: Question, drawn: list[tuple[Document, frozenset[str], frozenset[str]]], judged: bool
) -> None:
    works = [as_work(replace(d, id=f"{d.id}#{n}"), *tags) for n, (d, *tags) in enumerate(drawn)]
    relevance = (lambda query, texts: [1.0] * len(texts)) if judged else None
    ranked, excluded = rank(question, works, now=NOW, relevance=relevance)
    primary = question.disease_tags.primary
    assert primary is not None
    out = {e.document.id: e for e in excluded}
    for work in works:
        if primary not in work.disease_tags:
            assert out[work.document.id].score < 10
            assert out[work.document.id].reason
    assert all(item.score >= 10 and primary in item.disease_tags for item in ranked)
    assert all(not item.document.retracted and item.document.url for item in ranked)
    assert len(ranked) + len(excluded) == len(works)
    package = EvidencePackage(question=question, items=ranked)
    references, _ = reference_list(select(package))
    assert not {r.document.id for r in references} & out.keys()


@given(questions(), documents(addressed=True), disease_sets, decision_sets)
def test_a_score_is_the_sum_of_its_components(
    question: Question, document: Document, diseases: frozenset[str], decisions: frozenset[str]
) -> None:
    ranked, excluded = rank(question, [as_work(document, diseases, decisions)], now=NOW)
    for item in ranked:
        assert abs(sum(item.components.values()) - item.score) < 0.011
    assert all(0 <= e.score <= 100 for e in excluded)


# Property 7: Final Reference List Quality


@given(packages(most=24))
def test_property_7_the_final_list(package: EvidencePackage) -> None:
    chosen = select(package)
    usable = relevant(package)
    tags = set(package.question.disease_tags.all)
    sharing = sum(bool(tags & item.disease_tags) for item in chosen)
    assert sharing >= 0.8 * len(chosen)
    assert len(chosen) <= 10
    assert len(chosen) >= min(6, len(usable))
    primary = sum(item.level.primary_study for item in usable)
    assert sum(item.level.primary_study for item in chosen) >= min(2, primary)
    assert len({item.document.id for item in chosen}) == len(chosen)
    order = [usable.index(item) for item in chosen]
    assert order == sorted(order)


# Property 8: Decision Query Image Suppression

TITLES = st.lists(
    st.sampled_from(
        "Algorithm flowchart atrial fibrillation anticoagulation chronic kidney disease treatment duration ECG chest "
        "x-ray spectrum of antibiotics normal anatomy community-acquired pneumonia decision pathway".split()
    ),
    min_size=1,
    max_size=8,
).map(" ".join)


def image(title: str) -> Image:
    return Image(title=title, url="https://pmc.ncbi.nlm.nih.gov/articles/PMC1/", source="open_i", licence="CC BY")


MANAGEMENT = ("drug_choice", "anticoagulation", "duration", "therapy")


@given(questions(), st.sampled_from(MANAGEMENT), st.lists(TITLES, max_size=12))
def test_property_8_no_images_for_management_unless_an_algorithm_fits(
    question: Question, decision: str, titles: list[str]
) -> None:
    tags = tuple(dict.fromkeys((*question.decision_tags.all, decision)))
    question = replace(question, decision_tags=replace(question.decision_tags, all=tags))
    assume(not re.search(r"ct|mri|ultrasound|x-ray|imaging|scan|ecg", question.text, re.I))
    shown = select_images(question, [image(title) for title in titles], names)
    assert image_policy(question) is ImagePolicy.ALGORITHM_ONLY
    for picture in shown:
        title = picture.title.casefold()
        assert re.search("algorithm|flowchart|decision pathway", title)
        assert any(n in title for tag in question.disease_tags.all for n in (*names(tag), tag.casefold()))
        assert any(n in title for tag in question.decision_tags.all for n in (*names(tag), tag.casefold()))
        assert not re.search(r"\becg\b|chest|spectrum|anatomy", title)


@given(questions(), st.sampled_from(MANAGEMENT))
def test_property_8_generic_teaching_images_never(question: Question, decision: str) -> None:
    question = replace(question, decision_tags=replace(question.decision_tags, all=(decision,)))
    generic = ["ECG of atrial fibrillation", "Chest X-ray", "Spectrum of antibiotics", "Anatomy of the heart"]
    assert select_images(question, [image(title) for title in generic], names) == ()


# Property 9: Tag-Derived Image Queries


@given(questions())
def test_property_9_image_queries_hold_a_disease_and_a_decision_term(question: Question) -> None:
    queries = image_queries(question, names)
    assert queries
    for query in queries:
        assert any((names(t) or (t.replace("_", " "),))[0] in query for t in question.disease_tags.all)
        if question.decision_tags:
            assert any((names(t) or (t.replace("_", " "),))[0] in query for t in question.decision_tags.all)


# Property 10: Anchor Citation URL Integrity


@given(st.lists(st.sampled_from((*GUIDELINES, *TRIALS)), min_size=1, unique=True))
def test_property_10_an_anchor_is_cited_by_its_stored_address(anchors: list[Anchor]) -> None:
    question = make_question()
    stored = {anchor.id: anchor for anchor in anchors}
    cited = [
        replace(guideline_item(question, 0, 80.0), document=anchor_document(a), anchor=a.id, level=a.level)
        for a in stored.values()
    ]
    references, excluded = reference_list(cited, now=NOW)
    assert not excluded
    for reference in references:
        anchor = stored[reference.document.id.removeprefix("anchor:")]
        assert reference.url == anchor.url
        assert "google" not in reference.url


# Property 11: Reference Format Completeness


@given(st.lists(items(), max_size=12))
def test_property_11_every_reference_is_complete(drawn: list[EvidenceItem]) -> None:
    references, excluded = reference_list(drawn, now=NOW)
    assert [r.n for r in references] == list(range(1, len(references) + 1))
    for reference in references:
        for field in (reference.title, reference.url, reference.authors, reference.journal, reference.year):
            assert field.strip()
        assert reference.source_badge
        assert re.match(
            r"https://(?:pubmed\.ncbi|pmc\.ncbi)\.nlm\.nih\.gov/|https://doi\.org/10\.|https://clinicaltrials\.gov/",
            reference.url,
        )
        line = metadata_line(reference)
        assert line.split(" | ")[0].endswith(f"({reference.year})")
        assert len(line.split(" | ")) >= 3
    assert all(e.reason for e in excluded)
    assert {r.document.id for r in references} | {e.document.id for e in excluded} == {i.document.id for i in drawn}


# Property 12: No Google Search URLs (Round-Trip)

HOSTILE = (
    None,
    "https://www.google.com/search?q=apixaban",
    "https://GOOGLE.com/search?q=apixaban",
    "https://scholar.google.com/scholar?q=apixaban",
    "https://www.bing.com/search?q=apixaban",
    "https://duckduckgo.com/?q=apixaban",
    "https://pubmed.ncbi.nlm.nih.gov/?term=apixaban",
    "https://example.org/r?url=https%3A%2F%2Fgoogle.com%2Fsearch%3Fq%3Dx",
    "https://pubmed.ncbi.nlm.nih.gov@www.google.com/search?q=x",
    "https://www.nice.org.uk/guidance/ng196",
)
DOIS = (
    None,
    "10.1234/invented.1",
    "10.1234/google.com/search?q=x",
    "10.1234/a?url=https://bing.com/search",
    "10.1/x y",
)


def any_record(chance: random.Random, n: int) -> EvidenceItem:
    raw = {
        "pmid": chance.choice((None, "123", "0", "https://www.google.com/search?q=123", "12 34")),
        "pmcid": chance.choice((None, "PMC77", "google")),
        "doi": chance.choice(DOIS),
        "nct": chance.choice((None, None, "NCT00000001", "NCT1")),
    }
    document = Document(
        id=f"local:{n}",
        title=chance.choice(("An invented title", "", "  ", "Apixaban https://google.com/search?q=x")),
        text="Invented text.",
        identifiers=Identifiers.parse(**raw),
        authors=tuple(chance.sample(("Doe J", "Roe R", "Poe E", "Loe L", ""), k=chance.randint(0, 5))),
        year=chance.choice((None, 2020, 2026)),
        source=chance.choice(("pubmed", "europe_pmc", "library", "perplexity")),
        stored_url=chance.choice(HOSTILE),
    )
    return EvidenceItem(
        document=document,
        level=chance.choice(list(Level)),
        disease_tags=frozenset(),
        decision_tags=frozenset(),
        score=50.0,
    )


@settings(max_examples=100)
@given(st.integers(0, 2**32))
def test_property_12_no_search_engine_address_survives_the_way(seed: int) -> None:
    """100 records of each of 100 seeds: made, given identifiers and addresses, listed."""
    chance = random.Random(seed)
    cited = [any_record(chance, n) for n in range(100)]
    references, excluded = reference_list(cited, now=NOW)
    assert len(references) + len(excluded) == len(cited)
    for reference in references:
        assert reference.title.strip()
        assert not re.search(r"google|bing|duckduckgo|[?&](?:q|term|url)=", unquote(reference.url), re.I)


def test_the_generated_decisions_cover_management() -> None:
    assert set(MANAGEMENT) <= set(DECISIONS)
