"""`DirectUrl`: an address that opens one article. What searches or redirects cannot be made into one (rule 7)."""

import re
from functools import lru_cache
from importlib.resources import files
from typing import Self
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

import yaml

from evidencegate.documents import Document, Identifiers

_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_ALLOWED = re.compile(r"[!-~]+")  # printable ASCII without space
_MAX = 2048


class _Rules:
    """The data file, compiled."""

    __slots__ = ("anywhere", "articles", "hosts", "parameters", "paths")

    def __init__(self) -> None:
        raw = yaml.safe_load(files("evidencegate.evidence").joinpath("data", "addresses.yaml").read_text("utf-8"))
        self.articles = {host: re.compile(pattern) for host, pattern in raw["articles"].items()}
        self.hosts = re.compile("|".join(raw["never_hosts"]))
        self.paths = re.compile("|".join(raw["never_paths"]))
        self.anywhere = re.compile("|".join(raw["never_anywhere"]))
        self.parameters = frozenset(raw["never_parameters"])


@lru_cache(maxsize=1)
def _rules() -> _Rules:
    return _Rules()


def why_not_direct(url: str) -> str | None:
    """Why `url` does not open one article, in words; None where it does.

    Known hosts of articles (PubMed, PMC, DOI, ClinicalTrials.gov, Europe PMC) must have the form of an article's
    page; any other host is taken for a stored guideline address, and must be neither a search engine, a
    shortener, a proxy nor a search page, and carry neither user, port, address in numbers nor another address.
    """
    if not url or len(url) > _MAX or not _ALLOWED.fullmatch(url) or "\\" in url:
        return "not a plain address"
    try:
        parts = urlsplit(url)
    except ValueError:
        return "not an address"
    host = parts.hostname or ""
    if parts.scheme != "https" or not url.startswith("https://"):
        return "not https"
    return _why_not_host(parts.netloc, host) or _why_not_page(url, parts, host)


def _why_not_host(netloc: str, host: str) -> str | None:
    if netloc != host:
        return "the host carries a user, a port or capitals"
    labels = host.split(".")
    if len(labels) < 2 or not all(_LABEL.fullmatch(label) for label in labels) or labels[-1].isdigit():
        return "not a host name"
    if any(label.startswith("xn--") for label in labels):
        return "a host name in other letters can pass for another"
    return None


def _why_not_page(url: str, parts: SplitResult, host: str) -> str | None:
    rules = _rules()
    decoded = url.casefold()
    while (once := unquote(decoded).casefold()) != decoded:
        decoded = once
    if rules.anywhere.search(decoded):
        return "a search, not an article"
    if host in rules.articles:
        known = rules.articles[host].fullmatch(url.split(host, 1)[1])
        return None if known else "not the page of one article"
    if rules.hosts.search(host):
        return "a search engine, a shortener or a proxy"
    if parts.path in ("", "/"):
        return "a home page, not an article"
    if rules.paths.search(decoded.split(host, 1)[1]):
        return "a search page or a redirect"
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if name.casefold() in rules.parameters or "//" in unquote(value):
            return "carries a search or another address"
    return None


class DirectUrl(str):
    """The address of one article. Construction checks it, so that holding one is the proof.

    Raises:
        ValueError: the address searches, redirects, hides its host or is no address.
    """

    __slots__ = ()

    def __new__(cls, url: str) -> Self:
        reason = why_not_direct(url)
        if reason is not None:
            raise ValueError(f"not the address of an article ({reason}): {url[:200]!r}")
        return super().__new__(cls, url)


def identifier_urls(identifiers: Identifiers) -> tuple[str, ...]:
    """The addresses built from each identifier known, most trusted first."""
    built = (
        identifiers.pmid and f"https://pubmed.ncbi.nlm.nih.gov/{identifiers.pmid}/",
        identifiers.pmcid and f"https://pmc.ncbi.nlm.nih.gov/articles/{identifiers.pmcid}/",
        identifiers.doi and f"https://doi.org/{quote(identifiers.doi, safe='/():;.-_')}",
        identifiers.nct and f"https://clinicaltrials.gov/study/{identifiers.nct}",
    )
    return tuple(url for url in built if url)


def direct_url(document: Document) -> DirectUrl | None:
    """The address of the article itself: the stored one, else built from the most trusted identifier; or None."""
    for url in (document.stored_url or "", *identifier_urls(document.identifiers)):
        if url and why_not_direct(url) is None:
            return DirectUrl(url)
    return None
