"""How the picture of a cover was made: by which model or program, when, from which words."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.data.database import Database, ReadConnection
from kernel.core.errors import Absent
from kernel.covers.models import Cover, CoverVersion, Generation
from kernel.providers import IMAGE, Registry


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One picture on the way: the first, or a refinement of the one before. `words` are what was asked for.

    `by_program` says that no trained model made it: a program drew it by fixed rules. `references` is how many pictures
    it was made after, other covers and uploads; a refinement always has one, which does not count.
    """

    provider: str
    model: str
    by_program: bool
    words: str
    references: int
    made_at: datetime


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """The steps to the picture that is shown, oldest first; `letters_by_model` where the words are part of it."""

    steps: tuple[Step, ...]
    letters_by_model: bool

    @property
    def ai_made(self) -> bool:
        """Return whether a trained model made any of it: what shops ask."""
        return not all(step.by_program for step in self.steps)


class OriginService:
    """Covers of one user at a time; another user's cover does not exist."""

    def __init__(self, database: Database, registry: Registry) -> None:
        self._database = database
        self._registry = registry

    async def of(self, user_id: int, cover_id: int) -> Origin:
        """Return how the picture of a cover was made that is not in the bin. Raises Absent."""
        mine = (Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
        async with self._database.read() as connection:
            if (await connection.execute(select(Cover.id).where(*mine))).one_or_none() is None:
                raise Absent("This cover does not exist.")
            return await origin_of(connection, self._registry, cover_id)


async def origin_of(reader: ReadConnection | AsyncSession, registry: Registry, cover_id: int) -> Origin:
    """Return how the picture that a cover shows was made; the caller has checked whose it is.

    An instance that was removed since counts as a model, for that is the answer that never hides anything.
    """
    query = select(Cover.generation_id, Cover.artwork_id, Cover.picture_id, Cover.version).where(Cover.id == cover_id)
    cover = (await reader.execute(query)).one()
    shown_id = cover.artwork_id or cover.picture_id
    versions = (
        select(CoverVersion.number, CoverVersion.artwork_id, CoverVersion.generation_id)
        .where(CoverVersion.cover_id == cover_id, CoverVersion.number <= cover.version)
        .order_by(CoverVersion.number)
    )
    made_by: dict[int | None, list[UUID]] = {}
    before: list[UUID] = [cover.generation_id]
    for row in await reader.execute(versions):
        if row.artwork_id not in made_by:  # a refinement changes the picture of the version before it
            made_by[row.artwork_id] = [*before, row.generation_id] if row.generation_id else before
        before = made_by[row.artwork_id]
    made = made_by.get(shown_id, before)
    columns = (
        Generation.id,
        Generation.instance_id,
        Generation.provider,
        Generation.model,
        Generation.prompt,
        Generation.lettering,
        Generation.reference_count,
        Generation.refined_cover_id,
        Generation.finished_at,
        Generation.created_at,
    )
    rows = {row.id: row for row in await reader.execute(select(*columns).where(Generation.id.in_(made)))}
    found = [rows[one] for one in made if one in rows]
    steps = tuple(_step(row, registry) for row in found)
    last_by_model = bool(found) and found[-1].lettering == "model" and not steps[-1].by_program
    return Origin(steps=steps, letters_by_model=last_by_model)


def _step(row: Any, registry: Registry) -> Step:
    instance = registry.instance(row.instance_id) if row.instance_id else None
    drawn = instance is not None and instance.kind == IMAGE.name and instance.usable
    return Step(
        provider=row.provider or "",
        model=row.model or "",
        by_program=bool(drawn and instance and instance.capabilities.drawn_by_program),
        words=row.prompt,
        references=row.reference_count - (row.refined_cover_id is not None),
        made_at=row.finished_at or row.created_at,
    )
