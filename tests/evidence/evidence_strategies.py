"""Generated questions, records and packages. Every article in them is invented."""

from datetime import date
from types import MappingProxyType

from hypothesis import strategies as st

from evidencegate.documents import Document, Identifiers, Notice, RetractionStatus
from evidencegate.evidence import (
    Anchor,
    AnchorKind,
    DirectUrl,
    EvidenceItem,
    EvidencePackage,
    Level,
)
from evidencegate.question import PICO, Classification, Question, SubQuery, Tags
from evidencegate.sources import Found, SearchRecord, SearchResult, Status

NOW = date(2026, 11, 20)
DISEASES = ("AF", "CKD", "HF", "CAP", "SEPSIS", "CAD", "GI_BLEED", "DIABETES", "HTN", "STROKE")
DECISIONS = ("anticoagulation", "antiplatelet", "drug_choice", "duration", "therapy", "dose", "monitoring", "diagnosis")
WORDS = (
    "apixaban warfarin bleeding stroke dialysis patients trial outcome risk renal function pneumonia antibiotics "
    "duration heart failure mortality placebo daily events hazard reduced increased"
).split()

disease_sets = st.frozensets(st.sampled_from(DISEASES), max_size=4)
decision_sets = st.frozensets(st.sampled_from(DECISIONS), max_size=3)
sentences = st.lists(st.sampled_from(WORDS), min_size=3, max_size=14).map(lambda w: " ".join(w).capitalize() + ".")


def make_question(
    text: str = "Which anticoagulant for atrial fibrillation with chronic kidney disease?",
    diseases: tuple[str, ...] = ("AF", "CKD"),
    decisions: tuple[str, ...] = ("anticoagulation", "drug_choice"),
    scenario: str | None = None,
    interventions: tuple[str, ...] = (),
) -> Question:
    return Question(
        text=text,
        pico=PICO(),
        disease_tags=Tags(diseases),
        decision_tags=Tags(decisions),
        classification=Classification(name="general"),
        sub_queries=(SubQuery(query=text[:200]),),
        anchor_scenario=scenario,
        intervention_terms=interventions,
    )


@st.composite
def questions(draw: st.DrawFn, *, diseases: int = 1) -> Question:
    chosen = draw(st.lists(st.sampled_from(DISEASES), min_size=diseases, max_size=3, unique=True))
    decided = draw(st.lists(st.sampled_from(DECISIONS), min_size=0 if chosen else 1, max_size=3, unique=True))
    text = draw(sentences)
    return make_question(text, tuple(chosen), tuple(decided))


@st.composite
def identifiers(draw: st.DrawFn, *, some: bool = True) -> Identifiers:
    number = draw(st.integers(1, 40))
    kinds = draw(st.sets(st.sampled_from(("pmid", "pmcid", "doi", "nct")), min_size=1 if some else 0))
    return Identifiers(
        pmid=str(10_000_000 + number) if "pmid" in kinds else None,
        pmcid=f"PMC{7_000_000 + number}" if "pmcid" in kinds else None,
        doi=f"10.1234/invented.{number}" if "doi" in kinds else None,
        nct=f"NCT{number:08}" if "nct" in kinds else None,
    )


@st.composite
def documents(draw: st.DrawFn, *, addressed: bool = False) -> Document:
    ids = draw(identifiers(some=addressed))
    title = draw(st.one_of(sentences, st.just("")) if not addressed else sentences)
    key = ids.keys()[0] if ids else f"local:{draw(st.integers(1, 10_000))}"
    retracted = draw(st.integers(0, 9)) == 0
    return Document(
        id=key,
        title=title,
        text=" ".join(draw(st.lists(sentences, min_size=1, max_size=4))),
        identifiers=ids,
        authors=tuple(draw(st.lists(st.sampled_from(("Doe J", "Roe R", "Poe E", "Loe L")), max_size=4, unique=True))),
        journal=draw(st.sampled_from(("Journal of Invented Results", "", "Annals of Nothing"))),
        year=draw(st.one_of(st.none(), st.integers(1990, 2026))),
        publication_types=tuple(
            draw(
                st.lists(
                    st.sampled_from(
                        ("Practice Guideline", "Meta-Analysis", "Randomized Controlled Trial", "Review", "Letter")
                    ),
                    max_size=1,
                )
            )
        ),
        source=draw(st.sampled_from(("pubmed", "europe_pmc", "library", "clinical_trials"))),
        citations=draw(st.one_of(st.none(), st.integers(0, 500))),
        notices=(Notice(status=RetractionStatus.RETRACTED, source="pubmed"),) if retracted else (),
    )


