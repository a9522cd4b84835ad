"""Build the ONNX graph of a BERT sentence encoder, or of the reader of questions, straight from its weights.

Written by hand instead of traced, because the few operators that decide speed, size and exactness are then
chosen, not hoped for:
- attention without a mask: texts of one run have one length, so that nothing is padded;
- `Add` + `LayerNormalization`, several times faster on a CPU than the fused `SkipLayerNormalization`;
- int8 products whose activations are quantised per token. The usual dynamic quantisation has one scale for
  all texts of a batch, so that a text's vector depends on its neighbours (cosine 0.995 to itself alone);
  here it does not, and the vectors lie nearer to those of the full weights.

Weights are symmetric int8 per output channel, embedding tables int8 with a scale a row.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

Array = npt.NDArray[np.float32]
LAYER_NORM_EPSILON = 1e-12
OPSET = 17
SYMMETRIC = 128
# GELU never goes below -0.17, so that most steps are worth more above 0.
AFTER_GELU = 32
IR_VERSION = 8
WORDS, PLACES = "embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight"
TYPES = "embeddings.token_type_embeddings.weight"


class GraphBuilder:
    """Nodes and initializers of one graph; values are referred to by name."""

    def __init__(self, weights: Mapping[str, Array], *, heads: int, int8: bool) -> None:
        self.weights = weights
        self.heads = heads
        self.int8 = int8
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []
        self._count = 0
        self._named: set[str] = set()
        self._steps: dict[str, tuple[str, str]] = {}

    def constant(self, name: str, value: npt.NDArray[np.generic]) -> str:
        """A named value; the same name again is the same value."""
        if name not in self._named:
            self._named.add(name)
            self.initializers.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def node(self, op: str, inputs: list[str], *, domain: str = "", **attributes: object) -> str:
        self._count += 1
        output = f"{op}_{self._count}"
        self.nodes.append(helper.make_node(op, inputs, [output], domain=domain, **attributes))
        return output

    def table(self, key: str, indices: str) -> str:
        """Rows of an embedding table."""
        table = self.weights[key]
        if not self.int8:
            return self.node("Gather", [self.constant(key, table), indices])
        quantised, scale = quantise(table, axis=1)
        rows = self.node("Gather", [self.constant(key, quantised), indices])
        scales = self.node("Gather", [self.constant(f"{key}.scale", scale), indices])
        return self.node("Mul", [self.node("Cast", [rows], to=TensorProto.FLOAT), scales])

    def linear(self, x: str, weight: Array, bias: Array, name: str, *, zero: int = SYMMETRIC) -> str:
        """`x @ weight.T + bias`, with the weight as torch stores it (out, in).

        `zero` is the step that stands for 0 among the 256 of an activation.
        """
        if self.int8:
            product = self._int8_product(x, weight, name, zero)
        else:
            product = self.node("MatMul", [x, self.constant(f"{name}.weight", weight.T)])
        return self.node("Add", [product, self.constant(f"{name}.bias", bias)])

    def _int8_product(self, x: str, weight: Array, name: str, zero: int) -> str:
        steps, largest = self._quantised(x, zero)
        quantised, scale = quantise(weight, axis=1)
        parts = [self.constant(f"{name}.weight", quantised.T), self._step(zero)]
        parts += [self.constant(f"{name}.scale", scale[:, 0]), self._zero(zero)]
        product = self.node("MatMulIntegerToFloat", [steps, *parts], domain="com.microsoft")
        return self.node("Mul", [product, largest])

    def _quantised(self, x: str, zero: int) -> tuple[str, str]:
        """The activations as steps of their token's largest value, and that value; once for each input."""
        if x not in self._steps:
            size = self.node("Abs", [x]) if zero == SYMMETRIC else x
            largest = self.node("ReduceMax", [size], axes=[-1], keepdims=1)
            largest = self.node("Max", [largest, self.constant("smallest", np.array(1e-9, dtype=np.float32))])
            share = self.node("Div", [x, largest])
            steps = self.node("QuantizeLinear", [share, self._step(zero), self._zero(zero)])
            self._steps[x] = steps, largest
        return self._steps[x]

    def _step(self, zero: int) -> str:
        return self.constant(f"step.{zero}", np.array(1 / (255 - zero), dtype=np.float32))

    def _zero(self, zero: int) -> str:
        return self.constant(f"zero.{zero}", np.array(zero, dtype=np.uint8))

    def layer_norm(self, x: str, key: str) -> str:
        gamma = self.constant(f"{key}.gamma", self.weights[f"{key}.weight"])
        beta = self.constant(f"{key}.beta", self.weights[f"{key}.bias"])
        return self.node("LayerNormalization", [x, gamma, beta], axis=-1, epsilon=LAYER_NORM_EPSILON)

    def layer(self, x: str, prefix: str) -> str:
        w = self.weights
        parts = [f"{prefix}.attention.self.{part}" for part in ("query", "key", "value")]
        query, key, value = (self.linear(x, w[f"{p}.weight"], w[f"{p}.bias"], p) for p in parts)
        mixed = self.node("MultiHeadAttention", [query, key, value], domain="com.microsoft", num_heads=self.heads)
        out = f"{prefix}.attention.output"
        mixed = self.linear(mixed, w[f"{out}.dense.weight"], w[f"{out}.dense.bias"], f"{out}.dense")
        x = self.layer_norm(self.node("Add", [mixed, x]), f"{out}.LayerNorm")
        up, down = f"{prefix}.intermediate.dense", f"{prefix}.output.dense"
        wide = self.linear(x, w[f"{up}.weight"], w[f"{up}.bias"], up)
        wide = self.node("Gelu", [wide], domain="com.microsoft")
        narrow = self.linear(wide, w[f"{down}.weight"], w[f"{down}.bias"], down, zero=AFTER_GELU)
        return self.layer_norm(self.node("Add", [narrow, x]), f"{prefix}.output.LayerNorm")


