"""How the picture of a cover was made: by which model or program, when, from which words."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.data.database import ReadConnection
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

    @property
    def made_at(self) -> datetime:
        """Return when the picture came to be that is shown now."""
        return self.steps[-1].made_at


async def origin_of(reader: ReadConnection | AsyncSession, registry: Registry, cover_id: int) -> Origin:
    """Return how the picture that a cover shows was made; the caller has checked whose it is."""
    return (await origins_of(reader, registry, [cover_id]))[cover_id]


async def painted_beyond(
    reader: ReadConnection | AsyncSession, registry: Registry, origin: Origin, generation_id: UUID
) -> Origin:
    """Return an origin with one more step: the job that painted how the picture goes on."""
    rows = await _generations(reader, [generation_id])
    steps = tuple(_step(row, registry) for row in rows.values())
    return msgspec.structs.replace(origin, steps=(*origin.steps, *steps))


async def origins_of(
    reader: ReadConnection | AsyncSession, registry: Registry, cover_ids: Collection[int]
) -> dict[int, Origin]:
    """Return the same for several covers, in three statements; those that do not exist any more are left out.

    An instance that was removed since counts as a model, for that is the answer that never hides anything.
    """
    query = select(Cover.id, Cover.generation_id, Cover.artwork_id, Cover.picture_id, Cover.version)
    covers = (await reader.execute(query.where(Cover.id.in_(cover_ids)))).all()
    columns = (CoverVersion.cover_id, CoverVersion.artwork_id, CoverVersion.generation_id)
    versions = (
        select(*columns)
        .join(Cover, Cover.id == CoverVersion.cover_id)
        .where(CoverVersion.cover_id.in_(cover_ids), CoverVersion.number <= Cover.version)
        .order_by(CoverVersion.cover_id, CoverVersion.number)
    )
    of_cover: dict[int, list[Any]] = {}
    for row in await reader.execute(versions):
        of_cover.setdefault(row.cover_id, []).append(row)
    made = {cover.id: _made_by(cover, of_cover.get(cover.id, [])) for cover in covers}
    rows = await _generations(reader, {one for ids in made.values() for one in ids})
    return {cover_id: _origin([rows[one] for one in ids if one in rows], registry) for cover_id, ids in made.items()}


def _made_by(cover: Any, versions: Iterable[Any]) -> list[UUID]:
    """Return the generations that led to the picture shown, oldest first."""
    made_by: dict[int | None, list[UUID]] = {}
    before: list[UUID] = [cover.generation_id]
    for row in versions:
        if row.artwork_id not in made_by:  # a refinement changes the picture of the version before it
            made_by[row.artwork_id] = [*before, row.generation_id] if row.generation_id else before
        before = made_by[row.artwork_id]
    return made_by.get(cover.artwork_id or cover.picture_id, before)


async def _generations(reader: ReadConnection | AsyncSession, ids: Collection[UUID]) -> dict[UUID, Any]:
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
    return {row.id: row for row in await reader.execute(select(*columns).where(Generation.id.in_(ids)))}


def _origin(found: Sequence[Any], registry: Registry) -> Origin:
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
