"""A registered trial as a document. Field names: OpenAPI description of ClinicalTrials.gov v2."""

import re
from collections.abc import Iterable, Iterator

from evidencegate.documents import Document, Identifiers
from evidencegate.sources._build import Part, document, iso, surname_last
from evidencegate.sources._markup import plain
from evidencegate.sources._model import Camel
from evidencegate.sources._posted import Results, sentence, spelled

# A blank line, or a new item of a list; the item's mark goes with it.
_APART = re.compile(r"\n\s*\n(?:\s*(?:[*+-]|\d{1,2}[.)])\s+)?|\n\s*(?:[*+-]|\d{1,2}[.)])\s+")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_KINDS = {
    "INTERVENTIONAL": "clinical trial",
    "OBSERVATIONAL": "observational study",
    "EXPANDED_ACCESS": "expanded access program",
}
_ROMAN = {"PHASE1": "I", "PHASE2": "II", "PHASE3": "III", "PHASE4": "IV"}
_STATUS = {"COMPLETED": "", "UNKNOWN": "status unknown", "WITHDRAWN": "withdrawn before enrolment"}


class _Date(Camel):
    date: str = ""


class _Identification(Camel):
    nct_id: str = ""
    brief_title: str = ""
    official_title: str = ""
    acronym: str = ""


class _Status(Camel):
    overall_status: str = ""
    why_stopped: str = ""
    start_date_struct: _Date = _Date()
    completion_date_struct: _Date = _Date()
    study_first_post_date_struct: _Date = _Date()
    results_first_post_date_struct: _Date = _Date()


class _Sponsor(Camel):
    name: str = ""


class _Sponsors(Camel):
    lead_sponsor: _Sponsor = _Sponsor()


class _Description(Camel):
    brief_summary: str = ""
    detailed_description: str = ""


class _Conditions(Camel):
    conditions: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()


class _Masking(Camel):
    masking: str = ""


class _DesignInfo(Camel):
    allocation: str = ""
    masking_info: _Masking = _Masking()
    intervention_model: str = ""
    observational_model: str = ""


class _Enrolment(Camel):
    count: int | None = None
    type: str = ""


class _Design(Camel):
    study_type: str = ""
    phases: tuple[str, ...] = ()
    design_info: _DesignInfo = _DesignInfo()
    enrollment_info: _Enrolment = _Enrolment()


class _Arm(Camel):
    label: str = ""
    description: str = ""


class _Intervention(Camel):
    type: str = ""
    name: str = ""
    description: str = ""


class _Arms(Camel):
    arm_groups: tuple[_Arm, ...] = ()
    interventions: tuple[_Intervention, ...] = ()


class _Outcome(Camel):
    measure: str = ""
    description: str = ""
    time_frame: str = ""


class _Outcomes(Camel):
    primary_outcomes: tuple[_Outcome, ...] = ()
    secondary_outcomes: tuple[_Outcome, ...] = ()
    other_outcomes: tuple[_Outcome, ...] = ()


class _Eligibility(Camel):
    eligibility_criteria: str = ""
    sex: str = ""
    minimum_age: str = ""
    maximum_age: str = ""


class _Official(Camel):
    name: str = ""


class _Contacts(Camel):
    overall_officials: tuple[_Official, ...] = ()


class _Mesh(Camel):
    term: str = ""


class _Browse(Camel):
    meshes: tuple[_Mesh, ...] = ()


class _Derived(Camel):
    condition_browse_module: _Browse = _Browse()
    intervention_browse_module: _Browse = _Browse()


class _Protocol(Camel):
    identification_module: _Identification
    status_module: _Status = _Status()
    sponsor_collaborators_module: _Sponsors = _Sponsors()
    description_module: _Description = _Description()
    conditions_module: _Conditions = _Conditions()
    design_module: _Design = _Design()
    arms_interventions_module: _Arms = _Arms()
    outcomes_module: _Outcomes = _Outcomes()
    eligibility_module: _Eligibility = _Eligibility()
    contacts_locations_module: _Contacts = _Contacts()


class Study(Camel):
    """One study, as far as it is read."""

    protocol_section: _Protocol
    results_section: Results = Results()
    derived_section: _Derived = _Derived()
    has_results: bool = False


