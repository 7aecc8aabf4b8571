"""Whether an instance is worth calling now: a circuit that opens after failures and lets one probe through."""

from typing import Final, Literal

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

HealthState = Literal["up", "limited", "probing", "down", "attention"]

FAILURES_TO_OPEN: Final = 3
FIRST_PAUSE_S: Final = 5.0
LONGEST_PAUSE_S: Final = 300.0
ATTENTION_PAUSE_S: Final = 60.0
"""A call that only an administrator can put right fails fast and free, so it is tried again once a minute."""

LIMITED_PAUSE_S: Final = 5.0
"""Used when the vendor does not say when to come back."""


class Health:
    """Health of one instance as this process sees it. Neutral errors (a refusal, a bad request) leave it untouched."""

    def __init__(self) -> None:
        self.state: HealthState = "up"
        self.since_unix = clock.now_unix()
        self.last_code = ""
        self._failures = 0
        self._pause = FIRST_PAUSE_S
        self._closed_until = 0.0
        self._probing = False

    def wait_s(self) -> float | None:
        """Return in how many seconds a call is worth trying, or None when it is now."""
        if self.state == "up":
            return None
        left = self._closed_until - clock.now_unix()
        if left > 0:
            return left
        return FIRST_PAUSE_S if self._probing else None

    def begin(self) -> None:
        """Note that a call starts; after a pause it is the one probe."""
        self._probing = self.state != "up"

    def end(self, error: ProviderError | None) -> None:
        """Note how a call ended; None for success."""
        probe, self._probing = self._probing, False
        match error:
            case None:
                self.reset()
            case RateLimited():
                pause = LIMITED_PAUSE_S if error.retry_after is None else error.retry_after
                self._close("limited", error, pause)
            case AuthFailed() | SettingsInvalid() | QuotaExhausted():
                self._close("attention", error, ATTENTION_PAUSE_S)
            case Unavailable() | DeadlineExceeded() | ProviderBug():
                self._failures += 1
                if probe or self._failures >= FAILURES_TO_OPEN:
                    self._close("down", error, max(self._pause, error.retry_after or 0.0))
                    self._pause = min(self._pause * 2, LONGEST_PAUSE_S)
            case _:
                return

    def abandon(self) -> None:
        """Note that a call was given up by the kernel, which says nothing about the instance."""
        self._probing = False

    def reset(self) -> None:
        """Forget all failures: a call succeeded, or an administrator's check did."""
        self._failures, self._pause, self._closed_until, self._probing = 0, FIRST_PAUSE_S, 0.0, False
        self._become("up")
        self.last_code = ""

    def _close(self, state: HealthState, error: ProviderError, pause: float) -> None:
        self._closed_until = clock.now_unix() + pause
        self.last_code = error.code
        self._become(state)

    def _become(self, state: HealthState) -> None:
        if state != self.state:
            self.state, self.since_unix = state, clock.now_unix()
