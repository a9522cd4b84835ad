"""What a question asks to be decided, read by a small model inside the package, on the CPU without torch.

from evidencegate.models.decisions import decision_reader

decision_reader().read("When should it be restarted, and at what dose?")["dose"]    # log-odds
"""

from evidencegate.models.decisions._reader import DECISIONS, DecisionReader, decision_reader

__all__ = ["DECISIONS", "DecisionReader", "decision_reader"]
