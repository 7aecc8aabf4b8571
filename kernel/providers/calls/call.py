"""The state of one call along the failover order: requirements, attempts, final error."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from kernel.core import clock
from kernel.providers.calls.attempt_log import AttemptRecord, describe
from kernel.providers.calls.pricing import SetPrices
from kernel.providers.instances.instance import Instance
from kernel.providers.instances.registry import NoProviderAvailable
from kernel.providers.kinds import C, KindOf, P
from kernel.spi import ProviderError, Unsupported

T = TypeVar("T")

PAUSED: Final = "paused by an administrator"
PAUSE_LOOK_S: Final = 30.0
"""How often work that waits for a paused instance looks for another; when the pause ends, it is woken."""


@dataclass(frozen=True, slots=True)
class CallOutcome(Generic[T]):
    """The result of a call, the instance it came from, and every attempt made for it, in order."""

    result: T
    instance_id: str
    provider_id: str
    attempts: tuple[AttemptRecord, ...]


@dataclass(slots=True)
class Call(Generic[P, C, T]):
    """One call along the failover order. `out_of_budget`: the budget of the site or the user is exhausted.

    `prices` are those that were set for the instance when its attempt began: a new price is for the next one.
    """

    kind: KindOf[P, C]
    operation: Callable[[Instance[P, C]], Awaitable[T]]
    name: str
    result_type: Any
    repeatable: bool
    accepts: Callable[[C], bool] | None
    verify: Callable[[T], Awaitable[None]] | None
    estimate: Callable[[Instance[P, C]], int | None] | None
    job_id: str | None
    user_id: int | None
    next_n: int
    ends_at: float | None
    tries_left: int
    record: bool
    vital: bool
    new_work: bool
    reached: bool = False
    result: T | None = None
    prices: SetPrices = field(default_factory=dict)
    out_of_budget: bool = False
    skipped: list[tuple[Instance[P, C], str]] = field(default_factory=list)
    attempts: list[AttemptRecord] = field(default_factory=list)
    errors: list[ProviderError] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    def left_s(self) -> float | None:
        return None if self.ends_at is None else self.ends_at - time.monotonic()

    def verdict(self) -> Exception:
        """Return what to raise at the end of the failover order."""
        if self.errors:
            return next((error for error in self.errors if error.retry), self.errors[0])
        reasons = {instance.id: why for instance, why in self.skipped}
        if PAUSED in reasons.values() and not self.out_of_budget:
            return NoProviderAvailable(self.kind.name, reasons, min([*self.waits, PAUSE_LOOK_S]), paused=True)
        if self.waits and not self.out_of_budget:
            return NoProviderAvailable(self.kind.name, reasons, min(self.waits))
        if Unsupported.code in reasons.values():
            return Unsupported(f"no {self.kind.name} provider can do this")
        return NoProviderAvailable(self.kind.name, reasons)

    def new_skips(self) -> list[AttemptRecord]:
        """Return and remember the instances that were skipped since the last attempt."""
        known = len([entry for entry in self.attempts if entry.outcome == "skipped"])
        skips = [
            describe(
                instance, n=self.next_n, outcome="skipped", started_unix=clock.now_unix(), elapsed_s=0.0, detail=why
            )
            for instance, why in self.skipped[known:]
        ]
        self.attempts += skips
        return skips
