"""The synchronous calls are their awaitable twins, run: typed and documented as these are, and nothing to await."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import evidencegate
from evidencegate import _api, aio
from evidencegate.errors import InvalidInput


@pytest.mark.parametrize("name", aio.__all__)
def test_a_call_has_the_parameters_and_the_documentation_of_its_twin(name: str) -> None:
    call, twin = getattr(_api, name), getattr(aio, name)

    assert inspect.signature(call) == inspect.signature(twin)
    assert inspect.getdoc(call) == inspect.getdoc(twin)
    assert inspect.iscoroutinefunction(twin)
    assert not inspect.iscoroutinefunction(call)


def test_a_word_that_no_call_knows_is_refused_before_anything_is_done() -> None:
    with pytest.raises(TypeError, match="audiense"):
        evidencegate.ask("Does exercise help in depression?", audiense="public")  # type: ignore[call-arg]


@pytest.mark.parametrize("call", [evidencegate.ask, evidencegate.report, evidencegate.counter, evidencegate.check])
def test_an_address_of_models_without_a_model_is_refused(call: Callable[..., Any]) -> None:
    with pytest.raises(InvalidInput, match="needs the model"):
        call("Vitamin D prevents falls in older adults.", base_url="http://127.0.0.1:9/v1")
