"""Blend the adapted weights with the base and write ONNX files: int8 for the package, float32 to compare.

    python training/embedding/export.py --adapted adapted.safetensors --share 0.5 --out embedder

writes `embedder.int8.onnx` and `embedder.fp32.onnx` and prints their SHA-256. `--share` is the weight of the
adapted model in the average of both (0 is the base alone): averaging keeps what the base knew of everything
that was not trained on, see README.
"""

import argparse
import hashlib
from pathlib import Path

import numpy as np
import onnx
from graph import sentence_encoder
from safetensors.numpy import load_file
from train import base_folder

LAYERS = 6
HEADS = 12


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--adapted", type=Path, action="append", default=[], help="several are averaged first")
    parser.add_argument("--share", type=float, default=0.0)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    weights = load_file(base_folder() / "model.safetensors")
    if arguments.adapted:
        adapted = [load_file(path) for path in arguments.adapted]
        for name, value in weights.items():
            if value.dtype != np.float32 or name.startswith("pooler."):
                continue
            mean = np.mean([one[name] for one in adapted], axis=0)
            weights[name] = ((1 - arguments.share) * value + arguments.share * mean).astype(np.float32)
    for kind in ("int8", "fp32"):
        path = Path(f"{arguments.out}.{kind}.onnx")
        onnx.save(sentence_encoder(weights, layers=LAYERS, heads=HEADS, int8=kind == "int8"), path)
        print(hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_size, path.name)


if __name__ == "__main__":
    main()
