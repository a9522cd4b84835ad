"""The whole way: searches, provenance, acceptance, strength, overrules, a second reader, rendering, the door."""

import asyncio
import json
from typing import Any

import pytest
from counter_support import AGAINST, CLAIM, FOR, Shelf, record, run, stance
from counter_support import Scripted as Judge

import evidencegate
from evidencegate.counter import (
    NO_STATEMENT,
    CounterReport,
    Ground,
    Overrule,
    Readers,
    Strategy,
    StrengthLevel,
    counter_json,
    counterfactual,
    examine,
    html,
    main_claims,
    markdown,
    validate,
)
from evidencegate.documents import Document, Notice, RetractionStatus
from evidencegate.errors import InvalidInput
from evidencegate.evidence._nearness import shared_words
from evidencegate.models.language.scripted import Behaviour, Scripted
from evidencegate.models.stance import RulesModel, Stance
from evidencegate.runs import Budget, Ledger, Run
from evidencegate.sources import Status


def examined(text: str = CLAIM, *documents: Document, sources: Any = None, **options: Any) -> CounterReport:
    second = options.pop("second", None)
    reader = options.pop("stance", None) or RulesModel()
    return asyncio.run(
        examine(
            text,
            sources=sources if sources is not None else [Shelf(documents)],
            run=options.pop("run", None) or run(),
            readers=Readers(nearness=shared_words, stance=reader, second=second),
            **options,
        )
    )


def test_what_contradicts_is_accepted_and_what_confirms_is_rejected_with_its_reason() -> None:
    (one,) = examined(CLAIM, record(1, AGAINST), record(2, FOR)).claims
    (accepted,) = one.accepted
    assert accepted.quote.text == AGAINST
    assert accepted.record.document.text[accepted.quote.span.start : accepted.quote.span.end] == AGAINST
    (rejected,) = one.rejected
    assert rejected.quote.text == FOR
    assert rejected.supports_claim
    assert "supports the original claim" in rejected.reason


def test_every_claim_is_searched_by_its_statement_and_knows_what_found_what() -> None:
    shelf = Shelf((record(1, AGAINST),))
    report = examined(
        "Macrolides increase myopathy in statin users. Aspirin reduces stroke in adults.", sources=[shelf]
    )
    assert len(report.claims) == 2
    for one in report.claims:
        assert one.counterfactual.shown in shelf.asked
        assert {search.strategy for search in one.searches} >= {Strategy.STATEMENT, Strategy.NULL_FINDING}
    (accepted,) = report.claims[0].accepted
    assert {way.strategy for way in accepted.record.ways} >= {Strategy.STATEMENT}
    assert accepted.record.reasoning


def test_a_failing_source_fails_nothing_and_is_told() -> None:
    report = examined(sources=[Shelf((record(1, AGAINST),)), Shelf(status=Status.UNREACHABLE, name="far")])
    assert report.claims[0].accepted
    assert any("far was not searched" in warning for warning in report.warnings)


def test_a_claim_without_a_statement_is_kept_and_the_analysis_goes_on() -> None:
    report = examined(
        "Aspirin: stroke, 40 mg 12 daily? Macrolides increase myopathy in statin users.", record(1, AGAINST)
    )
    assert report.claims
    report = examined("Aspirin stroke 40 mg", record(1, AGAINST))
    (one,) = report.claims
    assert one.counterfactual.statement is None
    fields = counter_json(report)["claims"][0]
    assert fields["statement"] == NO_STATEMENT
    assert fields["accepted"] == []
    assert NO_STATEMENT.replace("(", "").split(" - ")[0] in markdown(report)
    assert any(NO_STATEMENT in warning for warning in report.warnings)


def test_retracted_work_is_never_accepted() -> None:
    notices = (Notice(status=RetractionStatus.RETRACTED, source="invented"),)
    (one,) = examined(CLAIM, record(1, AGAINST, notices=notices)).claims
    assert one.accepted == ()
    assert [r.reason for r in one.rejected] == ["the record is retracted"]


def test_reports_of_one_trial_are_one_study() -> None:
    trial = "Trial registration: NCT01234567."
    (one,) = examined(
        CLAIM, record(1, f"{AGAINST} {trial}"), record(2, f"{AGAINST} {trial}", title="A later report")
    ).claims
    assert len(one.accepted) == 2
    assert one.strength.studies == 1
    (two,) = examined(CLAIM, record(1, AGAINST), record(2, AGAINST, title="Another cohort")).claims
    assert two.strength.studies == 2
    assert two.strength.weight > one.strength.weight


