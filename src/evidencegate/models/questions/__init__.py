"""What a clinical question asks, and which of its conditions count, read by a small model inside the package.

On the CPU, without torch.

from evidencegate.models.questions import question_reader

question_reader().decisions("When should it be restarted, and at what dose?")["dose"]    # log-odds
"""

from evidencegate.models.questions._reader import (
    DECISIONS,
    QuestionReader,
    Span,
    Weight,
    averaged,
    question_reader,
)

__all__ = ["DECISIONS", "QuestionReader", "Span", "Weight", "averaged", "question_reader"]
