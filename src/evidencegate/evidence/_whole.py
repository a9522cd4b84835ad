"""Records with their whole text, where it was read; how they were ranked stays as it was."""

from collections.abc import Mapping
from dataclasses import replace

from evidencegate.documents import Document, heard
from evidencegate.evidence._rank import reading
from evidencegate.evidence._types import EvidencePackage


def with_whole_texts(package: EvidencePackage, texts: Mapping[str, Document]) -> EvidencePackage:
    """`package` with the documents of `texts` (by id) in place of those with the abstract alone.

    Scores, order and selection are those of the abstracts: whether an article is open says nothing of how well it
    answers. The passages are those of the whole text that are nearest to the question. Sentences that give orders to
    their reader are blanked, as in every record that comes in (rule 13).
    """
    whole = {name: heard(document) for name, document in texts.items()}
    items = tuple(
        replace(item, document=whole[item.document.id], passages=reading(package.question, whole[item.document.id]))
        if item.document.id in whole
        else item
        for item in package.items
    )
    return replace(package, items=items)
