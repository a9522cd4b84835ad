"""Rule 7: only what opens one article is an address of a reference."""

import random
import re
import string
from urllib.parse import quote, unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidencegate.documents import Document, Identifiers
from evidencegate.evidence import DirectUrl, direct_url, why_not_direct

DIRECT = [
    "https://pubmed.ncbi.nlm.nih.gov/21870978/",
    "https://pmc.ncbi.nlm.nih.gov/articles/PMC6202193/",
    "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC6202193/",
    "https://doi.org/10.1056/nejmoa1107039",
    "https://doi.org/10.1016/S0140-6736(21)00313-5",
    "https://clinicaltrials.gov/study/NCT00412984",
    "https://europepmc.org/article/MED/21870978",
    "https://www.nice.org.uk/guidance/ng196",
    "https://www.who.int/publications/i/item/9789240033986",
]
NOT_DIRECT = [
    "",
    "https://www.google.com/search?q=apixaban",
    "https://google.com/search?q=apixaban",
    "https://www.google.co.uk/search?q=apixaban",
    "HTTPS://WWW.GOOGLE.COM/SEARCH?Q=APIXABAN",
    "https://scholar.google.com/scholar?q=apixaban",
    "https://www.google.com/url?url=https://pubmed.ncbi.nlm.nih.gov/21870978/",
    "https://www.bing.com/search?q=apixaban",
    "https://duckduckgo.com/?q=apixaban",
    "https://search.yahoo.com/search?p=apixaban",
    "https://pubmed.ncbi.nlm.nih.gov/?term=apixaban",
    "https://pubmed.ncbi.nlm.nih.gov/21870978/?q=x",
    "https://pubmed.ncbi.nlm.nih.gov/",
    "https://clinicaltrials.gov/search?cond=AF",
    "https://doi.org/",
    "https://europepmc.org/search?query=apixaban",
    "http://pubmed.ncbi.nlm.nih.gov/21870978/",
    "https://pubmed.ncbi.nlm.nih.gov@google.com/search",
    "https://pubmed.ncbi.nlm.nih.gov:443@evil.example/21870978/",
    "https://pubmed.ncbi.nlm.nih.gov:8443/21870978/",
    "https://pubmed.ncbi.nlm.nih.gov\\@google.com/search?q=x",
    "https://gооgle.com/search?q=x",  # Cyrillic letters
    "https://xn--ggle-0nda.com/page",
    "https://www.google.com%2fsearch?q=x",
    "https://example.org/%67oogle.com/search",
    "https://example.org/google.com%2Fsearch%3Fq=x",
    "https://example.org/go?url=https://google.com/",
    "https://example.org/guideline?q=apixaban",
    "https://example.org/search/apixaban",
    "https://doi.org/10.1234/google.com/search",
    "https://127.0.0.1/guideline",
    "https://localhost/guideline",
    "https://[::1]/guideline",
    "https://example.org",
    "https://bit.ly/abc",
    "javascript:alert(1)",
    "https://example.org/a b",
    "https://example.org/a\nb",
    "ftp://example.org/a",
    "//example.org/a",
]


@pytest.mark.parametrize("url", DIRECT)
def test_addresses_of_articles_are_kept_as_they_are(url: str) -> None:
    assert DirectUrl(url) == url


@pytest.mark.parametrize("url", NOT_DIRECT)
def test_searches_redirects_and_tricks_cannot_be_made(url: str) -> None:
    with pytest.raises(ValueError, match="not the address"):
        DirectUrl(url)


_SEARCHES = (
    "google.com/search",
    "www.google.com/search",
    "google.de/search",
    "scholar.google.com/scholar",
    "bing.com/search",
    "duckduckgo.com/",
    "yandex.ru/search/",
    "search.yahoo.com/search",
)
_TRICKS = (
    "https://{s}?q={w}",
    "https://{s}?hl=en&q={w}#frag",
    "HTTPS://{S}?q={w}",
    "https://pubmed.ncbi.nlm.nih.gov@{s}?q={w}",
    "https://user:pass@{s}?q={w}",
    "https://{w}.org/redirect?url=https://{s}?q={w}",
    "https://{w}.org/{p}",
    "https://{w}.org/{w}/{p}",
    "https://doi.org/10.1234/{s}?q={w}",
    "https://doi.org/10.1234/{p}",
    "https://{w}.org/?q={w}",
    "https://{w}.org/search?q={w}",
    "https://{w}.org/{w}?Q={w}",
    "https://{w}.org/{w}?next=%2F%2F{s}",
    "https://{s}\t?q={w}",
    "https://{s}.?q={w}",
    "https://{s}:443?q={w}",
)
_PIECES = (
    "https://", "http://", "//", "google.com", "GOOGLE.com", "doi.org", "pubmed.ncbi.nlm.nih.gov", "example.org",
    "/", "search", "%2F", "%252f", "?", "q=", "url=", "@", ":", "#", "..", "10.1234", "123", "PMC1", "\u043e", "\u2024",
    "\u3002", " ", "\n", "\\", "xn--", "a", "-",
)  # fmt: skip


@settings(max_examples=200)
@given(st.integers(0, 2**32))
def test_no_spelling_of_a_search_is_an_address(seed: int) -> None:
    """50 addresses of each of 200 seeds."""
    chance = random.Random(seed)
    for _ in range(50):
        search, word = chance.choice(_SEARCHES), "".join(chance.choices(string.ascii_lowercase, k=5))
        hidden = f"{search}?q={word}"
        for _ in range(chance.randint(1, 3)):
            hidden = quote(hidden, safe="")
        url = chance.choice(_TRICKS).format(s=search, S=search.upper(), w=word, p=hidden)
        assert why_not_direct(url) is not None, url


@settings(max_examples=200)
@given(st.integers(0, 2**32))
def test_whatever_is_accepted_is_plain_https_without_a_search(seed: int) -> None:
    """50 addresses, put together at random, of each of 200 seeds."""
    chance = random.Random(seed)
    for _ in range(50):
        url = "https://" * chance.randint(0, 1) + "".join(chance.choices(_PIECES, k=chance.randint(1, 7)))
        if why_not_direct(url) is None:
            folded = unquote(unquote(url)).casefold()
            assert folded.startswith("https://"), url
            assert url.isascii(), url
            host, rest = folded.removeprefix("https://").split("/", 1)
            assert not set(host) & set("@:%"), url
            assert not re.search(r"(?:^|\.)google\.", host), url
            assert "google.com/search" not in folded, url
            assert not re.search(r"^search|/search|[?&](?:q|url)=", rest) or host.endswith("doi.org"), url


def test_the_stored_address_goes_before_the_built_one_unless_it_is_no_article() -> None:
    ids = Identifiers(pmid="21870978", doi="10.1056/nejmoa1107039")
    stored = Document(id="a", title="t", text="x", identifiers=ids, stored_url="https://www.nice.org.uk/guidance/ng196")
    search = Document(id="a", title="t", text="x", identifiers=ids, stored_url="https://www.google.com/search?q=t")
    assert direct_url(stored) == "https://www.nice.org.uk/guidance/ng196"
    assert direct_url(search) == "https://pubmed.ncbi.nlm.nih.gov/21870978/"
    assert direct_url(Document(id="local:a", title="t", text="x")) is None


def test_an_identifier_that_hides_a_search_falls_to_the_next() -> None:
    hidden = Identifiers(doi="10.1234/google.com/search", nct="NCT00412984")
    assert direct_url(Document(id="a", title="t", text="x", identifiers=hidden)) == (
        "https://clinicaltrials.gov/study/NCT00412984"
    )
