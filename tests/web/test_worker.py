"""What computes sees no cancellation: it looks, between its items, whether anybody waits for it still."""

import asyncio
import threading
import time

import pytest

from evidencegate._giving_up import giving_up, may_go_on
from evidencegate.models.embedding import default_embedder
from evidencegate.models.stance import StanceModel, default_model
from evidencegate.models.stance._model import RulesModel
from evidencegate.web._worker import Worker

PATIENCE = 60
"""Seconds after which something is taken never to happen."""


class Computing:
    """A worker whose work computes in its loop, and never waits for anything."""

    def __init__(self, most: int = 1) -> None:
        self.begun = threading.Event()
        self.ended = threading.Event()
        self.items = 0
        self.how: list[type[BaseException]] = []
        self.worker = Worker(self._work, settle=lambda run: None, ended=lambda run: self.ended.set(), most=most)

    async def _work(self, run: str) -> None:
        look = may_go_on()
        deadline = time.monotonic() + PATIENCE
        try:
            while time.monotonic() < deadline:
                look()
                self.items += 1
                self.begun.set()
                time.sleep(0.001)  # noqa: ASYNC251  (this is the computation)
        except BaseException as error:
            self.how.append(type(error))
            raise


def test_a_cancelled_computation_is_left_between_its_items() -> None:
    computing = Computing()
    computing.worker.start()
    computing.worker.enqueue("r", "a")
    assert computing.begun.wait(PATIENCE)
    assert computing.worker.cancel("r")
    assert computing.ended.wait(PATIENCE)
    assert computing.how == [asyncio.CancelledError]
    assert not computing.worker.knows("r")

    # The next one is not given up with it.
    computing.begun.clear()
    computing.worker.enqueue("s", "a")
    assert computing.begun.wait(PATIENCE)
    assert computing.worker.stop() == ()
    assert computing.how == [asyncio.CancelledError] * 2


@pytest.mark.parametrize("model", [default_model(), RulesModel()], ids=lambda model: model.name)
def test_reading_is_left_once_it_is_given_up(model: StanceModel) -> None:
    pairs = [(f"Zelfaban reduced stroke in stratum {n}.", "Zelfaban reduced stroke (HR 0.5).") for n in range(8)]
    given_up = threading.Event()
    with giving_up(given_up):
        assert len(model.judge(pairs)) == len(pairs)
        given_up.set()
        with pytest.raises(asyncio.CancelledError):
            model.judge(pairs)
    assert len(model.judge(pairs)) == len(pairs)


def test_embedding_is_left_once_it_is_given_up() -> None:
    texts = [f"zelfaban in stratum {n}" * (1 + n % 5) for n in range(200)]
    given_up = threading.Event()
    with giving_up(given_up):
        whole = default_embedder().embed(texts)
        given_up.set()
        with pytest.raises(asyncio.CancelledError):
            default_embedder().embed(texts)
    assert (default_embedder().embed(texts) == whole).all()


def test_only_what_others_keep_waiting_has_a_place_in_the_queue() -> None:
    computing = Computing(most=2)
    computing.worker.start()
    computing.worker.enqueue("r", "a")
    assert computing.begun.wait(PATIENCE)  # and its loop takes nothing on meanwhile
    assert computing.worker.enqueue("s", "a") == 0
    assert computing.worker.state("s") == (True, None, False)
    assert computing.worker.enqueue("t", "b") == 1
    places = sorted(str(computing.worker.state(run)[1]) for run in "st")
    assert places == ["1", "None"]
    computing.worker.stop()
