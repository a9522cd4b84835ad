"""Documents, and places in them that can be quoted.

A reader turns a file into `Document`s. A `Document` has one text; sentences, `Passage`s and `Quote`s are spans
of it. Nothing else in the package makes text that is shown as a quote.
"""

from evidencegate.documents._document import Document, Notice, RetractionStatus, Section
from evidencegate.documents._identifiers import Identifiers, doi, nct, pmcid, pmid
from evidencegate.documents._locate import locate, locate_quote
from evidencegate.documents._orders import heard, is_order, without_orders
from evidencegate.documents._passage import Passage, Quote
from evidencegate.documents._sentences import sentences
from evidencegate.documents._serial import from_json, to_json
from evidencegate.documents._span import Span
from evidencegate.documents._tokens import Kind, Normalised, Token, normalise, tokens
from evidencegate.documents._windows import passages

__all__ = [
    # values
    "Document",
    "Identifiers",
    "Notice",
    "Passage",
    "Quote",
    "RetractionStatus",
    "Section",
    "Span",
    # identifiers in the form in which they are kept
    "doi",
    "nct",
    "pmcid",
    "pmid",
    # text
    "Kind",
    "Normalised",
    "Token",
    "heard",
    "is_order",
    "locate",
    "locate_quote",
    "normalise",
    "passages",
    "sentences",
    "tokens",
    "without_orders",
    # storage
    "from_json",
    "to_json",
]
