"""The local collection: documents on disk, their BM25 index and vectors in one engine (LanceDB).

from evidencegate.library import Filters, Library

library = Library("trials")
library.add(["articles.tar.gz"])
hits = library.search("apixaban in dialysis", filters=Filters(year_from=2015))
"""

from evidencegate.library._library import Library
from evidencegate.library._types import (
    Added,
    Embedder,
    Filters,
    Hit,
    Info,
    Mode,
    Progress,
    Rejected,
    Rerank,
)

__all__ = ["Added", "Embedder", "Filters", "Hit", "Info", "Library", "Mode", "Progress", "Rejected", "Rerank"]
