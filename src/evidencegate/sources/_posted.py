"""The posted results of a registered trial as sentences. Field names: OpenAPI description of ClinicalTrials.gov v2.

Every value is the registry's own; nothing is computed. Single adverse events are not read: a study may have thousands.
"""

from collections.abc import Iterator

from evidencegate.sources._model import Camel


class _Group(Camel):
    id: str = ""
    title: str = ""


class _Count(Camel):
    group_id: str = ""
    value: str = ""


class _Denominator(Camel):
    units: str = ""
    counts: tuple[_Count, ...] = ()


class _Measurement(Camel):
    group_id: str = ""
    value: str = ""
    spread: str = ""
    lower_limit: str = ""
    upper_limit: str = ""
    comment: str = ""


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
    dispersion_type: str = ""
    dispersion_value: str = ""
    p_value: str = ""
    statistical_method: str = ""
    ci_pct_value: str = ""
    ci_lower_limit: str = ""
    ci_upper_limit: str = ""
    estimate_comment: str = ""
    tested_non_inferiority: bool = False
    other_analysis_description: str = ""


class _Measure(Camel):
    type: str = ""
    title: str = ""
    time_frame: str = ""
    reporting_status: str = ""
    unit_of_measure: str = ""
    param_type: str = ""
    dispersion_type: str = ""
    groups: tuple[_Group, ...] = ()
    denoms: tuple[_Denominator, ...] = ()
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
    other_num_affected: int | None = None
    other_num_at_risk: int | None = None


class _Events(Camel):
    event_groups: tuple[_EventGroup, ...] = ()


class _Caveats(Camel):
    description: str = ""


class _MoreInfo(Camel):
    limitations_and_caveats: _Caveats = _Caveats()


class Results(Camel):
    """The results section of a study, as far as it is read."""

    outcome_measures_module: _Measures = _Measures()
    adverse_events_module: _Events = _Events()
    more_info_module: _MoreInfo = _MoreInfo()

    def outcomes(self) -> Iterator[str]:
        """A paragraph for each outcome measure: what each group had, and how they compare."""
        return map(_reported, self.outcome_measures_module.outcome_measures)

    def harms(self) -> Iterator[str]:
        """A sentence for each group: how many died, had serious and other adverse events."""
        return map(_harms, self.adverse_events_module.event_groups)

    @property
    def limitations(self) -> str:
        """What the investigators say about them."""
        return self.more_info_module.limitations_and_caveats.description


def sentence(text: str) -> str:
    """`text` with an end."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def spelled(code: str) -> str:
    """`non inferiority` from `NON_INFERIORITY`; what is written out already stays, in small letters."""
    return code.replace("_", " ").lower()


def _reported(measure: _Measure) -> str:
    kind = spelled(measure.type).capitalize()
    title = f"{kind} outcome: {measure.title}" if kind and measure.title else measure.title
    time = f" (time frame: {measure.time_frame})" if measure.time_frame else ""
    if measure.reporting_status == "NOT_POSTED":
        return f"{title}{time}: not posted."
    names = {group.id: group.title for group in measure.groups}
    counted = {
        count.group_id: f" (n={count.value})"
        for denominator in measure.denoms[:1]
        if denominator.units.casefold() == "participants"
        for count in denominator.counts
        if count.value
    }
    sentences = [sentence(title + time)]
    for row in measure.classes:
        for category in row.categories:
            label = ", ".join(filter(None, (row.title, category.title)))
            for m in category.measurements:
                if m.value:
                    group = names.get(m.group_id, m.group_id) + counted.get(m.group_id, "")
                    sentences.append(sentence(": ".join(filter(None, (group, label, _value(m, measure))))))
    sentences += [sentence(text) for analysis in measure.analyses for text in _analysed(analysis, names) if text]
    return " ".join(sentences)


def _value(measurement: _Measurement, measure: _Measure) -> str:
    averaged = "MEAN" in measure.param_type or "MEDIAN" in measure.param_type
    text = f"{spelled(measure.param_type) if averaged else ''} {measurement.value} {measure.unit_of_measure}".strip()
    spread = spelled(measure.dispersion_type) if measure.dispersion_type not in ("", "NA") else ""
    if measurement.lower_limit and measurement.upper_limit:
        limits = f"{measurement.lower_limit} to {measurement.upper_limit}"
        text += f" ({spread}: {limits})" if spread else f" ({limits})"
    elif measurement.spread:
        text += f" ({spread or 'spread'} {measurement.spread})"
    return f"{text} ({measurement.comment.rstrip('.')})" if measurement.comment else text


def _analysed(analysis: _Analysis, names: dict[str, str]) -> Iterator[str]:
    compared = " vs. ".join(names.get(group, group) for group in analysis.group_ids)
    effect = f"{analysis.param_type} {analysis.param_value}".strip() if analysis.param_value else ""
    dispersion = f"{spelled(analysis.dispersion_type)} {analysis.dispersion_value}" if analysis.dispersion_value else ""
    level = f"{analysis.ci_pct_value}% " if analysis.ci_pct_value else ""
    lower, upper = analysis.ci_lower_limit, analysis.ci_upper_limit
    if lower and upper:
        interval = f"{level}CI {lower} to {upper}"
    elif lower or upper:
        interval = f"{level}CI, {'lower' if lower else 'upper'} limit {lower or upper}"
    else:
        interval = ""
    sign = "" if analysis.p_value[:1] in ("<", ">", "=") else "="
    p_value = f"p{sign}{analysis.p_value}" if analysis.p_value else ""
    if p_value and analysis.statistical_method:
        p_value += f" ({analysis.statistical_method})"
    tested = "tested for non-inferiority" if analysis.tested_non_inferiority else ""
    figures = ", ".join(filter(None, (effect, dispersion.strip(), interval, p_value, tested)))
    yield f"{compared}: {figures}" if compared and figures else figures
    # What an effect below or above one means is often said here only.
    yield analysis.estimate_comment
    yield analysis.other_analysis_description


def _harms(group: _EventGroup) -> str:
    counts = (
        ("deaths", group.deaths_num_affected, group.deaths_num_at_risk),
        ("serious adverse events", group.serious_num_affected, group.serious_num_at_risk),
        ("other adverse events", group.other_num_affected, group.other_num_at_risk),
    )
    known = [f"{name} in {n} of {of}" for name, n, of in counts if n is not None and of is not None]
    return sentence(f"{group.title}: {', '.join(known)}") if known else ""
