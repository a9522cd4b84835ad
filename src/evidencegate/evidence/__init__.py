"""Evidence: anchors, merging, ranking, sufficiency, selection, conflicts, images.

`assemble` turns search results into an `EvidencePackage`; `score` says whether it is enough to answer from;
`fallback_decision` whether more may be asked; `select` what is cited.
"""

from evidencegate.evidence._anchors import Anchor, AnchorKind, Pack, Packs, anchor_document, scope_only
from evidencegate.evidence._asked import (
    Part,
    asked,
    covered,
    labels,
    named_itself,
    names_any,
    of_population,
    outcomes_named,
    sought,
)
from evidencegate.evidence._assemble import assemble, by_tags
from evidencegate.evidence._byline import NO_AUTHORS, NO_JOURNAL, NO_YEAR, Listed, format_authors, metadata_line
from evidencegate.evidence._conflicts import WEIGHTS, Conflict, Finding, conflicts
from evidencegate.evidence._design import Level
from evidencegate.evidence._direct_url import DirectUrl, direct_url, why_not_direct
from evidencegate.evidence._fallback import Fallback, fallback_decision
from evidencegate.evidence._flow import Flow, flow
from evidencegate.evidence._images import (
    Image,
    ImagePolicy,
    find_images,
    image_policy,
    image_queries,
    select_images,
    tag_terms,
)
from evidencegate.evidence._level import evidence_level, registration
from evidencegate.evidence._merge import Merged, merge, merge_documents
from evidencegate.evidence._nearness import Nearness, content, default_nearness, shared_words
from evidencegate.evidence._packs import check_packs, load_packs
from evidencegate.evidence._rank import Relevance, Work, rank
from evidencegate.evidence._select import select
from evidencegate.evidence._sufficiency import VERSION as SUFFICIENCY_VERSION
from evidencegate.evidence._sufficiency import Said, Scorer, anchor_guidelines, misses_interventions, relevant, score
from evidencegate.evidence._topic import Tier, tier
from evidencegate.evidence._types import (
    EvidenceItem,
    EvidencePackage,
    Excluded,
    Provenance,
    Sufficiency,
    SufficiencyLevel,
)
from evidencegate.evidence._whole import with_whole_texts

__all__ = [
    # values
    "EvidenceItem",
    "EvidencePackage",
    "Excluded",
    "Level",
    "Provenance",
    "Sufficiency",
    "SufficiencyLevel",
    # the way through
    "assemble",
    "score",
    "fallback_decision",
    "select",
    "misses_interventions",
    "with_whole_texts",
    "Fallback",
    # anchors
    "Anchor",
    "AnchorKind",
    "Pack",
    "Packs",
    "anchor_document",
    "check_packs",
    "load_packs",
    "scope_only",
    # what is asked, part by part
    "Part",
    "asked",
    "covered",
    "labels",
    "named_itself",
    "names_any",
    "of_population",
    "outcomes_named",
    "sought",
    # parts
    "Merged",
    "Relevance",
    "SUFFICIENCY_VERSION",
    "Said",
    "Scorer",
    "Tier",
    "Work",
    "anchor_guidelines",
    "by_tags",
    "evidence_level",
    "merge",
    "merge_documents",
    "rank",
    "registration",
    "relevant",
    "tier",
    # addresses
    "DirectUrl",
    "direct_url",
    "why_not_direct",
    # the search log
    "Flow",
    "flow",
    # records in one line, texts near to a query
    "Listed",
    "NO_AUTHORS",
    "NO_JOURNAL",
    "NO_YEAR",
    "Nearness",
    "content",
    "default_nearness",
    "format_authors",
    "metadata_line",
    "shared_words",
    # conflicts and images
    "WEIGHTS",
    "Conflict",
    "Finding",
    "Image",
    "ImagePolicy",
    "conflicts",
    "find_images",
    "image_policy",
    "image_queries",
    "select_images",
    "tag_terms",
]
