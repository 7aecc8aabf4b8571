"""The report of "test connection"."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

import msgspec

StepStatus = Literal["ok", "warn", "fail", "skip"]
"""How a step ended: `warn` does not fail the check, `skip` was not tried."""


class CheckStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a check. `field` links a failure to the setting at fault; `detail` holds no secret."""

    name: str
    status: StepStatus
    detail: str = ""
    field: str | None = None


class CheckReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of `check()`, step by step. A report without steps proves nothing and counts as failed.

    `suggestions` maps a setting to values that would work, such as the models or buckets that the key may use.
    """

    steps: tuple[CheckStep, ...]
    suggestions: dict[str, tuple[str, ...]] = {}

    @property
    def ok(self) -> bool:
        """Return whether something was tried and nothing failed."""
        return bool(self.steps) and all(step.status != "fail" for step in self.steps)


_listener: ContextVar[Callable[[CheckStep], None] | None] = ContextVar("check_listener", default=None)


class CheckSteps:
    """Collects the steps of one check; listeners see each step as soon as it is added."""

    def __init__(self) -> None:
        self._steps: list[CheckStep] = []

    def add(self, name: str, status: StepStatus, detail: str = "", *, field: str | None = None) -> None:
        """Add a step that has just ended."""
        step = CheckStep(name=name, status=status, detail=detail, field=field)
        self._steps.append(step)
        if (listener := _listener.get()) is not None:
            listener(step)

    def report(self, suggestions: Mapping[str, Sequence[str]] | None = None) -> CheckReport:
        """Return the report of all steps so far."""
        offered = {field: tuple(values) for field, values in (suggestions or {}).items()}
        return CheckReport(steps=tuple(self._steps), suggestions=offered)


@contextmanager
def listen_to_steps(listener: Callable[[CheckStep], None]) -> Iterator[None]:
    """Call the listener for every step that is added inside the block. The kernel uses it; plugins need not."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
