"""A look applied to covers of its theme one after the other, and taken back: whole covers, at any time to be continued.

A run is rows, and each step of it one cover: the cover's new version and what the run knows of it are written in one
transaction. Whoever looks at the theme asks for the next step; workers take those of a run that nobody looks at.
"""

import logging
from typing import Final

import msgspec
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.data.database import Database, ReadConnection
from kernel.core.errors import Absent, Conflict
from kernel.covers.lettering.press import PressUnable
from kernel.covers.lettering.schemas import LetteringChange
from kernel.covers.lettering.service import LetteringService
from kernel.covers.models import Cover
from kernel.covers.series.models import LookRun
from kernel.covers.series.run_rows import (
    NextChange,
    begin_run,
    covers_of_run,
    end_run,
    last_run,
    mark,
    next_of_run,
    open_run,
)
from kernel.covers.series.schemas import LookRunOut
from kernel.covers.series.setting import LookSetter
from kernel.covers.series.volumes import Volume, find_volumes
from kernel.press.lettering.document import Lettering
from kernel.themes.looks import find_look
from kernel.themes.service import ThemeService

log = logging.getLogger(__name__)

NO_LOOK: Final = "This theme has no look yet."
NO_RUN: Final = "Nothing was applied to this theme."
RUN_OPEN: Final = "The look is being applied to other covers just now."


class LookRunService:
    """Runs in themes of one user at a time; another user's theme does not exist."""

    def __init__(
        self, database: Database, themes: ThemeService, lettering: LetteringService, setter: LookSetter
    ) -> None:
        self._database = database
        self._themes = themes
        self._lettering = lettering
        self._setter = setter

    async def start(self, user_id: int, theme_id: int, cover_ids: tuple[int, ...]) -> LookRunOut:
        """Begin to apply the look of a theme to some of its covers; `step` does it.

        The same covers again are the run that is open. Raises Absent for a theme or a cover in it that there is not,
        Conflict: `no_look`, or `look_run_open` while other covers are being changed.
        """
        ids = list(dict.fromkeys(cover_ids))
        async with self._database.write() as session:
            await self._themes.hold(session, user_id, theme_id, alone=True)
            look = await find_look(session, theme_id)
            if look is None:
                raise Conflict(NO_LOOK, code="no_look")
            known = await open_run(session, theme_id)
            if known is None:
                mine = (Cover.theme_id == theme_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
                there = select(Cover.id).where(*mine, Cover.id.in_(ids))
                if len((await session.execute(there)).all()) != len(ids):
                    raise Absent("This cover does not exist.")
                await begin_run(session, theme_id, look.lettering, ids)
            elif await covers_of_run(session, known) != set(ids):
                raise Conflict(RUN_OPEN, code="look_run_open")
            return await _last(session, theme_id)

    async def undo(self, user_id: int, theme_id: int) -> LookRunOut:
        """Begin to take the last run back, also one that is not through; `step` does it. Raises Absent."""
        async with self._database.write() as session:
            await self._themes.hold(session, user_id, theme_id, alone=True)
            run = await _last(session, theme_id)
            back = update(LookRun).where(LookRun.id == run.id, LookRun.state.in_(("applying", "applied")))
            await session.execute(back.values(state="undoing", stepped_at=clock.now()))
            return await _last(session, theme_id)

    async def step(self, user_id: int, theme_id: int) -> LookRunOut:
        """Go on by one cover, and return where the run stands; nothing happens to one that is through.

        A cover that somebody changes at the same time comes next again. Raises Absent, PressBusy and what storing
        raises; the run can be continued then.
        """
        async with self._database.read() as connection:
            await self._themes.get(connection, user_id, theme_id)
            run = await _last(connection, theme_id)
            change = await next_of_run(connection, run.id, run.state) if run.state in ("applying", "undoing") else None
        if change is not None:
            try:
                if run.state == "applying":
                    await self._apply(user_id, theme_id, run.id, change)
                else:
                    await self._take_back(user_id, run.id, change)
            except Conflict as error:
                log.info("cover %s is changed elsewhere: %s", change.cover_id, error.message)
        return await self._where_it_stands(theme_id)

    async def _where_it_stands(self, theme_id: int) -> LookRunOut:
        """Return the last run of a theme; one without covers ahead ends."""
        async with self._database.write() as session:
            run = await _last(session, theme_id)
            if run.state in ("applied", "undone") or await next_of_run(session, run.id, run.state) is not None:
                return run
            await end_run(session, theme_id, run.id, run.state)
            state = {"applying": "applied", "undoing": "undone"}[run.state]
        return msgspec.structs.replace(run, state=state)

    async def _apply(self, user_id: int, theme_id: int, run_id: int, change: NextChange) -> None:
        volume, look = await self._volume(user_id, theme_id, run_id, change.cover_id)
        lettering = None
        if volume is not None and not volume.is_drawn:
            try:
                lettering = await self._setter.set(volume, look)
            except (PressUnable, Absent) as error:
                log.error("cover %s cannot have the look of theme %s: %s", change.cover_id, theme_id, error)
        if volume is None or lettering is None:
            await self._mark(run_id, change, "left")
        elif lettering == volume.lettering:
            await self._mark(run_id, change, "same")
        else:
            shown, made = volume.version, LetteringChange(version=volume.version, lettering=lettering)

            async def note(session: AsyncSession, version: int) -> None:
                versions = {"before_version": shown, "after_version": version}
                await mark(session, run_id, change, during="applying", state="changed", **versions)

            await self._lettering.save(user_id, change.cover_id, made, within=note)

    async def _take_back(self, user_id: int, run_id: int, change: NextChange) -> None:
        """Show the version that was shown before, unless the cover was changed again since or is gone."""

        async def note(session: AsyncSession, _version: int) -> None:
            await mark(session, run_id, change, during="undoing", state="undone")

        async with self._database.read() as connection:
            query = select(Cover.version).where(Cover.id == change.cover_id, Cover.deleted_at.is_(None))
            version = (await connection.execute(query)).scalar_one_or_none()
        before = change.before_version
        if version is None or version != change.after_version or before is None:
            await self._mark(run_id, change, "kept", during="undoing")
            return
        try:
            await self._lettering.restore(user_id, change.cover_id, version=version, number=before, within=note)
        except (Absent, PressUnable) as error:
            log.error("cover %s cannot go back to version %s: %s", change.cover_id, before, error)
            await self._mark(run_id, change, "kept", during="undoing")

    async def _mark(self, run_id: int, change: NextChange, state: str, during: str = "applying") -> None:
        async with self._database.write() as session:
            await mark(session, run_id, change, during=during, state=state)

    async def _volume(self, user_id: int, theme_id: int, run_id: int, cover_id: int) -> tuple[Volume | None, Lettering]:
        async with self._database.read() as connection:
            query = select(LookRun.lettering).where(LookRun.id == run_id)
            document = (await connection.execute(query)).scalar_one_or_none()
            found = await find_volumes(connection, user_id, theme_id, [cover_id])
        if document is None:
            raise Conflict(NO_RUN, code="version_conflict")
        return next(iter(found), None), msgspec.convert(document, Lettering)


async def _last(reader: ReadConnection | AsyncSession, theme_id: int) -> LookRunOut:
    """Return the last run of a theme. Raises Absent."""
    found = await last_run(reader, theme_id)
    if found is None:
        raise Absent(NO_RUN)
    return found
