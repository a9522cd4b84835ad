"""Counterfactual statements by a language model: proposed, then held to what rules can check."""

from dataclasses import replace

from pydantic import BaseModel, Field

from evidencegate.counter._matter import matter
from evidencegate.counter._said import names, said
from evidencegate.counter._types import Counterfactual, Opposite, Statement
from evidencegate.errors import BudgetExceeded, EvidenceGateError, ModelError
from evidencegate.evidence import content
from evidencegate.models.language import LanguageModel, ask_model, load_prompt
from evidencegate.models.stance import Label, StanceModel
from evidencegate.runs import Run

_KEPT = 0.5
"""Share of the claim's words that a statement keeps, or it is about something else."""
_LONGEST = 600


class _Made(BaseModel):
    statement: str = ""
    question: str = ""
    reasoning: str = ""
    keywords: list[str] = Field(default_factory=list)


async def proposed(
    made: Counterfactual, model: LanguageModel, stance: StanceModel, run: Run
) -> tuple[Counterfactual, str]:
    """`made` with the model's statement before the rules' own, where it passes; and a warning where it does not.

    It passes if the stance model reads it as contradicting the claim, and if it keeps the claim's treatments and
    half of its words. The rules' statements stay behind it.
    """
    prompt = load_prompt("evidencegate.counter", "statement", claim=made.claim)
    try:
        reply = await ask_model(model, prompt, _Made, run=run)
    except BudgetExceeded:
        raise
    except ModelError as error:
        return made, f"{made.id}: {model.name} gave no statement ({error}); the rules' one is used"
    text = " ".join(reply.value.statement.split())[:_LONGEST]
    fault = _fault(made.claim, text, stance)
    if fault:
        return made, f"{made.id}: the statement of {model.name} was not used: {fault}"
    given = Statement(text, Opposite.GIVEN)
    others = tuple(statement for statement in made.statements if statement.text.casefold() != text.casefold())
    return replace(
        made,
        statements=(given, *others)[:3],
        question=" ".join(reply.value.question.split())[:_LONGEST] or made.question or f"Is it true that {text}?",
        reasoning=" ".join(reply.value.reasoning.split())[:_LONGEST] or made.reasoning,
        keywords=tuple(
            dict.fromkeys(
                [*made.keywords, *(" ".join(word.split())[:60] for word in reply.value.keywords if word.strip())]
            )
        )[:20],
    ), ""


def _fault(claim: str, text: str, stance: StanceModel) -> str:
    """Why a proposed statement cannot be used; empty where it can."""
    if not text:
        return "it is empty"
    if text.endswith("?"):
        return "it is a question"
    asked = content(claim)
    if asked and len(asked & content(text)) < _KEPT * len(asked):
        return "it does not keep the claim's population, intervention and outcome"
    missing = [name for name in matter(claim).treatments if not names(said(text), name)]
    if missing:
        return f"it leaves out {', '.join(missing)}"
    try:
        read = stance.judge([(claim, text)])[0]
    except (EvidenceGateError, RuntimeError, ValueError, OSError, IndexError) as error:
        return f"it could not be checked ({type(error).__name__})"
    return "" if read.label is Label.REFUTES else "it does not contradict the claim"
