"""Write the reader of questions as ONNX, weights int8.

    PYTHONPATH=training/embedding python training/question/export.py --weights one.safetensors other.safetensors \\
        --out src/evidencegate/models/questions/data/questions.onnx

Word pieces that are neither among the 3,500 commonest nor in anything this project wrote have no row in the table of the
file. Of several fits the mean is written; one that is given twice counts twice. The name in the file holds the first 12
hex digits of the SHA-256 of the weights, file after file. Prints the SHA-256 and the size of what was written, for the
model card.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from examples import LEARNT, asked, made, marked
from graph import question_reader
from safetensors.numpy import load_file
from tokenizers import Tokenizer
from train import base_folder

from evidencegate.evaluate.question import questions
from evidencegate.models.questions._reader import MOST_PIECES
from evidencegate.question._vocabulary import load_vocabulary

LAYERS, HEADS = 6, 12
COMMONEST = 3_500
CYRILLIC = "\u0400"
"""Letters from here on are neither Latin nor Greek."""
UNKNOWN = "[UNK]"


def kept_pieces(tokenizer: Tokenizer) -> list[int]:
    """The word pieces of what this project wrote, and the commonest in Latin and Greek letters: the base's are in the order of frequency."""
    vocabulary = load_vocabulary()
    texts = [case.text for name in LEARNT for case in questions(name)]
    texts += [example.text for example in (*asked(), *made(), *marked())]
    texts += [name for tag in vocabulary.tags.values() for name in (tag.label, *tag.synonyms, *tag.short)]
    texts += [name for one in vocabulary.treatments.values() for name in (one.term, *one.synonyms)]
    used = {piece for encoding in tokenizer.encode_batch(texts) for piece in encoding.ids}
    common = {
        number
        for piece, number in tokenizer.get_vocab().items()
        if number < COMMONEST and max(piece) < CYRILLIC and not piece.startswith("[unused")
    }
    return sorted(used | common)


def mean_of(fits: Sequence[Mapping[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """The mean of several fits that began at the same weights; a head that some lack is that of the others."""
    names = dict.fromkeys(name for fit in fits for name in fit)
    return {name: np.mean([fit[name] for fit in fits if name in fit], axis=0) for name in names}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    tokenizer = Tokenizer.from_file(str(base_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    weights = mean_of([load_file(file) for file in arguments.weights])
    model = question_reader(
        weights,
        layers=LAYERS,
        heads=HEADS,
        int8=True,
        kept=kept_pieces(tokenizer),
        unknown=tokenizer.token_to_id(UNKNOWN),
        longest=MOST_PIECES,
    )
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in arguments.weights)).hexdigest()
    onnx.helper.set_model_props(model, {"name": f"questions-{digest[:12]}"})
    onnx.save(model, arguments.out)
    print(hashlib.sha256(arguments.out.read_bytes()).hexdigest(), arguments.out.stat().st_size, arguments.out.name)


if __name__ == "__main__":
    main()
