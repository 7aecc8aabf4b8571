"""The report of "test connection"."""

from typing import Literal

import msgspec

StepStatus = Literal["ok", "warn", "fail", "skip"]


class CheckStep(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was tried. `field` ties a failure to the setting at fault; `detail` holds no secret."""

    name: str
    status: StepStatus
    detail: str = ""
    field: str | None = None


class CheckReport(msgspec.Struct, frozen=True, kw_only=True):
    """What `check()` found out, step by step. A report without steps proves nothing and counts as failed."""

    steps: tuple[CheckStep, ...]

    @property
    def ok(self) -> bool:
        """True when something was tried and nothing failed."""
        return bool(self.steps) and all(step.status != "fail" for step in self.steps)
