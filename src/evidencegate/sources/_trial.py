"""A registered trial as a document. Field names: OpenAPI description of ClinicalTrials.gov v2."""

from collections.abc import Iterable, Iterator

from evidencegate.documents import Document, Identifiers
from evidencegate.sources._build import Part, document, iso
from evidencegate.sources._markup import plain
from evidencegate.sources._model import Camel


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


class _DesignInfo(Camel):
    allocation: str = ""
    intervention_model: str = ""
    observational_model: str = ""


class _Enrolment(Camel):
    count: int | None = None


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


class _Eligibility(Camel):
    eligibility_criteria: str = ""


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


class _Group(Camel):
    id: str = ""
    title: str = ""


class _Measurement(Camel):
    group_id: str = ""
    value: str = ""
    spread: str = ""
    lower_limit: str = ""
    upper_limit: str = ""


class _Category(Camel):
    title: str = ""
    measurements: tuple[_Measurement, ...] = ()


class _Class(Camel):
    title: str = ""
    categories: tuple[_Category, ...] = ()


class _Analysis(Camel):
    group_ids: tuple[str, ...] = ()
    param_type: str = ""
    param_value: str = ""
    p_value: str = ""
    statistical_method: str = ""
    ci_pct_value: str = ""
    ci_lower_limit: str = ""
    ci_upper_limit: str = ""


class _Measure(Camel):
    type: str = ""
    title: str = ""
    description: str = ""
    time_frame: str = ""
    unit_of_measure: str = ""
    param_type: str = ""
    groups: tuple[_Group, ...] = ()
    classes: tuple[_Class, ...] = ()
    analyses: tuple[_Analysis, ...] = ()


class _Measures(Camel):
    outcome_measures: tuple[_Measure, ...] = ()


class _EventGroup(Camel):
    title: str = ""
    deaths_num_affected: int | None = None
    deaths_num_at_risk: int | None = None
    serious_num_affected: int | None = None
    serious_num_at_risk: int | None = None


class _Events(Camel):
    event_groups: tuple[_EventGroup, ...] = ()


class _Caveats(Camel):
    description: str = ""


class _MoreInfo(Camel):
    limitations_and_caveats: _Caveats = _Caveats()


class _Results(Camel):
    outcome_measures_module: _Measures = _Measures()
    adverse_events_module: _Events = _Events()
    more_info_module: _MoreInfo = _MoreInfo()


class Study(Camel):
    """One study, as far as it is read."""

    protocol_section: _Protocol
    results_section: _Results = _Results()
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
        _part("Design", [_design(protocol.design_module, has_results=study.has_results)]),
        _part("Summary", [protocol.description_module.brief_summary]),
        _part("Description", [protocol.description_module.detailed_description]),
        _part("Interventions", _interventions(protocol.arms_interventions_module)),
        _part("Primary outcomes", map(_planned, protocol.outcomes_module.primary_outcomes)),
        _part("Secondary outcomes", map(_planned, protocol.outcomes_module.secondary_outcomes)),
        _part("Eligibility", [protocol.eligibility_module.eligibility_criteria]),
        _part("Why stopped", [status.why_stopped]),
        _part("Posted results", map(_reported, results.outcome_measures_module.outcome_measures)),
        _part("Posted harms", map(_harms, results.adverse_events_module.event_groups)),
        _part("Limitations", [results.more_info_module.limitations_and_caveats.description]),
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
        authors=[official.name for official in officials] or [sponsor],
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
    lines = (line for paragraph in paragraphs for line in paragraph.split("\n\n"))
    return Part(label, tuple(filter(None, map(plain, lines))))


def _types(design: _Design, *, has_results: bool) -> Iterator[str]:
    """Publication types in PubMed's words where the design is one of them."""
    yield "Clinical Trial Registration"
    if design.study_type == "INTERVENTIONAL":
        randomised = design.design_info.allocation == "RANDOMIZED"
        yield "Randomized Controlled Trial" if randomised else "Clinical Trial"
    elif design.study_type == "OBSERVATIONAL":
        yield "Observational Study"
    yield from (
        f"Clinical Trial, Phase {phase.removeprefix('PHASE')}" for phase in design.phases if phase[-1:].isdigit()
    )
    if has_results:
        yield "Posted Results"


