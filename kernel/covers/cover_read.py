"""Reading covers and generations: narrow selects into Structs."""

from collections.abc import Sequence
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import ColumnElement, Select, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.core import clock
from kernel.core.data.database import ReadConnection
from kernel.core.data.job_pause import is_paused
from kernel.core.data.search_index import SearchIndex
from kernel.core.errors import Absent
from kernel.core.text.casefold_search import fold
from kernel.covers.book_words import word_columns
from kernel.covers.models import PAUSED_PHASE, ArtworkExtension, Cover, CoverVersion, Generation
from kernel.covers.schemas import CoverOut, GenerationStatus, Status
from kernel.pictures.encoding import MEDIA_TYPES
from kernel.pictures.models import Picture
from kernel.pictures.store import HASH_CHARS

STATUS: Final[dict[str, Status]] = {
    "queued": "pending",
    "running": "processing",
    "completed": "completed",
    "failed": "failed",
    "canceled": "canceled",
}
TEXT_KEY_CHARS: Final = 300
COVER_SEARCH: Final = SearchIndex(
    name="cover_search",
    key=Cover.id,
    columns=(Cover.title_key, Cover.author_key, Cover.prompt_key),
    owner=Cover.user_id,
)
GENERATION_SEARCH: Final = SearchIndex(
    name="generation_search",
    key=Generation.id,
    columns=(Generation.search_key,),
    owner=Generation.user_id,
    numbered=True,
)

COVER_COLUMNS: Final = (
    Cover.id,
    *word_columns(Cover),
    Cover.theme_id,
    Cover.starred,
    Cover.created_at,
    Cover.deleted_at,
    Picture.width,
    Picture.height,
    Picture.tint,
    Picture.placeholder,
    Picture.sha256,
    Cover.title_key,
)

_NAMES: Final = tuple(column.key for column in COVER_COLUMNS[:-2])  # what is sent as it is read
_SHA256: Final = len(_NAMES)


def text_key(text: str) -> str:
    """Return what titles and authors are searched and ordered by: without regard to case, in all scripts."""
    return fold(text)[:TEXT_KEY_CHARS]


def search_key(*texts: str) -> str:
    """Return what prompts are searched by, folded like titles, one text a line."""
    return fold("\n".join(texts))


async def pictures_of(reader: ReadConnection | AsyncSession, covers: Sequence[Any]) -> list[int]:
    """Return the pictures that go with covers: those shown, their artworks and how these go on, and what their
    versions keep.
    """
    ids = [row.id for row in covers]
    found = [one for row in covers for one in (row.picture_id, row.artwork_id)]
    for table in (CoverVersion, ArtworkExtension):
        kept = select(table.picture_id, table.artwork_id).where(table.cover_id.in_(ids))
        found += [one for row in await reader.execute(kept) for one in row]
    return list(dict.fromkeys(one for one in found if one is not None))


def covers_query() -> Select[Any]:
    """Return the select that `cover_out` reads."""
    return select(*COVER_COLUMNS).join(Picture, Picture.id == Cover.picture_id)


def image_address(cover_id: int, sha256: str, size: str, *, of: Literal["image", "artwork"] = "image") -> str:
    """Return the address of one form of a cover, or of its artwork."""
    return f"/api/covers/{cover_id}/{of}?size={size}&v={sha256[:HASH_CHARS]}"


def placeholder_address(placeholder: str | None) -> str | None:
    """Return what stands for a picture until it loads as a data URL."""
    return placeholder and f"data:{MEDIA_TYPES['webp']};base64,{placeholder}"


def cover_out(row: Any) -> CoverOut:
    """Turn a row that begins with `COVER_COLUMNS` into its wire form.

    A list has many, so it is done by position and without a call for each address: half of what was spent on a row.
    """
    values: dict[str, Any] = dict(zip(_NAMES, row, strict=False))
    image, version = f"/api/covers/{values['id']}/image?size=", f"&v={row[_SHA256][:HASH_CHARS]}"
    if values["placeholder"]:
        values["placeholder"] = placeholder_address(values["placeholder"])
    return CoverOut(
        image_url=f"{image}original{version}",
        preview_url=f"{image}960{version}",
        thumbnail_url=f"{image}320{version}",
        **values,
    )


def made_cover(genre: str | None) -> ColumnElement[bool]:
    """Match users with a cover in their gallery, of this genre if one is given."""
    theirs = exists().where(Cover.user_id == User.id, Cover.deleted_at.is_(None))
    return (theirs if genre is None else theirs.where(Cover.genre == genre)).correlate(User)


async def covers_of(reader: ReadConnection, user_ids: Sequence[int]) -> dict[int, int]:
    """Return user id → how many covers are in the gallery, of those who have any."""
    shown = Cover.user_id.in_(user_ids) & Cover.deleted_at.is_(None)
    rows = await reader.execute(select(Cover.user_id, func.count()).where(shown).group_by(Cover.user_id))
    return dict(rows.tuples().all())


async def generation_status(reader: ReadConnection, user_id: int, generation_id: UUID) -> GenerationStatus:
    """Return where a generation stands, without its preview. Raises Absent for one that is not there, or not the
    user's.
    """
    query = select(
        Generation.state,
        Generation.phase,
        Generation.progress,
        Generation.vendor_position,
        Generation.created_at,
        Generation.finished_at,
        Generation.run_after,
        Generation.expected_ms,
        Generation.provider,
        Generation.error_message,
        Generation.error_code,
        Generation.batch_id,
        Generation.refined_cover_id,
        is_paused(Generation.job_kind).label("paused"),
    ).where(Generation.id == generation_id, Generation.user_id == user_id)
    row = (await reader.execute(query)).one_or_none()
    if row is None:
        raise Absent("This generation does not exist.")
    cover = position = None
    if row.state == "completed":
        refined = row.refined_cover_id
        which = Cover.generation_id == generation_id if refined is None else Cover.id == refined
        found = await reader.execute(covers_query().where(which))
        cover_row = found.one_or_none()
        cover = cover_out(cover_row) if cover_row else None
    if row.state == "queued":
        ahead = select(func.count()).where(Generation.state == "queued", Generation.run_after < row.run_after)
        position = int((await reader.execute(ahead)).scalar_one()) + 1
    elif row.state == "running" and row.phase == "queued":  # it waits again, at the vendor's
        position = row.vendor_position
    elapsed = (row.finished_at or clock.now()) - row.created_at
    return GenerationStatus(
        id=generation_id,
        batch_id=row.batch_id or generation_id,
        status=STATUS[row.state],
        phase=PAUSED_PHASE if row.state == "queued" and row.paused else row.phase,
        progress=row.progress,
        queue_position=position,
        elapsed_ms=max(0, round(elapsed.total_seconds() * 1000)),
        expected_ms=row.expected_ms,
        provider=row.provider,
        preview=None,
        result=cover,
        error=row.error_message if row.state == "failed" else None,
        error_code=row.error_code if row.state == "failed" else None,
    )
