"""`Level`: the design of a study."""

from enum import StrEnum


class Level(StrEnum):
    """Design of a study, best first (after OCEBM 2011). A design, never a GRADE."""

    GUIDELINE = "guideline"
    SYSTEMATIC_REVIEW = "systematic_review"
    RCT = "rct"
    COHORT = "cohort"
    CASE_CONTROL = "case_control"
    CASE_SERIES = "case_series"
    REVIEW = "review"
    OTHER = "other"

    @property
    def primary_study(self) -> bool:
        """Whether the record reports its own patients."""
        return self in (Level.RCT, Level.COHORT, Level.CASE_CONTROL, Level.CASE_SERIES)
