"""The pictures of a cover, from the first to the last that it was refined to."""

from typing import Any, Final

import msgspec
from sqlalchemy import select

from kernel.core.data.database import Database, ReadConnection
from kernel.core.data.job_table import OPEN_STATES
from kernel.core.errors import Absent
from kernel.covers.book_words import on_cover
from kernel.covers.cover_read import STATUS, cover_out, covers_query, image_address, placeholder_address
from kernel.covers.generation.provider_selection import (
    ImageInstance,
    ImageRequirements,
    capable_instances,
    ready_instances,
)
from kernel.covers.generation.time_estimate import TimeEstimate
from kernel.covers.lettering.versions import is_without_words
from kernel.covers.models import Cover, CoverVersion, Generation
from kernel.covers.refining.schemas import CoverPictures, OpenRefinement, PictureVersion, RefiningOffer, WordsThen
from kernel.pictures.models import Picture
from kernel.pictures.store import HASH_CHARS, FileRef, PictureStore
from kernel.press.lettering.document import CoverWords
from kernel.providers import Registry

_PICTURE: Final = (
    Picture.id,
    Picture.sha256,
    Picture.width,
    Picture.height,
    Picture.tint,
    Picture.placeholder,
    Picture.created_at,
)


class _Line(msgspec.Struct, kw_only=True):
    """The versions with one artwork: what was asked for it, the newest of them, and the picture that shows it."""

    asked: str | None
    artwork_id: int
    number: int
    picture_id: int


class VersionService:
    """Covers of one user at a time; another user's cover does not exist."""

    def __init__(
        self, database: Database, registry: Registry, time_estimate: TimeEstimate, pictures: PictureStore
    ) -> None:
        self._database = database
        self._registry = registry
        self._time_estimate = time_estimate
        self._pictures = pictures

    async def get(self, user_id: int, cover_id: int) -> CoverPictures:
        """Return the pictures of a cover that is not in the bin. Raises Absent."""
        async with self._database.read() as connection:
            row = await _cover(connection, user_id, cover_id)
            lines = await _lines(connection, row)
            ground_id = row.artwork_id or row.picture_id
            wanted = {line.picture_id for line in lines} | {ground_id}
            found = await connection.execute(select(*_PICTURE).where(Picture.id.in_(wanted)))
            pictures = {picture.id: picture for picture in found}
            ground = pictures[ground_id]
            return CoverPictures(
                cover=cover_out(row),
                version=row.version,
                pictures=[_picture(row, line, pictures[line.picture_id]) for line in lines],
                artwork_url=image_address(cover_id, ground.sha256, "960", of="artwork"),
                artwork_width=ground.width,
                artwork_height=ground.height,
                words=await _words_then(connection, row, ground_id),
                running=await _running(connection, user_id, cover_id),
                offer=await self._offer(connection),
            )

    async def image(self, user_id: int, cover_id: int, number: int, form: str) -> FileRef:
        """Find one form of the picture of a version. Raises Absent, also for words whose picture is not kept."""
        async with self._database.read() as connection:
            row = await _cover(connection, user_id, cover_id)
            line = next((line for line in await _lines(connection, row) if line.number == number), None)
            if line is None:
                raise Absent("There is no such version.")
            return await self._pictures.file(connection, line.picture_id, form)

    async def _offer(self, reader: ReadConnection) -> RefiningOffer:
        ready = ready_instances(self._registry)
        capable = capable_instances(ready, ImageRequirements(references=1, edit=True))
        masking = capable_instances(ready, ImageRequirements(references=1, edit=True, mask=True))
        return RefiningOffer(
            service=_label(capable),
            mask_service=_label(masking),
            expected_ms=await self._time_estimate.of_first(reader, capable) if capable else None,
        )


def _label(instances: list[ImageInstance]) -> str | None:
    return instances[0].label if instances else None


async def _cover(reader: ReadConnection, user_id: int, cover_id: int) -> Any:
    """Return a cover that is not in the bin. Raises Absent."""
    query = covers_query().add_columns(Cover.picture_id, Cover.artwork_id, Cover.version)
    mine = (Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
    row = (await reader.execute(query.where(*mine))).one_or_none()
    if row is None:
        raise Absent("This cover does not exist.")
    return row


async def _lines(reader: ReadConnection, cover: Any) -> list[_Line]:
    """Return a line for each artwork of a cover, in the order in which they were made."""
    query = (
        select(CoverVersion.number, CoverVersion.artwork_id, CoverVersion.picture_id, Generation.prompt)
        .outerjoin(Generation, Generation.id == CoverVersion.generation_id)
        .where(CoverVersion.cover_id == cover.id)
        .order_by(CoverVersion.number)
    )
    lines: dict[int, _Line] = {}
    for row in await reader.execute(query):
        line = lines.setdefault(
            row.artwork_id, _Line(asked=row.prompt, artwork_id=row.artwork_id, number=0, picture_id=0)
        )
        line.number, line.picture_id = row.number, row.picture_id or row.artwork_id
    if not lines:
        return [_Line(asked=None, artwork_id=cover.picture_id, number=cover.version, picture_id=cover.picture_id)]
    shown = lines[cover.artwork_id]
    shown.picture_id = cover.picture_id
    return list(lines.values())


def _picture(cover: Any, line: _Line, picture: Any) -> PictureVersion:
    def address(size: str) -> str:
        return f"/api/covers/{cover.id}/versions/{line.number}/image?size={size}&v={picture.sha256[:HASH_CHARS]}"

    return PictureVersion(
        number=line.number,
        asked=line.asked,
        created_at=picture.created_at,
        is_shown=line.picture_id == cover.picture_id,
        preview_url=address("960"),
        thumbnail_url=address("320"),
        width=picture.width,
        height=picture.height,
        tint=picture.tint,
        placeholder=placeholder_address(picture.placeholder),
    )


async def _words_then(reader: ReadConnection, cover: Any, ground_id: int) -> WordsThen:
    query = select(CoverVersion.lettering.is_not(None)).where(
        CoverVersion.cover_id == cover.id, CoverVersion.number == cover.version
    )
    if (await reader.execute(query)).scalar_one_or_none():
        return "kept"
    if await is_without_words(reader, cover.id, ground_id):
        return "anew" if cover.picture_id != ground_id and on_cover(cover) != CoverWords() else "none"
    return "drawn" if on_cover(cover) != CoverWords() else "none"


async def _running(reader: ReadConnection, user_id: int, cover_id: int) -> list[OpenRefinement]:
    query = select(Generation.id, Generation.prompt, Generation.state).where(
        Generation.refined_cover_id == cover_id,
        Generation.extends_side.is_(None),
        Generation.user_id == user_id,
        Generation.state.in_(OPEN_STATES),
    )
    rows = await reader.execute(query.order_by(Generation.id))
    return [OpenRefinement(id=row.id, asked=row.prompt, status=STATUS[row.state]) for row in rows]
