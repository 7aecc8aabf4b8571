"""The rows of a cover's lettering: one for each time its words were changed."""

from typing import Any, Final

import msgspec
from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from kernel.core import clock
from kernel.covers.models import CoverVersion
from kernel.press.lettering.document import Lettering

MOST_VERSIONS: Final = 50
"""Of one cover; the first is kept, and after it the newest."""


async def add_version(session: AsyncSession, cover_id: int, number: int, lettering: Lettering | None) -> None:
    """Write a version; the oldest but the first goes when there are too many."""
    document = None if lettering is None else msgspec.to_builtins(lettering)
    values = {"cover_id": cover_id, "number": number, "lettering": document, "created_at": clock.now()}
    await session.execute(insert(CoverVersion).values(values))
    old = CoverVersion.number.between(2, number - MOST_VERSIONS + 1)
    await session.execute(delete(CoverVersion).where(CoverVersion.cover_id == cover_id, old))


async def lettering_of(reader: AsyncConnection | AsyncSession, cover_id: int, number: int) -> Lettering | None:
    """Return the lettering of one version; None where the words are part of the picture."""
    query = select(CoverVersion.lettering).where(CoverVersion.cover_id == cover_id, CoverVersion.number == number)
    stored: dict[str, Any] | None = (await reader.execute(query)).scalar_one_or_none()
    return None if stored is None else msgspec.convert(stored, Lettering)
