"""Galleries of any size at once: rows as a finished job leaves them, without their picture files."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy import delete, insert, select

import kernel.accounts.models  # tables that others refer to
import kernel.themes.models  # noqa: F401
from kernel.core.data.database import Database
from kernel.core.data.ids import new_uuid
from kernel.covers.cover_read import search_key, text_key
from kernel.covers.models import Cover, Generation
from kernel.pictures.models import Picture
from kernel.plans.models import QuotaEntry

BATCH: Final = 2000
PERIOD: Final = "2020-01"
ELSEWHERE: Final = "elsewhere"  # instance that "made" these covers
SHA256: Final = "ab" * 32


def shelve(url: str, user_id: int, titles: Sequence[str], *, starred: Sequence[int] = ()) -> list[int]:
    """Add finished covers to a user's gallery; return their ids in the order of the titles.

    `starred` are indexes into the titles.
    """
    return asyncio.run(_shelve(url, user_id, titles, frozenset(starred)))


def clear(url: str) -> None:
    """Remove all such covers: pictures without files would violate an invariant."""

    async def remove() -> None:
        database = Database(url, pool_size=1)
        made = select(Generation.id).where(Generation.instance_id == ELSEWHERE)
        try:
            async with database.write() as session:
                await session.execute(delete(Cover).where(Cover.generation_id.in_(made)))
                await session.execute(delete(QuotaEntry).where(QuotaEntry.generation_id.in_(made)))
                await session.execute(delete(Generation).where(Generation.instance_id == ELSEWHERE))
                await session.execute(delete(Picture).where(Picture.sha256 == SHA256))
        finally:
            await database.aclose()

    asyncio.run(remove())


def generation_of(url: str, cover_id: int) -> UUID:
    """Return the id of the generation that made a cover."""

    async def find() -> UUID:
        database = Database(url, pool_size=1)
        try:
            async with database.read() as connection:
                query = select(Cover.generation_id).where(Cover.id == cover_id)
                return (await connection.execute(query)).scalar_one()
        finally:
            await database.aclose()

    return asyncio.run(find())


async def _shelve(url: str, user_id: int, titles: Sequence[str], starred: frozenset[int]) -> list[int]:
    database = Database(url, pool_size=1)
    ids: list[int] = []
    try:
        for start in range(0, len(titles), BATCH):
            ids += await _batch(database, user_id, titles[start : start + BATCH], start, starred)
    finally:
        await database.aclose()
    return ids


async def _batch(
    database: Database, user_id: int, titles: Sequence[str], start: int, starred: frozenset[int]
) -> list[int]:
    moment = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(seconds=start)
    jobs = [_job(user_id, title, moment + timedelta(seconds=index)) for index, title in enumerate(titles)]
    async with database.write() as session:
        await session.execute(insert(Generation), jobs)
        entries = [{"generation_id": job["id"], "user_id": user_id, "created_at": moment} for job in jobs]
        values = {"period": PERIOD, "state": "committed", "counted": False, "settled_at": moment}
        await session.execute(insert(QuotaEntry), [entry | values for entry in entries])
        picture = {"sha256": SHA256, "width": 1800, "height": 2700, "native_width": 1800, "native_height": 2700}
        pictures = [picture | {"tint": "#335577", "created_at": moment} for _ in jobs]
        made = await session.execute(insert(Picture).returning(Picture.id, sort_by_parameter_order=True), pictures)
        covers = [
            {
                "user_id": user_id,
                "generation_id": job["id"],
                "picture_id": picture_id,
                "title": job["title"],
                "author": "",
                "genre": "",
                "title_key": text_key(job["title"]),
                "author_key": "",
                "starred": start + index in starred,
                "created_at": job["created_at"],
            }
            for index, (job, picture_id) in enumerate(zip(jobs, made.scalars().all(), strict=True))
        ]
        shelved = await session.execute(insert(Cover).returning(Cover.id, sort_by_parameter_order=True), covers)
        return list(shelved.scalars().all())


def _job(user_id: int, title: str, moment: datetime) -> dict[str, Any]:
    return {
        "id": new_uuid(),
        "user_id": user_id,
        "request_hash": "-",
        "prompt": "-",
        "search_key": search_key("-", title, ""),
        "title": title,
        "author": "",
        "genre": "",
        "dimensions": "6x9",
        "width": 1800,
        "height": 2700,
        "language": "",
        "seed": 1,
        "composed_prompt": "-",
        "state": "completed",
        "attempts": 1,
        "fence": 2,
        "run_after": moment,
        "deadline": moment,
        "phase": "done",
        "created_at": moment,
        "started_at": moment,
        "finished_at": moment,
        "instance_id": ELSEWHERE,
    }