def sentence_encoder(weights: Mapping[str, Array], *, layers: int, heads: int, int8: bool) -> onnx.ModelProto:
    """A graph from `input_ids` (n, tokens; int64, no padding) to `embedding` (n, width), length 1.

    `weights` are named as in transformers' `BertModel`. Pooling is the mean over all tokens.
    """
    b = GraphBuilder(weights, heads=heads, int8=int8)
    mean = b.node("ReduceMean", [_last_layer(b, layers, "input_ids")], axes=[1], keepdims=0)
    norm = b.node("ReduceL2", [mean], axes=[1], keepdims=1)
    b.nodes.append(helper.make_node("Div", [mean, norm], ["embedding"]))
    return _model(b, ("input_ids",), {"embedding": ["texts", len(weights["embeddings.LayerNorm.weight"])]})


def question_reader(
    weights: Mapping[str, Array],
    *,
    layers: int,
    heads: int,
    int8: bool,
    kept: Sequence[int],
    unknown: int,
    longest: int,
) -> onnx.ModelProto:
    """A graph from `input_ids` and `token_type_ids` (n, tokens; int64, no padding) to what three heads say.

    `decisions` (n, classes): `head.weight` (classes, 2 * width) and `head.bias` on the mean and the maximum over all
    tokens. `in_context` (n, classes): `whole.weight` and `whole.bias` on those over the tokens of the second type, or
    over all where there are none. `conditions` (n, tokens, 2): `pieces.weight` (2, width) and `pieces.bias` on each token. Other weights are
    named as in transformers' `BertModel`. The heads stay float32. Only the word pieces `kept` have a row in the table,
    the others read as the piece `unknown`; texts have at most `longest` pieces.
    """
    words, places = weights[WORDS], weights[PLACES]
    rows = np.full(len(words), list(kept).index(unknown), dtype=np.int16)
    rows[list(kept)] = np.arange(len(kept), dtype=np.int16)
    b = GraphBuilder({**weights, WORDS: words[list(kept)], PLACES: places[:longest]}, heads=heads, int8=int8)
    row = b.node("Cast", [b.node("Gather", [b.constant("piece.row", rows), "input_ids"])], to=TensorProto.INT32)
    x = _last_layer(b, layers, row, types="token_type_ids")
    mean = b.node("ReduceMean", [x], axes=[1], keepdims=0)
    both = b.node("Concat", [mean, b.node("ReduceMax", [x], axes=[1], keepdims=0)], axis=-1)
    outputs = (("head", both, "decisions"), ("whole", _of_second_type(b, x), "in_context"), ("pieces", x, "conditions"))
    for head, states, output in outputs:
        product = b.node("MatMul", [states, b.constant(f"{head}.weight", weights[f"{head}.weight"].T)])
        b.nodes.append(
            helper.make_node("Add", [product, b.constant(f"{head}.bias", weights[f"{head}.bias"])], [output])
        )
    classes = len(weights["head.bias"])
    shapes = {
        "decisions": ["texts", classes],
        "in_context": ["texts", classes],
        "conditions": ["texts", "tokens", 2],
    }
    return _model(b, ("input_ids", "token_type_ids"), shapes)


