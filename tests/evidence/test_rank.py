"""Ranking: what comes before what, and why. The records are invented."""

from dataclasses import replace
from datetime import date

from evidence_strategies import GUIDELINES, NOW, make_question

from evidencegate.documents import Document, Identifiers, Notice, RetractionStatus
from evidencegate.evidence import EvidencePackage, Merged, Tier, Work, anchor_document, rank, score, select, tier

TEXT = "Apixaban was compared with warfarin in patients with atrial fibrillation and chronic kidney disease."


def work(
    number: int,
    diseases: str = "AF",
    decisions: str = "anticoagulation",
    text: str = TEXT,
    year: int = 2020,
    types: str = "",
    found: float | None = None,
    **more: object,
) -> Work:
    document = Document(
        id=f"pmid:{number}",
        title="An invented record of apixaban",
        text=text,
        identifiers=Identifiers(pmid=str(number)),
        year=year,
        publication_types=(types,) if types else (),
        **more,  # type: ignore[arg-type]
    )
    return Work(
        merged=Merged(document=document, found_score=found),
        disease_tags=frozenset(diseases.split()),
        decision_tags=frozenset(decisions.split()),
    )


def order(*works: Work, now: date = NOW) -> list[str]:
    items, _ = rank(make_question(), works, now=now)
    return [item.document.id for item in items]


def test_tags_come_first_all_else_equal() -> None:
    both, any_decision, disease = work(3), work(2, decisions="drug_choice"), work(1, decisions="diagnosis")
    assert order(disease, any_decision, both) == ["pmid:3", "pmid:2", "pmid:1"]


def test_tiers() -> None:
    question = make_question()
    assert tier(question, {"AF"}, {"anticoagulation"}) is Tier.BOTH_PRIMARY
    assert tier(question, {"AF", "HF"}, {"drug_choice"}) is Tier.TOPIC_AND_DECISION
    assert tier(question, {"AF"}, set()) is Tier.TOPIC
    assert tier(question, {"CKD"}, {"anticoagulation"}) is Tier.OFF_TOPIC
    assert tier(question, set(), {"anticoagulation"}, interventions=5) is Tier.OFF_TOPIC


def test_where_no_condition_is_named_the_interventions_decide() -> None:
    question = make_question(
        "Do statins and macrolides interact?", (), ("interaction",), None, ("statins", "macrolides")
    )
    assert tier(question, {"CAP"}, {"interaction"}, interventions=1) is Tier.BOTH_PRIMARY
    assert tier(question, {"CAP"}, {"interaction"}) is Tier.OFF_TOPIC
    _, excluded = rank(question, [work(1)], now=NOW)
    assert "names none of statins, macrolides" in excluded[0].reason


def test_with_neither_condition_nor_intervention_the_words_decide() -> None:
    question = make_question("How is apixaban compared with warfarin?", (), ("drug_choice",))
    other = work(2, text="Nothing of the kind is said here at all.")
    other = replace(other, merged=Merged(document=replace(other.document, title="An invented record of colds")))
    items, excluded = rank(question, [work(1), other], now=NOW)
    assert [item.document.id for item in items] == ["pmid:1"]
    assert excluded[0].score < 10
    assert "too few words" in excluded[0].reason


def test_secondary_tags_only_break_ties() -> None:
    plain, more = work(1), work(2, diseases="AF CKD", decisions="anticoagulation drug_choice")
    assert order(plain, more) == ["pmid:2", "pmid:1"]
    better = work(1, types="Randomized Controlled Trial")
    assert order(better, more) == ["pmid:1", "pmid:2"]


def test_design_recency_and_the_sources_own_score_count() -> None:
    assert order(work(2, types="Case Reports"), work(1, types="Meta-Analysis"))[0] == "pmid:1"
    assert order(work(2, year=1999), work(1, year=2025))[0] == "pmid:1"
    assert order(work(2, found=0.1), work(1, found=0.9))[0] == "pmid:1"


def test_a_model_may_change_the_order_within_a_tier_not_what_is_on_topic() -> None:
    works = [work(1), work(2), work(3, diseases="CKD")]
    favourite = lambda query, texts: [float(n == 1) for n, _ in enumerate(texts)]  # noqa: E731
    items, excluded = rank(make_question(), works, now=NOW, relevance=favourite)
    assert [item.document.id for item in items] == ["pmid:2", "pmid:1"]
    assert [e.document.id for e in excluded] == ["pmid:3"]


def test_each_exclusion_says_why() -> None:
    notice = Notice(status=RetractionStatus.RETRACTED, source="pubmed")
    untitled = Work(
        merged=Merged(document=Document(id="pmid:9", title=" ", text=TEXT, identifiers=Identifiers(pmid="9"))),
        disease_tags=frozenset({"AF"}),
        decision_tags=frozenset(),
    )
    homeless = Work(
        merged=Merged(document=Document(id="local:a", title="An invented file", text=TEXT)),
        disease_tags=frozenset({"AF"}),
        decision_tags=frozenset(),
    )
    items, excluded = rank(
        make_question(),
        [work(1, notices=(notice,)), work(2, text=" "), work(3, diseases="HTN"), untitled, homeless],
        now=NOW,
    )
    assert items == ()
    reasons = {e.document.id: e.reason for e in excluded}
    assert reasons["pmid:1"].startswith("retracted")
    assert reasons["pmid:2"].startswith("no abstract")
    assert reasons["pmid:3"] == "off-topic: about HTN, not AF"
    assert reasons["pmid:9"] == "no title"
    assert reasons["local:a"].startswith("no address")


def test_a_long_text_shows_the_passages_that_answer() -> None:
    filler = "The committee met on a sunny day and took minutes of it. " * 120
    items, _ = rank(make_question(), [work(1, text=f"{filler}{TEXT} {filler}")], now=NOW)
    assert "Apixaban was compared with warfarin" in items[0].passages[0].text
    assert len(items[0].passages) <= 3
    short, _ = rank(make_question(), [work(1)], now=NOW)
    assert short[0].passages == ()


def test_an_anchor_keeps_its_design_and_is_marked() -> None:
    anchor = GUIDELINES[0]
    anchored = Work(
        merged=Merged(document=anchor_document(anchor)),
        disease_tags=frozenset({"AF"}),
        decision_tags=frozenset({"anticoagulation"}),
        anchor=anchor,
    )
    items, _ = rank(make_question(), [anchored, work(1)], now=NOW)
    assert items[0].anchor == anchor.id
    assert items[0].level == "guideline"
    assert items[0].components["anchor"] == 10


def test_a_record_without_the_interventions_asked_about_counts_for_little() -> None:
    question = make_question("Does metformin help in atrial fibrillation?", interventions=("metformin",))
    text = "Metformin was compared with placebo in atrial fibrillation."
    named = [replace(work(n, text=text, types="Randomized Controlled Trial"), interventions=1) for n in range(1, 4)]
    unnamed = [work(n, types="Randomized Controlled Trial") for n in range(4, 12)]
    items, _ = rank(question, [*unnamed, *named], now=NOW)
    assert [item.document.id for item in items[:3]] == ["pmid:1", "pmid:2", "pmid:3"]
    without = EvidencePackage(question=question, items=items[3:])
    assert score(without, now=NOW).score < 30
    assert any("none of the interventions asked about (metformin)" in r for r in score(without, now=NOW).reasons)
    assert score(EvidencePackage(question=question, items=items[:3]), now=NOW).score > 30
    assert len(select(EvidencePackage(question=question, items=items))) == 6
