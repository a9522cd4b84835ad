"""The synchronous calls are their awaitable twins, run: typed and documented as these are, and nothing to await."""

import inspect

import pytest

import evidencegate
from evidencegate import _api, aio


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
