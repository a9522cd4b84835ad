"""The contract of `question --json`."""

from typing import Any

from evidencegate.question._types import Question


def question_json(question: Question) -> dict[str, Any]:
    """`question` as the documented fields of `evidencegate question --json`; plain values only."""
    return {
        "pico": {
            "patient": question.pico.patient,
            "intervention": question.pico.intervention,
            "comparison": question.pico.comparison,
            "outcome": question.pico.outcome,
            "condition": question.pico.condition,
        },
        "disease_tags": list(question.disease_tags.all),
        "decision_tags": list(question.decision_tags.all),
        "primary_disease_tag": question.disease_tags.primary,
        "secondary_disease_tags": list(question.disease_tags.secondary),
        "primary_decision_tag": question.decision_tags.primary,
        "secondary_decision_tags": list(question.decision_tags.secondary),
        "classification": question.classification.name,
        "allowed_mesh_terms": list(question.classification.allowed_mesh),
        "excluded_mesh_terms": list(question.classification.excluded_mesh),
        "confidence": question.classification.confidence,
        "anchor_scenario": question.anchor_scenario,
        "sub_queries": [
            {
                "query": sub.query,
                "category": sub.category.value,
                "target_evidence": sub.target_evidence.value,
            }
            for sub in question.sub_queries
        ],
        "intervention_terms": list(question.intervention_terms),
        "spelling": [{"written": s.written, "meant": list(s.meant), "read": s.read} for s in question.spelling],
        "decision_words": {name: list(words) for name, words in question.decision_words},
        "reader": question.reader,
    }
