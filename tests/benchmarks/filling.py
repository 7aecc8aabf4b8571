"""A gallery of any size in a few seconds: one finished cover, copied by the database itself."""

import asyncio
from collections.abc import Mapping
from typing import Final

from sqlalchemy import Table, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.data.database import Database
from kernel.covers.models import Cover, Generation
from kernel.pictures.models import Picture
from tests.shelf import shelve

NUMBERS: Final = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :copies)"
SQLITE_ID: Final = "printf('%016x%016x', :user_id, n.i)"
POSTGRES_ID: Final = "(lpad(to_hex(CAST(:user_id AS bigint)), 16, '0') || lpad(to_hex(n.i), 16, '0'))::uuid"
TITLE: Final = "CASE n.i % 10 WHEN 0 THEN '{common}' ELSE 'Orchard' END || ' of House ' || n.i"


def fill(url: str, user_id: int, covers: int, *, rare: str, common: str) -> None:
    """Fill an empty gallery: one cover called `rare`, a tenth of the others with `common` in the title."""
    (template,) = shelve(url, user_id, [rare])
    asyncio.run(_fill(url, user_id, template, covers - 1, TITLE.format(common=common)))


async def _fill(url: str, user_id: int, template: int, copies: int, title: str) -> None:
    database = Database(url, pool_size=1)
    new_id = SQLITE_ID if database.sqlite else POSTGRES_ID
    key = f"lower({title})"
    values = {"user_id": user_id, "template": template, "copies": copies}
    try:
        async with database.write() as session:
            await _copy(session, Generation.__table__, values, {"id": new_id, "title": title, "search_key": key})
            last = (await session.execute(select(func.max(Picture.id)))).scalar_one()
            await _copy(session, Picture.__table__, values, {"id": None})
            made_by = {"generation_id": new_id, "picture_id": f"{last} + n.i"}
            await _copy(session, Cover.__table__, values, {"id": None, "title": title, "title_key": key} | made_by)
        if not database.sqlite:
            async with database.write() as session:
                await session.execute(text("ANALYZE"))  # the server does so by itself, a minute later
    finally:
        await database.aclose()


async def _copy(
    session: AsyncSession, table: object, values: Mapping[str, int], changed: Mapping[str, str | None]
) -> None:
    """Copy the row of the template cover; a column changed to None keeps its default."""
    assert isinstance(table, Table)
    columns = [name for name in table.columns.keys() if changed.get(name, "") is not None]  # noqa: SIM118
    chosen = ", ".join(changed.get(name) or f"{table.name}.{name}" for name in columns)
    joined = {
        "generation": "cover JOIN generation ON generation.id = cover.generation_id",
        "picture": "cover JOIN picture ON picture.id = cover.picture_id",
        "cover": "cover",
    }[table.name]
    await session.execute(
        text(
            f"INSERT INTO {table.name} ({', '.join(columns)}) {NUMBERS} "
            f"SELECT {chosen} FROM n CROSS JOIN {joined} WHERE cover.id = :template ORDER BY n.i"
        ),
        dict(values),
    )
