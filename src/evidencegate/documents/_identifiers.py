"""Identifiers of citable records, checked for form and brought to one spelling."""

import re
from dataclasses import dataclass, fields, replace
from typing import Self
from urllib.parse import quote, unquote

_PMID = re.compile(r"[1-9][0-9]{0,8}")
_PMCID = re.compile(r"PMC[1-9][0-9]{0,9}")
_DOI = re.compile(r"10\.[0-9]{4,9}/\S+")
_NCT = re.compile(r"NCT[0-9]{8}")
_LONGEST_DOI = 2048
# Order of trust when one record must be named: PMID first, as PubMed is the field's index.
_ORDER = ("pmid", "pmcid", "doi", "nct")


def _place(value: object) -> str:
    """`value` as text; of an address what comes before its query and fragment."""
    text = str(value).strip()
    return re.split(r"[?#]", text, maxsplit=1)[0] if "://" in text else text


def pmid(value: object) -> str | None:
    """`12345` from `12345`, `PMID: 12345`, ` 012345 `, `12345.0` (a table's number) or a PubMed address; else None."""
    text = re.sub(r"^(?:pmid\s*:?\s*|https?://\S*?pubmed\S*?/)", "", _place(value), flags=re.IGNORECASE)
    text = text.strip("/ ").removesuffix(".0").lstrip("0")
    return text if _PMID.fullmatch(text) else None


def pmcid(value: object) -> str | None:
    """`PMC123` from `PMC123`, `123`, `pmc123.1` or a PMC address; else None."""
    text = _place(value).strip("/").rsplit("/", 1)[-1].upper().removeprefix("PMCID:").strip()
    text = "PMC" + text.removeprefix("PMC").split(".")[0]
    return text if _PMCID.fullmatch(text) else None


def doi(value: object) -> str | None:
    """The DOI in lower case (DOIs compare without case), freed of `doi:` or its resolver; else None."""
    text = str(value).strip()
    if len(text) > _LONGEST_DOI:
        return None
    # Addresses are encoded again where one stands inside another; each time leaves fewer characters.
    while (decoded := unquote(text)) != text:
        text = decoded
    text = re.sub(r"^(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi\s*:?\s*)+", "", text, flags=re.IGNORECASE)
    text = text.strip().rstrip(".,;").lower()
    return text if _DOI.fullmatch(text) and text.isprintable() else None


def nct(value: object) -> str | None:
    """`NCT01234567` from any case or a ClinicalTrials.gov address; else None."""
    text = _place(value).rstrip("/").rsplit("/", 1)[-1].upper()
    return text if _NCT.fullmatch(text) else None


_NORMALISE = {"pmid": pmid, "pmcid": pmcid, "doi": doi, "nct": nct}


@dataclass(frozen=True, slots=True, kw_only=True)
class Identifiers:
    """What names a record in the world. Every value has its registry's form; construction checks it."""

    pmid: str | None = None
    pmcid: str | None = None
    doi: str | None = None
    nct: str | None = None

    def __post_init__(self) -> None:
        for name, normalise in _NORMALISE.items():
            value = getattr(self, name)
            if value is not None and normalise(value) != value:
                raise ValueError(f"not a {name.upper()}: {value!r}")

    @classmethod
    def parse(cls, **raw: object) -> Self:
        """Identifiers from untrusted values: what has not the form is left out, never guessed at."""
        return cls(**{name: _NORMALISE[name](value) for name, value in raw.items() if value not in (None, "")})

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in _ORDER)

    def keys(self) -> tuple[str, ...]:
        """`pmid:…`, `pmcid:…`, `doi:…`, `nct:…` for those known, most trusted first."""
        return tuple(f"{name}:{getattr(self, name)}" for name in _ORDER if getattr(self, name))

    def merge(self, other: Self) -> Self:
        """These, completed by what only `other` knows."""
        missing = {f.name: getattr(other, f.name) for f in fields(self) if getattr(self, f.name) is None}
        return replace(self, **missing)

    def conflicts(self, other: Self) -> bool:
        """Whether both name the same registry and differ there."""
        pairs = ((getattr(self, name), getattr(other, name)) for name in ("pmid", "pmcid", "doi"))
        return any(a and b and a != b for a, b in pairs)

    @property
    def url(self) -> str | None:
        """The address of the article itself (rule 7), from the most trusted identifier."""
        if self.pmid:
            return f"https://pubmed.ncbi.nlm.nih.gov/{self.pmid}/"
        if self.pmcid:
            return f"https://pmc.ncbi.nlm.nih.gov/articles/{self.pmcid}/"
        if self.doi:
            return f"https://doi.org/{quote(self.doi, safe='/():;.-_')}"
        if self.nct:
            return f"https://clinicaltrials.gov/study/{self.nct}"
        return None
