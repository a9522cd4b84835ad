"""Invented articles that several rooms are tested with, and libraries of such: no such drug, trial or person exists."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TRIAL: dict[str, Any] = {
    "pmid": "900000001",
    "title": "Zelfaban and bleeding in atrial fibrillation: an invented randomised trial",
    "abstract": (
        "Patients with atrial fibrillation were randomised to zelfaban or warfarin. Zelfaban reduced major "
        "bleeding compared with warfarin in patients with atrial fibrillation (HR 0.62, 95% CI 0.48–0.80; "
        "p<0.001). Stroke did not differ between the groups (HR 0.97, 95% CI 0.80-1.18)."
    ),
    "authors": ["Invented A", "Invented B"],
    "journal": "Journal of Invented Trials",
    "year": 2024,
    "publication_types": ["Randomized Controlled Trial"],
}
COHORT: dict[str, Any] = {
    "pmid": "900000002",
    "title": "Zelfaban raised bleeding in an invented cohort with atrial fibrillation",
    "abstract": (
        "We followed 9,000 people. Zelfaban increased major bleeding compared with warfarin in patients with "
        "atrial fibrillation (HR 1.41, 95% CI 1.12-1.77)."
    ),
    "authors": ["Invented C"],
    "journal": "Annals of Invented Cohorts",
    "year": 2023,
    "publication_types": ["Observational Study"],
}


def write_records(file: Path, *articles: Mapping[str, Any]) -> Path:
    """A JSONL file of articles."""
    file.write_text("\n".join(map(json.dumps, articles)), encoding="utf-8")
    return file


def make_library(place: Path, *articles: Mapping[str, Any]) -> Path:
    """A library of articles."""
    from evidencegate.library import Library

    Library(place).add([write_records(place.with_suffix(".jsonl"), *articles)])
    return place
