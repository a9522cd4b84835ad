"""What a run may take: kept with it, so that it holds again when the run is taken up, by whichever process."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

from evidencegate.errors import InvalidInput
from evidencegate.runs._ledger import Ledger
from evidencegate.runs._run import Run
from evidencegate.runs._types import Budget, RunInfo, RunStatus, Usage

_STEP = "limits"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most a run may take in all, with what it took before; None is no limit."""

    max_seconds: float | None = None
    max_money: float | None = None
    """US dollars, estimated."""

    @classmethod
    def of(cls, ledger: Ledger, run: str) -> Self:
        """Those that are kept with a run."""
        kept: Mapping[str, Any] | None = ledger.step(run, _STEP)
        return cls() if kept is None else cls(**kept)

    def keep(self, ledger: Ledger, run: str) -> None:
        """Keep them with a run, in place of those it had."""
        ledger.keep_step(run, _STEP, _STEP, self.to_json(), Usage(), replace=True)

    @classmethod
    def renewed(cls, ledger: Ledger, info: RunInfo, given: Self) -> Self:
        """Those under which a run is taken up (`taken_up`), kept with it from now on; one that is done needs none."""
        kept = cls.of(ledger, info.id)
        if info.status is RunStatus.DONE:
            return kept
        limits = kept.taken_up(info, given)
        if limits != kept:
            limits.keep(ledger, info.id)
        return limits

    def start(
        self, ledger: Ledger, command: str, inputs: Mapping[str, Any], *, watch: Callable[[str], None] | None = None
    ) -> Run:
        """Begin a new run under them; they are kept with it."""
        run = Run.start(ledger, command, inputs, budget=self.budget(Usage()), watch=watch)
        if self != type(self)():
            self.keep(ledger, run.id)
        return run

    def taken_up(self, info: RunInfo, given: Self) -> Self:
        """Those of a run that is taken up as `info` has it: what is `given` anew holds, else what was kept.

        A run that ended as partial when its seconds were over has done what was asked of it; who takes it up wants the
        rest, so they are over for good. Money is never spent beyond what was said.

        Raises:
            InvalidInput: its money is used up, and no more was given.
        """
        limits = type(self)(
            max_seconds=self.max_seconds if given.max_seconds is None else given.max_seconds,
            max_money=self.max_money if given.max_money is None else given.max_money,
        )
        if info.status is not RunStatus.PARTIAL:
            return limits
        if limits.max_money is not None and info.usage.money >= limits.max_money:
            raise InvalidInput(
                f"This run may spend {limits.max_money:g} US dollars, and has spent {info.usage.money:.2f}: say how "
                "much it may spend in all (`max_money`) to take it up."
            )
        over = limits.max_seconds is not None and info.usage.seconds >= limits.max_seconds
        return replace(limits, max_seconds=None) if over and given.max_seconds is None else limits

    def budget(self, used: Usage, *, turn: float | None = None) -> Budget:
        """What the run may take in all, if it is taken up now. `turn`: the seconds that a server gives at a time."""
        ends = (self.max_seconds, None if turn is None else used.seconds + turn)
        return Budget(seconds=min((end for end in ends if end is not None), default=None), money=self.max_money)

    def to_json(self) -> dict[str, float | None]:
        """As JSON."""
        return asdict(self)
