"""What reading yields, and how much of it is allowed."""

from dataclasses import dataclass
from typing import TypeAlias

from evidencegate.documents._document import Document


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file, member or record that could not be read; the rest of the batch goes on."""

    path: str
    """The file, with the archive member (`a.zip!b.xml`) and the record (`b.jsonl:12`) where there is one."""
    reason: str
    """What is wrong, and what to do about it."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """A record that its source has withdrawn (PubMed's update files)."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds that keep a hostile or mistaken file from filling the memory. Sizes are in bytes."""

    text_bytes: int = 64_000_000
    """The largest file that is read as one document (text, HTML, PDF, DOCX)."""
    record_bytes: int = 64_000_000
    """The largest single record of a file of many (an article, a line)."""
    member_bytes: int = 1_000_000_000
    """The largest member of an archive."""
    expansion: int = 200
    """How many times larger than its compressed form data may become (text rarely passes 20)."""


Item: TypeAlias = Document | Skipped | Deleted
DEFAULT = Limits()


def megabytes(size: int) -> str:
    """`1.5 MB`, for messages."""
    return f"{size / 1_000_000:,.1f} MB"
