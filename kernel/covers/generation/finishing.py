"""From the picture as it was made to the cover: our press sets the words where the picture's own service does not."""

import logging
from typing import Final

import msgspec

from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.errors import Absent, AppError
from kernel.covers.book_words import MORE_WORDS, on_cover
from kernel.covers.generation.spool import MadePicture
from kernel.covers.generation.state_machine import Job
from kernel.covers.lettering.own_lettering import UnknownLettering, read_own_lettering
from kernel.covers.lettering.press import LetteringPress, PressUnable
from kernel.covers.lettering.refined import as_shown
from kernel.pictures.ingest import Ingested, SlowPicture, ingest, manifest_in, with_form
from kernel.press.lettering.document import CoverWords, Lettering
from kernel.press.lettering.orders import Choose, Continue
from kernel.spi import Size
from kernel.themes.looks import find_look
from kernel.themes.service import ThemeService

log = logging.getLogger(__name__)

BY_PRESS: Final = "press"


class FinishedCover(msgspec.Struct, frozen=True, kw_only=True):
    """What is stored: the picture that is shown and, where there is one, the picture without words. `lettering` are
    the words as our press set them or, with `is_own_picture`, as the picture's service says that it did. For a
    refinement `over_version` is the version of its cover that has these words.
    """

    picture: Ingested
    artwork: Ingested | None = None
    lettering: Lettering | None = None
    is_own_picture: bool = False
    over_version: int | None = None


def is_set_by_press(job: Job, made: MadePicture) -> bool:
    """Say whether our press is to set words on this picture."""
    if job.refined_cover_id is not None:
        return job.lettering == BY_PRESS
    return job.lettering == BY_PRESS and not made.lettered and on_cover(job) != CoverWords()


def is_set_anew(job: Job, made: MadePicture) -> bool:
    """Say whether our press sets all words on the artwork of a service that sets title and author in its own way: it
    sets no others, and none in a style that its user chose.
    """
    asked = job.lettering_style is not None or any(getattr(job, name) for name in MORE_WORDS)
    return job.lettering == BY_PRESS and made.lettered and asked


