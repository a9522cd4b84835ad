"""What reads for the local engine."""

from dataclasses import dataclass

from evidencegate.models.stance import StanceModel, default_model
from evidencegate.report._relevance import Relevance, default_relevance


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """The two readers of the local engine. Both are replaceable; neither decides what is shown as a quote."""

    relevance: Relevance
    stance: StanceModel

    @classmethod
    def local(cls) -> "Engine":
        """The small models where they are installed, the rules alone else."""
        return cls(relevance=default_relevance(), stance=default_model())
