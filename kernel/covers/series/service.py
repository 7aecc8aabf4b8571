"""Rules of series: locking and releasing the look of a theme, covers beside it, covers that come into it."""

import logging
from typing import Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.data.database import Database
from kernel.core.errors import Absent, AppError, Conflict, InvalidFields
from kernel.core.field_errors import FieldError
from kernel.covers.cover_read import image_address
from kernel.covers.gallery.theme_membership import THUMBNAIL, ThemeMembershipService
from kernel.covers.lettering.press import LetteringPress
from kernel.covers.lettering.schemas import LetteringChange
from kernel.covers.lettering.service import LetteringService
from kernel.covers.models import Cover
from kernel.covers.schemas import CoverOut
from kernel.covers.series.numbering import next_number
from kernel.covers.series.run_rows import last_run, open_run
from kernel.covers.series.schemas import LookOut, LookPreview, NextVolumeOut, SeriesOut
from kernel.covers.series.setting import LookSetter
from kernel.covers.series.volumes import Volume, find_volumes
from kernel.press.lettering.document import Lettering
from kernel.themes.looks import find_look, remove_look, store_look
from kernel.themes.service import ThemeService

log = logging.getLogger(__name__)

NO_LOOK: Final = "This theme has no look yet."
ABSENT_COVER: Final = "This cover does not exist."


class SeriesService:
    """Themes of one user at a time; another user's theme does not exist."""

    def __init__(
        self,
        database: Database,
        themes: ThemeService,
        membership: ThemeMembershipService,
        lettering: LetteringService,
        setter: LookSetter,
        press: LetteringPress,
    ) -> None:
        self._database = database
        self._themes = themes
        self._membership = membership
        self._lettering = lettering
        self._setter = setter
        self._press = press

    async def get(self, user_id: int, theme_id: int) -> SeriesOut:
        """Return the covers of a theme beside its look. Raises Absent."""
        async with self._database.read() as connection:
            await self._themes.get(connection, user_id, theme_id)
            look = await find_look(connection, theme_id)
            found = await find_volumes(connection, user_id, theme_id)
            run = await last_run(connection, theme_id)
        shown = LookOut(cover_id=look.cover_id, style=look.lettering.style, locked_at=look.locked_at) if look else None
        return SeriesOut(look=shown, volumes=[one.beside(look.lettering if look else None) for one in found], run=run)

    async def lock(self, user_id: int, theme_id: int, cover_id: int) -> SeriesOut:
        """Make the look of one cover that of its theme; covers change only when it is applied to them.

        Raises Absent, InvalidFields for a cover of another theme and for one whose words are part of its picture, and
        Conflict (`look_run_open`) while a look is being applied.
        """
        async with self._database.write() as session:
            await self._themes.hold(session, user_id, theme_id, alone=True)
            volume = next(iter(await find_volumes(session, user_id, theme_id, [cover_id])), None)
            if volume is None:
                raise InvalidFields({"coverId": FieldError("not_a_choice", "This cover is not in the theme.")})
            if volume.lettering is None or not volume.lettering.blocks:
                raise InvalidFields({"coverId": FieldError("no_lettering", "No words are set on this cover.")})
            await _nothing_open(session, theme_id)
            await store_look(session, theme_id, cover_id, volume.lettering)
        return await self.get(user_id, theme_id)

    async def release(self, user_id: int, theme_id: int) -> SeriesOut:
        """Take the look away from a theme; its covers stay as they are. Raises Absent and Conflict as `lock`."""
        async with self._database.write() as session:
            await self._themes.hold(session, user_id, theme_id, alone=True)
            await _nothing_open(session, theme_id)
            await remove_look(session, theme_id)
        return await self.get(user_id, theme_id)

    async def previews(self, user_id: int, theme_id: int, cover_ids: tuple[int, ...]) -> list[LookPreview]:
        """Return covers as they would be in the look of their theme; those that cannot have it are left out.

        Raises Absent for a theme or a cover in it that there is not, Conflict (`no_look`), PressBusy and PressUnable.
        """
        async with self._database.read() as connection:
            await self._themes.get(connection, user_id, theme_id)
            look = await find_look(connection, theme_id)
            found = {one.cover.id: one for one in await find_volumes(connection, user_id, theme_id, cover_ids)}
        if look is None:
            raise Conflict(NO_LOOK, code="no_look")
        if set(cover_ids) - found.keys():
            raise Absent(ABSENT_COVER)
        wanted = [found[cover_id] for cover_id in dict.fromkeys(cover_ids) if not found[cover_id].is_drawn]
        return [await self._preview(volume, look.lettering) for volume in wanted]

    async def _preview(self, volume: Volume, look: Lettering) -> LookPreview:
        lettering = await self._setter.set(volume, look)
        cover = volume.cover
        laid_out = await self._press.lay_out(lettering, width=cover.width, height=cover.height)
        return LookPreview(
            cover_id=cover.id,
            changes=lettering != volume.lettering,
            lettering=lettering,
            artwork_url=image_address(cover.id, volume.ground_sha256, THUMBNAIL, of="artwork"),
            svg=laid_out.svg,
            soft=list(laid_out.soft),
        )

    async def add_cover(self, user_id: int, cover_id: int, theme_id: int) -> CoverOut:
        """Let a cover belong to a theme; one that comes into a series takes on its look, as a new version.

        Where the words cannot be set just now it comes in as it is, and the theme tells that it drifts. Raises Absent.
        """
        async with self._database.read() as connection:
            mine = (Cover.id == cover_id, Cover.user_id == user_id)
            was = (await connection.execute(select(Cover.theme_id).where(*mine))).scalar_one_or_none()
            look = await find_look(connection, theme_id)
        moved = await self._membership.add_cover(user_id, cover_id, theme_id)
        if look is None or was == theme_id:
            return moved
        try:
            return await self._begin(user_id, theme_id, cover_id, look.lettering) or moved
        except AppError as error:
            log.warning("cover %s comes into theme %s without its look: %s", cover_id, theme_id, error.message)
            return moved

    async def _begin(self, user_id: int, theme_id: int, cover_id: int, look: Lettering) -> CoverOut | None:
        """Set one cover in the look; None where it has it already, or cannot have it."""
        async with self._database.read() as connection:
            volume = next(iter(await find_volumes(connection, user_id, theme_id, [cover_id])), None)
        if volume is None or volume.is_drawn:
            return None
        lettering = await self._setter.set(volume, look)
        if lettering == volume.lettering:
            return None
        change = LetteringChange(version=volume.version, lettering=lettering)
        return (await self._lettering.save(user_id, cover_id, change)).cover

    async def next_volume(self, user_id: int, theme_id: int) -> NextVolumeOut:
        """Return what the next cover of a theme begins with. Raises Absent."""
        query = select(Cover.author, Cover.series, Cover.number)
        mine = (Cover.theme_id == theme_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
        async with self._database.read() as connection:
            await self._themes.get(connection, user_id, theme_id)
            look = await find_look(connection, theme_id)
            rows = (await connection.execute(query.where(*mine).order_by(Cover.id.desc()))).all()
        return NextVolumeOut(
            author=next((row.author for row in rows if row.author), ""),
            series=next((row.series for row in rows if row.series), ""),
            number=next_number(row.number for row in rows),
            style=look.lettering.style if look else "",
        )


async def _nothing_open(session: AsyncSession, theme_id: int) -> None:
    if await open_run(session, theme_id) is not None:
        raise Conflict("The look is being applied just now.", code="look_run_open")
