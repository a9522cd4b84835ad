"""What a user may ask for. Libraries go by the server's names, models by its list; no place and no address is taken."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

LONGEST_TEXT = 1_000_000
_SHORT = 20_000
_QUESTION = "Which anticoagulant for atrial fibrillation in a patient with chronic kidney disease?"
_CLAIM = "Apixaban reduces major bleeding compared with warfarin in atrial fibrillation."

Name = Annotated[str, Field(min_length=1, max_length=200)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]


class _Input(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_max_length=LONGEST_TEXT)


class SearchInput(_Input):
    libraries: list[Name] = Field(default=[], max_length=20, description="Names of the server's libraries.")
    sources: list[Name] | None = Field(
        default=None, max_length=10, description="Live sources by name; the default ones where not given."
    )
    offline: bool = Field(default=False, description="Ask nothing over the network.")
    model: Name | None = Field(default=None, description="One of the server's models; none where not given.")


class PicoInput(_Input):
    """What a question asks about, in the asker's words."""

    patient: str = Field(default="", max_length=300)
    intervention: str = Field(default="", max_length=300)
    comparison: str | None = Field(default=None, max_length=300)
    outcome: str = Field(default="", max_length=300)
    condition: str = Field(default="", max_length=300)


class EditsInput(_Input):
    """What the asker changed of how the question was understood; what is not given stays as it was read."""

    pico: PicoInput | None = None
    disease_tags: list[Name] | None = Field(
        default=None, max_length=20, description="The main one first; tags, or conditions in plain words."
    )
    decision_tags: list[Name] | None = Field(default=None, max_length=20, description="The main one first.")


class AskInput(SearchInput):
    """A question, and where to look."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"question": _QUESTION, "offline": True}]})

    question: str = Field(min_length=1, max_length=_SHORT, description="A clinical question, in English.")
    edits: EditsInput | None = Field(default=None, description="Corrections of how it was understood.")
    fresh: bool = Field(default=False, description="Ask again for what is kept from before.")
    full_text: bool | None = Field(default=None, description="Read open articles as a whole.")
    audience: Literal["professional", "public"] = "professional"
    max_seconds: Seconds | None = Field(default=None, description="Answer from what was found by then.")


class ReportInput(SearchInput):
    """A topic, its sections, and where to look."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"topic": _QUESTION, "outline": ["Efficacy", "Safety"], "offline": True}]}
    )

    topic: str = Field(min_length=1, max_length=_SHORT, description="A clinical topic or question, in English.")
    edits: EditsInput | None = Field(default=None, description="Corrections of how it was understood.")
    fresh: bool = False
    full_text: bool | None = None
    audience: Literal["professional", "public"] = "professional"
    outline: list[Name] | None = Field(default=None, min_length=1, max_length=20, description="Headings.")
    drop_unsupported: bool = Field(default=False, description="Leave out what nothing supports, not list it.")
    max_seconds: Seconds | None = None
    max_money: float | None = Field(default=None, ge=0, description="US dollars, estimated.")


class OverruleInput(_Input):
    """A decision of the user about a passage of an earlier run; it is recorded and counted for nothing."""

    claim: Name = Field(description="The claim's id.")
    document: Name = Field(description="The record's id.")
    accept: bool
    note: str = Field(min_length=1, max_length=2_000, pattern=r"\S", description="Why.")


class CounterInput(SearchInput):
    """A claim or a text whose claims are to be contradicted, and where to look."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": _CLAIM, "offline": True}]})

    text: str = Field(min_length=1, max_length=LONGEST_TEXT, description="A claim, or a text that makes some.")
    statement: str | None = Field(default=None, max_length=2_000, description="What would contradict the claim.")
    overrules: list[OverruleInput] = Field(default=[], max_length=200)
    claims: int = Field(default=10, ge=1, le=100, description="The most claims that are examined.")
    max_seconds: Seconds | None = Field(default=None, description="Show what was found by then.")


class SourceText(_Input):
    """A source given in full."""

    name: Name = "source"
    text: str = Field(min_length=1, max_length=LONGEST_TEXT, pattern=r"\S")


class CheckInput(_Input):
    """A text, and what to check it against; with nothing named, against what it cites itself."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "text": "Zelfaban reduced major bleeding by 38%.",
                    "texts": [{"name": "trial", "text": "Zelfaban reduced major bleeding (HR 0.62)."}],
                    "offline": True,
                }
            ]
        }
    )

    text: str = Field(min_length=1, max_length=LONGEST_TEXT, pattern=r"\S", description="The text to check.")
    against: list[Name] = Field(
        default=[], max_length=100, description="PMID, PMCID, DOI or NCT numbers; never an address or a path."
    )
    texts: list[SourceText] = Field(default=[], max_length=50, description="Sources given in full.")
    libraries: list[Name] = Field(default=[], max_length=20)
    offline: bool = Field(default=False, description="Fetch nothing over the network.")
    model: Name | None = Field(default=None, description="One of the server's models; none where not given.")
    max_seconds: Seconds | None = Field(default=None, description="Decide from what was fetched by then.")