def _of_second_type(b: GraphBuilder, x: str) -> str:
    """Mean and maximum over the tokens of the second type, or over all where there are none, (n, 2 * width)."""
    last = b.constant("last.axis", np.array([2], dtype=np.int64))
    first = b.constant("token.axis", np.array([1], dtype=np.int64))
    one = b.constant("one", np.array(1, dtype=np.float32))
    there = b.node("Unsqueeze", [b.node("Cast", ["token_type_ids"], to=TensorProto.FLOAT), last])
    none = b.node("Sub", [one, b.node("ReduceMax", [there], axes=[1], keepdims=1)])
    there = b.node("Max", [there, none])
    total = b.node("ReduceSum", [b.node("Mul", [x, there]), first], keepdims=0)
    mean = b.node("Div", [total, b.node("ReduceSum", [there, first], keepdims=0)])
    away = b.node("Mul", [b.node("Sub", [there, one]), b.constant("far", np.array(1e4, dtype=np.float32))])
    return b.node("Concat", [mean, b.node("ReduceMax", [b.node("Add", [x, away])], axes=[1], keepdims=0)], axis=-1)


def _last_layer(b: GraphBuilder, layers: int, rows: str, *, types: str = "") -> str:
    """States of the tokens at `rows` of the table after so many layers, (n, tokens, width).

    `types` names the input with the types of the tokens; without it all are of the first.
    """
    kinds = b.weights[TYPES]
    x = b.node("Add", [b.table(WORDS, rows), _placed(b, b.weights[PLACES] + kinds[0], small=bool(types))])
    if types:
        beyond = b.constant("type.table", np.stack([np.zeros_like(kinds[0]), kinds[1] - kinds[0]]))
        x = b.node("Add", [x, b.node("Gather", [beyond, types])])
    x = b.layer_norm(x, "embeddings.LayerNorm")
    for layer in range(layers):
        x = b.layer(x, f"encoder.layer.{layer}")
    return x


def _placed(b: GraphBuilder, places: Array, *, small: bool) -> str:
    """What the places of the tokens add, (tokens, width); `small` keeps their table in int8."""
    length = b.node("Shape", ["input_ids"], start=1, end=2)
    start = b.constant("position.start", np.array([0], dtype=np.int64))
    axis = b.constant("position.axis", np.array([0], dtype=np.int64))
    if not small:
        return b.node("Slice", [b.constant("position.table", places), start, length, axis])
    quantised, scale = quantise(places, axis=1)
    rows = b.node("Slice", [b.constant("position.table", quantised), start, length, axis])
    scales = b.node("Slice", [b.constant("position.scale", scale), start, length, axis])
    return b.node("Mul", [b.node("Cast", [rows], to=TensorProto.FLOAT), scales])


def _model(b: GraphBuilder, inputs: Sequence[str], outputs: Mapping[str, list[str | int]]) -> onnx.ModelProto:
    graph = helper.make_graph(
        b.nodes,
        "text_model",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"]) for name in inputs],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in outputs.items()],
        b.initializers,
    )
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
    onnx.checker.check_model(model)
    return model


def quantise(weight: Array, *, axis: int) -> tuple[npt.NDArray[np.int8], Array]:
    """Symmetric int8 with one scale for each slice along `axis`: `weight ≈ quantised * scale`."""
    scale = np.maximum(np.abs(weight).max(axis=axis, keepdims=True) / 127.0, 1e-12).astype(np.float32)
    return np.clip(np.round(weight / scale), -127, 127).astype(np.int8), scale
