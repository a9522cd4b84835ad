"""Evidence: ranking, level, anchors, sufficiency, selection."""

from evidencegate.evidence._types import (
    EvidenceItem,
    EvidencePackage,
    Excluded,
    Level,
    Provenance,
    Sufficiency,
    SufficiencyLevel,
)

__all__ = ["EvidenceItem", "EvidencePackage", "Excluded", "Level", "Provenance", "Sufficiency", "SufficiencyLevel"]
