"""What a user can set, in one place: `EVIDENCEGATE_<NAME>` in the environment, or arguments in a script.

Keys are `SecretStr`: they print as asterisks, and validation errors do not repeat what was given.
"""

import os
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

__all__ = ["Settings", "base_url", "load"]


def base_url(value: str) -> str:
    """The address of a server, without a slash at its end.

    Raises:
        ValueError: it is none, or holds what would be shown or sent elsewhere; the message does not repeat it.
    """
    value = value.strip()
    if not value.startswith(("https://", "http://")):
        raise ValueError("a base URL starts with https:// (or http:// for a server of your own)")
    try:
        parts = urlsplit(value)
        named = bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets without an end, a port that is no number or too large
        named = False
    if not named or not value.isprintable() or " " in value:
        raise ValueError("a base URL names a host, as in https://host/path or https://host:8443/path")
    if parts.query or parts.fragment:
        raise ValueError("a base URL ends with its path: what follows ? or # cannot be used")
    if parts.username is not None:
        # Addresses are shown, in logs and beside images.
        raise ValueError("a base URL holds no user name and no password")
    return value.rstrip("/")


def _header(value: str) -> str:
    if not (value.isascii() and value.isprintable() and value.strip()):
        raise ValueError("the name goes into an HTTP header: printable ASCII characters only")
    return value.strip()


def _key(value: SecretStr) -> SecretStr | None:
    text = value.get_secret_value().strip()
    # A stray line break from a file would end up inside an HTTP header.
    if any(not 33 <= ord(character) <= 126 for character in text):
        raise ValueError("a key holds printable ASCII characters only")
    # Keys are struck out of everything that is shown; one this short would strike out ordinary words.
    if 0 < len(text) < 8:
        raise ValueError("a key has at least 8 characters")
    return SecretStr(text) if text else None


def _cache_dir() -> Path:
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "evidencegate"


def _data_dir() -> Path:
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "evidencegate"


BaseURL = Annotated[str, AfterValidator(base_url)]
Key = Annotated[SecretStr, AfterValidator(_key)] | None
Rate = Annotated[float, Field(gt=0, le=1000)]
Seconds = Annotated[float, Field(ge=0, le=3600)]


class Settings(BaseSettings):
    """All settings, frozen. Every field is read from `EVIDENCEGATE_<FIELD>`, in any case.

    Rates are requests per second and host; they are upper limits, lowered by what a server's own headers say.
    """

    model_config = SettingsConfigDict(
        env_prefix="EVIDENCEGATE_", frozen=True, hide_input_in_errors=True, extra="ignore", env_ignore_empty=True
    )

    tool: Annotated[str, AfterValidator(_header)] = "evidencegate"
    """Sent to NCBI as `tool` and to everyone in the User-Agent."""
    email: str | None = None
    """Your address, which NCBI, Crossref and Unpaywall ask for; sent to nobody else."""

    pubmed_url: BaseURL = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
    europe_pmc_url: BaseURL = "https://www.ebi.ac.uk/europepmc/webservices/rest"
    clinical_trials_url: BaseURL = "https://clinicaltrials.gov/api/v2"
    openalex_url: BaseURL = "https://api.openalex.org"
    crossref_url: BaseURL = "https://api.crossref.org"
    open_i_url: BaseURL = "https://openi.nlm.nih.gov"
    perplexity_url: BaseURL = "https://api.perplexity.ai"
    unpaywall_url: BaseURL = "https://api.unpaywall.org/v2"

    ncbi_api_key: Key = None
    openalex_api_key: Key = None
    perplexity_api_key: Key = None

    pubmed_rate: Rate | None = None
    """3 without a key and 10 with one, where not set: what NCBI allows."""
    europe_pmc_rate: Rate = 10
    clinical_trials_rate: Rate = 5
    openalex_rate: Rate = 10
    crossref_rate: Rate = 3
    open_i_rate: Rate = 1
    perplexity_rate: Rate = 1
    unpaywall_rate: Rate = 10

    perplexity_model: str = "sonar"

    connect_seconds: Seconds = 5
    """For a connection to open."""
    read_seconds: Seconds = 20
    """Without a byte from the server."""
    request_seconds: Seconds = 40
    """For one whole reply, however slowly it drips."""
    source_seconds: Seconds = 60
    """For everything one source is asked in one search."""
    attempts: Annotated[int, Field(ge=1, le=10)] = 4
    """How often a request is sent before its source is given up."""
    retry_seconds: Seconds = 0.5
    """First pause before a retry; doubled each time, with jitter."""
    retry_after_seconds: Seconds = 20
    """The longest pause a server may ask for (`Retry-After`) that is waited out."""
    max_reply_bytes: Annotated[int, Field(gt=0)] = 64 * 2**20

    cache_dir: Path = Field(default_factory=_cache_dir)
    cache_days: Annotated[float, Field(ge=0, le=36_500)] = 7
    """How long a reply may be used again; 0 keeps none."""

    full_text: bool = False
    """Whether `ask` and `report` read open articles as a whole where nothing else is said."""

    data_dir: Path = Field(default_factory=_data_dir)
    """Where the run ledger is kept."""
    ledger: SecretStr | None = None
    """Database URL of the run ledger (it may hold a password); SQLite in `data_dir` where not set."""

    def ledger_url(self) -> str:
        """The ledger's database URL; the directory of the default one is made."""
        if self.ledger is not None:
            return self.ledger.get_secret_value()
        with suppress(OSError):  # where it cannot be made, opening the ledger says so
            self.data_dir.mkdir(parents=True, exist_ok=True)
        return f"sqlite:///{self.data_dir / 'runs.db'}"


@lru_cache(maxsize=1)
def load() -> Settings:
    """The settings of this process, read from the environment once.

    Raises:
        evidencegate.errors.InvalidInput: a variable holds what it cannot; the message names it, not its value.
    """
    from pydantic import ValidationError

    from evidencegate.errors import InvalidInput

    try:
        return Settings()
    except ValidationError as error:
        wrong = "; ".join(
            f"EVIDENCEGATE_{'_'.join(map(str, e['loc'])).upper()}: {e['msg']}"
            for e in error.errors(include_input=False, include_url=False, include_context=False)
        )
        # `from None`: the original keeps what was given, which may be a key.
        raise InvalidInput(f"A setting in the environment cannot be used. {wrong}") from None