def test_a_record_in_conflict_with_itself_is_marked_and_counts_half() -> None:
    filler = "The pharmacy records were complete. Follow-up was two years. Nobody was lost."
    (one,) = examined(CLAIM, record(1, f"{AGAINST}\n\n{filler}\n\n{FOR}")).claims
    (accepted,) = one.accepted
    assert accepted.also_supports_claim
    (plain,) = examined(CLAIM, record(1, AGAINST)).claims
    assert one.strength.weight < plain.strength.weight
    assert "conflict with itself" in markdown(examined(CLAIM, record(1, f"{AGAINST}\n\n{filler}\n\n{FOR}")))


def _wavering(claim: str, passage: str) -> Stance:
    against = "not" in claim.split() or "no" in claim.split()
    return stance(0.55, 0.4) if against else stance(0.4, 0.55)


def test_what_was_searched_for_must_be_surer_than_what_somebody_chose() -> None:
    model = Judge(_wavering)
    made, _ = counterfactual(main_claims(CLAIM)[0][0], model)
    (chosen,) = validate(made, [(AGAINST, "Macrolides and statins: a cohort study")], model)
    assert chosen.validation.accepted
    (one,) = examined(CLAIM, record(1, AGAINST), stance=model).claims
    assert one.accepted == ()
    assert [rejected.ground for rejected in one.rejected] == [Ground.STANCE]
    assert "not sure enough" in one.rejected[0].reason
    assert one.rejected[0].confidence == chosen.validation.confidence


def test_nothing_under_a_title_that_says_what_the_claim_says_contradicts_it() -> None:
    (asks,) = examined(CLAIM, record(1, AGAINST, title="Do macrolides interact with statins?")).claims
    assert asks.accepted
    (says,) = examined(CLAIM, record(1, AGAINST, title="Macrolides increase statin exposure and myopathy risk")).claims
    assert says.accepted == ()
    assert any("title says what the claim says" in rejected.reason for rejected in says.rejected)
    (itself,) = examined(CLAIM, record(1, AGAINST, title=f"{CLAIM}.")).claims
    assert itself.accepted


def test_a_background_passage_is_no_finding() -> None:
    (one,) = examined(
        CLAIM, record(1, "We investigated whether azithromycin with statins has no effect on myopathy.")
    ).claims
    assert one.accepted == ()


def test_a_user_can_overrule_both_ways_and_it_is_recorded() -> None:
    restore = Overrule(claim="c1", document="pmid:2", accept=True, note="I know this paper", by="AB")
    dismiss = Overrule(claim="c1", document="pmid:1", accept=False, note="other population")
    report = examined(CLAIM, record(1, AGAINST), record(2, FOR), overrules=[restore, dismiss])
    (one,) = report.claims
    assert one.accepted == ()
    assert [r.rejected.record.document.id for r in one.restored] == ["pmid:2"]
    assert any("dismissed by the user: other population" in r.reason for r in one.rejected)
    assert one.strength.level is StrengthLevel.NONE_FOUND
    assert "I know this paper" in markdown(report)
    with pytest.raises(ValueError, match="says why"):
        Overrule(claim="c1", document="pmid:2", accept=True, note=" ")


def test_the_given_statement_is_the_one_that_is_searched() -> None:
    said = "Macrolides do NOT interact with statins and do NOT increase statin exposure or myopathy risk"
    report = examined(CLAIM, record(1, AGAINST), record(2, FOR), statement=said)
    (one,) = report.claims
    assert one.counterfactual.shown == said
    assert [a.quote.text for a in one.accepted] == [AGAINST]


def _second(label: str, *behaviours: Behaviour) -> Scripted:
    def answer(prompt: Any, schema: Any) -> Any:
        if "statement" in schema.model_fields:
            return {"statement": "", "question": "", "reasoning": "", "keywords": []}
        statement = next(text for name, text in prompt.data if name == "claim_2")
        assert statement
        pairs = sum(name.startswith("claim_") for name, _ in prompt.data)
        of_claim = {"supports": "refutes", "refutes": "supports"}[label]  # the first pair is the claim itself
        return {
            "answers": [
                {"pair": n, "label": of_claim if n == 1 else label, "confidence": 0.9} for n in range(1, pairs + 1)
            ]
        }

    return Scripted(answer, behaviours or (Behaviour.OBEY,))


def test_a_second_reader_must_agree() -> None:
    (agreed,) = examined(CLAIM, record(1, AGAINST), second=_second("supports")).claims
    assert len(agreed.accepted) == 1
    (apart,) = examined(CLAIM, record(1, AGAINST), second=_second("refutes")).claims
    assert apart.accepted == ()
    assert "second reader" in apart.rejected[0].reason


@pytest.mark.parametrize(
    "behaviour", [Behaviour.BREAK_JSON, Behaviour.REFUSE, Behaviour.UNREACHABLE, Behaviour.WRONG_SCHEMA]
)
def test_a_second_reader_that_fails_accepts_nothing(behaviour: Behaviour) -> None:
    (one,) = examined(CLAIM, record(1, AGAINST), second=_second("supports", behaviour)).claims
    assert one.accepted == ()
    assert "second reader" in one.rejected[0].reason


