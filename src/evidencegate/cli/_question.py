"""`evidencegate question`: how a question is understood."""

from typing import Annotated

import typer

from evidencegate.cli._app import Json, app
from evidencegate.cli._output import emit_json, guarded, write


@app.command()
def question(
    text: Annotated[str, typer.Argument(help="A clinical question.")],
    as_json: Json = False,
) -> None:
    """Show PICO, tags, field and sub-queries of a question."""
    with guarded("question", as_json=as_json):
        from evidencegate.question import question_json, understand

        understood = understand(text)
        fields = question_json(understood)
        if as_json:
            emit_json("question", fields)
            return
        pico = fields["pico"]
        lines = [str(word) for word in understood.spelling]
        lines += [f"{name:<14} {pico[name] or '-'}" for name in pico]
        for name in ("disease_tags", "decision_tags", "allowed_mesh_terms", "excluded_mesh_terms"):
            lines.append(f"{name:<20} {', '.join(fields[name]) or '-'}")
        lines.append(f"{'classification':<20} {fields['classification']} ({fields['confidence']:.2f})")
        lines.append(f"{'anchor_scenario':<20} {fields['anchor_scenario'] or '-'}")
        lines += [f"  - {q['query']}  [{q['category']}, {q['target_evidence']}]" for q in fields["sub_queries"]]
        write("\n".join(lines))
