"""Places that are searched, one file each."""

from evidencegate.sources._types import Found, SearchRecord, SearchResult, Source, Status

__all__ = ["Found", "SearchRecord", "SearchResult", "Source", "Status"]
