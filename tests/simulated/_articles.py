"""Invented articles and trials. Nobody wrote them, nothing in them was ever measured."""

from evidencegate.documents import Document, Identifiers, Notice, RetractionStatus, Section, Span


def article(
    pmid: int,
    title: str,
    abstract: dict[str, str],
    *,
    types: tuple[str, ...] = ("Journal Article",),
    mesh: tuple[str, ...] = (),
    year: int = 2023,
    journal: str = "J Invented Med",
    authors: tuple[str, ...] = ("Muster AB", "Beispiel C"),
    doi: bool = True,
    pmcid: bool = False,
    notices: tuple[Notice, ...] = (),
    licence: str = "",
    citations: int | None = None,
) -> Document:
    """An article with a structured abstract: label to paragraph, an empty label for none."""
    text, sections = "", []
    for label, paragraph in abstract.items():
        text += "\n\n" if text else ""
        if label:
            sections.append(Section(label=label, span=Span(len(text), len(text) + len(paragraph))))
        text += paragraph
    identifiers = Identifiers(
        pmid=str(pmid),
        doi=f"10.5555/invented.{pmid}" if doi else None,
        pmcid=f"PMC{pmid}" if pmcid else None,
    )
    return Document(
        id=f"pmid:{pmid}",
        title=title,
        text=text,
        sections=tuple(sections),
        identifiers=identifiers,
        authors=authors,
        journal=journal,
        year=year,
        published=f"{year}-03-09",
        volume="12",
        issue="3",
        pages="101-109",
        publication_types=types,
        mesh=mesh,
        keywords=("invented",),
        language="en",
        source="pubmed",
        licence=licence,
        citations=citations,
        notices=notices,
    )


_RCT = ("Journal Article", "Randomized Controlled Trial")
_REVIEW = ("Journal Article", "Systematic Review", "Meta-Analysis")
_GUIDELINE = ("Journal Article", "Practice Guideline")
_COHORT = ("Journal Article", "Observational Study")

RETRACTED = article(
    90000005,
    "Apixaban abolishes stroke in atrial fibrillation: a randomised trial",
    {"": "Apixaban abolished stroke in all patients with atrial fibrillation."},
    types=(*_RCT, "Retracted Publication"),
    mesh=("Atrial Fibrillation", "Anticoagulants"),
    notices=(
        Notice(
            status=RetractionStatus.RETRACTED,
            source="pubmed",
            reference="J Invented Med. 2024;13(1):1 PMID: 90000099",
            date="2024-01-15",
        ),
    ),
)

ARTICLES: tuple[Document, ...] = (
    article(
        90000001,
        "Apixaban or warfarin in atrial fibrillation with severe chronic kidney disease: a randomised trial",
        {
            "Background": "The choice of anticoagulant in atrial fibrillation with severe kidney disease is uncertain.",
            "Methods": "We randomised 412 adults with atrial fibrillation and an eGFR below 30 mL/min to "
            "apixaban or warfarin.",
            "Results": "Major bleeding occurred in 11 of 206 patients with apixaban and in 23 of 206 with warfarin "
            "(hazard ratio 0.47; 95% CI 0.23-0.96; p=0.04). Stroke rates did not differ (p>0.5).",
            "Conclusions": "In severe chronic kidney disease, apixaban caused less major bleeding than warfarin.",
        },
        types=_RCT,
        mesh=("Atrial Fibrillation", "Anticoagulants", "Hemorrhage", "Kidney Failure, Chronic"),
        pmcid=True,
        licence="cc by",
        citations=41,
    ),
    article(
        90000002,
        "Anticoagulation in atrial fibrillation and advanced kidney disease: systematic review and meta-analysis",
        {
            "Objective": "To compare apixaban with warfarin in atrial fibrillation with advanced kidney disease.",
            "Results": "Nine studies with 14,307 patients were included. Apixaban was associated with less major "
            "bleeding (risk ratio 0.62; 95% CI 0.48 to 0.80; I²=21%).",
            "Conclusion": "Apixaban is associated with less bleeding than warfarin; certainty is limited.",
        },
        types=_REVIEW,
        mesh=("Atrial Fibrillation", "Anticoagulants", "Hemorrhage", "Stroke"),
        year=2024,
        citations=12,
    ),
    article(
        90000003,
        "Guideline for the management of atrial fibrillation in chronic kidney disease",
        {
            "": "We recommend apixaban rather than warfarin for patients with atrial fibrillation and stage 4 chronic "
            "kidney disease. In patients on dialysis the decision should be shared."
        },
        types=_GUIDELINE,
        mesh=("Atrial Fibrillation", "Anticoagulants"),
        year=2025,
        journal="Eur Invented Heart J",
    ),
    article(
        90000004,
        "Apixaban dosing and bleeding in atrial fibrillation on dialysis: a registry cohort",
        {
            "Background": "Which dose of apixaban suits patients on dialysis is unknown.",
            "Results": "Apixaban 2.5 mg twice daily was not associated with less stroke than 5 mg "
            "(HR 1.04, 95% CI 0.81–1.33).",
        },
        types=_COHORT,
        mesh=("Atrial Fibrillation", "Renal Dialysis"),
        year=2022,
    ),
    RETRACTED,
    article(
        90000006,
        "Short or long antibiotic treatment in community-acquired pneumonia: a randomised trial",
        {
            "Results": "Five days of amoxicillin were not inferior to ten days in community-acquired pneumonia "
            "(cure 91% v 92%; difference −1.2 percentage points, 95% CI −4.9 to 2.5)."
        },
        types=_RCT,
        mesh=("Pneumonia", "Anti-Bacterial Agents"),
        year=2021,
    ),
    article(
        90000007,
        "Exercise and diet in healthy adults <i>in silico</i>: H₂O & p<0.05".replace("<i>", "").replace("</i>", ""),
        {"": "Diet & exercise changed nothing (p<0.05 for none; a < b, and b > c)."},
        mesh=("Diet", "Exercise"),
        doi=False,
    ),
    article(
        90000008,
        "Macrolides and statins: no increase of myopathy in a large cohort",
        {
            "": "In our large cohort study, azithromycin with statins showed no significant increase in myopathy "
            "(RR 1.02, 95% CI 0.95-1.09)."
        },
        types=_COHORT,
        mesh=("Macrolides", "Hydroxymethylglutaryl-CoA Reductase Inhibitors"),
        year=2020,
        notices=(Notice(status=RetractionStatus.CORRECTED, source="pubmed", reference="J Invented Med. 2021;1:1"),),
    ),
)

TRIALS: tuple[Document, ...] = tuple(
    Document(
        id=f"nct:NCT9000000{n}",
        title=title,
        text=text,
        sections=(Section(label="Summary", span=Span(0, len(text))),),
        identifiers=Identifiers(nct=f"NCT9000000{n}"),
        authors=("Erika Muster",),
        journal="ClinicalTrials.gov",
        year=2022,
        published="2022-05-01",
        publication_types=("Randomized Controlled Trial",),
        mesh=("Atrial Fibrillation",),
        keywords=("Atrial Fibrillation", "Apixaban"),
        language="en",
        source="clinical_trials",
    )
    for n, title, text in (
        (1, "Apixaban in Atrial Fibrillation on Dialysis", "This invented trial compares apixaban with no treatment."),
        (2, "Warfarin Control in Atrial Fibrillation", "This invented trial compares two ways to control warfarin."),
    )
)
