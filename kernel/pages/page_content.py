"""The content of page heads and crawler files, read together and cached briefly."""

import asyncio
import logging
import time
from collections import defaultdict
from typing import Final

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from kernel.billing.pricing.prices import ListedPrice, Prices
from kernel.core.data.database import Database
from kernel.plans.schemas import PlanLimits
from kernel.plans.service import PlanService
from kernel.site.carousel.schemas import CarouselItem
from kernel.site.carousel.service import SlideService
from kernel.site.public_texts.service import PublicTextService
from kernel.site.public_texts.texts import PublicTexts
from kernel.site.seo.schemas import SeoKeywordOut
from kernel.site.seo.service import SeoService

log = logging.getLogger(__name__)

RECENT_S: Final = 2.0
"""Maximum age of the content, in seconds."""


class LoadedContent(msgspec.Struct, frozen=True, kw_only=True):
    """What administrators have stored: keywords by language, the price of Pro, the monthly limits, the active
    covers of the carousel, and the public texts.

    Price and limits are None only while nothing has been read yet.
    """

    keywords: dict[str, list[SeoKeywordOut]]
    price: ListedPrice | None
    limits: PlanLimits | None
    covers: list[CarouselItem]
    texts: PublicTexts


class PageContent:
    """Reads the content once for all visits of a moment. Without the database the last known content is used."""

    def __init__(
        self,
        site: str,
        database: Database,
        seo: SeoService,
        prices: Prices,
        plans: PlanService,
        slides: SlideService,
        public_texts: PublicTextService,
    ) -> None:
        self._site = site
        self._database = database
        self._seo = seo
        self._prices = prices
        self._plans = plans
        self._slides = slides
        self._public_texts = public_texts
        self._known: LoadedContent | None = None
        self._read_at = 0.0
        self._reading = asyncio.Lock()

    async def recent(self) -> LoadedContent:
        """Return the stored content, at most RECENT_S old; while it is read again, the last known."""
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
                for one in await self._seo.all_in(connection):
                    keywords[one.language].append(one)
                price = await self._prices.shown_in(connection)
                limits = await self._plans.limits_in(connection)
                texts = await self._public_texts.all_in(connection)
            self._known = LoadedContent(
                keywords=dict(keywords), price=price, limits=limits, covers=await self._slides.shown(), texts=texts
            )
        except (SQLAlchemyError, OSError) as error:
            log.warning("what pages say cannot be read: %s", type(error).__name__)
            self._known = self._known or LoadedContent(
                keywords={}, price=None, limits=None, covers=[], texts=PublicTexts(site=self._site)
            )
        self._read_at = time.monotonic()
