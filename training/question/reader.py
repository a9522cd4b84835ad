"""Fine-tune the reader of questions: all-MiniLM-L6-v2 with three heads.

    PYTHONPATH=training/embedding python training/question/reader.py --out one.safetensors
    PYTHONPATH=training/embedding python training/question/reader.py --begin one.safetensors --passes 2 --rate 5e-5 --out two.safetensors

- Decisions, fifteen outputs: reads what is asked, after what of the case it points back to (`asks_for_reader`). Binary
  cross-entropy summed over the decisions. Pairs of these texts, one after the other, are learnt from too: cases ask
  several things.
- Decisions in context, fifteen outputs: reads the whole question, what is asked being of the second token type, and pools
  over that. The same loss, over the labelled questions. Begins as the head of decisions where an earlier fit has none.
- Conditions, two outputs for each word piece, of the same reading. A
  place that names a condition has the mean of its pieces, a condition the largest of its places. Binary cross-entropy of
  the first output (it counts), softmax loss of the second over the conditions of a question (it is the primary one).

What may be found but need not is left out of the loss. The table of word pieces stays as it is. Products are in
bfloat16. The learning rate rises for 60 steps and falls to nearly zero at the last.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from examples import LEARNT, asked, made, marked
from fit import as_example
from rows import (
    ConditionRow,
    DecisionRow,
    condition_row,
    decision_row,
    joined,
    labelled,
)
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from train import base_folder
from transformers import AutoModel

from evidencegate.evaluate.question import questions
from evidencegate.question._vocabulary import load_vocabulary

BATCH = 16
RATE, HEADS_FASTER = 1e-4, 20
RISING, LOWEST = 60, 0.02
PHRASES_A_PASS, PHRASE_WEIGHS = 1200, 0.25
JOINED_A_PASS = 3500
SEED = 20261121
HIDDEN = 384

_BODY = re.compile(r"^(?!head\.|pieces\.|whole\.)")

Row = DecisionRow | ConditionRow


class Reader(nn.Module):
    """An encoder with two heads for the whole text, read alone and in context, and one for each of its word pieces."""

    def __init__(self, decisions: int) -> None:
        super().__init__()
        self.body = AutoModel.from_pretrained(base_folder(), attn_implementation="sdpa", add_pooling_layer=False)
        self.body.embeddings.word_embeddings.weight.requires_grad_(False)
        self.head = nn.Linear(2 * HIDDEN, decisions)
        self.whole = nn.Linear(2 * HIDDEN, decisions)
        self.pieces = nn.Linear(HIDDEN, 2)
        for head, bias in ((self.head, -1.5), (self.whole, -1.5), (self.pieces, 0.0)):
            nn.init.normal_(head.weight, std=0.02)
            nn.init.constant_(head.bias, bias)

    def encode(self, rows: Sequence[Row]) -> tuple[Tensor, Tensor]:
        """The last layer, (n, length, width), and which of it is there, (n, length)."""
        shape = len(rows), max(len(row.ids) for row in rows)
        ids, mask, types = (torch.zeros(shape, dtype=torch.long) for _ in range(3))
        for place, row in enumerate(rows):
            ids[place, : len(row.ids)] = torch.tensor(row.ids)
            mask[place, : len(row.ids)] = 1
            if isinstance(row, ConditionRow):
                types[place, : len(row.ids)] = torch.tensor(row.asked)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.body(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state
        return hidden.float(), mask

    def decisions(self, rows: Sequence[DecisionRow]) -> Tensor:
        """Log-odds, (n, decisions): of the mean and the maximum of the last layer."""
        return self.head(pooled(*self.encode(rows)))

    def in_context(self, rows: Sequence[ConditionRow], hidden: Tensor) -> Tensor:
        """Log-odds, (n, decisions): of the mean and the maximum over what is asked, or over all where nothing is."""
        asking = torch.zeros(hidden.shape[:2])
        for place, row in enumerate(rows):
            asking[place, : len(row.ids)] = torch.tensor(row.asked if any(row.asked) else [True] * len(row.ids)).float()
        return self.whole(pooled(hidden, asking))


def pooled(hidden: Tensor, mask: Tensor) -> Tensor:
    """Mean and maximum over the pieces that count, (n, 2 * width)."""
    there = mask[..., None]
    mean = (hidden * there).sum(1) / there.sum(1)
    return torch.cat([mean, hidden.masked_fill(there == 0, -1e4).max(1).values], dim=-1)


def each_decision(heard: Tensor, must: Sequence[Sequence[float]], counts: Sequence[Sequence[float]]) -> Tensor:
    """The loss of each text, (n,)."""
    loss = functional.binary_cross_entropy_with_logits(heard, torch.tensor(must), reduction="none")
    return (loss * torch.tensor(counts)).sum(1)


def loss_of_decisions(reader: Reader, rows: Sequence[DecisionRow]) -> Tensor:
    loss = each_decision(reader.decisions(rows), [row.must for row in rows], [row.counts for row in rows])
    return (loss * torch.tensor([row.weight for row in rows])).mean()


def loss_of_conditions(reader: Reader, rows: Sequence[ConditionRow]) -> Tensor:
    hidden, _ = reader.encode(rows)
    heard = reader.in_context(rows, hidden)
    total = each_decision(heard, [row.asks_for for row in rows], [row.asks_counts for row in rows]).sum()
    for row, of in zip(rows, reader.pieces(hidden), strict=True):
        if not row.named:
            continue
        weighed = torch.stack(
            [torch.stack([of[list(place)].mean(0) for place in places]).max(0).values for places in row.named]
        )
        counts, primary = torch.tensor(row.counts), torch.tensor(row.primary)
        total = total + functional.binary_cross_entropy_with_logits(
            weighed[counts, 0], torch.tensor(row.must)[counts], reduction="sum"
        )
        if primary.any():
            total = total + torch.logsumexp(weighed[:, 1], 0) - torch.logsumexp(weighed[primary, 1], 0)
    return total / len(rows)


LOSSES = {"decisions": loss_of_decisions, "conditions": loss_of_conditions}


def batches(rows: list[Row], rng: random.Random) -> Iterator[list[Row]]:
    """Batches of texts of like length, in random order."""
    rng.shuffle(rows)
    wide = BATCH * 8
    order = [row for at in range(0, len(rows), wide) for row in sorted(rows[at : at + wide], key=lambda r: len(r.ids))]
    cut = [order[at : at + BATCH] for at in range(0, len(order), BATCH)]
    rng.shuffle(cut)
    yield from cut


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--questions", nargs="+", default=list(LEARNT), help="labelled files to learn from")
    parser.add_argument("--begin", type=Path, help="weights of an earlier fit to go on from")
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--rate", type=float, default=RATE, help="of the body; the heads learn twenty times as fast")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    rng = random.Random(arguments.seed)
    names = sorted(load_vocabulary().decisions)
    tokenizer = Tokenizer.from_file(str(base_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True
    cases = [case for name in arguments.questions for case in questions(name)]
    whole = [decision_row(one, 1.0, names, tokenizer) for one in (*map(as_example, cases), *asked())]
    phrases = [decision_row(one, PHRASE_WEIGHS, names, tokenizer) for one in made()]
    read = [*zip(labelled(cases), whole, strict=False), *((case, None) for case in marked())]
    named = [row for case, asks in read if (row := condition_row(case, tokenizer, asks))]
    rng.shuffle(phrases)
    print(f"{len(whole)} + {len(phrases)} of decisions, {len(named)} of whole questions", flush=True)
    reader = Reader(len(names))
    if arguments.begin:
        begin = {_BODY.sub("body.", name): value for name, value in load_file(arguments.begin).items()}
        begin = {name.replace("head.", "whole."): begin[name] for name in ("head.weight", "head.bias")} | begin
        reader.load_state_dict(begin)
    reader.train()  # transformers hands its models over without dropout
    body = [p for p in reader.body.parameters() if p.requires_grad]
    heads = [p for head in (reader.head, reader.whole, reader.pieces) for p in head.parameters()]
    optimizer = torch.optim.AdamW([{"params": body}, {"params": heads}], weight_decay=0.01)
    a_pass = -(-(len(whole) + PHRASES_A_PASS + JOINED_A_PASS) // BATCH) - (-len(named) // BATCH)
    steps = arguments.passes * a_pass
    step, started = 0, time.monotonic()
    for number in range(arguments.passes):
        first = number * PHRASES_A_PASS % max(1, len(phrases) - PHRASES_A_PASS)
        losses: dict[str, list[float]] = {head: [] for head in LOSSES}
        pairs = joined(whole, JOINED_A_PASS, rng)
        work = [("conditions", b) for b in batches(named, rng)]
        work += [("decisions", b) for b in batches([*whole, *phrases[first : first + PHRASES_A_PASS], *pairs], rng)]
        rng.shuffle(work)
        for head, batch in work:
            part = min(1.0, (step + 1) / RISING) * max(LOWEST, 1 - step / steps)
            for group, rate in zip(
                optimizer.param_groups, (arguments.rate, arguments.rate * HEADS_FASTER), strict=True
            ):
                group["lr"] = rate * part
            loss = LOSSES[head](reader, batch)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimizer.step()
            losses[head].append(float(loss.detach()))
            step += 1
        told = ", ".join(f"{head} {sum(of) / len(of):.3f}" for head, of in losses.items())
        print(f"pass {number + 1}: {told}, {time.monotonic() - started:.0f} s", flush=True)
    weights = {name.removeprefix("body."): value.contiguous() for name, value in reader.state_dict().items()}
    save_file(weights, arguments.out)


if __name__ == "__main__":
    main()
