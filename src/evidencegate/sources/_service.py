"""What is known of each service before it is asked: address, rate, etiquette, key."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from evidencegate.settings import Settings
from evidencegate.sources._secrets import Credential, Placement


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """One service on the network."""

    name: str
    title: str
    """As readers know it."""
    base: str
    rate: float
    """Requests per second, at most."""
    etiquette: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Who we are, in the parameters this service has for it; part of no query and no cache key."""
    credential: Credential | None = None
    key_setting: str = ""

    @property
    def url_setting(self) -> str:
        """The variable that moves this service elsewhere."""
        return f"EVIDENCEGATE_{self.name.upper()}_URL"


def services(settings: Settings) -> Mapping[str, Service]:
    """Every service by name, under these settings."""
    email = settings.email or ""
    ncbi = _credential(settings, "pubmed_url", "ncbi_api_key", "api_key")
    every = (
        Service(
            name="pubmed",
            title="PubMed",
            base=settings.pubmed_url,
            # NCBI: 3 requests a second without a key, 10 with one.
            rate=settings.pubmed_rate or (10 if ncbi else 3),
            etiquette=_present(tool=settings.tool, email=email),
            credential=ncbi,
            key_setting="EVIDENCEGATE_NCBI_API_KEY",
        ),
        Service(
            name="europe_pmc",
            title="Europe PMC",
            base=settings.europe_pmc_url,
            rate=settings.europe_pmc_rate,
            etiquette=_present(email=email),
        ),
        Service(
            name="clinical_trials",
            title="ClinicalTrials.gov",
            base=settings.clinical_trials_url,
            rate=settings.clinical_trials_rate,
        ),
        Service(
            name="openalex",
            title="OpenAlex",
            base=settings.openalex_url,
            rate=settings.openalex_rate,
            credential=_credential(settings, "openalex_url", "openalex_api_key", "api_key"),
            key_setting="EVIDENCEGATE_OPENALEX_API_KEY",
        ),
        Service(
            name="crossref",
            title="Crossref",
            base=settings.crossref_url,
            rate=settings.crossref_rate,
            etiquette=_present(mailto=email),
        ),
        Service(name="open_i", title="Open-i", base=settings.open_i_url, rate=settings.open_i_rate),
        Service(
            name="perplexity",
            title="Perplexity",
            base=settings.perplexity_url,
            rate=settings.perplexity_rate,
            credential=_credential(settings, "perplexity_url", "perplexity_api_key", ""),
            key_setting="EVIDENCEGATE_PERPLEXITY_API_KEY",
        ),
        Service(
            name="unpaywall",
            title="Unpaywall",
            base=settings.unpaywall_url,
            rate=settings.unpaywall_rate,
            etiquette=_present(email=email),
        ),
    )
    return MappingProxyType({service.name: service for service in every})


def _present(**values: str) -> Mapping[str, str]:
    return MappingProxyType({name: value for name, value in values.items() if value})


def _credential(settings: Settings, url: str, key: str, parameter: str) -> Credential | None:
    secret = getattr(settings, key)
    if secret is None:
        return None
    placement = Placement.PARAMETER if parameter else Placement.BEARER
    return Credential(getattr(settings, url), placement, parameter, secret)
