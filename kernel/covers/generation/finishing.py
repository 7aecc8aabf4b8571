"""From the picture as it was made to the cover: our press sets the words where the picture's own service does not."""

import logging
from typing import Final

import msgspec

from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.errors import Absent, AppError
from kernel.covers.generation.spool import MadePicture
from kernel.covers.generation.state_machine import Job
from kernel.covers.lettering.press import LetteringPress, PressUnable
from kernel.pictures.ingest import Ingested, SlowPicture, ingest
from kernel.press.lettering.document import CoverWords, Lettering
from kernel.press.lettering.orders import Choose
from kernel.spi import Size
from kernel.themes.service import ThemeService

log = logging.getLogger(__name__)

BY_PRESS: Final = "press"


class FinishedCover(msgspec.Struct, frozen=True, kw_only=True):
    """What is stored: the picture that is shown and, where there is one, the picture without words. `lettering` are
    the words that our press set.
    """

    picture: Ingested
    artwork: Ingested | None = None
    lettering: Lettering | None = None


def is_set_by_press(job: Job, made: MadePicture) -> bool:
    """Say whether our press is to set words on this picture."""
    return job.lettering == BY_PRESS and not made.lettered and bool(job.title or job.author)


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
        """
        if not is_set_by_press(job, made):
            return FinishedCover(picture=received, artwork=await self._own_artwork(job, made))
        native = received.forms[0].data
        order = Choose(
            picture=native,
            words=CoverWords(title=job.title, author=job.author),
            genre=job.genre,
            language=job.language,
            colors=await self._colors(job),
            seed=job.theme_id or job.seed,  # covers of one theme are to look alike
        )
        lettering: Lettering | None = None
        try:
            lettering = await self._press.choose(order)
            composed = await self._press.compose(native, lettering, width=job.width, height=job.height)
        except PressUnable as error:
            log.error("the cover of job %s has no words: %s", job.id, error)
            composed, lettering = native, None
        limit = max(len(composed), self._config.pictures.max_result_bytes)
        shown = await ingest(composed, self._config.pictures, limit=limit, fit=Size(job.width, job.height))
        return FinishedCover(
            picture=msgspec.structs.replace(shown, native=received.native), artwork=received, lettering=lettering
        )

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
            return await ingest(made.artwork, self._config.pictures, limit=limit, fit=Size(job.width, job.height))
        except SlowPicture:
            raise
        except AppError as error:
            log.warning("the artwork of job %s is not kept: %s", job.id, error.message)
            return None
