"""From a question to an answer: the whole path, once."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from evidencegate.documents import Quote
from evidencegate.evidence import (
    EvidenceItem,
    EvidencePackage,
    Packs,
    assemble,
    fallback_decision,
    oppositions,
    score,
)
from evidencegate.models.stance import StanceModel, default_model
from evidencegate.question import Question, understand
from evidencegate.report._extract import Candidate, Group, extract
from evidencegate.report._references import reference_list
from evidencegate.report._relevance import Relevance, default_relevance
from evidencegate.report._types import Answer, Audience, Citation, Contradiction, Reference, Section, Sentence
from evidencegate.sources import SearchRecord, SearchResult, Source, search

RECORDS = 30
"""Records read of each source for each sub-query."""