def test_a_proposed_statement_is_used_only_where_it_contradicts_the_claim() -> None:
    def saying(text: str) -> Scripted:
        return Scripted(
            lambda prompt, schema: {"statement": text} if "statement" in schema.model_fields else {"answers": []}
        )

    good = "Macrolides do not interact with statins and do not increase statin exposure or myopathy risk."
    (one,) = examined(CLAIM, second=saying(good)).claims
    assert one.counterfactual.shown == good
    for bad in (CLAIM, "Soil erosion has no effect on yields.", "Do macrolides interact with statins?", ""):
        report = examined(CLAIM, second=saying(bad))
        assert report.claims[0].counterfactual.shown != bad
        assert any("was not used" in warning for warning in report.warnings)


def test_a_run_is_not_paid_twice() -> None:
    ledger = Ledger("sqlite://")
    first = Run.start(ledger, "counter", {})
    shelf = Shelf((record(1, AGAINST), record(2, FOR)))
    model = _second("supports")
    once = examined(CLAIM, sources=[shelf], run=first, second=model)
    asked, searched = len(model.asked), len(shelf.asked)
    again = examined(CLAIM, sources=[shelf], run=Run.again(ledger, first.id), second=model)
    assert (len(model.asked), len(shelf.asked)) == (asked, searched)
    assert counter_json(again) == counter_json(once)


def test_a_budget_that_runs_out_leaves_a_partial_report() -> None:
    poor = Run.start(Ledger("sqlite://"), "counter", {}, budget=Budget(seconds=0.0))
    report = examined(CLAIM, record(1, AGAINST), run=poor)
    assert not any(one.accepted for one in report.claims)
    assert any(warning.startswith("partial:") or "budget" in warning for warning in report.warnings)


def test_the_contract() -> None:
    fields = counter_json(examined(CLAIM, record(1, AGAINST), record(2, FOR)))
    json.dumps(fields)
    (claim,) = fields["claims"]
    assert claim.keys() >= {
        "id", "text", "priority", "statement", "question", "keywords", "accepted", "rejected", "strength", "searches"
    }  # fmt: skip
    (accepted,) = claim["accepted"]
    assert accepted.keys() >= {
        "title", "passage", "summary", "authors", "publication_date", "pmid", "doi", "publication", "relevance_score",
        "document_score", "score_reasoning", "confidence"
    }  # fmt: skip
    assert accepted["metadata"] == "Muster AB et al. (2021) | J Invented Med | PMID: 1 | DOI: 10.5555/invented.1"
    assert accepted["stance_to_claim"] != "supports"
    assert claim["rejected"][0].keys() >= {"title", "passage", "reason"}
    assert isinstance(fields["warnings"], list)


def test_passage_and_summary_stand_apart_under_the_metadata_line() -> None:
    text = markdown(examined(CLAIM, record(1, AGAINST)))
    line = text.index("Muster AB et al. (2021) | J Invented Med | PMID: 1 | DOI: 10.5555/invented.1")
    assert line < text.index("**Passage (literal):**") < text.index("**Summary (our interpretation):**")


def test_the_page_marks_the_sentence_that_decides_and_names_who_was_not_asked() -> None:
    page = html(examined(CLAIM, record(1, f"We studied statins in an invented cohort. {AGAINST}")))
    assert f"<mark>{AGAINST.replace(chr(39), '&#39;')}</mark>" in page
    (one,) = (report := evidencegate.counter(CLAIM, offline=True, ledger="sqlite://")).claims
    assert one.accepted == ()
    assert [f"<li>{record.source}: {record.reason}</li>" in html(report) for record in report.not_asked] == [
        True for _ in report.not_asked
    ]


def test_what_comes_from_outside_is_shown_and_never_obeyed() -> None:
    evil = record(1, AGAINST, title="<script>alert(1)</script> 5 < 6 & [x](javascript:1)")
    report = examined(CLAIM, evil)
    page = html(report)
    assert "<script>" not in page
    assert "5 &lt; 6 &amp; [x]" in page
    assert "//" not in page.replace("https://pubmed.ncbi.nlm.nih.gov/1/", "")
    assert "[x](javascript" not in markdown(report)


@pytest.mark.parametrize("text", ["", "   ", "...", "12 34"])
def test_no_words_no_claim(text: str) -> None:
    with pytest.raises(InvalidInput):
        examined(text)


def test_the_name_is_a_package_and_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCEGATE_LEDGER", "sqlite://")
    assert callable(evidencegate.counter)
    report = evidencegate.counter(CLAIM, offline=True, ledger="sqlite://")
    (one,) = report.claims
    assert one.strength.level is StrengthLevel.NOT_SEARCHED
    assert report.not_asked or report.warnings
    with pytest.raises(InvalidInput):
        evidencegate.counter("", offline=True, ledger="sqlite://")
