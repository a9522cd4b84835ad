"""Fine-tune the reader of decisions: all-MiniLM-L6-v2 with a head of fifteen outputs.

    PYTHONPATH=training/embedding python training/question/reader.py --out reader.safetensors

Reads what is asked, after what of the case it points back to (`asks_for_reader`), not the whole case. Loss: binary
cross-entropy summed over the decisions; one that may be found but need not is left out. The table of word pieces stays as
it is. The learning rate rises for 60 steps and falls to nearly zero at the last.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from examples import LEARNT, Example, asked, made
from fit import as_example
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from train import base_folder
from transformers import AutoModel

from evidencegate.evaluate.question import questions
from evidencegate.question._asked import interacting
from evidencegate.question._chosen import conditions
from evidencegate.question._hints import asks_for_reader
from evidencegate.question._reading import read
from evidencegate.question._vocabulary import load_vocabulary

TOKENS = 192
BATCH = 16
RATE, HEAD_RATE = 1e-4, 2e-3
RISING, LOWEST = 60, 0.02
PHRASES_A_PASS, PHRASE_WEIGHS = 1200, 0.25
SEED = 20261121
HIDDEN = 384

Row = tuple[list[int], list[bool], list[bool], float]


class Reader(nn.Module):
    """Word pieces in (n, length), log-odds of the decisions out (n, 15): mean and maximum of the last layer."""

    def __init__(self, decisions: int) -> None:
        super().__init__()
        self.body = AutoModel.from_pretrained(base_folder(), attn_implementation="eager", add_pooling_layer=False)
        self.body.embeddings.word_embeddings.weight.requires_grad_(False)
        self.head = nn.Linear(2 * HIDDEN, decisions)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.constant_(self.head.bias, -1.5)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        hidden = self.body(input_ids=ids, attention_mask=mask).last_hidden_state
        there = mask[..., None]
        mean = (hidden * there).sum(1) / there.sum(1)
        largest = hidden.masked_fill(there == 0, -1e4).max(1).values
        return self.head(torch.cat([mean, largest], dim=-1))


def row_of(example: Example, weight: float, names: list[str], tokenizer: Tokenizer) -> Row:
    vocabulary = load_vocabulary()
    reading = read(example.text, vocabulary)
    vocabulary = reading.vocabulary
    found = conditions(reading, vocabulary, together=interacting(reading, vocabulary))
    ids = tokenizer.encode(asks_for_reader(reading, vocabulary, found.tags)).ids
    must = [name in example.must for name in names]
    return ids, must, [name in example.must or name not in example.may for name in names], weight


def collated(rows: list[Row]) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    longest = max(len(row[0]) for row in rows)
    ids = torch.zeros(len(rows), longest, dtype=torch.long)
    mask = torch.zeros(len(rows), longest)
    for place, (pieces, *_) in enumerate(rows):
        ids[place, : len(pieces)] = torch.tensor(pieces)
        mask[place, : len(pieces)] = 1
    must, counts = (torch.tensor([row[i] for row in rows], dtype=torch.float) for i in (1, 2))
    return ids, mask, must, counts, torch.tensor([row[3] for row in rows])


def batches(rows: list[Row], rng: random.Random) -> Iterator[list[Row]]:
    """Batches of texts of like length, in random order."""
    rng.shuffle(rows)
    wide = BATCH * 8
    order = [row for at in range(0, len(rows), wide) for row in sorted(rows[at : at + wide], key=lambda r: len(r[0]))]
    cut = [order[at : at + BATCH] for at in range(0, len(order), BATCH)]
    rng.shuffle(cut)
    yield from cut


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--questions", nargs="+", default=list(LEARNT), help="shipped files to learn from")
    parser.add_argument("--passes", type=int, default=4)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.manual_seed(SEED)
    torch.set_num_threads(arguments.threads)
    rng = random.Random(SEED)
    names = sorted(load_vocabulary().decisions)
    tokenizer = Tokenizer.from_file(str(base_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(TOKENS, direction="left")
    shipped = (as_example(case) for name in arguments.questions for case in questions(name))
    whole = [row_of(one, 1.0, names, tokenizer) for one in (*shipped, *asked())]
    phrases = [row_of(one, PHRASE_WEIGHS, names, tokenizer) for one in made()]
    rng.shuffle(phrases)
    reader = Reader(len(names))
    body = [p for p in reader.body.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW([{"params": body}, {"params": reader.head.parameters()}], weight_decay=0.01)
    steps = arguments.passes * -(-(len(whole) + PHRASES_A_PASS) // BATCH)
    step, started = 0, time.monotonic()
    for number in range(arguments.passes):
        first = number * PHRASES_A_PASS % max(1, len(phrases) - PHRASES_A_PASS)
        losses = []
        for batch in batches([*whole, *phrases[first : first + PHRASES_A_PASS]], rng):
            part = min(1.0, (step + 1) / RISING) * max(LOWEST, 1 - step / steps)
            for group, rate in zip(optimizer.param_groups, (RATE, HEAD_RATE), strict=True):
                group["lr"] = rate * part
            ids, mask, must, counts, weight = collated(batch)
            loss = functional.binary_cross_entropy_with_logits(reader(ids, mask), must, reduction="none") * counts
            loss = (loss.sum(1) * weight).mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimizer.step()
            losses.append(float(loss.detach()))
            step += 1
        print(
            f"pass {number + 1}: loss {sum(losses) / len(losses):.3f}, {time.monotonic() - started:.0f} s", flush=True
        )
    weights = {name.removeprefix("body."): value.contiguous() for name, value in reader.state_dict().items()}
    save_file(weights, arguments.out)


if __name__ == "__main__":
    main()
