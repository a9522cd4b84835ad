"""The whole text of the open articles among the records chosen: read before an answer is made, where that is wanted."""

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from evidencegate.documents import Document, from_json, to_json
from evidencegate.evidence import EvidencePackage, select
from evidencegate.report._outside import Outside
from evidencegate.runs import Run
from evidencegate.sources import Status, Unavailable

MOST = 5
"""Articles read as a whole, the best of those chosen: each costs a request and some hundred kilobytes."""


async def whole_texts(
    package: EvidencePackage, outside: Outside | None, run: Run
) -> tuple[Mapping[str, Document], tuple[str, ...]]:
    """The open articles among the records chosen with their whole text, by id, and what a reader should know.

    Only what PubMed Central holds (a PMCID) is asked for, side by side, each a step of the run. That an article is
    not open is no failure; a service that did not answer is named, and the abstract stands for the article.
    """
    if outside is None:
        return {}, ()
    wanted = [
        item.document
        for item in select(package)
        if item.document.identifiers.pmcid and not (item.document.full_text or item.document.curated)
    ][:MOST]
    read = await asyncio.gather(*(_one(document, outside, run) for document in wanted))
    texts = {document.id: got for document, got in zip(wanted, read, strict=True) if isinstance(got, Document)}
    run.event("full text", f"{len(texts)} of {len(wanted)} articles were read as a whole")
    warnings = tuple(
        f"The full text of {document.id} could not be read, its abstract was: {got.reason}"
        for document, got in zip(wanted, read, strict=True)
        if isinstance(got, Unavailable) and got.status is not Status.EMPTY
    )
    return texts, warnings


async def _one(document: Document, outside: Outside, run: Run) -> Document | Unavailable:
    return await run.step(
        "full text",
        [document.id],
        lambda: outside.full_text(document),
        dump=_dump,
        load=_load,
        unpaid=lambda error: Unavailable(identifier=document.id, status=Status.NOT_ASKED, reason=str(error)),
    )


def _dump(got: Document | Unavailable) -> dict[str, Any]:
    return {"document": to_json(got)} if isinstance(got, Document) else {"unavailable": asdict(got)}


def _load(kept: dict[str, Any]) -> Document | Unavailable:
    if "document" in kept:
        return from_json(kept["document"])
    return Unavailable(**{**kept["unavailable"], "status": Status(kept["unavailable"]["status"])})
