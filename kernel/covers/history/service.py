"""The prompt history: requests and their results, how a cover was made, and repeating a request."""

from typing import Any, Final
from uuid import UUID

from sqlalchemy import Select, or_, select

from kernel.core.data.database import Database, ReadConnection
from kernel.core.data.search_index import search_condition
from kernel.core.errors import Absent, AppError
from kernel.covers.book_words import word_columns, words_of
from kernel.covers.cover_read import COVER_COLUMNS, GENERATION_SEARCH, STATUS, cover_out, search_key
from kernel.covers.dimensions import DPI
from kernel.covers.elements import elements_in, elements_out
from kernel.covers.generation.provider_selection import ImageRequirements, choice_faults
from kernel.covers.models import Cover, Generation
from kernel.covers.schemas import (
    CoverDetails,
    GenerateCoverIn,
    GenerateWithReferencesIn,
    GenerationOut,
    RetryIn,
)
from kernel.pictures.models import Picture
from kernel.press.lettering.styles import is_style
from kernel.providers import Registry
from kernel.themes.models import Theme

_DECIMALS: Final = 4
"""Decimals of a custom size in inches: enough to get the same pixels again."""
_LINE: Final = (
    Generation.id,
    Generation.batch_id,
    Generation.state,
    Generation.prompt,
    *word_columns(Generation),
    Generation.dimensions,
    Generation.width,
    Generation.height,
    Generation.theme_id,
    Theme.name.label("theme_name"),
    Generation.lettering_style,
    Generation.elements,
    Generation.reference_count,
    Generation.refined_cover_id,
    Generation.provider,
    Generation.model,
    Generation.seed,
    Generation.created_at,
    Generation.finished_at,
    Generation.error_message,
    Generation.error_code,
)


class ReferencesGone(AppError):
    """The reference pictures of a cover are not stored any more."""

    status, code = 422, "references_gone"


class HistoryService:
    """The generations of one user; another user's generation or cover does not exist."""

    def __init__(self, database: Database, registry: Registry) -> None:
        self._database = database
        self._registry = registry

    async def page(
        self, user_id: int, *, search: str, cursor: UUID | None, limit: int
    ) -> tuple[list[GenerationOut], UUID | None]:
        """Return one page, newest first, and the id that the next page goes on from."""
        async with self._database.scan() if search else self._database.read() as connection:
            return await _page(connection, user_id, search=search, cursor=cursor, limit=limit)

    async def details(self, user_id: int, cover_id: int) -> CoverDetails:
        """Return how a cover that is not in the bin was made. Raises Absent."""
        async with self._database.read() as connection:
            return await _details(connection, user_id, cover_id)

    async def again(self, user_id: int, generation_id: UUID, wanted: RetryIn) -> GenerateCoverIn:
        """Return the request that asks for the same once more. Raises Absent and ReferencesGone."""
        async with self._database.read() as connection:
            return await _again(connection, self._registry, user_id, generation_id, wanted)


async def _page(
    reader: ReadConnection, user_id: int, *, search: str, cursor: UUID | None, limit: int
) -> tuple[list[GenerationOut], UUID | None]:
    """Return one page of a user's generations, newest first, and the id from which the next page continues."""
    query = _history().where(Generation.user_id == user_id)
    if search:
        query = query.where(await search_condition(reader, GENERATION_SEARCH, search_key(search), owner=user_id))
    if cursor is not None:
        query = query.where(Generation.id < cursor)
    rows = (await reader.execute(query.order_by(Generation.id.desc()).limit(limit + 1))).all()
    shown = [_line(row) for row in rows[:limit]]
    return shown, shown[-1].id if len(rows) > limit else None


