"""Small text models on ONNX Runtime: tokenise, sort by length, pad little, run.

Used by every model inside the package, so that threads, truncation and batching are decided once.
No torch at run time; `onnxruntime` and `tokenizers` come with the extra `models` and are imported
when a model is loaded.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidencegate._extras import require
from evidencegate._giving_up import may_go_on
from evidencegate.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["TextModel", "available_threads", "load_session", "load_text_model", "load_tokenizer", "models_installed"]

TextInput = str | tuple[str, str]

# Small batches stay in the processor's cache, which is worth more than large matrices; measured on abstracts,
# 512 tokens run 15 % faster than 4,096, in a third of the memory.
TOKENS_PER_BATCH = 512
# Running text has four to five characters a token; what lies beyond ten times that cannot reach the model.
CHARACTERS_PER_TOKEN = 40
# Inputs tokenised at once: bounds memory for long lists while leaving enough to sort by length.
INPUTS_PER_CHUNK = 2048


def models_installed() -> bool:
    """Whether the extra `models` is there, without importing it."""
    return all(find_spec(module) is not None for module in ("numpy", "onnxruntime", "tokenizers"))


def available_threads() -> int:
    """CPU cores this process may use, at least 1 (honours an affinity mask or container limit)."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


@dataclass(frozen=True, slots=True)
class TextModel:
    """A tokenizer and a session whose inputs are BERT's and whose first output has one row a text.

    `threads` batches run at once, each on one thread: batches need no word between them, the parts of one
    matrix product would.
    """

    session: Any
    tokenizer: Any
    max_tokens: int
    threads: int

    def run(self, inputs: Sequence[TextInput]) -> "npt.NDArray[np.float32]":
        """First output of the model for each text, or each pair of texts, in the order given.

        Shape (n, width), float32. Inputs are cut to `max_tokens` (of a pair, the longer text first).
        Any string is accepted, the empty one and lone surrogates included.
        """
        np = require("models", "numpy")
        width = self.session.get_outputs()[0].shape[-1]
        rows = np.zeros((len(inputs), width), dtype=np.float32)
        for start in range(0, len(inputs), INPUTS_PER_CHUNK):
            chunk = [self._clean(text) for text in inputs[start : start + INPUTS_PER_CHUNK]]
            rows[start : start + len(chunk)] = self._run_chunk(chunk, width)
        return rows  # type: ignore[no-any-return]

    def _clean(self, text: TextInput) -> TextInput:
        """Cut what the model cannot see anyway and replace what UTF-8 cannot carry."""
        if isinstance(text, tuple):
            first, second = text
            return self._clean_one(first), self._clean_one(second)
        return self._clean_one(text)

    def _clean_one(self, text: str) -> str:
        most = self.max_tokens * CHARACTERS_PER_TOKEN
        return text[:most].encode("utf-8", "replace").decode("utf-8")

    def _run_chunk(self, chunk: Sequence[TextInput], width: int) -> Any:
        np = require("models", "numpy")
        encodings = self.tokenizer.encode_batch(chunk)
        lengths = [len(encoding.ids) for encoding in encodings]
        batches = list(length_sorted_batches(lengths, TOKENS_PER_BATCH, equal=not self._masks))
        work = [[encodings[i] for i in members] for members in batches]
        look = may_go_on()

        def run(batch: Sequence[Any]) -> Any:
            look()
            return self._run_batch(batch)

        rows = np.zeros((len(chunk), width), dtype=np.float32)
        if len(batches) == 1 or self.threads == 1:
            outputs = list(map(run, work))
        else:
            with ThreadPoolExecutor(min(self.threads, len(batches))) as pool:
                outputs = list(pool.map(run, work))
        for members, output in zip(batches, outputs, strict=True):
            rows[members] = output
        return rows

    @property
    def _masks(self) -> bool:
        """Whether the model can be told to ignore padding; without a mask a batch has one length."""
        return any(wanted.name == "attention_mask" for wanted in self.session.get_inputs())

    def _run_batch(self, encodings: Sequence[Any]) -> Any:
        np = require("models", "numpy")
        longest = max(len(encoding.ids) for encoding in encodings)
        shape = (len(encodings), longest)
        ids, mask, types = (np.zeros(shape, dtype=np.int64) for _ in range(3))
        for row, encoding in enumerate(encodings):
            length = len(encoding.ids)
            ids[row, :length] = encoding.ids
            mask[row, :length] = 1
            types[row, :length] = encoding.type_ids
        offered = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        feed = {wanted.name: offered[wanted.name] for wanted in self.session.get_inputs()}
        return self.session.run(None, feed)[0]


def load_session(model: Path) -> Any:
    """An ONNX file as a session of one thread, on the CPU.

    Raises `MissingExtra` without the extra `models`, `ModelError` when the file is missing or is no model.
    """
    onnxruntime = require("models", "onnxruntime")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return _loaded(model, lambda: onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"]))


def load_tokenizer(file: Path) -> Any:
    """A `tokenizer.json` that neither pads nor cuts.

    Raises as `load_session`.
    """
    tokenizers = require("models", "tokenizers")
    tokenizer = _loaded(file, lambda: tokenizers.Tokenizer.from_file(str(file)))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    # Text from outside is data: "[SEP]" written in an abstract must not act as a separator.
    tokenizer.encode_special_tokens = True
    return tokenizer


def _loaded(file: Path, load: Callable[[], Any]) -> Any:
    if not file.is_file():
        raise ModelError(f"Model file {file.name} is missing from {file.parent}: reinstall evidencegate.")
    try:
        return load()
    except Exception as error:  # both libraries raise bare or private exception classes
        raise ModelError(f"Cannot load {file.name} ({error}): reinstall evidencegate.") from error


def load_text_model(model: Path, tokenizer: Path, *, max_tokens: int, threads: int | None = None) -> TextModel:
    """Load an ONNX file and its `tokenizer.json`.

    `threads` is how many batches of one call run at once (default: every core this process may use).
    Raises as `load_session`.
    """
    session, reader = load_session(model), load_tokenizer(tokenizer)
    reader.enable_truncation(max_length=max_tokens, strategy="longest_first")
    return TextModel(session, reader, max_tokens, threads or available_threads())


def length_sorted_batches(lengths: Sequence[int], tokens: int, *, equal: bool = False) -> Iterator[list[int]]:
    """Indices grouped so that neighbours in length run together, padded size at most `tokens`.

    Longest first; every index appears once; an input longer than `tokens` is a batch of its own. With
    `equal`, a batch holds inputs of one length only, so that nothing needs padding.
    """
    order = sorted(range(len(lengths)), key=lambda i: (-lengths[i], i))
    start = 0
    while start < len(order):
        longest = lengths[order[start]]
        end = start + max(1, tokens // max(1, longest))
        members = order[start:end]
        if equal:
            members = [i for i in members if lengths[i] == longest]
        yield members
        start += len(members)
