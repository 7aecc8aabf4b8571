"""The circuit breaker of an instance: it opens after failures and then lets one probe through."""

from typing import Final, Literal

import msgspec

from kernel.core import clock
from kernel.spi import (
    AuthFailed,
    DeadlineExceeded,
    ProviderBug,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    SettingsInvalid,
    Unavailable,
)

HealthState = Literal["up", "limited", "down", "attention"]
ShownHealth = Literal["ready", "degraded", "down", "needs_attention"]

FAILURES_TO_OPEN: Final = 3
FIRST_PAUSE_S: Final = 5.0
LONGEST_PAUSE_S: Final = 300.0
ATTENTION_PAUSE_S: Final = 30.0
"""A failure that only an administrator can resolve is fast and free, so it is tried again twice a minute."""

LIMITED_PAUSE_S: Final = 5.0
"""Used when the vendor does not say when to retry."""


class Circuit(msgspec.Struct, frozen=True, kw_only=True):
    """The health of an instance that processes share; times in unix seconds. The latest `stamp_us` counts."""

    state: HealthState
    code: str
    since_unix: float
    closed_until_unix: float
    pause_s: float
    stamp_us: int


class Health:
    """Health of one instance as this process sees it. Neutral errors (a refusal, an invalid request) do not change it.

    `unshared` is set by a change that other processes do not know yet, whose time is `stamp_us`.
    """

    def __init__(self) -> None:
        self.state: HealthState = "up"
        self.since_unix = clock.now_unix()
        self.last_code = ""
        self.unshared = False
        self.stamp_us = 0
        self._failures = 0
        self._pause = FIRST_PAUSE_S
        self._closed_until = 0.0
        self._probing = False

    def wait_s(self) -> float | None:
        """Return in how many seconds a call is worth trying, or None for now."""
        if self.state == "up":
            return None
        left = self._closed_until - clock.now_unix()
        if left > 0:
            return left
        return FIRST_PAUSE_S if self._probing else None

    def begin(self) -> None:
        """Record that a call starts; after a pause it is the one probe."""
        self._probing = self.state != "up"

    def end(self, error: ProviderError | None) -> None:
        """Record how a call ended; None for success."""
        probe, self._probing = self._probing, False
        match error:
            case None:
                self._failures, self._pause = 0, FIRST_PAUSE_S
                if self.state != "up":
                    self.reset()
            case RateLimited():
                pause = LIMITED_PAUSE_S if error.retry_after is None else error.retry_after
                self._close("limited", error, pause)
            case AuthFailed() | SettingsInvalid() | QuotaExhausted():
                self._close("attention", error, ATTENTION_PAUSE_S)
            case Unavailable() | DeadlineExceeded() | ProviderBug():
                self._failures += 1
                # what began before it opened, and ends now, says no more: it must not make the pause longer
                if probe or (self._failures >= FAILURES_TO_OPEN and self.state != "down"):
                    self._close("down", error, max(self._pause, error.retry_after or 0.0))
                    self._pause = min(self._pause * 2, LONGEST_PAUSE_S)
            case _:
                return

    def abandon(self) -> None:
        """Record that the kernel abandoned a call, which proves nothing about the instance."""
        self._probing = False

    def reset(self) -> None:
        """Clear all failures, here and in every other process: a call or an administrator's check succeeded."""
        self._failures, self._pause, self._closed_until, self._probing = 0, FIRST_PAUSE_S, 0.0, False
        self._enter("up")
        self.last_code = ""
        self._changed()

    def pass_check(self) -> None:
        """Record a good regular check. It says nothing of a limit that runs, and the empty account has a good key."""
        if self.state not in ("up", "limited") and self.last_code != QuotaExhausted.code:
            self.reset()

    def circuit(self) -> Circuit:
        """Return what other processes should know."""
        return Circuit(
            state=self.state,
            code=self.last_code,
            since_unix=self.since_unix,
            closed_until_unix=self._closed_until,
            pause_s=self._pause,
            stamp_us=self.stamp_us,
        )

    def adopt(self, circuit: Circuit) -> None:
        """Take over another process's state, unless this one has a newer one."""
        if circuit.stamp_us <= self.stamp_us:
            return
        self._failures = 0
        self.state, self.last_code, self.since_unix = circuit.state, circuit.code, circuit.since_unix
        self._closed_until, self._pause = circuit.closed_until_unix, circuit.pause_s
        self.stamp_us, self.unshared = circuit.stamp_us, False

    def shown(self) -> ShownHealth:
        """Return how administrators see a circuit: while it lets a probe through, or is about to, it is degraded."""
        if self.state == "up":
            return "ready"
        if self.state == "attention":
            return "needs_attention"
        return "down" if self.state == "down" and self._closed_until > clock.now_unix() else "degraded"

    def _close(self, state: HealthState, error: ProviderError, pause: float) -> None:
        self._closed_until = clock.now_unix() + pause
        self.last_code = error.code
        self._enter(state)
        self._changed()

    def _changed(self) -> None:
        self.unshared = True
        self.stamp_us = max(self.stamp_us + 1, int(clock.now_unix() * 1_000_000))

    def _enter(self, state: HealthState) -> None:
        if state != self.state:
            self.state, self.since_unix = state, clock.now_unix()
