"""`evidencegate evaluate`: figures on labelled files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from evidencegate.cli._app import Json, app, commands
from evidencegate.cli._options import BaseUrl, Proposer
from evidencegate.cli._output import emit_json, guarded, write

if TYPE_CHECKING:
    from evidencegate.models.stance import StanceModel

evaluate = commands("Figures on labelled files, with intervals and the cases behind them.")
app.add_typer(evaluate, name="evaluate")

Labelled = Annotated[Path, typer.Argument(help="One JSON object a line, plain or gzipped.")]
Results = Annotated[Path, typer.Option(help="Where the artefacts go.")]
Limit = Annotated[int | None, typer.Option(min=1, help="Only the first so many.")]
Reader = Annotated[Literal["default", "rules"], typer.Option(help="Who reads: rules with the encoder, or rules alone.")]
_RESULTS = Path("results/evaluation")


def _reader(name: str) -> "StanceModel":
    from evidencegate.models.stance import RulesModel, default_model

    return RulesModel() if name == "rules" else default_model()


def _show(command: str, fields: dict[str, Any], as_json: bool) -> None:
    if as_json:
        emit_json(command, fields)
        return
    for name, value in fields.items():
        if isinstance(value, int | float | str):
            write(f"{name:<24} {value:.4f}" if isinstance(value, float) else f"{name:<24} {value}")


def _measure(
    kind: Literal["stance", "factuality", "counter"],
    file: Path,
    reader: str,
    results: Path,
    limit: int | None,
    as_json: bool,
    **more: Any,
) -> None:
    """What the three calls on labelled pairs share: who reads, where the artefacts go, what is shown."""
    command = f"evaluate {kind}"
    with guarded(command, as_json=as_json):
        from evidencegate import evaluate as room

        result = getattr(room, kind)(file, model=_reader(reader), results=results, limit=limit, **more)
        _show(command, result.to_json(), as_json)


@evaluate.command()
def stance(
    file: Labelled, reader: Reader = "default", results: Results = _RESULTS, limit: Limit = None, as_json: Json = False
) -> None:
    """Stance of passages on claims: claim, evidence, label (supports|refutes|neutral)."""
    _measure("stance", file, reader, results, limit, as_json)


@evaluate.command()
def factuality(
    file: Labelled,
    reader: Reader = "default",
    model: Proposer = None,
    base_url: BaseUrl = None,
    results: Results = _RESULTS,
    limit: Limit = None,
    as_json: Json = False,
) -> None:
    """Support of texts by evidence: claim, evidence, label (supported|unsupported)."""
    with guarded("evaluate factuality", as_json=as_json):
        from evidencegate.models.language import named

        proposer = named(model, base_url=base_url)
    _measure("factuality", file, reader, results, limit, as_json, proposer=proposer)


@evaluate.command()
def counter(
    file: Labelled, reader: Reader = "default", results: Results = _RESULTS, limit: Limit = None, as_json: Json = False
) -> None:
    """Validation of counterfactual evidence: claim, statement, passage, label (accept|reject)."""
    _measure("counter", file, reader, results, limit, as_json)


@evaluate.command()
def retrieval(
    directory: Annotated[Path, typer.Argument(help="corpus.jsonl(.gz), queries.jsonl and qrels.")],
    split: Annotated[str, typer.Option(help="Which queries.")] = "test",
    mode: Annotated[Literal["hybrid", "bm25", "vector"], typer.Option(help="Which index.")] = "hybrid",
    library: Annotated[str | None, typer.Option("--library", help="Keep the index here, and use it again.")] = None,
    limit: Limit = None,
    as_json: Json = False,
) -> None:
    """Ranking of a corpus for judged queries: nDCG@10, recall@100, latency."""
    with guarded("evaluate retrieval", as_json=as_json):
        from evidencegate import evaluate as room

        result = room.retrieval(directory, split=split, mode=mode, library=library, limit=limit)
        _show("evaluate retrieval", result.to_json(), as_json)


@evaluate.command()
def question(
    file: Annotated[str, typer.Argument(help="A YAML file, or `questions`: the sixty that are shipped")] = "questions",
    as_json: Json = False,
) -> None:
    """How clinical questions are understood: tags, field, scenario against what is expected."""
    with guarded("evaluate question", as_json=as_json):
        from evidencegate.evaluate.question import evaluate_questions, questions

        scores = evaluate_questions(questions(file)).as_json()
        if as_json:
            emit_json("evaluate question", scores)
            return
        write("\n".join(f"{name:<24} {value:.3f}" for name, value in scores["fields"].items()))
        write(f"{'all fields':<24} {scores['all_fields']:.3f} of {scores['n']} questions")
        for miss in scores["misses"]:
            write(f"  {miss['id']}: {miss['field']} expected {miss['expected']}, found {miss['found']}")
