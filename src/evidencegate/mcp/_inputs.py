"""What a caller may give a tool. Libraries and sources go by name; no path and no address is taken."""

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evidencegate.errors import InvalidInput

LONGEST_TEXT = 200_000
_LONGEST_QUESTION = 20_000

Name = Annotated[str, Field(min_length=1, max_length=200)]
Libraries = Annotated[
    list[Name] | None,
    Field(
        max_length=20,
        description="Names of this server's libraries to search. Where neither libraries nor sources are given, all "
        "of them are searched, or the default live sources where the server has none.",
    ),
]
Sources = Annotated[
    list[Name] | None,
    Field(
        max_length=10,
        description="Live sources to search: pubmed, europe_pmc, clinical_trials, openalex, crossref.",
    ),
]


class Input(BaseModel):
    """The arguments of a tool: nothing but what is named here."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SearchEvidence(Input):
    """Arguments of `search_evidence`."""

    question: str = Field(
        min_length=1, max_length=_LONGEST_QUESTION, pattern=r"\S", description="A clinical question, in English."
    )
    sources: Sources = None
    libraries: Libraries = None
    limit: int = Field(default=10, ge=1, le=50, description="The most records that are given back, best first.")


class Ask(Input):
    """Arguments of `ask`."""

    question: str = Field(
        min_length=1, max_length=_LONGEST_QUESTION, pattern=r"\S", description="A clinical question, in English."
    )
    sources: Sources = None
    libraries: Libraries = None
    max_seconds: float | None = Field(
        default=None, gt=0, le=3600, description="Ask nothing more after so long; answer from what was found by then."
    )


class CheckText(Input):
    """Arguments of `check_text`."""

    text: str = Field(
        min_length=1, max_length=LONGEST_TEXT, pattern=r"\S", description="The text whose claims are checked."
    )
    against: list[Name] = Field(
        default=[],
        max_length=50,
        description="Identifiers of the works to check against: PMID, PMCID, DOI or NCT number. With no source of any "
        "kind the text is checked against what it cites itself.",
    )
    source_texts: list[Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT, pattern=r"\S")]] = Field(
        default=[], max_length=20, description="Sources given in full, as plain text or Markdown."
    )
    libraries: list[Name] = Field(
        default=[], max_length=20, description="Names of this server's libraries to check against."
    )


class FindCounterEvidence(Input):
    """Arguments of `find_counter_evidence`."""

    claim: str = Field(
        min_length=1, max_length=LONGEST_TEXT, pattern=r"\S", description="A claim, or a text that makes some."
    )
    statement: str | None = Field(
        default=None, min_length=1, max_length=2_000, description="What would contradict the claim, if you know better."
    )
    sources: Sources = None
    libraries: Libraries = None
    max_claims: int = Field(default=5, ge=1, le=50, description="The most claims of a text that are examined.")


class GetRun(Input):
    """Arguments of `get_run`."""

    id: str = Field(pattern=r"^\d{8}T\d{6}-[0-9a-f]{8}$", description="The id that another tool gave back as `run`.")


T = TypeVar("T", bound=Input)


def read(model: type[T], arguments: dict[str, Any]) -> T:
    """The arguments, checked.

    Raises:
        InvalidInput: they are not what the tool takes; the message names each, says why, and what there is.
    """
    try:
        return model.model_validate(arguments)
    except ValidationError as error:
        known = ", ".join(model.model_fields)
        wrong = "; ".join(
            f"{'.'.join(map(str, one['loc']))}: {_reason(one['type'], one['msg'])}"
            for one in error.errors(include_input=False, include_url=False, include_context=False)
        )
        raise InvalidInput(f"These arguments cannot be used: {wrong}. The tool takes: {known}.") from None


def _reason(kind: str, message: str) -> str:
    words = {
        "extra_forbidden": "there is no such argument",
        "missing": "it must be given",
        "string_pattern_mismatch": "it is empty or not in the form that is asked for",
    }
    return words.get(kind, message[:1].lower() + message[1:])
