"""Export a checkpoint to ONNX, int8: `export.py --checkpoint FILE… --base DIR --out DIR [--float]`.

Of several checkpoints of one road the mean of their weights is exported (Wortsman et al. 2022, "model soups").
Weights become int8 per channel; activations are quantised at run time. The embedding tables become int8 too
(that is half of the file). `--float` writes the unquantised graph beside it, for comparison.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

import onnx
import torch
from network import CrossEncoder
from onnx import shape_inference
from onnxruntime.quantization import QuantType, quantize_dynamic


def export(model: CrossEncoder, path: Path) -> None:
    """The graph in float32, with any batch size and length."""
    model.eval()
    ids = torch.tensor([[101, 2023, 102, 2003, 1037, 3231, 102], [101, 2023, 102, 2003, 102, 0, 0]])
    mask = (ids != 0).long()
    segments = torch.tensor([[0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 0, 0]])
    dynamic = {0: "batch", 1: "length"}
    torch.onnx.export(
        model,
        (ids, mask, segments),
        str(path),
        input_names=["input_ids", "attention_mask", "token_type_ids"],
        output_names=["logits", "relevance"],
        dynamic_axes={
            "input_ids": dynamic,
            "attention_mask": dynamic,
            "token_type_ids": dynamic,
            "logits": {0: "batch"},
            "relevance": dynamic,
        },
        opset_version=17,
        dynamo=False,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", type=Path, nargs="+", required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--float", action="store_true")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    model = CrossEncoder()
    states = [torch.load(path, weights_only=True)["model"] for path in arguments.checkpoint]
    model.load_state_dict({name: sum(state[name] for state in states) / len(states) for name in states[0]})
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "stance_float.onnx"
        export(model, plain)
        onnx.save(shape_inference.infer_shapes(onnx.load(plain)), plain)
        quantize_dynamic(
            plain,
            arguments.out / "stance.onnx",
            weight_type=QuantType.QInt8,
            per_channel=True,
            op_types_to_quantize=["MatMul", "Gather"],
            nodes_to_exclude=[],
        )
        if arguments.float:
            shutil.copy(plain, arguments.out / "stance_float.onnx")


if __name__ == "__main__":
    main()
