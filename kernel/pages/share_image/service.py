"""The preview picture for shared links, drawn once for each language and cached."""

import asyncio
import hashlib
import logging
import math
import time
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import msgspec
from litestar import Response, route
from litestar.di import NamedDependency
from litestar.enums import HttpMethod

from kernel.core.config import Config
from kernel.core.errors import Absent, NoProvider
from kernel.core.text.languages import FALLBACK, is_language
from kernel.core.web.access import PUBLIC, AppRequest
from kernel.pages.page_content import LoadedContent, PageContent
from kernel.pages.responses import cacheable_response
from kernel.pages.samples import samples
from kernel.pages.static_files import IMMUTABLE, StaticFiles
from kernel.pictures.store import PictureStore
from kernel.press.children.once import ProgramFailed, run_program
from kernel.providers import NoProviderAvailable
from kernel.site.carousel.schemas import FULL_SIZE
from kernel.site.carousel.service import SlideService
from kernel.site.seo.words import words
from kernel.spi import ProviderError

log = logging.getLogger(__name__)

STYLE: Final = 2
"""Incremented with every change of the drawing, so that networks fetch the picture again."""
COVERS: Final = 3
DRAWING_S: Final = 60.0
"""Starting the program and drawing take a second on an idle machine."""
AGAIN_S: Final = 60.0
"""What could not be drawn, or not completely, is not tried again sooner."""
UNDRAWN: Final = "The picture cannot be drawn at the moment."
VERSION_CHARS: Final = 16
KEPT: Final = "public, max-age=300"


def shown_addresses(content: LoadedContent, static_files: StaticFiles) -> tuple[str, ...]:
    """Return the addresses of the covers that the landing page shows."""
    return tuple(cover.image_url for cover in content.covers) or tuple(one.address for one in samples(static_files))


class _Drawn(NamedTuple):
    """A picture; `until` on the monotonic clock, for one on which a cover is missing."""

    version: str
    jpeg: bytes
    until: float


class ShareImages:
    """Draws and caches the pictures; one at a time, in a separate process."""

    def __init__(self, config: Config, slides: SlideService, pictures: PictureStore) -> None:
        self._name = config.site.name
        self._host = urlsplit(config.public_url).netloc
        self._slides = slides
        self._pictures = pictures
        self._drawn: dict[str, _Drawn] = {}
        self._refused_until = 0.0
        self._drawing = asyncio.Lock()

    def version(self, language: str, addresses: Sequence[str]) -> str:
        """Return the version of a language's picture: it changes with its content."""
        marks = (str(STYLE), self._name, self._host, words()[language].image, *addresses[:COVERS])
        return hashlib.sha256("\0".join(marks).encode()).hexdigest()[:VERSION_CHARS]

    async def picture(self, language: str, content: LoadedContent, static_files: StaticFiles) -> tuple[str, bytes]:
        """Return the version and the JPEG of a language. Raises NoProvider where nothing can be drawn."""
        version = self.version(language, shown_addresses(content, static_files))
        if (kept := self._cached(language, version)) is None:
            async with self._drawing:
                kept = self._cached(language, version) or await self._make(language, version, content, static_files)
        return kept.version, kept.jpeg

    def _cached(self, language: str, version: str) -> _Drawn | None:
        drawn = self._drawn.get(language)
        return drawn if drawn and drawn.version == version and time.monotonic() < drawn.until else None

    async def _make(self, language: str, version: str, content: LoadedContent, static_files: StaticFiles) -> _Drawn:
        if time.monotonic() < self._refused_until:
            raise NoProvider(UNDRAWN, retry_after=AGAIN_S)
        covers, complete = await self._covers(content, static_files)
        jpeg = await self._draw(language, covers)
        until = math.inf if complete else time.monotonic() + AGAIN_S
        drawn = self._drawn[language] = _Drawn(version, jpeg, until)
        return drawn

    async def _covers(self, content: LoadedContent, static_files: StaticFiles) -> tuple[list[bytes], bool]:
        """Return the front covers, and whether all could be read."""
        if not content.covers:
            files = [static_files.find(sample.address) for sample in samples(static_files)[:COVERS]]
            return [file.bodies["identity"] for file in files if file is not None], True
        found = []
        for cover in content.covers[:COVERS]:
            try:
                ref, _ = await self._slides.file(cover.id, FULL_SIZE, inactive=False)
                found.append(await self._pictures.read(ref))
            except (Absent, ProviderError, NoProviderAvailable) as error:
                log.warning("a cover of the carousel cannot be read: %s", type(error).__name__)
        return found, len(found) == len(content.covers[:COVERS])

    async def _draw(self, language: str, covers: Sequence[bytes]) -> bytes:
        order = {
            "name": self._name,
            "sentence": words()[language].image,
            "host": self._host,
            "language": language,
            "covers": list(covers),
        }
        try:
            return await run_program(
                "kernel.pages.share_image.drawing", msgspec.msgpack.encode(order), seconds=DRAWING_S
            )
        except ProgramFailed as error:
            log.error("the picture for shared links cannot be drawn: %s", error)
            self._refused_until = time.monotonic() + AGAIN_S
            raise NoProvider(UNDRAWN, retry_after=AGAIN_S) from error


@route(
    "/api/og-image",
    http_method=[HttpMethod.GET, HttpMethod.HEAD],
    operation_id="getSharedPicture",
    include_in_schema=False,
    opt={**PUBLIC, "compressed_already": True},
)
async def shared_picture(
    request: AppRequest,
    static_files: NamedDependency[StaticFiles],
    page_content: NamedDependency[PageContent],
    share_images: NamedDependency[ShareImages],
) -> Response[bytes | None]:
    """Return the picture for links to the landing page, in one of the languages."""
    language = request.query_params.get("lang", FALLBACK)
    if not is_language(language):
        raise Absent
    version, jpeg = await share_images.picture(language, await page_content.recent(), static_files)
    caching = IMMUTABLE if request.query_params.get("v") == version else KEPT
    headers = {"cache-control": caching, "cross-origin-resource-policy": "cross-origin"}
    return cacheable_response(request, jpeg, media_type="image/jpeg", headers=headers, packed=False)
