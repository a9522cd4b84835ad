"""What is held out of training, decided once by hash so that every script agrees."""

from __future__ import annotations

import hashlib
from typing import Any


def share_of(text: str) -> float:
    """A number in [0, 1) that depends on the text alone."""
    return int(hashlib.sha256(text.strip().lower().encode()).hexdigest()[:8], 16) / 2**32


def held_out_claim(row: dict[str, Any], share: float = 0.25) -> bool:
    """Whether a SciFact row belongs to the development part: by claim, so that no claim is in both."""
    return share_of(row["claim"]) < share
