"""Packs as YAML files: read, validated, put together."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from evidencegate.documents import Identifiers, sentences
from evidencegate.errors import InvalidInput
from evidencegate.evidence._anchors import Anchor, AnchorKind, Pack, Packs
from evidencegate.evidence._direct_url import DirectUrl, why_not_direct

SCHEMA = "evidencegate/pack/1"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CONFIRMED = ("confirmed1", "confirmed2")
_HEDGE = re.compile(r"\b(?:from memory|recall(?:ed)?|unconfirmed|not verified|unverified)\b", re.IGNORECASE)
_FIGURE = re.compile(r"\b(?:ratio|CI|P)\b.*?\d|\d\s*%")

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_]{1,63}$")]
Line = Annotated[str, Field(min_length=1, max_length=600)]
Confirmation = Literal["confirmed1", "confirmed2", "recall", "none"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class _Ids(_Strict):
    pmid: str | None = None
    pmcid: str | None = None
    doi: str | None = None

    @model_validator(mode="after")
    def _formed(self) -> "_Ids":
        parsed = self.parsed()
        for name in ("pmid", "pmcid", "doi"):
            if getattr(self, name) and not getattr(parsed, name):
                raise ValueError(f"{name} has not the form of one: {getattr(self, name)!r}")
        if not parsed:
            raise ValueError("at least one of pmid, pmcid and doi is needed")
        return self

    def parsed(self) -> Identifiers:
        return Identifiers.parse(pmid=self.pmid, pmcid=self.pmcid, doi=self.doi)


class _Confirmation(_Strict):
    pmid: Confirmation | None = None
    doi: Confirmation | None = None
    url: Confirmation | None = None
    figures: Confirmation
    title: Confirmation | None = None
    authors: Confirmation | None = None


class _Sources(_Strict):
    identifiers: tuple[Line, ...] = Field(min_length=1)
    figures: tuple[Line, ...] = ()


class _Anchor(_Strict):
    id: Name
    kind: AnchorKind
    name: Line
    title: Line
    authors: tuple[Line, ...] = Field(min_length=1)
    journal: Line
    year: int = Field(ge=1900, le=2100)
    identifiers: _Ids | None = None
    copies: tuple[_Ids, ...] = ()
    url: Line
    population: str = ""
    intervention: str = ""
    comparator: str = ""
    n: int | None = Field(default=None, gt=0)
    summary: tuple[Line, ...] = Field(min_length=1)
    scope_only: bool = False
    limits: str = ""
    disease_tags: tuple[Line, ...] = ()
    decision_tags: tuple[Line, ...] = Field(min_length=1)
    confirmation: _Confirmation
    sources: _Sources
    checked: date
    next_review: date
    superseded_by: Name | None = None
    superseded_in_part: bool = False

    @model_validator(mode="after")
    def _usable(self) -> "_Anchor":
        for problem in _problems_of(self):
            raise ValueError(problem)
        return self


def _problems_of(anchor: _Anchor) -> Iterable[str]:
    """What forbids the use of an anchor, in words."""
    confirmation = anchor.confirmation
    for name in ("pmid", "doi"):
        given = getattr(anchor.identifiers, name, None)
        if given and getattr(confirmation, name) not in _CONFIRMED:
            yield f"{name} is given but not confirmed"
    if anchor.identifiers is None and confirmation.url not in _CONFIRMED:
        yield "without identifiers, the address must be confirmed"
    reason = why_not_direct(anchor.url)
    if reason:
        yield f"url {anchor.url!r}: {reason}"
    if anchor.next_review <= anchor.checked:
        yield "next_review comes after checked"
    if anchor.superseded_in_part and not anchor.superseded_by:
        yield "superseded in part by what?"
    yield from _problems_of_summary(anchor)


def _problems_of_summary(anchor: _Anchor) -> Iterable[str]:
    if anchor.confirmation.figures in _CONFIRMED:
        if not anchor.sources.figures:
            yield "figures are confirmed, but no source of them is named"
    elif not anchor.scope_only:
        yield "findings are summarised, but not confirmed: mark the anchor scope_only"
    elif anchor.n is not None or any(_FIGURE.search(line) for line in anchor.summary):
        yield "a figure is given, but figures are not confirmed"
    for line in anchor.summary:
        if _HEDGE.search(line):
            yield f"a fact from memory is no fact: {line[:60]!r}"
        if len(sentences(line)) != 1 or not line.endswith("."):
            yield f"a line of the summary is one full sentence: {line[:60]!r}"


class _Pack(_Strict):
    schema_: Literal["evidencegate/pack/1"] = Field(alias="schema")
    scenario: Name
    title: Line
    disease_tags: tuple[Line, ...] = ()
    decision_tags: tuple[Line, ...] = Field(min_length=1)
    also: tuple[Name, ...] = ()
    """Ids of anchors that another pack holds."""
    anchors: tuple[_Anchor, ...] = ()


def _read(path: Path, text: str) -> _Pack:
    try:
        raw = yaml.load(text, Loader=_LOADER)  # noqa: S506  (a safe loader, in C where there is one)
    except yaml.YAMLError as error:
        raise InvalidInput(f"{path.name} is not YAML: {str(error).splitlines()[0]}") from error
    if not isinstance(raw, Mapping):
        raise InvalidInput(f"{path.name} is not a pack: its top level must be fields such as `scenario: …`.")
    try:
        return _Pack.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
        raise InvalidInput(f"{path.name}: {where}: {first['msg']}{more}") from error


def _files(directory: Path | None) -> list[tuple[Path, str]]:
    shipped = files("evidencegate.evidence").joinpath("packs")
    found = [(Path(p.name), p.read_text("utf-8")) for p in shipped.iterdir() if p.name.endswith(".yaml")]
    found.sort()
    if directory is not None:
        if not directory.is_dir():
            raise InvalidInput(f"{directory} is not a directory. Give the directory that holds your pack files.")
        own = sorted(p for p in directory.iterdir() if p.suffix in (".yaml", ".yml"))
        for path in own:
            try:
                found.append((path, path.read_text("utf-8")))
            except (OSError, UnicodeDecodeError) as error:
                raise InvalidInput(f"{path.name} cannot be read as text: {error}") from error
    return found


def _anchor(raw: _Anchor, supersedes: tuple[str, ...]) -> Anchor:
    confirmation = raw.confirmation.model_dump(exclude_none=True)
    return Anchor(
        id=raw.id,
        kind=raw.kind,
        name=raw.name,
        title=raw.title,
        authors=raw.authors,
        journal=raw.journal,
        year=raw.year,
        identifiers=raw.identifiers.parsed() if raw.identifiers else Identifiers(),
        copies=tuple(copy.parsed() for copy in raw.copies),
        url=DirectUrl(raw.url),
        summary=raw.summary,
        scope_only=raw.scope_only,
        limits=raw.limits,
        population=raw.population,
        intervention=raw.intervention,
        comparator=raw.comparator,
        n=raw.n,
        disease_tags=raw.disease_tags,
        decision_tags=raw.decision_tags,
        confirmation=MappingProxyType(confirmation),
        sources=MappingProxyType({"identifiers": raw.sources.identifiers, "figures": raw.sources.figures}),
        checked=raw.checked,
        next_review=raw.next_review,
        supersedes=supersedes,
        superseded_by=raw.superseded_by,
        superseded_in_part=raw.superseded_in_part,
    )


def _together(read: list[tuple[Path, _Pack]]) -> tuple[Packs, list[str]]:
    """The packs, and what is wrong between them."""
    problems: list[str] = []
    by_id: dict[str, _Anchor] = {}
    for path, pack in read:
        for anchor in pack.anchors:
            if anchor.id in by_id:
                problems.append(f"{path.name}: anchor {anchor.id} exists already; refer to it under `also`")
            by_id.setdefault(anchor.id, anchor)
    supersedes: dict[str, list[str]] = {}
    for anchor in by_id.values():
        if anchor.superseded_by:
            supersedes.setdefault(anchor.superseded_by, []).append(anchor.id)
            if anchor.superseded_by not in by_id:
                problems.append(f"{anchor.id} is superseded by {anchor.superseded_by}, which no pack holds")
    built = {name: _anchor(raw, tuple(supersedes.get(name, ()))) for name, raw in by_id.items()}
    owners = Counter(key for anchor in built.values() for key in sorted(anchor.keys()))
    problems += [f"{key} names {count} anchors" for key, count in sorted(owners.items()) if count > 1]
    packs: dict[str, Pack] = {}
    for path, pack in read:
        unknown = [name for name in pack.also if name not in built]
        problems += [f"{path.name}: `also` names {name}, which no pack holds" for name in unknown]
        if pack.scenario in packs:
            problems.append(f"{path.name}: scenario {pack.scenario} exists already; give yours another name")
            continue
        ids = dict.fromkeys((*(a.id for a in pack.anchors), *(n for n in pack.also if n in built)))
        packs[pack.scenario] = Pack(
            scenario=pack.scenario,
            title=pack.title,
            disease_tags=pack.disease_tags,
            decision_tags=pack.decision_tags,
            anchors=tuple(built[name] for name in ids),
        )
    return Packs(tuple(packs.values())), problems


@lru_cache(maxsize=4)
def load_packs(directory: Path | None = None) -> Packs:
    """Every pack that ships, and those of the user's `directory`.

    Raises:
        InvalidInput: a file is no valid pack, or packs contradict each other; the message names file and field.
    """
    loaded, problems = _together([(path, _read(path, text)) for path, text in _files(directory)])
    if problems:
        raise InvalidInput("The anchor packs cannot be used: " + "; ".join(problems))
    return loaded


def check_packs(directory: Path | None = None, *, today: date | None = None) -> tuple[str, ...]:
    """Everything wrong with the packs, a line each; empty where all is well.

    Beyond what loading demands: with `today` given, anchors whose review is due, and dates of checking that lie
    in the future.
    """
    problems: list[str] = []
    read: list[tuple[Path, _Pack]] = []
    for path, text in _files(directory):
        try:
            read.append((path, _read(path, text)))
        except InvalidInput as error:
            problems.append(str(error))
    loaded, between = _together(read)
    problems += between
    for anchor in loaded.anchors if today else ():
        if today and anchor.next_review <= today:
            problems.append(f"{anchor.id}: its review was due on {anchor.next_review.isoformat()}")
        if today and anchor.checked > today:
            problems.append(f"{anchor.id}: checked on {anchor.checked.isoformat()}, which is to come")
    return tuple(problems)
