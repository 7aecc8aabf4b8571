"""What the head of a page and the files for crawlers are made of, read together and kept for a moment."""

import asyncio
import logging
import time
from collections import defaultdict
from typing import Final

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from kernel.billing.prices import Price, Prices
from kernel.core.database import Database
from kernel.site.seo.schemas import SeoKeywordOut
from kernel.site.seo.service import SeoService
from kernel.site.slide_schemas import CarouselItem
from kernel.site.slides import SlideService

log = logging.getLogger(__name__)

RECENT_S: Final = 2.0
"""A visit is answered with what was stored this long ago at most."""


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """What administrators have stored: keywords by language, the price of Pro, the active covers of the carousel.

    The price is None only while nothing could be read yet.
    """

    keywords: dict[str, list[SeoKeywordOut]]
    price: Price | None
    covers: list[CarouselItem]


class Knowledge:
    """Reads it for all visits of this moment at once. Without the database it is what was known last."""

    def __init__(self, database: Database, seo: SeoService, prices: Prices, slides: SlideService) -> None:
        self._database = database
        self._seo = seo
        self._prices = prices
        self._slides = slides
        self._known: Known | None = None
        self._read_at = 0.0
        self._reading = asyncio.Lock()

    async def recent(self) -> Known:
        """Return what is stored, at most RECENT_S old; while it is read anew, what is known already."""
        if self._known is None or not (self._is_recent() or self._reading.locked()):
            async with self._reading:
                if not self._is_recent():
                    await self._read()
        assert self._known is not None
        return self._known

    def _is_recent(self) -> bool:
        return self._known is not None and time.monotonic() - self._read_at <= RECENT_S

    async def _read(self) -> None:
        try:
            async with self._database.read() as connection:
                keywords = defaultdict[str, list[SeoKeywordOut]](list)
                for one in await self._seo.all(connection):
                    keywords[one.language].append(one)
                price = await self._prices.shown(connection)
            self._known = Known(keywords=dict(keywords), price=price, covers=await self._slides.shown())
        except (SQLAlchemyError, OSError) as error:
            log.warning("what pages say cannot be read: %s", type(error).__name__)
            self._known = self._known or Known(keywords={}, price=None, covers=[])
        self._read_at = time.monotonic()