def _design(design: _Design, *, has_results: bool) -> str:
    """One sentence; what kind of study this is decides how much its record counts for."""
    info = design.design_info
    randomised = "Randomized " if info.allocation == "RANDOMIZED" else ""
    kinds = {"INTERVENTIONAL": "clinical trial", "OBSERVATIONAL": "observational study"}
    kind = kinds.get(design.study_type, "")
    if not kind:
        return ""
    phases = [phase.replace("PHASE", "phase ").lower() for phase in design.phases if phase != "NA"]
    model = (info.intervention_model or info.observational_model).replace("_", " ").lower()
    count = design.enrollment_info.count
    details = [f"{randomised}{kind}", *phases, f"{model} model" if model else ""]
    details += [f"{count} participants" if count is not None else "", "results posted" if has_results else ""]
    sentence = ", ".join(filter(None, details))
    return f"{sentence[0].upper()}{sentence[1:]}."


def _interventions(arms: _Arms) -> Iterator[str]:
    named = [(arm.label, arm.description) for arm in arms.arm_groups]
    named += [(intervention.name, intervention.description) for intervention in arms.interventions]
    yield from (f"{name}: {description}" if description else name for name, description in named)


def _planned(outcome: _Outcome) -> str:
    time = f" (time frame: {outcome.time_frame})" if outcome.time_frame else ""
    return f"{_sentence(outcome.measure + time)} {outcome.description}"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _reported(measure: _Measure) -> str:
    groups = {group.id: group.title for group in measure.groups}
    sentences = [_sentence(measure.title + (f" (time frame: {measure.time_frame})" if measure.time_frame else ""))]
    for row in measure.classes:
        for category in row.categories:
            label = ", ".join(filter(None, (row.title, category.title)))
            sentences += [
                _sentence(": ".join(filter(None, (groups.get(m.group_id, m.group_id), label, _value(m, measure)))))
                for m in category.measurements
                if m.value
            ]
    sentences += [_sentence(text) for analysis in measure.analyses if (text := _analysed(analysis, groups))]
    return " ".join(sentences)


def _value(measurement: _Measurement, measure: _Measure) -> str:
    text = f"{measurement.value} {measure.unit_of_measure}".strip()
    if measurement.lower_limit and measurement.upper_limit:
        text += f" ({measurement.lower_limit} to {measurement.upper_limit})"
    elif measurement.spread:
        text += f" (spread {measurement.spread})"
    return text


def _analysed(analysis: _Analysis, groups: dict[str, str]) -> str:
    compared = " vs. ".join(groups.get(group, group) for group in analysis.group_ids)
    effect = f"{analysis.param_type} {analysis.param_value}".strip() if analysis.param_value else ""
    interval = ""
    if analysis.ci_lower_limit and analysis.ci_upper_limit:
        level = f"{analysis.ci_pct_value}% " if analysis.ci_pct_value else ""
        interval = f"{level}CI {analysis.ci_lower_limit} to {analysis.ci_upper_limit}"
    sign = "" if analysis.p_value[:1] in ("<", ">", "=") else "="
    p_value = f"p{sign}{analysis.p_value}" if analysis.p_value else ""
    figures = ", ".join(filter(None, (effect, interval, p_value)))
    return f"{compared}: {figures}" if compared and figures else figures


def _harms(group: _EventGroup) -> str:
    counts = (
        ("deaths", group.deaths_num_affected, group.deaths_num_at_risk),
        ("serious adverse events", group.serious_num_affected, group.serious_num_at_risk),
    )
    known = [f"{name} in {n} of {of}" for name, n, of in counts if n is not None and of is not None]
    return _sentence(f"{group.title}: {', '.join(known)}") if known else ""
