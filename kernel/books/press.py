"""The press of editions as a service: asks drawing processes, and says when they cannot answer."""

import logging
from typing import Final, TypeVar

from kernel.core.errors import AppError
from kernel.press.children.pool import DrawingFailed, Limits, Pool, ProcessLost, SetupFailed, TookTooLong
from kernel.press.editions import (
    PROGRAM,
    Made,
    MakeFile,
    MeasureSpines,
    PressTask,
    ReportMade,
    SetReport,
    Shown,
    ShowSheet,
    SpinesMeasured,
)

T = TypeVar("T")

log = logging.getLogger(__name__)

SECONDS: Final = 120.0
"""Time limit of one file; the largest takes some seconds on an idle machine."""
MEMORY: Final = 900 * 2**20
ORDERS: Final = 60


class EditionPressBusy(AppError):
    """The press did not answer in time, or its process died; it may answer the next time."""

    status, code = 503, "edition_press_busy"


class PressRefused(AppError):
    """The press cannot make this from this cover."""

    status, code = 422, "edition_refused"


class EditionPress:
    """One drawing process of this server process, started by its first order. Close it with `aclose`."""

    def __init__(self) -> None:
        self._pool = Pool(PROGRAM, Limits(workers=1, orders=ORDERS, memory=MEMORY, seconds=SECONDS), log)

    async def make(self, order: MakeFile) -> Made:
        """Make one file in the order's folder. Raises EditionPressBusy and PressRefused, as all do."""
        return await self._run(order, Made)

    async def show(self, order: ShowSheet) -> Shown:
        """Return a whole cover for the screen."""
        return await self._run(order, Shown)

    async def measure(self, order: MeasureSpines) -> SpinesMeasured:
        """Say how spines are set."""
        return await self._run(order, SpinesMeasured)

    async def report(self, order: SetReport) -> ReportMade:
        """Set a report in the order's folder."""
        return await self._run(order, ReportMade)

    async def aclose(self) -> None:
        """End the process."""
        await self._pool.aclose()

    async def _run(self, order: PressTask, result_type: type[T]) -> T:
        try:
            return await self._pool.run(order, result_type)
        except (TookTooLong, ProcessLost, OSError) as error:
            log.warning("the press did not answer: %s", error)
            raise EditionPressBusy("This cannot be drawn just now. Please try again.", retry_after=5.0) from error
        except SetupFailed as error:
            log.error("the press cannot start: %s", error)
            raise EditionPressBusy("This cannot be drawn at the moment.", retry_after=60.0) from error
        except DrawingFailed as error:
            log.error("the press cannot do %s (%s): %s", type(order).__name__, error.reason, error)
            raise PressRefused("This cannot be made from this cover.") from error