async def _details(reader: ReadConnection, user_id: int, cover_id: int) -> CoverDetails:
    """Return how a cover that is not in the bin was made. Raises Absent."""
    made = (
        *_LINE,
        Generation.composed_prompt,
        Generation.made_elements,
        Picture.native_width,
        Picture.native_height,
    )
    query = (
        select(*COVER_COLUMNS, *(column.label(f"made_{column.key}") for column in made))
        .join(Picture, Picture.id == Cover.picture_id)
        .join(Generation, Generation.id == Cover.generation_id)
        .outerjoin(Theme, Theme.id == Generation.theme_id)
        .where(Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
    )
    row = (await reader.execute(query)).one_or_none()
    if row is None:
        raise Absent("This cover does not exist.")
    width, height = _inches(row.made_dimensions, row.made_width, row.made_height)
    return CoverDetails(
        cover=cover_out(row),
        generation_id=row.made_id,
        batch_id=row.made_batch_id or row.made_id,
        prompt=row.made_prompt,
        composed_prompt=row.made_composed_prompt,
        provider=row.made_provider,
        model=row.made_model,
        seed=row.made_seed,
        dimensions=row.made_dimensions,
        custom_width=width,
        custom_height=height,
        width=row.made_width,
        height=row.made_height,
        native_width=row.made_native_width,
        native_height=row.made_native_height,
        theme_name=row.made_theme_name,
        lettering_style=row.made_lettering_style,
        elements=elements_out(row.made_elements),
        made_elements=elements_out(row.made_made_elements),
        reference_count=row.made_reference_count,
        duration_ms=max(0, round((row.made_finished_at - row.made_created_at).total_seconds() * 1000)),
        created_at=row.made_created_at,
    )


async def _again(
    reader: ReadConnection, registry: Registry, user_id: int, generation_id: UUID, wanted: RetryIn
) -> GenerateCoverIn:
    """Return a request that repeats the generation, with an instance that is still offered.

    Raises Absent, and ReferencesGone when its references are not all covers in the gallery.
    """
    query = select(
        Generation.prompt,
        *word_columns(Generation),
        Generation.dimensions,
        Generation.width,
        Generation.height,
        Generation.theme_id,
        Generation.seed,
        Generation.style_prompt,
        Generation.reference_count,
        Generation.reference_covers,
        Generation.refined_cover_id,
        Generation.requested_instance,
        Generation.requested_model,
        Generation.lettering,
        Generation.lettering_style,
        Generation.elements,
    ).where(Generation.id == generation_id, Generation.user_id == user_id)
    row = (await reader.execute(query)).one_or_none()
    if row is None:
        raise Absent("This generation does not exist.")
    if row.refined_cover_id is not None:
        raise ReferencesGone("A refinement is not repeated. Please refine its cover again.")
    width, height = _inches(row.dimensions, row.width, row.height)
    requirements = ImageRequirements(
        references=row.reference_count, instance_id=row.requested_instance, model=row.requested_model
    )
    offered = not choice_faults(registry, requirements)
    values: dict[str, Any] = {
        "prompt": row.prompt,
        **words_of(row),
        "dimensions": row.dimensions,
        "custom_width": width,
        "custom_height": height,
        "theme_id": row.theme_id,
        "instance_id": requirements.instance_id if offered else None,
        "model": requirements.model if offered else None,
        "lettering": row.lettering,
        "lettering_style": row.lettering_style if is_style(row.lettering_style or "") else None,
        "elements": elements_in(row.elements),
        "count": wanted.count,
        "seed": row.seed if wanted.keep_seed else None,
    }
    if not row.reference_count:
        return GenerateCoverIn(**values)
    covers = tuple(row.reference_covers or ())
    if len(covers) != row.reference_count or not await _all_exist(reader, user_id, covers):
        raise ReferencesGone("The pictures this cover was made after are not kept. Please choose them again.")
    return GenerateWithReferencesIn(**values, reference_image_ids=covers, theme_style_prompt=row.style_prompt or "")


async def _all_exist(reader: ReadConnection, user_id: int, cover_ids: tuple[int, ...]) -> bool:
    mine = select(Cover.id).where(Cover.id.in_(cover_ids), Cover.user_id == user_id, Cover.deleted_at.is_(None))
    return set((await reader.execute(mine)).scalars()) == set(cover_ids)


def _history() -> Select[Any]:
    """Return the select that `_line` reads. Covers in the bin are left out, with their pictures."""
    return (
        select(*COVER_COLUMNS, *(column.label(f"made_{column.key}") for column in _LINE))
        .select_from(Generation)
        .outerjoin(Theme, Theme.id == Generation.theme_id)
        .outerjoin(
            Cover,
            or_(Cover.generation_id == Generation.id, Cover.id == Generation.refined_cover_id)
            & Cover.deleted_at.is_(None),
        )
        .outerjoin(Picture, Picture.id == Cover.picture_id)
    )


def _line(row: Any) -> GenerationOut:
    width, height = _inches(row.made_dimensions, row.made_width, row.made_height)
    failed = row.made_state == "failed"
    return GenerationOut(
        id=row.made_id,
        batch_id=row.made_batch_id or row.made_id,
        status=STATUS[row.made_state],
        prompt=row.made_prompt,
        **words_of(row, prefix="made_"),
        dimensions=row.made_dimensions,
        custom_width=width,
        custom_height=height,
        theme_id=row.made_theme_id,
        theme_name=row.made_theme_name,
        lettering_style=row.made_lettering_style,
        elements=elements_out(row.made_elements),
        reference_count=row.made_reference_count,
        refined_cover_id=row.made_refined_cover_id,
        provider=row.made_provider,
        model=row.made_model,
        seed=row.made_seed,
        created_at=row.made_created_at,
        finished_at=row.made_finished_at,
        error=row.made_error_message if failed else None,
        error_code=row.made_error_code if failed else None,
        cover=cover_out(row) if row.id is not None else None,
    )


def _inches(dimensions: str, width: int, height: int) -> tuple[float | None, float | None]:
    """Return the custom measures; None for trim sizes that have a name."""
    if dimensions != "custom":
        return None, None
    return round(width / DPI, _DECIMALS), round(height / DPI, _DECIMALS)
