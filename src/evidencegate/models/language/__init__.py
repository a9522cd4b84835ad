"""Language models behind one small protocol. `local` is the absence of one."""

from evidencegate.models.language._ask import ask_model
from evidencegate.models.language._named import named
from evidencegate.models.language._threads import InLoop, finish
from evidencegate.models.language._types import (
    BadReply,
    LanguageModel,
    ModelRefused,
    ModelUnreachable,
    Prompt,
    Reply,
    S,
    load_prompt,
)

__all__ = [
    "BadReply",
    "InLoop",
    "LanguageModel",
    "ModelRefused",
    "ModelUnreachable",
    "Prompt",
    "Reply",
    "S",
    "ask_model",
    "finish",
    "load_prompt",
    "named",
]
