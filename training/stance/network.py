"""The small cross-encoder: a six-layer BERT with a three-way head and a relevance head.

Written out in plain torch (not through transformers) so that the exported graph holds only what runs:
no unused pooler, no dropout, one fused query-key-value product a layer. Loads the tensors of
all-MiniLM-L6-v2 by their published names.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import Tensor, nn

BASE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
HIDDEN, LAYERS, HEADS, INTERMEDIATE = 384, 6, 12, 1536
VOCABULARY, POSITIONS, SEGMENTS = 30522, 512, 2


class Layer(nn.Module):
    """One post-norm transformer layer; `mask` is additive, (batch, 1, 1, length)."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(HIDDEN, 3 * HIDDEN)
        self.out = nn.Linear(HIDDEN, HIDDEN)
        self.norm1 = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.up = nn.Linear(HIDDEN, INTERMEDIATE)
        self.down = nn.Linear(INTERMEDIATE, HIDDEN)
        self.norm2 = nn.LayerNorm(HIDDEN, eps=1e-12)

    def forward(self, hidden: Tensor, mask: Tensor) -> Tensor:
        batch, length, _ = hidden.shape
        q, k, v = self.qkv(hidden).view(batch, length, 3, HEADS, HIDDEN // HEADS).permute(2, 0, 3, 1, 4)
        # Two plain products: the fused CPU kernel's backward pass costs three times as much.
        scores = q @ k.transpose(-1, -2) * (HIDDEN // HEADS) ** -0.5
        scores = scores + mask.to(scores.dtype)
        mixed = torch.softmax(scores, dim=-1).to(v.dtype) @ v
        mixed = mixed.transpose(1, 2).reshape(batch, length, HIDDEN)
        hidden = self.norm1(hidden + self.out(mixed))
        return self.norm2(hidden + self.down(F.gelu(self.up(hidden))))


class CrossEncoder(nn.Module):
    """Claim and passage in, (logits (batch, 3), relevance (batch, length)) out.

    The relevance of a token is both the weight of its state in the pooled passage vector and, through the
    auxiliary loss on annotated rationales, what names the deciding sentence.
    """

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, HIDDEN, padding_idx=0)
        self.positions = nn.Embedding(POSITIONS, HIDDEN)
        self.segments = nn.Embedding(SEGMENTS, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.relevance = nn.Linear(HIDDEN, 1)
        self.mix = nn.Linear(3 * HIDDEN, HIDDEN)
        self.classify = nn.Linear(HIDDEN, 3)

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor) -> tuple[Tensor, Tensor]:
        length = ids.shape[1]
        hidden = self.words(ids) + self.positions.weight[:length] + self.segments(segments)
        hidden = self.norm(hidden)
        additive = (1.0 - mask.to(hidden.dtype))[:, None, None, :] * -1e4
        for layer in self.layers:
            hidden = layer(hidden, additive)
        relevance = self.relevance(hidden).squeeze(-1).float()
        passage = segments * mask
        weights = torch.softmax(relevance.masked_fill(passage == 0, -1e4), dim=-1)
        pooled = (weights[..., None].to(hidden.dtype) * hidden).sum(1)
        share = passage.to(hidden.dtype)
        mean = (hidden * share[..., None]).sum(1) / share.sum(1, keepdim=True).clamp(min=1.0)
        vector = torch.cat([hidden[:, 0], pooled, mean], dim=-1)
        return self.classify(F.gelu(self.mix(vector))).float(), relevance


def load_base(path: Path) -> CrossEncoder:
    """A cross-encoder with the pretrained body; raises ValueError if the file is not the expected one."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != BASE_SHA256:
        raise ValueError(f"{path.name} has SHA-256 {digest}, expected {BASE_SHA256}")
    source = load_file(path)
    source = {name.removeprefix("bert."): tensor for name, tensor in source.items()}
    model = CrossEncoder()
    table = {
        "words.weight": source["embeddings.word_embeddings.weight"],
        "positions.weight": source["embeddings.position_embeddings.weight"],
        "segments.weight": source["embeddings.token_type_embeddings.weight"],
        "norm.weight": source["embeddings.LayerNorm.weight"],
        "norm.bias": source["embeddings.LayerNorm.bias"],
    }
    for index in range(LAYERS):
        near, far = f"layers.{index}", f"encoder.layer.{index}"
        for kind in ("weight", "bias"):
            table[f"{near}.qkv.{kind}"] = torch.cat(
                [source[f"{far}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            )
            table[f"{near}.out.{kind}"] = source[f"{far}.attention.output.dense.{kind}"]
            table[f"{near}.norm1.{kind}"] = source[f"{far}.attention.output.LayerNorm.{kind}"]
            table[f"{near}.up.{kind}"] = source[f"{far}.intermediate.dense.{kind}"]
            table[f"{near}.down.{kind}"] = source[f"{far}.output.dense.{kind}"]
            table[f"{near}.norm2.{kind}"] = source[f"{far}.output.LayerNorm.{kind}"]
    missing, unexpected = model.load_state_dict(table, strict=False)
    new = {name for name in missing if name.split(".")[0] not in {"relevance", "mix", "classify"}}
    if new or unexpected:
        raise ValueError(f"tensors do not match: missing {sorted(new)}, unexpected {sorted(unexpected)}")
    return model