@st.composite
def items(draw: st.DrawFn, *, number: int | None = None, anchors: tuple[str, ...] = ()) -> EvidenceItem:
    """Any item a package may hold, off-topic and retracted ones too."""
    if number is None:
        document = draw(documents(addressed=True))
    else:
        pmid = str(20_000_000 + number)
        retracted = draw(st.integers(0, 9)) == 0
        document = Document(
            id=f"pmid:{pmid}",
            title=f"Invented record {number}",
            text="Invented text.",
            identifiers=Identifiers(pmid=pmid),
            year=draw(st.one_of(st.none(), st.integers(1990, 2026))),
            notices=(Notice(status=RetractionStatus.RETRACTED, source="pubmed"),) if retracted else (),
        )
    return EvidenceItem(
        document=document,
        level=draw(st.sampled_from(list(Level))),
        disease_tags=draw(disease_sets),
        decision_tags=draw(decision_sets),
        score=draw(st.floats(0, 100)),
        components=MappingProxyType({"text": draw(st.floats(0, 26))}),
        anchor=draw(st.one_of(st.none(), st.sampled_from(anchors))) if anchors else None,
    )


def make_anchor(name: str, kind: AnchorKind = AnchorKind.GUIDELINE, number: int = 1) -> Anchor:
    ids = Identifiers(pmid=str(30_000_000 + number))
    return Anchor(
        id=name,
        kind=kind,
        name=name,
        title=f"An invented guideline for the test {name}",
        authors=("Doe J", "et al"),
        journal="Journal of Invented Results",
        year=2024,
        identifiers=ids,
        url=DirectUrl(f"https://pubmed.ncbi.nlm.nih.gov/{ids.pmid}/"),
        summary=(f"The invented guideline {name} recommends apixaban over warfarin in atrial fibrillation.",),
        disease_tags=("AF",),
        decision_tags=("anticoagulation",),
        checked=date(2026, 11, 1),
        next_review=date(2027, 11, 1),
    )


GUIDELINES = tuple(make_anchor(f"guide{n}", number=n) for n in range(1, 6))
TRIALS = tuple(make_anchor(f"trial{n}", AnchorKind.RCT, 10 + n) for n in range(1, 3))
ANCHOR_IDS = tuple(anchor.id for anchor in (*GUIDELINES, *TRIALS))


@st.composite
def packages(draw: st.DrawFn, *, anchored: bool = True, most: int = 16) -> EvidencePackage:
    """A package of any question and any items, ordered by score as ranking leaves them."""
    question = draw(questions())
    drawn = [draw(items(number=n, anchors=ANCHOR_IDS)) for n in range(draw(st.integers(0, most)))]
    ordered = tuple(sorted(drawn, key=lambda item: -item.score))
    return EvidencePackage(question=question, items=ordered, anchors=(*GUIDELINES, *TRIALS) if anchored else ())


def result(*found: Document, source: str = "pubmed", scores: tuple[float, ...] = ()) -> SearchResult:
    hits = tuple(
        Found(document=document, position=place, score=scores[place - 1] if scores else None)
        for place, document in enumerate(found, 1)
    )
    status = Status.OK if hits else Status.EMPTY
    return SearchResult(record=SearchRecord(source=source, query="q", status=status, records=len(hits)), found=hits)
