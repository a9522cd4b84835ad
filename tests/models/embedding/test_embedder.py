"""The embedder inside the package, as it is shipped: no stand-ins, the real weights run."""

import hashlib
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidencegate.errors import MissingExtra, UnknownName
from evidencegate.models import embedding
from evidencegate.models.embedding import Embedder, default_embedder, embedder, packaged_name

DATA = Path(embedding.__file__).parent / "data"
LONG = "Warfarin was compared with apixaban in patients on haemodialysis. " * 60


@pytest.fixture(scope="module")
def model() -> Embedder:
    return default_embedder()


def test_vectors_have_the_promised_shape_and_length(model: Embedder) -> None:
    vectors = model.embed(["Apixaban in dialysis", "Statins and muscle pain", LONG])
    assert vectors.shape == (3, model.dimensions) == (3, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(3), abs=1e-5)


def test_no_texts_give_no_vectors(model: Embedder) -> None:
    assert model.embed([]).shape == (0, 384)


def test_meaning_is_nearer_than_shared_words(model: Embedder) -> None:
    question, answer, decoy = model.embed(
        [
            "Do blood thinners prevent stroke in irregular heartbeat?",
            "Anticoagulation lowers thromboembolic events in atrial fibrillation.",
            "Blood pressure and heart rate were recorded before each session.",
        ]
    )
    assert question @ answer > question @ decoy + 0.1


texts = st.lists(st.text(max_size=60) | st.sampled_from(["", LONG, "Sepsis", "心房細動", "[SEP] [CLS]"]), max_size=12)


@settings(max_examples=25)
@given(texts)
def test_a_vector_depends_on_its_text_alone(model_texts: list[str]) -> None:
    """Not on its neighbours, their number or their order: what a library stores can be made again."""
    model = default_embedder()
    together = model.embed(model_texts)
    backwards = model.embed(model_texts[::-1])[::-1]
    alone = np.concatenate([model.embed([text]) for text in model_texts] or [together])
    assert np.isfinite(together).all()
    assert together == pytest.approx(backwards, abs=1e-5)
    assert together == pytest.approx(alone, abs=1e-5)


@pytest.mark.parametrize("text", ["", " \n\t", "\x00\x07", "\ud800", "🫀🫁", "a" * 200_000, "<b>&amp;</b>"])
def test_every_string_has_a_vector(model: Embedder, text: str) -> None:
    assert np.linalg.norm(model.embed([text])[0]) == pytest.approx(1.0, abs=1e-5)


def test_control_words_of_the_tokenizer_are_only_text(model: Embedder) -> None:
    plain, written = model.embed(["", "[SEP][CLS][PAD]"])
    assert plain @ written < 0.9


def test_what_lies_beyond_the_limit_does_not_count(model: Embedder) -> None:
    cut, longer = model.embed([LONG, LONG + "Something else entirely about bees."])
    assert cut == pytest.approx(longer, abs=1e-6)


def test_one_string_is_not_taken_for_many(model: Embedder) -> None:
    with pytest.raises(TypeError, match=r"\[text\]"):
        model.embed("sepsis")


def test_the_name_is_bound_to_the_weights(model: Embedder) -> None:
    digest = hashlib.sha256((DATA / "embedder.onnx").read_bytes()).hexdigest()
    assert model.name == packaged_name() == f"minilm-bio-{digest[:12]}"
    assert embedder(model.name) is model is default_embedder()
    with pytest.raises(UnknownName, match="minilm-bio-000000000000"):
        embedder("minilm-bio-000000000000")


def test_the_model_card_describes_the_file_that_is_shipped() -> None:
    card = (DATA / "MODEL_CARD.md").read_text(encoding="utf-8")
    named = dict(re.findall(r"`(embedder\.onnx|tokenizer\.json)` \| `([0-9a-f]{64})`", card))
    assert named == {name: hashlib.sha256((DATA / name).read_bytes()).hexdigest() for name in named}
    assert set(named) == {"embedder.onnx", "tokenizer.json"}
    assert (DATA / "embedder.onnx").stat().st_size < 25_000_000


def test_without_the_extra_the_command_to_install_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    default_embedder.cache_clear()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtra, match=r'pip install "evidencegate\[models\]"'):
        default_embedder()
    default_embedder.cache_clear()
