"""Fine-tune the reader of questions: all-MiniLM-L6-v2 with four heads, of which the first two ship (`export.py`).

    PYTHONPATH=training/embedding python training/question/reader.py --out one.safetensors

- Decisions, fifteen outputs: reads what is asked, after what of the case it points back to (`asks_for_reader`). Binary
  cross-entropy summed over the decisions. Pairs of these texts, one after the other, are learnt from too: cases ask
  several things.
- Conditions, three outputs for each word piece: reads the whole question, what is asked being of the second token type. A
  place that names a condition has the mean of its pieces, a condition the largest of its places. Binary cross-entropy of
  the first output (it counts), softmax loss of the second over the conditions of a question (it is the primary one),
  binary cross-entropy of the third over all pieces (they name a condition).
- Tags, one output for each tag, on the mean of the pieces of a place that names a condition: which one. Softmax loss,
  over the places of cases and over ways of saying conditions, alone and in the place of others.

What may be found but need not is left out of the loss. The table of word pieces stays as it is. Products are in
bfloat16. The learning rate rises for 60 steps and falls to nearly zero at the last.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from examples import LEARNT, asked, made, marked
from fit import as_example
from rows import (
    ConditionRow,
    DecisionRow,
    PhraseRow,
    condition_row,
    decision_row,
    joined,
    labelled,
    phrase_rows,
    ways_of_saying,
)
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from train import base_folder
from transformers import AutoModel

from evidencegate.evaluate.question import questions
from evidencegate.question._vocabulary import load_vocabulary

BATCH = 16
RATE, HEAD_RATE = 1e-4, 2e-3
RISING, LOWEST = 60, 0.02
PHRASES_A_PASS, PHRASE_WEIGHS = 1200, 0.25
JOINED_A_PASS = 3500
WAYS_A_PASS, WAYS_A_BATCH = 14_000, 64
NAMES_WEIGH, TAGS_WEIGH = 0.5, 0.5
SEED = 20261121
HIDDEN = 384

Row = DecisionRow | ConditionRow | PhraseRow


class Reader(nn.Module):
    """An encoder with a head for the whole text, one for each of its word pieces and one for places in it."""

    def __init__(self, decisions: int, tags: int) -> None:
        super().__init__()
        self.body = AutoModel.from_pretrained(base_folder(), attn_implementation="sdpa", add_pooling_layer=False)
        self.body.embeddings.word_embeddings.weight.requires_grad_(False)
        self.head = nn.Linear(2 * HIDDEN, decisions)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.constant_(self.head.bias, -1.5)
        self.pieces = nn.Linear(HIDDEN, 3)
        self.tags = nn.Linear(HIDDEN, tags)
        for head in (self.pieces, self.tags):
            nn.init.normal_(head.weight, std=0.02)
            nn.init.zeros_(head.bias)

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
        hidden, mask = self.encode(rows)
        there = mask[..., None]
        mean = (hidden * there).sum(1) / there.sum(1)
        largest = hidden.masked_fill(there == 0, -1e4).max(1).values
        return self.head(torch.cat([mean, largest], dim=-1))


def loss_of_decisions(reader: Reader, rows: Sequence[DecisionRow]) -> Tensor:
    must, counts = torch.tensor([row.must for row in rows]), torch.tensor([row.counts for row in rows])
    loss = functional.binary_cross_entropy_with_logits(reader.decisions(rows), must, reduction="none") * counts
    return (loss.sum(1) * torch.tensor([row.weight for row in rows])).mean()


def loss_of_tags(reader: Reader, states: list[Tensor], tags: list[int]) -> Tensor:
    """`states`: of each place the mean over its pieces, (width)."""
    return functional.cross_entropy(reader.tags(torch.stack(states)), torch.tensor(tags))


def loss_of_conditions(reader: Reader, rows: Sequence[ConditionRow]) -> Tensor:
    hidden, _ = reader.encode(rows)
    said = reader.pieces(hidden)
    total = torch.zeros(())
    states, tags = [], []
    for row, state, of in zip(rows, hidden, said, strict=True):
        weighed = torch.stack(
            [torch.stack([of[list(place), :2].mean(0) for place in places]).max(0).values for places in row.named]
        )
        counts, primary = torch.tensor(row.counts), torch.tensor(row.primary)
        total = total + functional.binary_cross_entropy_with_logits(
            weighed[counts, 0], torch.tensor(row.must)[counts], reduction="sum"
        )
        if primary.any():
            total = total + torch.logsumexp(weighed[:, 1], 0) - torch.logsumexp(weighed[primary, 1], 0)
        names = torch.zeros(len(row.ids))
        for place in (*(place for places in row.named for place in places), *row.denied):
            names[list(place)] = 1.0
        total = total + NAMES_WEIGH * len(row.named) * functional.binary_cross_entropy_with_logits(
            of[: len(row.ids), 2], names
        )
        for tag, places in zip(row.tags, row.named, strict=True):
            if tag is not None:
                states += [state[list(place)].mean(0) for place in places]
                tags += [tag] * len(places)
    loss = total / len(rows)
    return loss + TAGS_WEIGH * loss_of_tags(reader, states, tags) if tags else loss


def loss_of_phrases(reader: Reader, rows: Sequence[PhraseRow]) -> Tensor:
    hidden, _ = reader.encode(rows)
    states = [state[row.start : row.end].mean(0) for row, state in zip(rows, hidden, strict=True)]
    return loss_of_tags(reader, states, [row.tag for row in rows])


LOSSES = {"decisions": loss_of_decisions, "conditions": loss_of_conditions, "tags": loss_of_phrases}


def batches(rows: list[Row], rng: random.Random, size: int = BATCH) -> Iterator[list[Row]]:
    """Batches of texts of like length, in random order."""
    rng.shuffle(rows)
    wide = size * 8
    order = [row for at in range(0, len(rows), wide) for row in sorted(rows[at : at + wide], key=lambda r: len(r.ids))]
    cut = [order[at : at + size] for at in range(0, len(order), size)]
    rng.shuffle(cut)
    yield from cut


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--questions", nargs="+", default=list(LEARNT), help="labelled files to learn from")
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.manual_seed(SEED)
    torch.set_num_threads(arguments.threads)
    rng = random.Random(SEED)
    names = sorted(load_vocabulary().decisions)
    numbers = {tag: number for number, tag in enumerate(sorted(load_vocabulary().tags))}
    ways = ways_of_saying(numbers)
    tokenizer = Tokenizer.from_file(str(base_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True
    cases = [case for name in arguments.questions for case in questions(name)]
    whole = [decision_row(one, 1.0, names, tokenizer) for one in (*map(as_example, cases), *asked())]
    phrases = [decision_row(one, PHRASE_WEIGHS, names, tokenizer) for one in made()]
    named = [row for case in (*labelled(cases), *marked()) if (row := condition_row(case, numbers, tokenizer))]
    rng.shuffle(phrases)
    print(f"{len(whole)} + {len(phrases)} of decisions, {len(named)} of conditions, {len(ways)} of tags", flush=True)
    reader = Reader(len(names), len(numbers))
    reader.train()  # transformers hands its models over without dropout
    body = [p for p in reader.body.parameters() if p.requires_grad]
    heads = [*reader.head.parameters(), *reader.pieces.parameters(), *reader.tags.parameters()]
    optimizer = torch.optim.AdamW([{"params": body}, {"params": heads}], weight_decay=0.01)
    a_pass = -(-(len(whole) + PHRASES_A_PASS + JOINED_A_PASS) // BATCH) - (-len(named) // BATCH)
    steps = arguments.passes * (a_pass - (-WAYS_A_PASS // WAYS_A_BATCH))
    step, started = 0, time.monotonic()
    for number in range(arguments.passes):
        first = number * PHRASES_A_PASS % max(1, len(phrases) - PHRASES_A_PASS)
        losses: dict[str, list[float]] = {head: [] for head in LOSSES}
        pairs = joined(whole, JOINED_A_PASS, rng)
        said = list(phrase_rows(ways, WAYS_A_PASS, named, tokenizer, rng))
        work = [("tags", b) for b in batches(said, rng, WAYS_A_BATCH)]
        work += [("conditions", b) for b in batches(named, rng)]
        work += [("decisions", b) for b in batches([*whole, *phrases[first : first + PHRASES_A_PASS], *pairs], rng)]
        rng.shuffle(work)
        for head, batch in work:
            part = min(1.0, (step + 1) / RISING) * max(LOWEST, 1 - step / steps)
            for group, rate in zip(optimizer.param_groups, (RATE, HEAD_RATE), strict=True):
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
