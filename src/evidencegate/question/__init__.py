"""Questions: PICO, tags, classification and the searches made of them."""

from evidencegate.question._types import PICO, Category, Classification, Question, SubQuery, Tags, TargetEvidence

__all__ = ["PICO", "Category", "Classification", "Question", "SubQuery", "Tags", "TargetEvidence"]
