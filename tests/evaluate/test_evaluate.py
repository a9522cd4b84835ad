import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from evidencegate import evaluate
from evidencegate.errors import InvalidInput
from evidencegate.models.language import Prompt
from evidencegate.models.language.scripted import Scripted
from evidencegate.models.stance import RulesModel

STANCE = [
    ("Zelmorin lowers pain", "Zelmorin lowered pain compared with placebo (p<0.001).", "supports"),
    ("Zelmorin lowers pain", "Zelmorin did not lower pain compared with placebo (p=0.7).", "refutes"),
    ("Zelmorin lowers pain", "The canteen served soup.", "neutral"),
    ("Zelmorin raises blood pressure", "Zelmorin lowered blood pressure (p<0.001).", "refutes"),
]


def _file(path: Path, rows: list[dict[str, Any]], *, packed: bool = False) -> Path:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    if packed:
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")
    return path


def _stance_rows() -> list[dict[str, Any]]:
    return [{"id": str(i), "claim": c, "evidence": e, "label": label} for i, (c, e, label) in enumerate(STANCE)]


@pytest.mark.parametrize("packed", [False, True])
def test_stance_figures_and_artefacts(tmp_path: Path, packed: bool) -> None:
    file = _file(tmp_path / "made.jsonl", _stance_rows(), packed=packed)
    found = evaluate.stance(file, model=RulesModel(), results=tmp_path / "out")
    fields = found.to_json()
    assert fields["n"] == 4
    assert fields["accuracy"] == 1.0
    assert {"macro_f1", "balanced_accuracy", "per_label", "interval", "pairs_per_second", "artefacts"} <= set(fields)
    assert found.artefacts is not None
    stored = json.loads(found.artefacts.results.read_text("utf-8"))
    assert stored["schema"] == "evidencegate/1"
    assert stored["accuracy"] == 1.0
    cases = [json.loads(line) for line in found.artefacts.debug_claims.read_text("utf-8").splitlines()]
    assert [case["verdict"] for case in cases] == [label for _, _, label in STANCE]
    assert cases[1]["quote"].startswith("Zelmorin did not")
    assert found.artefacts.error_cases.read_text("utf-8") == ""
    assert all(plot.read_text("utf-8").startswith("<svg") for plot in found.artefacts.plots)


def test_only_wrong_cases_are_errors(tmp_path: Path) -> None:
    rows = [*_stance_rows(), {**_stance_rows()[0], "id": "wrong", "label": "refutes"}]
    found = evaluate.stance(_file(tmp_path / "made.jsonl", rows), model=RulesModel(), results=tmp_path)
    assert found.artefacts is not None
    errors = [json.loads(line) for line in found.artefacts.error_cases.read_text("utf-8").splitlines()]
    assert [error["id"] for error in errors] == ["wrong"]


def test_a_set_without_neutral_asks_supports_or_refutes(tmp_path: Path) -> None:
    rows = [row for row in _stance_rows() if row["label"] != "neutral"]
    rows.append({"claim": "Zelmorin lowers pain", "evidence": "The canteen served soup.", "label": "refutes"})
    found = evaluate.stance(_file(tmp_path / "two.jsonl", rows), model=RulesModel(), results=None)
    assert set(found.figures.confusion) == {"supports", "refutes"}
    assert sum(sum(row.values()) for row in found.figures.confusion.values()) == 4


def test_factuality_counts_what_the_gate_leaves_open(tmp_path: Path) -> None:
    rows = [
        {
            "claim": "Zelmorin lowered pain in adults.",
            "evidence": "Zelmorin lowered pain in adults.",
            "label": "supported",
        },
        {"claim": "Zelmorin lowered pain in adults.", "evidence": "The canteen served soup.", "label": "unsupported"},
    ]
    found = evaluate.factuality(_file(tmp_path / "texts.jsonl", rows), model=RulesModel(), results=tmp_path)
    fields = found.to_json()
    assert fields["accuracy"] == 1.0
    assert fields["abstained"] == 1
    assert fields["coverage"] == 0.5
    assert found.artefacts is not None
    case = json.loads(found.artefacts.debug_claims.read_text("utf-8").splitlines()[0])
    assert case["claims"][0]["trace"]["gate_reason"]


def test_counter_precision_and_recall(tmp_path: Path) -> None:
    claim, statement = "Zelmorin increases bleeding", "Zelmorin does not increase bleeding"
    rows = [
        {"claim": claim, "statement": statement, "passage": passage, "label": label}
        for passage, label in (
            ("Zelmorin did not increase bleeding compared with placebo (p=0.8).", "accept"),
            ("Zelmorin increased bleeding compared with placebo (p<0.001).", "reject"),
            ("The canteen served soup.", "reject"),
        )
    ]
    found = evaluate.counter(_file(tmp_path / "triples.jsonl", rows), model=RulesModel(), results=tmp_path)
    assert (found.precision, found.recall) == (1.0, 1.0)
    assert found.to_json()["counts"] == {"true_accept": 1, "false_accept": 0, "false_reject": 0, "true_reject": 2}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no labelled pair"),
        (b"{not json}\n", "line 1: not JSON"),
        (b"[1]\n", "line 1: an object is wanted"),
        (b'{"claim": "a", "evidence": "b"}\n', "line 1: `label` is missing"),
        (b'{"claim": 3, "evidence": "b", "label": "supports"}\n', "line 1: `claim` is missing"),
        (b'{"claim": "a", "evidence": "b", "label": "maybe"}\n', "label 'maybe' is unknown"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"\x1f\x8bxx", "not UTF-8 text, plain or gzipped"),
    ],
)
def test_a_bad_file_is_named_with_its_line(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_bytes(content)
    with pytest.raises(InvalidInput, match=message):
        evaluate.stance(file, model=RulesModel(), results=None)


def test_a_missing_file_is_an_error_of_the_user(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no file"):
        evaluate.counter(tmp_path / "none.jsonl", results=None)


def test_rules_on_real_pairs_stay_where_they_were_measured(shared_data: Path) -> None:
    found = evaluate.stance(
        shared_data / "stance" / "healthver_passage.dev.jsonl.gz", model=RulesModel(), results=None, limit=400
    )
    assert found.figures.macro_f1 > 0.34
    assert found.calibration.ece < 0.15


def test_a_language_model_may_propose_and_the_gate_still_decides(tmp_path: Path) -> None:
    def says(prompt: Prompt, schema: type[Any]) -> Any:
        quote = "Zelmorin cut nothing."  # stands in the evidence of the second row alone
        said = {"claim": 1, "label": "correct", "passage": 1, "quote": quote, "confidence": 0.9, "why": ""}
        return {"sentences": [], "verdicts": [{**said, "claim": n} for n in (1, 2)]}

    rows = [
        {"id": "1", "claim": "Zelmorin is fun for adults.", "evidence": "Zelmorin and adults.", "label": "unsupported"},
        {
            "id": "2",
            "claim": "Zelmorin is fun for kids.",
            "evidence": "Kids. Zelmorin cut nothing.",
            "label": "supported",
        },
    ]
    found = evaluate.factuality(
        _file(tmp_path / "two.jsonl", rows), model=RulesModel(), proposer=Scripted(answer=says), results=None
    )
    assert found.reader.endswith("and scripted:demo")
    assert found.figures.to_json()["accuracy"] == 1.0
