"""How values are said on a page."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

from evidencegate.evidence import Flow
from evidencegate.web._jobs import Job

_SOURCES = {
    "pubmed": "PubMed",
    "europe_pmc": "Europe PMC",
    "clinical_trials": "ClinicalTrials.gov",
    "openalex": "OpenAlex",
    "crossref": "Crossref",
    "perplexity": "Perplexity",
    "open_i": "Open-i",
}
_CONFIRMED = {
    "confirmed2": "confirmed twice, by independent sources",
    "confirmed1": "confirmed once",
    "recall": "from memory, not confirmed",
    "none": "not confirmed",
}
_DESIGNS = {
    "rct": "randomised trial",
    "cohort": "cohort study",
    "case_control": "case-control study",
    "other": "other design",
}
_LONGEST_ADDRESS = 1_500
_KINDS = {"ask": "Answer", "check": "Check", "counter": "What speaks against it", "report": "Report"}


def words(name: object) -> str:
    """`rate_limited` as a reader says it."""
    return str(name).replace("_", " ").replace("-", " ")


def source(name: str) -> str:
    """A source by its own name; a library as one."""
    return f"library “{name.removeprefix('library:')}”" if name.startswith("library:") else _SOURCES.get(name, name)


def kind_name(kind: str) -> str:
    """What a run made."""
    return _KINDS[kind]


def asked(job: Job) -> str:
    """What a run was asked, on one line."""
    return " ".join(str(job.info.inputs.get("question") or job.info.inputs.get("text") or "").split())


def shortened(text: str, most: int) -> str:
    """The beginning of a text, at a word, where it is longer than `most` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else (line[:most].rpartition(" ")[0] or line[:most]) + " …"


def first_author(authors: str) -> str:
    """The first of the authors as a reference prints them."""
    return re.split(r"[,;]|\bet al", authors, maxsplit=1)[0].strip(" .") or "unknown"


def moment(iso: str | None) -> str:
    """`21 Nov 2026, 01:05 UTC`."""
    return f"{datetime.fromisoformat(iso):%-d %b %Y, %H:%M} UTC" if iso else ""


def seconds(value: float) -> str:
    """A duration as people say it."""
    return f"{value:.1f} s" if value < 90 else f"{value / 60:.0f} min"


def identifiers(pairs: Sequence[tuple[str, str | None]]) -> str:
    """Those that are known, with their kind."""
    return " · ".join(f"{name}: {value}" for name, value in pairs if value)


def flow_said(flow: Mapping[str, Any]) -> str:
    """The flow of records in a sentence: the picture's text alternative."""
    return (
        f"Flow of records: {sum(flow['identified'].values())} identified and {flow['other']} from curated packs; "
        f"{flow['duplicates']} duplicates removed; {flow['screened']} screened; {sum(flow['excluded'].values())} "
        f"excluded; {flow['not_cited']} relevant but not cited; {flow['included']} included."
    )


def flow_picture(flow: Mapping[str, Any]) -> str:
    """The same as SVG."""
    return Flow.from_json(flow).svg()


def again_url(job: Job) -> str:
    """The form that a run was begun with, filled in; empty where the text is too long for an address."""
    forms = {"ask": ("/", "question"), "counter": ("/counter", "text"), "report": ("/report", "topic")}
    path, field = forms.get(job.kind, ("", ""))
    said = str(job.info.inputs.get("question", ""))
    return f"{path}?{urlencode({field: said})}" if path and len(said) <= _LONGEST_ADDRESS else ""


def source_url(run: str, document: str, span: Mapping[str, int] | None = None, part: int = 1) -> str:
    """Where a text stands with what is quoted of it marked: opened at `span`, leading back to `part` of a long run."""
    path = f"/sources/{quote(run, safe='')}/{quote(document, safe='')}"
    if span is None:
        return path
    place = {"start": span["start"], "end": span["end"], **({"part": part} if part > 1 else {})}
    return f"{path}?{urlencode(place)}#quote"


def part_of(said: str) -> int:
    """The part of a long result that an address names; 1 where it names none."""
    return int(said) if re.fullmatch(r"[0-9]{1,6}", said) else 1


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]


FILTERS: Mapping[str, Callable[..., str]] = {
    "asked": asked,
    "design": lambda level: _DESIGNS.get(level, words(level)),
    "capitalize_first": _first_upper,
    "confirmed": lambda how: _CONFIRMED.get(how, words(how)),
    "field": lambda name: name.upper() if name in ("pmid", "doi", "pmcid", "nct", "url") else words(name),
    "first_author": first_author,
    "first_word": lambda text: text.partition(" ")[0],
    "flow_said": flow_said,
    "identifiers": identifiers,
    "megabytes": lambda size: f"{size / 2**20:,.1f} MB",
    "moment": moment,
    "no_stop": lambda title: title.rstrip(". "),
    "seconds": seconds,
    "shortened": shortened,
    "source": source,
    "two": lambda value: f"{value:.2f}",
    "without": lambda reason, status: reason.removeprefix(f"{words(status)}: "),
    "words": words,
}
