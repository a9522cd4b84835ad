"""How near sentences are to a question."""

from evidencegate.evidence import Nearness as Relevance
from evidencegate.evidence import content, shared_words
from evidencegate.evidence import default_nearness as default_relevance

__all__ = ["Relevance", "content", "default_relevance", "shared_words"]
