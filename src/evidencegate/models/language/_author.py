"""What the scripted model answers when it obeys: sentences copied from the records of its prompt."""

import re
from typing import Any

from evidencegate.documents import sentences
from evidencegate.models.language._types import Prompt

_RECORD = re.compile(r"record_(\d+)")
_SENTENCE = re.compile(r"sentence_(\d+)")
_PER_RECORD = 2
_LEAST_WORDS = 6


def author(prompt: Prompt, schema: type[Any]) -> dict[str, Any]:
    """An obedient answer in any schema of the report's prompts, from the data of the prompt alone."""
    data = dict(prompt.data)
    fields = schema.model_fields
    if "sections" in fields:
        return {"sections": ["Benefit", "Safety", "Duration", "Alternatives"]}
    written = [_entry(n, text) for n, texts in _records(data).items() for text in texts]
    if "abstract" in fields:
        return {"abstract": written[:3], "discussion": written[3:5], "conclusion": written[5:6]}
    if "sentences" in fields:
        replaced = [int(m[1]) for name in data if (m := _SENTENCE.fullmatch(name))]
        if replaced:
            return {"sentences": [{**entry, "replaces": k} for k, entry in zip(replaced, written, strict=False)]}
        return {"sentences": written}
    return {}


def _entry(n: int, text: str) -> dict[str, Any]:
    return {"text": text, "citations": [{"n": n, "quote": text}]}


def _records(data: dict[str, str]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for name, text in data.items():
        match = _RECORD.fullmatch(name)
        if match:
            body = "\n".join(text.split("\n")[2:])
            spans = [" ".join(span.of(body).split()) for span in sentences(body)]
            found[int(match[1])] = [span for span in spans if len(span.split()) >= _LEAST_WORDS][-_PER_RECORD:]
    return found
