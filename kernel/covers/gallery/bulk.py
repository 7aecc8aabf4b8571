"""Changing many covers at once: all of them or none."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import ColumnElement, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.data.database import Database
from kernel.core.errors import Absent, InvalidFields
from kernel.core.schemas import REQUIRED
from kernel.covers.gallery.schemas import CoversChange
from kernel.covers.models import Cover
from kernel.themes.service import ThemeService


class BulkService:
    """Rules for several covers of one user; one that is not theirs prevents the whole change."""

    def __init__(self, database: Database, themes: ThemeService) -> None:
        self._database = database
        self._themes = themes

    async def change(self, user_id: int, wanted: CoversChange) -> list[int]:
        """Do it, and return the ids of those that it changed, in the order asked for.

        Raises InvalidFields for a theme that is missing or not allowed, Absent for covers or a theme not of the user.
        """
        given = wanted.theme_id is not msgspec.UNSET
        if given != (wanted.action == "theme"):
            words = "This belongs to the action `theme`." if given else REQUIRED
            raise InvalidFields({"themeId": words})
        ids = list(dict.fromkeys(wanted.ids))
        mine = select(Cover.id).where(Cover.user_id == user_id, Cover.id.in_(ids))
        async with self._database.write() as session:
            if isinstance(wanted.theme_id, int):
                await self._themes.hold(session, user_id, wanted.theme_id)
            if len((await session.execute(mine)).all()) != len(ids):
                raise Absent("This cover does not exist.")
            changed = set(await self._apply(session, user_id, ids, wanted))
        return [cover_id for cover_id in ids if cover_id in changed]

    async def _apply(
        self, session: AsyncSession, user_id: int, ids: Sequence[int], wanted: CoversChange
    ) -> Sequence[int]:
        shelved: ColumnElement[bool] = Cover.deleted_at.is_(None)
        which, values = shelved, dict[str, object]()
        match wanted.action:
            case "delete":
                values = {"deleted_at": clock.now()}
            case "restore":
                which, values = ~shelved, {"deleted_at": None}
            case "star" | "unstar" as action:
                starred = action == "star"
                which, values = shelved & Cover.starred.is_(not starred), {"starred": starred}
            case "theme":
                which = shelved & Cover.theme_id.is_distinct_from(wanted.theme_id)
                values = {"theme_id": wanted.theme_id}
        change = update(Cover).where(Cover.user_id == user_id, Cover.id.in_(ids), which).values(**values)
        return (await session.execute(change.returning(Cover.id))).scalars().all()
