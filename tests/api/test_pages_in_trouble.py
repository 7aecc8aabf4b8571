"""Pages for everybody while a part behind them fails: the database, the storage, the drawing library."""

import asyncio
import io
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from PIL import Image
from sqlalchemy.exc import OperationalError

from kernel.core.config import load_config
from kernel.core.errors import Absent, NoProvider
from kernel.pages import page_content
from kernel.pages.page_content import LoadedContent, PageContent
from kernel.pages.share_image.service import ShareImages
from kernel.pages.static_files import StaticFiles
from kernel.plans.schemas import PlanLimits
from kernel.site.carousel.schemas import CarouselItem
from kernel.site.public_texts.texts import PublicTexts
from kernel.site.seo.schemas import SeoKeywordOut

pytestmark = pytest.mark.anyio

KEYWORD = SeoKeywordOut(
    id=1,
    keyword="book covers",
    category="primary",
    density=1,
    priority=1,
    placement="both",
    language="en",
    created_at=datetime(2025, 1, 1, tzinfo=UTC),
)
SLIDE = CarouselItem(
    id=1,
    title="Gone",
    genre="Mystery",
    description="An empty chair.",
    image_url="/api/carousel/1/image?v=1",
    thumbnail_url="/api/carousel/1/image?size=320&v=1",
)
LIMITS = PlanLimits(pro_unlimited=False, pro_monthly_limit=100, free_monthly_limit=3)
NO_TEXTS = PublicTexts(site="Coverwright")
EMPTY = LoadedContent(keywords={}, price=None, limits=None, covers=[], texts=NO_TEXTS)
"""What pages say before anything has been read."""


class Stored:
    """Database, keywords, prices, limits and carousel in one; with `away` reading fails as the driver does."""

    away = False
    reads = 0

    def read(self) -> "Stored":
        """Open a connection."""
        if self.away:
            raise OperationalError("SELECT 1", {}, Exception("gone"))
        self.reads += 1
        return self

    async def __aenter__(self) -> "Stored":
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.sleep(0)

    async def all_in(self, _: object) -> list[SeoKeywordOut]:
        """Return the keywords."""
        return [KEYWORD]

    async def shown(self) -> list[CarouselItem]:
        """Return the covers."""
        return [SLIDE]

    async def shown_in(self, _: object) -> None:
        """Return no price."""

    async def limits_in(self, _: object) -> PlanLimits:
        """Return the limits of the plans."""
        return LIMITS


class StoredTexts:
    """The texts of public pages: none are stored."""

    async def all_in(self, _: object) -> PublicTexts:
        """Return no text."""
        return NO_TEXTS


@pytest.fixture
def stored() -> Stored:
    """The fake."""
    return Stored()


def known_from(stored: Stored) -> PageContent:
    part = cast(Any, stored)
    return PageContent(NO_TEXTS.site, part, part, part, part, part, cast(Any, StoredTexts()))


async def test_visits_of_one_moment_share_one_look(stored: Stored) -> None:
    known = known_from(stored)
    shown = await asyncio.gather(*(known.recent() for _ in range(20)))
    assert stored.reads == 1 and all(one is shown[0] for one in shown)
    assert shown[0].keywords == {"en": [KEYWORD]} and shown[0].covers == [SLIDE]
    assert shown[0].limits == LIMITS and shown[0].texts == NO_TEXTS


async def test_without_the_database_pages_say_what_was_known_last(
    stored: Stored, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_content, "RECENT_S", -1.0)
    known = known_from(stored)
    before = await known.recent()
    stored.away = True
    assert await known.recent() is before


async def test_without_a_database_from_the_start_pages_say_our_own_words(stored: Stored) -> None:
    stored.away = True
    shown = await known_from(stored).recent()
    assert shown == EMPTY


class Emptied:
    """A carousel whose picture is missing."""

    async def file(self, slide_id: int, form: str, *, inactive: bool) -> object:
        """Find nothing."""
        raise Absent


def cards(tmp_path: Path) -> ShareImages:
    gone = cast(Any, Emptied())
    return ShareImages(load_config({"COVERWRIGHT_DATA": str(tmp_path)}), gone, gone)


async def test_a_cover_that_cannot_be_read_is_left_out_of_the_picture(tmp_path: Path) -> None:
    known, files = msgspec.structs.replace(EMPTY, covers=[SLIDE]), StaticFiles(tmp_path)
    _, png = await cards(tmp_path).picture("en", known, files)
    with Image.open(io.BytesIO(png)) as shown:
        assert shown.size == (1200, 630)


async def test_what_cannot_be_drawn_is_not_tried_with_every_visit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COVERWRIGHT_FONTS", str(tmp_path / "nowhere"))
    files, drawing = StaticFiles(tmp_path), cards(tmp_path)
    took = []
    for language in ("en", "fr"):
        started = time.monotonic()
        with pytest.raises(NoProvider) as refused:
            await drawing.picture(language, EMPTY, files)
        took.append(time.monotonic() - started)
        assert refused.value.retry_after and "picture" in refused.value.message
    assert took[1] < took[0] / 5
