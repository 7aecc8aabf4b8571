"""The look of a series: reading, locking and releasing it."""

from datetime import datetime

import msgspec
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.data.database import ReadConnection, changed_rows, insert_into
from kernel.press.lettering.document import Lettering
from kernel.themes.models import ThemeLook


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """The lettering that covers of a theme share, and the cover that it was taken from; None once that is gone."""

    cover_id: int | None
    lettering: Lettering
    locked_at: datetime


async def find_look(reader: ReadConnection | AsyncSession, theme_id: int) -> Look | None:
    """Return the look of a theme; None where none is locked."""
    columns = (ThemeLook.cover_id, ThemeLook.lettering, ThemeLook.created_at)
    row = (await reader.execute(select(*columns).where(ThemeLook.theme_id == theme_id))).one_or_none()
    if row is None:
        return None
    lettering = msgspec.convert(row.lettering, Lettering)
    return Look(cover_id=row.cover_id, lettering=lettering, locked_at=row.created_at)


async def store_look(session: AsyncSession, theme_id: int, cover_id: int, lettering: Lettering) -> None:
    """Give a theme this look, in the place of the one it had. The caller holds the theme."""
    values = {"cover_id": cover_id, "lettering": msgspec.to_builtins(lettering), "created_at": clock.now()}
    row = insert_into(session, ThemeLook).values(theme_id=theme_id, **values)
    await session.execute(row.on_conflict_do_update(index_elements=["theme_id"], set_=values))


async def remove_look(session: AsyncSession, theme_id: int) -> bool:
    """Take the look of a theme away; say whether it had one."""
    return bool(await changed_rows(session, delete(ThemeLook).where(ThemeLook.theme_id == theme_id)))
