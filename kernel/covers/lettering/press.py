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
    Continue,
    FaceSample,
    LaidOut,
    LayOut,
    Measure,
    Measures,
    Order,
    Preview,
    Previews,
    Release,
    Restyle,
    Rewrite,
    ShowFaces,
    Sketch,
)

T = TypeVar("T")

log = logging.getLogger(__name__)

SECONDS: Final = 30.0
"""Time limit of one order; a page is set and drawn in one or two seconds on an idle machine."""
MEMORY: Final = 700 * 2**20
ORDERS: Final = 500
LAYOUTS: Final = 20_000
"""Orders after which the process that only lays out is replaced: a replacement is waited for."""


class PressBusy(AppError):
    """The press did not answer in time, or its process died; it may answer the next time."""

    status, code = 503, "press_busy"


class PressUnable(AppError):
    """The press cannot set this, or cannot start at all."""

    status, code = 503, "press_unable"


class LetteringPress:
    """Two lettering processes of this server process, each started by its first order. Close them with `aclose`.

    One only lays out, which takes milliseconds and is waited for at every key; the other draws, chooses and measures.
    """

    def __init__(self) -> None:
        self._pool = Pool(PROGRAM, Limits(workers=1, orders=ORDERS, memory=MEMORY, seconds=SECONDS), log)
        self._quick = Pool(PROGRAM, Limits(workers=1, orders=LAYOUTS, memory=MEMORY, seconds=SECONDS), log)

    async def choose(self, order: Choose | Restyle | Rewrite | Release | Continue) -> Lettering:
        """Return a lettering: chosen anew, in another style, with other words, or with a part of it chosen anew.

        Raises PressBusy and PressUnable, as all do.
        """
        return await self._run(order, Lettering)

    async def compose(self, picture: bytes, lettering: Lettering, *, width: int, height: int) -> bytes:
        """Return a PNG of the picture with this lettering."""
        return await self._run(Compose(picture=picture, lettering=lettering, width=width, height=height), bytes)

    async def lay_out(self, lettering: Lettering, *, width: int, height: int) -> LaidOut:
        """Return the letters and their effects as an SVG, and where they are."""
        order = LayOut(lettering=lettering, width=width, height=height)
        return await self._run(order, LaidOut, self._quick)

    async def measure(self, picture: bytes, lettering: Lettering) -> Measures:
        """Return how well each block can be read on the picture."""
        return await self._run(Measure(picture=picture, lettering=lettering), Measures)

    async def faces(self, text: str, language: str) -> list[FaceSample]:
        """Return the faces to pick from for a text."""
        return await self._run(ShowFaces(text=text, language=language), list[FaceSample])

    async def previews(self, order: Previews) -> list[Preview]:
        """Return a lettering in several styles."""
        return await self._run(order, list[Preview])

    async def sketch(self, order: Sketch) -> Preview:
        """Return words set on an even ground, before there is a picture."""
        return await self._run(order, Preview)

    async def aclose(self) -> None:
        """End the processes."""
        await self._pool.aclose()
        await self._quick.aclose()

    async def _run(self, order: Order, result_type: type[T], pool: Pool | None = None) -> T:
        try:
            return await (pool or self._pool).run(order, result_type)
        except (TookTooLong, ProcessLost, OSError) as error:
            log.warning("the press did not answer: %s", error)
            raise PressBusy("The words cannot be set just now. Please try again.", retry_after=5.0) from error
        except (SetupFailed, DrawingFailed, msgspec.ValidationError) as error:
            log.error("the press cannot do %s: %s", type(order).__name__, error)
            raise PressUnable("The words cannot be set on this picture.") from error
