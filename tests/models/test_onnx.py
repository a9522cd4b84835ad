"""The loader that the small models share."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.errors import ModelError
from evidencegate.models import embedding
from evidencegate.models._onnx import available_threads, length_sorted_batches, load_text_model

DATA = Path(embedding.__file__).parent / "data"
lengths = st.lists(st.integers(1, 300), max_size=200)


@given(lengths, st.integers(1, 600), st.booleans())
def test_batches_hold_every_input_once_and_stay_small(lengths: list[int], tokens: int, equal: bool) -> None:
    batches = list(length_sorted_batches(lengths, tokens, equal=equal))
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    for batch in batches:
        inside = [lengths[index] for index in batch]
        assert len(batch) == 1 or max(inside) * len(batch) <= tokens
        assert not equal or len(set(inside)) == 1


@given(lengths)
def test_batches_run_from_long_to_short(lengths: list[int]) -> None:
    order = [lengths[index] for batch in length_sorted_batches(lengths, 256) for index in batch]
    assert order == sorted(lengths, reverse=True)


def test_a_missing_or_damaged_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"absent\.onnx is missing.*reinstall"):
        load_text_model(tmp_path / "absent.onnx", DATA / "tokenizer.json", max_tokens=64)
    damaged = tmp_path / "damaged.onnx"
    damaged.write_bytes((DATA / "embedder.onnx").read_bytes()[:5000])
    with pytest.raises(ModelError, match=r"damaged\.onnx.*reinstall"):
        load_text_model(damaged, DATA / "tokenizer.json", max_tokens=64)


def test_the_number_of_threads_changes_speed_and_nothing_else() -> None:
    texts = [f"Trial {number} of {'very ' * number}low dose" for number in range(40)]
    one, two = (
        load_text_model(DATA / "embedder.onnx", DATA / "tokenizer.json", max_tokens=64, threads=threads)
        for threads in (1, 2)
    )
    assert available_threads() >= 1
    assert (one.run(texts) == two.run(texts)).all()
