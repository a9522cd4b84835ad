"""Is every claim of a text supported, and where exactly is it wrong?"""

from evidencegate.verify._against import Against, Resolver, Searchable, identifiers
from evidencegate.verify._agree import agree
from evidencegate.verify._check import check, default_reader
from evidencegate.verify._citations import CitationCheck, formatted
from evidencegate.verify._claims import claims, parts
from evidencegate.verify._decide import Verifier
from evidencegate.verify._evidence import Evidence, Selected
from evidencegate.verify._gate import Proposal, Thresholds, gate, read_proposal
from evidencegate.verify._html import checked_html
from evidencegate.verify._json import checked_json, claim_json, decision_json, finding_json, trace_json
from evidencegate.verify._lexicon import lexicon, words
from evidencegate.verify._local import THRESHOLDS, StanceReader
from evidencegate.verify._markdown import checked_markdown, summary
from evidencegate.verify._marks import Segment, segments
from evidencegate.verify._numbers import Agreement, Finding, compare
from evidencegate.verify._outcome import FailOn, failed
from evidencegate.verify._propose import Extracted, Proposer, located_claims
from evidencegate.verify._quantities import quantities
from evidencegate.verify._references import CitedText, Entry, Mention, Style, read_citations
from evidencegate.verify._types import (
    Checked,
    CheckedClaim,
    CheckedSentence,
    Claim,
    Coverage,
    Decision,
    GateReason,
    IssueSpan,
    SentenceLabel,
    Severity,
    Trace,
    Verdict,
)
from evidencegate.verify._units import Kind, Quantity
from evidencegate.verify._wording import stem
from evidencegate.verify._written import Glossary, glossary

__all__ = [
    # calls
    "check",
    "claims",
    "failed",
    "gate",
    # the gate
    "Coverage",
    "Decision",
    "GateReason",
    "Proposal",
    "THRESHOLDS",
    "Thresholds",
    "Trace",
    "Verdict",
    "read_proposal",
    # a checked text
    "Checked",
    "CheckedClaim",
    "CheckedSentence",
    "Claim",
    "FailOn",
    "IssueSpan",
    "SentenceLabel",
    "Severity",
    # outputs
    "Segment",
    "checked_html",
    "checked_json",
    "checked_markdown",
    "claim_json",
    "decision_json",
    "finding_json",
    "segments",
    "summary",
    "trace_json",
    # what may be plugged in
    "Against",
    "Proposer",
    "Resolver",
    "Searchable",
    "StanceReader",
    "Verifier",
    # claims and evidence
    "Evidence",
    "Extracted",
    "Selected",
    "located_claims",
    # parts, for rooms that compare wording as this one does
    "Glossary",
    "default_reader",
    "glossary",
    "identifiers",
    "lexicon",
    "parts",
    "stem",
    "words",
    # numbers
    "Agreement",
    "Finding",
    "Kind",
    "Quantity",
    "agree",
    "compare",
    "quantities",
    # citations
    "CitationCheck",
    "CitedText",
    "Entry",
    "Mention",
    "Style",
    "formatted",
    "read_citations",
]
