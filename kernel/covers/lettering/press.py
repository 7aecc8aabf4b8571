"""The press as a service: asks lettering processes, and says when they cannot answer."""

import logging
from typing import Final, TypeVar

import msgspec

from kernel.core.errors import AppError
from kernel.press.children.pool import DrawingFailed, Limits, Pool, ProcessLost, SetupFailed, TookTooLong
from kernel.press.lettering.document import Lettering
from kernel.press.lettering.orders import (
    PROGRAM,
    Choose,
    Compose,
    LayOut,
    Order,
    Preview,
    Previews,
    Restyle,
    Rewrite,
    Sketch,
)

T = TypeVar("T")

log = logging.getLogger(__name__)

SECONDS: Final = 30.0
"""Time limit of one order; a page is set and drawn in one or two seconds on an idle machine."""
MEMORY: Final = 700 * 2**20
ORDERS: Final = 500


class PressBusy(AppError):
    """The press did not answer in time, or its process died; it may answer the next time."""

    status, code = 503, "press_busy"


class PressUnable(AppError):
    """The press cannot set this, or cannot start at all."""

    status, code = 503, "press_unable"


class LetteringPress:
    """One lettering process of this server process, started by the first order. Close it with `aclose`."""

    def __init__(self) -> None:
        self._pool = Pool(PROGRAM, Limits(workers=1, orders=ORDERS, memory=MEMORY, seconds=SECONDS), log)

    async def choose(self, order: Choose | Restyle | Rewrite) -> Lettering:
        """Return a lettering: chosen anew, in another style, or with other words.

        Raises PressBusy and PressUnable, as all do.
        """
        return await self._run(order, Lettering)

    async def compose(self, picture: bytes, lettering: Lettering, *, width: int, height: int) -> bytes:
        """Return a PNG of the picture with this lettering."""
        return await self._run(Compose(picture=picture, lettering=lettering, width=width, height=height), bytes)

    async def outlines(self, lettering: Lettering, *, width: int, height: int) -> str:
        """Return the letters and their effects as an SVG."""
        return await self._run(LayOut(lettering=lettering, width=width, height=height), str)

    async def previews(self, order: Previews) -> list[Preview]:
        """Return a lettering in several styles."""
        return await self._run(order, list[Preview])

    async def sketch(self, order: Sketch) -> Preview:
        """Return words set on an even ground, before there is a picture."""
        return await self._run(order, Preview)

    async def aclose(self) -> None:
        """End the process."""
        await self._pool.aclose()

    async def _run(self, order: Order, result_type: type[T]) -> T:
        try:
            return await self._pool.run(order, result_type)
        except (TookTooLong, ProcessLost, OSError) as error:
            log.warning("the press did not answer: %s", error)
            raise PressBusy("The words cannot be set just now. Please try again.", retry_after=5.0) from error
        except (SetupFailed, DrawingFailed, msgspec.ValidationError) as error:
            log.error("the press cannot do %s: %s", type(order).__name__, error)
            raise PressUnable("The words cannot be set on this picture.") from error