class CoverFinisher:
    """Sets the words. Knows no queue, and stores nothing."""

    def __init__(self, config: Config, database: Database, press: LetteringPress, themes: ThemeService) -> None:
        self._config = config
        self._database = database
        self._press = press
        self._themes = themes

    async def finish(self, job: Job, made: MadePicture, received: Ingested) -> FinishedCover:
        """Return the cover of a picture that was received. Raises SlowPicture and PressBusy: another try may do.

        A picture on which no words can be set becomes a cover without: it is paid for, and they can be set later.
        Raises CoverGone for a refinement whose cover was removed.
        """
        if job.extends_side is not None:
            return FinishedCover(picture=received)
        if job.refined_cover_id is not None:
            return await self._refined(job, job.refined_cover_id, received)
        if is_set_by_press(job, made):
            return await self._lettered(job, received)
        artwork = await self._own_artwork(job, made)
        if artwork is not None and (is_set_anew(job, made) or await self._look(job) is not None):
            anew = await self._lettered(job, artwork)
            return anew if anew.lettering else FinishedCover(picture=received, artwork=artwork)
        own = _own_lettering(job, made) if artwork else None
        return FinishedCover(picture=received, artwork=artwork, lettering=own, is_own_picture=own is not None)

    async def _lettered(self, job: Job, received: Ingested) -> FinishedCover:
        """Return the cover of an artwork."""
        native = received.forms[0].data
        lettering: Lettering | None = None
        try:
            lettering = await self._chosen(job, native, on_cover(job), style=job.lettering_style or "")
            composed = await self._press.compose(native, lettering, width=job.width, height=job.height)
        except PressUnable as error:
            log.error("the cover of job %s has no words: %s", job.id, error)
            composed, lettering = native, None
        limit = max(len(composed), self._config.pictures.max_result_bytes)
        shown = await ingest(composed, self._config.pictures, limit=limit, fit=Size(job.width, job.height))
        return FinishedCover(
            picture=msgspec.structs.replace(shown, native=received.native), artwork=received, lettering=lettering
        )

    async def check_cover(self, job: Job) -> None:
        """Raise CoverGone for a refinement whose cover was removed."""
        if job.refined_cover_id is not None:
            async with self._database.read() as connection:
                await as_shown(connection, job.refined_cover_id)

    async def _refined(self, job: Job, cover_id: int, received: Ingested) -> FinishedCover:
        """Return a refined picture with the words that are on its cover now."""
        async with self._database.read() as connection:
            shown = await as_shown(connection, cover_id)
        native, lettering = received.forms[0].data, shown.lettering
        try:
            if shown.lettered_picture and job.lettering == BY_PRESS and shown.words != CoverWords():
                lettering = await self._chosen(job, native, shown.words)
            if lettering is not None:
                composed = await self._press.compose(native, lettering, width=job.width, height=job.height)
        except PressUnable as error:
            log.error("the refined picture of job %s has no words: %s", job.id, error)
            lettering = None
        size = Size(job.width, job.height)
        if lettering is None:
            limit = max(len(native), self._config.pictures.max_result_bytes)
            bare = (
                received
                if received.size == size
                else with_form(
                    await ingest(native, self._config.pictures, limit=limit, fit=size), *manifest_in(received)
                )
            )
            picture, artwork = bare, None
        else:
            limit = max(len(composed), self._config.pictures.max_result_bytes)
            picture, artwork = await ingest(composed, self._config.pictures, limit=limit, fit=size), received
        return FinishedCover(
            picture=msgspec.structs.replace(picture, native=received.native),
            artwork=artwork,
            lettering=lettering,
            over_version=shown.version,
        )

    async def _look(self, job: Job) -> Lettering | None:
        """Return the look that the covers of the job's theme share; None where its user wished for a style."""
        if job.theme_id is None or job.lettering_style is not None or job.lettering != BY_PRESS:
            return None
        async with self._database.read() as connection:
            found = await find_look(connection, job.theme_id)
        return found.lettering if found else None

    async def _chosen(self, job: Job, picture: bytes, words: CoverWords, style: str = "") -> Lettering:
        if look := await self._look(job):
            return await self._press.choose(Continue(picture=picture, look=look, words=words, language=job.language))
        order = Choose(
            picture=picture,
            words=words,
            genre=job.genre,
            language=job.language,
            colors=await self._colors(job),
            style=style,
            seed=job.theme_id or job.seed,  # covers of one theme are to look alike
        )
        return await self._press.choose(order)

    async def _colors(self, job: Job) -> tuple[str, ...]:
        """Return the colors of the job's theme; none for one that was deleted meanwhile."""
        if job.theme_id is None:
            return ()
        try:
            async with self._database.read() as connection:
                return tuple((await self._themes.get(connection, job.user_id, job.theme_id)).colors)
        except Absent:
            return ()

    async def _own_artwork(self, job: Job, made: MadePicture) -> Ingested | None:
        """Return the artwork that came with a cover, None where it cannot be read: the cover is whole without it."""
        if made.artwork is None:
            return None
        limit = self._config.pictures.max_result_bytes
        try:
            size = Size(job.width, job.height)
            return await ingest(made.artwork, self._config.pictures, limit=limit, fit=size, keeps_manifest=True)
        except SlowPicture:
            raise
        except AppError as error:
            log.warning("the artwork of job %s is not kept: %s", job.id, error.message)
            return None


def _own_lettering(job: Job, made: MadePicture) -> Lettering | None:
    """Return how a service has set its words; None where it does not say so, or not in words that our press knows."""
    if made.lettering is None or job.lettering != BY_PRESS:
        return None
    try:
        return read_own_lettering(made.lettering)
    except UnknownLettering as error:
        log.warning("the lettering that came with job %s is not kept: %s", job.id, error)
        return None
