"""The picture that stands where somebody shares a link, drawn once for each language and kept."""

import asyncio
import hashlib
import logging
import math
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import msgspec
from litestar import Request, Response, route
from litestar.di import NamedDependency
from litestar.enums import HttpMethod

from kernel.core.access import PUBLIC
from kernel.core.config import Config
from kernel.core.errors import Absent, NoProvider
from kernel.core.languages import FALLBACK, is_language
from kernel.pages.answering import answer
from kernel.pages.files import IMMUTABLE, StaticFiles
from kernel.pages.knowledge import Knowledge, Known
from kernel.pictures.store import PictureStore
from kernel.providers import NoProviderAvailable
from kernel.site.seo.words import words
from kernel.site.slides import SlideService
from kernel.spi import ProviderError

log = logging.getLogger(__name__)

STYLE: Final = 1
"""Raised with every change of the drawing, so that networks fetch the picture anew."""
COVERS: Final = 3
FORM: Final = "960"
DRAWING_S: Final = 60.0
"""A start of the program and a picture take a second on an idle machine."""
AGAIN_S: Final = 60.0
"""What could not be drawn, or not whole, is not tried again sooner."""
UNDRAWN: Final = "The picture cannot be drawn at the moment."
LINES_CHARS: Final = 2000
VERSION_CHARS: Final = 16
KEPT: Final = "public, max-age=300"
ROOT: Final = Path(__file__).resolve().parents[2]


class Samples(msgspec.Struct, frozen=True):
    """The sample covers that come with the interface: those of the carousel, with their files by width."""

    carousel: list["Sample"] = []


class Sample(msgspec.Struct, frozen=True):
    """One sample cover."""

    images: dict[str, str]


def sample_addresses(static_files: StaticFiles) -> tuple[str, ...]:
    """Return the addresses of the covers that the landing page shows while the carousel is empty."""
    listed = static_files.find("/showcase/showcase.json")
    if listed is None:
        return ()
    samples = msgspec.json.decode(listed.bodies["identity"], type=Samples).carousel
    return tuple(f"/showcase/{one.images[max(one.images, key=int)]}" for one in samples)


def shown_addresses(known: Known, static_files: StaticFiles) -> tuple[str, ...]:
    """Return the addresses of the covers that the landing page shows."""
    return tuple(cover.image_url for cover in known.covers) or sample_addresses(static_files)


class _Drawn(NamedTuple):
    """A picture; `until` on the monotonic clock, for one on which a cover is missing."""

    version: str
    png: bytes
    until: float


class Cards:
    """Draws and keeps the pictures; one at a time, in a program of its own."""

    def __init__(self, config: Config, slides: SlideService, pictures: PictureStore) -> None:
        self._name = config.site.name
        self._host = urlsplit(config.public_url).netloc
        self._slides = slides
        self._pictures = pictures
        self._drawn: dict[str, _Drawn] = {}
        self._refused_until = 0.0
        self._drawing = asyncio.Lock()

    def version(self, language: str, addresses: Sequence[str]) -> str:
        """Return what the picture of a language is known by: it changes with whatever stands on it."""
        marks = (str(STYLE), self._name, self._host, words()[language].image, *addresses[:COVERS])
        return hashlib.sha256("\0".join(marks).encode()).hexdigest()[:VERSION_CHARS]

    async def picture(self, language: str, known: Known, static_files: StaticFiles) -> tuple[str, bytes]:
        """Return the version and the PNG of a language. Raises NoProvider where nothing can be drawn."""
        version = self.version(language, shown_addresses(known, static_files))
        if (kept := self._kept(language, version)) is None:
            async with self._drawing:
                kept = self._kept(language, version) or await self._make(language, version, known, static_files)
        return kept.version, kept.png

    def _kept(self, language: str, version: str) -> _Drawn | None:
        drawn = self._drawn.get(language)
        return drawn if drawn and drawn.version == version and time.monotonic() < drawn.until else None

    async def _make(self, language: str, version: str, known: Known, static_files: StaticFiles) -> _Drawn:
        if time.monotonic() < self._refused_until:
            raise NoProvider(UNDRAWN, retry_after=AGAIN_S)
        covers, complete = await self._covers(known, static_files)
        png = await self._draw(language, covers)
        until = math.inf if complete else time.monotonic() + AGAIN_S
        drawn = self._drawn[language] = _Drawn(version, png, until)
        return drawn

    async def _covers(self, known: Known, static_files: StaticFiles) -> tuple[list[bytes], bool]:
        """Return the foremost covers, and whether all could be read."""
        if not known.covers:
            files = [static_files.find(address) for address in sample_addresses(static_files)[:COVERS]]
            return [file.bodies["identity"] for file in files if file is not None], True
        found = []
        for cover in known.covers[:COVERS]:
            try:
                ref, _ = await self._slides.file(cover.id, FORM, inactive=False)
                found.append(await self._pictures.read(ref))
            except (Absent, ProviderError, NoProviderAvailable) as error:
                log.warning("a cover of the carousel cannot be read: %s", type(error).__name__)
        return found, len(found) == len(known.covers[:COVERS])

    async def _draw(self, language: str, covers: Sequence[bytes]) -> bytes:
        order = {
            "name": self._name,
            "sentence": words()[language].image,
            "host": self._host,
            "language": language,
            "covers": list(covers),
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "kernel.pages.card",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))},
        )
        try:
            async with asyncio.timeout(DRAWING_S):
                png, told = await process.communicate(msgspec.msgpack.encode(order))
        except BaseException as error:
            process.kill()
            await process.wait()
            if not isinstance(error, TimeoutError):
                raise
            png, told = b"", b"it took too long"
        if process.returncode or not png:
            log.error("the picture for shared links cannot be drawn: %s", told.decode(errors="replace")[-LINES_CHARS:])
            self._refused_until = time.monotonic() + AGAIN_S
            raise NoProvider(UNDRAWN, retry_after=AGAIN_S)
        return png


@route(
    "/api/og-image",
    http_method=[HttpMethod.GET, HttpMethod.HEAD],
    operation_id="getSharedPicture",
    include_in_schema=False,
    opt={**PUBLIC, "compressed_already": True},
)
async def shared_picture(
    request: Request[Any, Any, Any],
    static_files: NamedDependency[StaticFiles],
    knowledge: NamedDependency[Knowledge],
    cards: NamedDependency[Cards],
) -> Response[bytes | None]:
    """Return the picture for links to the landing page, in one of the languages."""
    language = request.query_params.get("lang", FALLBACK)
    if not is_language(language):
        raise Absent
    version, png = await cards.picture(language, await knowledge.recent(), static_files)
    caching = IMMUTABLE if request.query_params.get("v") == version else KEPT
    headers = {"cache-control": caching, "cross-origin-resource-policy": "cross-origin"}
    return answer(request, png, media_type="image/png", headers=headers, packed=False)
