"""Train the cross-encoder: `train.py general|biomedical|refining --data DIR --base model.safetensors --work DIR`.

Restartable: a checkpoint is written every few minutes and picked up on the next start. The rate follows the
larger of "share of steps done" and "share of the time budget used", so that a pass on a busy machine still
ends with the rate where the recipe wants it.
"""

from __future__ import annotations

import argparse
import json
import time
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from encoding import Batch, Encoded, batches, collate, encode, load_tokenizer
from network import CrossEncoder, load_base
from torch import Tensor

RELEVANCE_WEIGHT = 0.3
#: Each pass, and the one whose checkpoint it starts from.
BEFORE = {"general": "", "biomedical": "general", "refining": "biomedical"}
TRIAL_STEPS, TRIAL_EVERY = 3, 48


class Threads:
    """One thread or two, whichever is the faster just now.

    On a machine shared with other work a step on two threads waits for the slower core at every product;
    three steps of each kind are timed now and then (tokens a second) and the better kind is kept.
    """

    def __init__(self, most: int) -> None:
        self.kinds = sorted({1, most})
        self.seen: dict[int, list[float]] = {}
        self.chosen = most

    def before(self, step: int) -> int:
        turn = step % TRIAL_EVERY // TRIAL_STEPS
        if step % TRIAL_EVERY == 0:
            self.seen = {kind: [] for kind in self.kinds}
        kind = self.kinds[turn] if turn < len(self.kinds) else self.chosen
        torch.set_num_threads(kind)
        return kind

    def after(self, kind: int, speed: float) -> None:
        self.seen.setdefault(kind, []).append(speed)
        if all(len(self.seen.get(k, [])) >= TRIAL_STEPS for k in self.kinds):
            self.chosen = max(self.kinds, key=lambda k: float(np.median(self.seen[k][:TRIAL_STEPS])))


def loss_of(logits: Tensor, relevance: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
    """(weighted mean loss, loss a row). Label 3 masks refutes against neutral."""
    logs = F.log_softmax(logits, dim=-1)
    direct = -logs.gather(1, batch.labels.clamp(max=2)[:, None]).squeeze(1)
    either = -torch.logsumexp(logs[:, 1:], dim=-1)
    rows = torch.where(batch.labels == 3, either, direct)
    loss = (rows * batch.weights).sum() / batch.weights.sum()
    known = batch.relevance >= 0
    if bool(known.any()):
        loss = loss + RELEVANCE_WEIGHT * F.binary_cross_entropy_with_logits(relevance[known], batch.relevance[known])
    return loss, rows.detach()


def rate_at(progress: float, step: int, recipe: dict[str, Any]) -> float:
    warm = min(1.0, (step + 1) / recipe["warmup_steps"])
    floor = recipe["final_share"]
    return float(recipe["peak_rate"] * warm * (floor + (1 - floor) * max(0.0, 1.0 - progress)))


def run(
    model: CrossEncoder,
    epochs: list[list[Encoded]],
    recipe: dict[str, Any],
    *,
    seed: int,
    minutes: float,
    checkpoint: Path,
    threads: Threads,
) -> None:
    model.words.weight.requires_grad_(False)  # frozen: no gradient, no optimiser state for half the tensors
    optimiser = torch.optim.AdamW(
        [p for p in model.parameters() if p.requires_grad],
        lr=recipe["peak_rate"],
        weight_decay=0.01,
        betas=(0.9, 0.98),
        fused=True,
    )
    plan = [
        (epoch, batch)
        for epoch, rows in enumerate(epochs)
        for batch in batches(rows, recipe["tokens_per_batch"], np.random.default_rng(seed + epoch))
    ]
    step, used = 0, 0.0
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        step, used = state["step"], state["seconds"]
    began, saved = time.monotonic() - used, time.monotonic()
    window: dict[str, list[float]] = defaultdict(list)
    pairs, mark = 0, time.monotonic()
    print(json.dumps({"rows": [len(rows) for rows in epochs], "steps": len(plan), "start": step}), flush=True)
    while step < len(plan):
        seconds = time.monotonic() - began
        progress = max(step / len(plan), seconds / (60 * minutes))
        if progress >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = rate_at(progress, step, recipe)
        epoch, indices = plan[step]
        chosen = [epochs[epoch][i] for i in indices]
        batch = collate(chosen)
        kind, start = threads.before(step), time.monotonic()
        with torch.autocast("cpu", torch.bfloat16):
            logits, relevance = model(batch.ids, batch.mask, batch.segments)
        loss, per_row = loss_of(logits, relevance, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], 1.0)
        optimiser.step()
        optimiser.zero_grad()
        threads.after(kind, batch.ids.numel() / (time.monotonic() - start))
        step += 1
        pairs += len(chosen)
        for row, value in zip(chosen, per_row.tolist(), strict=True):
            window[row.origin].append(value)
        if step % 48 == 0 or step == len(plan):
            now = time.monotonic()
            mean = {name: round(float(np.mean(values)), 3) for name, values in sorted(window.items())}
            overall = float(np.mean([v for values in window.values() for v in values]))
            line = {
                "step": step,
                "minutes": round((now - began) / 60, 1),
                "threads": threads.chosen,
                "loss": round(overall, 4),
            }
            print(json.dumps({**line, "pairs_per_second": round(pairs / (now - mark), 1), **mean}), flush=True)
            window.clear()
            pairs, mark = 0, now
        if time.monotonic() - saved > 180:
            save(model, optimiser, step, time.monotonic() - began, checkpoint)
            saved = time.monotonic()
    save(model, optimiser, step, time.monotonic() - began, checkpoint)


def save(model: CrossEncoder, optimiser: torch.optim.Optimizer, step: int, seconds: float, path: Path) -> None:
    part = path.with_suffix(".part")
    torch.save(
        {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "step": step, "seconds": seconds},
        part,
    )
    part.replace(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stage", choices=tuple(BEFORE))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True, help="folder with model.safetensors, tokenizer.json")
    parser.add_argument("--work", type=Path, required=True, help="checkpoints are written here")
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    recipes = tomllib.loads((Path(__file__).parent / "recipe.toml").read_text(encoding="utf-8"))
    seed = int(recipes["seed"])
    torch.manual_seed(seed)
    recipe = recipes[arguments.stage]
    generator = np.random.default_rng(seed)
    if arguments.stage == "general":
        from general import general_examples as make
    elif arguments.stage == "biomedical":
        from biomedical import biomedical_examples as make
    else:
        from biomedical import refining_examples as make
    tokenizer = load_tokenizer(arguments.base / "tokenizer.json")
    # Every epoch is drawn anew: other wordings of a finding, other edits, other general pairs.
    epochs = [
        encode(
            make(arguments.data, recipe, generator),
            tokenizer,
            maximum=recipe["maximum_length"],
            claim_maximum=recipe["claim_length"],
        )
        for _ in range(int(recipe["epochs"]))
    ]
    model = load_base(arguments.base / "model.safetensors")
    checkpoint = arguments.work / f"{arguments.stage}.pt"
    before = BEFORE[arguments.stage]
    if before and not checkpoint.exists():
        model.load_state_dict(torch.load(arguments.work / f"{before}.pt", weights_only=True)["model"])
    run(
        model,
        epochs,
        recipe,
        seed=seed,
        minutes=arguments.minutes,
        checkpoint=checkpoint,
        threads=Threads(arguments.threads),
    )


if __name__ == "__main__":
    main()
