"""Examples and their token form: one pair, its label, its weight, and the rationale where one is annotated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from rows import Example
from tokenizers import Tokenizer
from torch import Tensor

CLS, SEP = 101, 102


@dataclass(frozen=True, slots=True)
class Encoded:
    ids: np.ndarray
    split: int  # first token of the passage
    label: int
    weight: float
    relevance: np.ndarray | None  # 0/1 a token, None where nothing is annotated
    origin: str


def load_tokenizer(path: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def encode(examples: Sequence[Example], tokenizer: Tokenizer, *, maximum: int, claim_maximum: int) -> list[Encoded]:
    """[CLS] claim [SEP] passage [SEP]; the end of the longer part is cut, claim first at its own limit."""
    result: list[Encoded] = []
    for start in range(0, len(examples), 2000):
        chunk = examples[start : start + 2000]
        claims = tokenizer.encode_batch([e.claim for e in chunk], add_special_tokens=False)
        passages = tokenizer.encode_batch([e.evidence for e in chunk], add_special_tokens=False)
        for example, claim, passage in zip(chunk, claims, passages, strict=True):
            head = [CLS, *claim.ids[:claim_maximum], SEP]
            room = maximum - len(head) - 1
            ids = np.array([*head, *passage.ids[:room], SEP], dtype=np.int32)
            relevance = None
            if example.rationale is not None:
                relevance = np.zeros(len(ids), dtype=np.int8)
                for position, (left, right) in enumerate(passage.offsets[:room], start=len(head)):
                    if any(left < end and begin < right for begin, end in example.rationale):
                        relevance[position] = 1
            result.append(Encoded(ids, len(head), example.label, example.weight, relevance, example.origin))
    return result


@dataclass(frozen=True, slots=True)
class Batch:
    ids: Tensor
    mask: Tensor
    segments: Tensor
    labels: Tensor
    weights: Tensor
    relevance: Tensor  # -1 where nothing is annotated


def collate(rows: Sequence[Encoded]) -> Batch:
    length = max(len(row.ids) for row in rows)
    shape = (len(rows), length)
    ids, mask, segments = (torch.zeros(shape, dtype=torch.long) for _ in range(3))
    relevance = torch.full(shape, -1.0)
    for index, row in enumerate(rows):
        size = len(row.ids)
        ids[index, :size] = torch.from_numpy(row.ids.astype(np.int64))
        mask[index, :size] = 1
        segments[index, row.split : size] = 1
        if row.relevance is not None:
            relevance[index, row.split : size] = torch.from_numpy(row.relevance[row.split :].astype(np.float32))
    labels = torch.tensor([row.label for row in rows])
    return Batch(ids, mask, segments, labels, torch.tensor([row.weight for row in rows]), relevance)


def batches(rows: Sequence[Encoded], tokens: int, generator: np.random.Generator) -> list[list[int]]:
    """Indices of batches of about `tokens` padded tokens each, alike in length, in random order."""
    noise = generator.uniform(-4, 4, size=len(rows))
    order = np.argsort(np.array([len(row.ids) for row in rows]) + noise)
    result: list[list[int]] = []
    current: list[int] = []
    widest = 0
    for index in order.tolist():
        size = len(rows[index].ids)
        if current and max(widest, size) * (len(current) + 1) > tokens:
            result.append(current)
            current, widest = [], 0
        current.append(index)
        widest = max(widest, size)
    if current:
        result.append(current)
    return [result[i] for i in generator.permutation(len(result))]