def trial(study: Study) -> Document | None:
    """The trial as a document: design, summary, plan, and every posted outcome as a sentence of its own.

    Design and posted results are fields and tables in the registry. Their sentences are built here from the fields
    (group, value, unit, interval, p-value), each value as the registry has it; nothing is computed.
    """
    protocol, results = study.protocol_section, study.results_section
    names, status = protocol.identification_module, protocol.status_module
    body = [
        _part("Design", [_design(protocol.design_module, status.overall_status, has_results=study.has_results)]),
        _part("Summary", [protocol.description_module.brief_summary]),
        _part("Description", [protocol.description_module.detailed_description]),
        _part("Interventions", _interventions(protocol.arms_interventions_module)),
        _part("Primary outcomes", map(_planned, protocol.outcomes_module.primary_outcomes)),
        _part("Secondary outcomes", map(_planned, protocol.outcomes_module.secondary_outcomes)),
        _part("Other outcomes", map(_planned, protocol.outcomes_module.other_outcomes)),
        _part("Eligibility", _eligible(protocol.eligibility_module)),
        _part("Why stopped", [status.why_stopped]),
        _part("Posted results", results.outcomes()),
        _part("Posted harms", results.harms()),
        _part("Limitations", [results.limitations]),
    ]
    derived = study.derived_section
    meshes = [*derived.condition_browse_module.meshes, *derived.intervention_browse_module.meshes]
    sponsor = protocol.sponsor_collaborators_module.lead_sponsor.name
    officials = protocol.contacts_locations_module.overall_officials
    return document(
        "clinical_trials",
        Identifiers.parse(nct=names.nct_id),
        names.official_title or names.brief_title,
        body,
        authors=[_person(official.name) for official in officials if official.name] or [sponsor],
        journal="ClinicalTrials.gov",
        published=iso(status.results_first_post_date_struct.date)
        or iso(status.study_first_post_date_struct.date)
        or iso(status.start_date_struct.date),
        publication_types=_types(protocol.design_module, has_results=study.has_results),
        mesh=[mesh.term for mesh in meshes],
        keywords=[*protocol.conditions_module.conditions, *protocol.conditions_module.keywords, names.acronym],
        language="en",
    )


def _part(label: str, paragraphs: Iterable[str]) -> Part:
    return Part(label, tuple(line for paragraph in paragraphs for line in _lines(paragraph)))


def _lines(markdown: str) -> Iterator[str]:
    """Paragraphs and list items, each a line. The registry sends Markdown, in which `>` and others are escaped."""
    return filter(None, (_ESCAPED.sub(r"\1", plain(line)) for line in _APART.split(f"\n{markdown}")))


def _person(name: str) -> str:
    """`Family Initials` of somebody with a degree behind the name; others may be companies, which keep theirs."""
    person, degrees, _ = name.partition(",")
    return surname_last(person) if degrees and len(person.split()) > 1 else name


def _types(design: _Design, *, has_results: bool) -> Iterator[str]:
    """Publication types in PubMed's words where the design is one of them."""
    yield "Clinical Trial Registration"
    if design.study_type == "INTERVENTIONAL":
        randomised = design.design_info.allocation == "RANDOMIZED"
        yield "Randomized Controlled Trial" if randomised else "Clinical Trial"
    elif design.study_type == "OBSERVATIONAL":
        yield "Observational Study"
    yield from (f"Clinical Trial, Phase {_ROMAN[phase]}" for phase in design.phases if phase in _ROMAN)
    if has_results:
        yield "Posted Results"


def _design(design: _Design, status: str, *, has_results: bool) -> str:
    """One sentence; what kind of study this is, and whether it took place, decides how much its record counts for."""
    info = design.design_info
    randomised = "Randomized " if info.allocation == "RANDOMIZED" else ""
    kind = _KINDS.get(design.study_type, "")
    if not kind:
        return ""
    phases = [spelled(phase.replace("PHASE", "phase ")) for phase in design.phases if phase != "NA"]
    model = spelled(info.intervention_model or info.observational_model)
    masking = info.masking_info.masking
    blind = "open label" if masking == "NONE" else f"{spelled(masking)} masking"
    count = design.enrollment_info.count
    planned = " planned" if design.enrollment_info.type == "ESTIMATED" else ""
    details = [f"{randomised}{kind}", *phases, f"{model} model" if model else "", blind if masking else ""]
    details += [f"{count} participants{planned}" if count is not None else ""]
    # That it was completed goes without saying; whatever else became of it does not.
    details += [_STATUS.get(status, spelled(status)), "results posted" if has_results else ""]
    text = ", ".join(filter(None, details))
    return f"{text[0].upper()}{text[1:]}."


def _eligible(criteria: _Eligibility) -> Iterator[str]:
    ages = " to ".join(filter(None, (criteria.minimum_age, criteria.maximum_age)))
    if criteria.minimum_age and not criteria.maximum_age:
        ages += " and older"
    elif criteria.maximum_age and not criteria.minimum_age:
        ages = f"up to {ages}"
    sex = spelled(criteria.sex)
    yield "; ".join(filter(None, (f"Age: {ages}" if ages else "", f"sex: {sex}" if sex not in ("", "all") else "")))
    yield criteria.eligibility_criteria


def _interventions(arms: _Arms) -> Iterator[str]:
    named = [(arm.label, arm.description) for arm in arms.arm_groups]
    named += [(intervention.name, intervention.description) for intervention in arms.interventions]
    yield from (f"{name}: {description}" if description else name for name, description in named)


def _planned(outcome: _Outcome) -> str:
    time = f" (time frame: {outcome.time_frame})" if outcome.time_frame else ""
    return f"{sentence(outcome.measure + time)} {outcome.description}"
