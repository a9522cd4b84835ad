"""How near sentences are to a question."""

from evidencegate.evidence._nearness import Nearness as Relevance
from evidencegate.evidence._nearness import content, shared_words
from evidencegate.evidence._nearness import default_nearness as default_relevance

__all__ = ["Relevance", "content", "default_relevance", "shared_words"]
