"""Ctrl-C, given where it does harm: in the midst of a callback of the event loop."""

import asyncio
import signal
import threading
from typing import Any

import pytest

from evidencegate._interrupts import run


class _Interrupting(asyncio.Future[int]):
    """Interrupts whoever looks whether it failed, as `asyncio.shield` does before it hands on the result."""

    def exception(self) -> BaseException | None:
        signal.raise_signal(signal.SIGINT)
        return super().exception()


pytestmark = pytest.mark.usefixtures("heeding_interrupts")


async def _shielded(heard: list[dict[str, Any]], *, after: float) -> int:
    asyncio.get_running_loop().set_exception_handler(lambda _, context: heard.append(context))
    inner = _Interrupting()
    asyncio.get_running_loop().call_soon(inner.set_result, 1)
    value = await asyncio.shield(inner)
    await asyncio.sleep(after)
    return value


def test_an_interrupt_within_a_callback_leaves_the_callback_alone() -> None:
    heard: list[dict[str, Any]] = []
    with pytest.raises(KeyboardInterrupt):
        run(_shielded(heard, after=60))
    assert not heard


def test_an_interrupt_in_the_last_moment_is_not_lost() -> None:
    async def work() -> int:
        signal.raise_signal(signal.SIGINT)
        return 1

    with pytest.raises(KeyboardInterrupt):
        run(work())


def test_work_winds_up_when_interrupted() -> None:
    wound_up = []

    async def work() -> None:
        signal.raise_signal(signal.SIGINT)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            wound_up.append(True)
            raise

    with pytest.raises(KeyboardInterrupt):
        run(work())
    assert wound_up


def test_a_second_interrupt_does_not_wait_for_work_to_wind_up() -> None:
    async def work() -> None:
        signal.raise_signal(signal.SIGINT)
        try:
            await asyncio.sleep(60)
        finally:
            signal.raise_signal(signal.SIGINT)
            raise AssertionError("it went on")

    with pytest.raises(KeyboardInterrupt):
        run(work())


def test_work_that_cancels_itself_was_not_interrupted() -> None:
    async def work() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        run(work())


def test_values_and_errors_come_back_from_any_thread() -> None:
    async def work(value: int) -> int:
        if value < 0:
            raise ValueError(value)
        return value

    assert run(work(3)) == 3
    with pytest.raises(ValueError, match="-1"):
        run(work(-1))
    got: list[int] = []
    thread = threading.Thread(target=lambda: got.append(run(work(5))))
    thread.start()
    thread.join()
    assert got == [5]


def test_whoever_handles_interrupts_already_goes_on_doing_so() -> None:
    told = []
    signal.signal(signal.SIGINT, lambda number, _: told.append(number))

    async def work() -> int:
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(0)
        return 1

    assert run(work()) == 1
    assert told == [signal.SIGINT]
