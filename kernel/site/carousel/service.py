"""Rules of the landing carousel: its covers are public copies, and each picture belongs to exactly one of them."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import Select, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.audit import Actor, audit
from kernel.core.config import PicturesConfig
from kernel.core.data.database import Database, ReadConnection
from kernel.core.data.ids import new_uuid
from kernel.core.errors import Absent, AppError, Conflict, InvalidFields
from kernel.core.field_errors import FieldError, FieldFault
from kernel.pictures.base64_uploads import decoded, refuse, storage_away
from kernel.pictures.ingest import Ingested, ingest
from kernel.pictures.models import Picture
from kernel.pictures.store import HASH_CHARS, FileRef, PictureStore, StoredPicture
from kernel.providers import NoProviderAvailable
from kernel.site.carousel.schemas import (
    MAX_SLIDES,
    THUMBNAIL,
    CarouselItem,
    SlideChange,
    SlideIn,
    SlideOrderIn,
    SlideOut,
)
from kernel.site.models import CarouselCover
from kernel.site.prompts import clean
from kernel.spi import ProviderError

ABSENT: Final = "This cover does not exist."
MAX_ORDER: Final = 1_000_000
LONGEST: Final = {"title": 100, "genre": 50, "description": 500}
REQUIRED: Final = {
    "title": FieldError("no_title", "Title is required"),
    "genre": FieldError("no_genre", "Genre is required"),
}
NO_IMAGE: Final = FieldError("no_image", "Please select an image file")
FOREIGN_IMAGE: Final = FieldError("foreign_image", "Only the picture's own address is allowed here.")
OTHER_COVERS: Final = FieldError("other_covers", "The list does not match the existing covers.")
FULL: Final = f"The carousel holds at most {MAX_SLIDES} covers."
_WIRE: Final = {"is_active": "isActive", "display_order": "displayOrder"}
_COLUMNS: Final = (
    CarouselCover.id,
    CarouselCover.title,
    CarouselCover.genre,
    CarouselCover.description,
    CarouselCover.is_active,
    CarouselCover.display_order,
    CarouselCover.created_at,
    Picture.sha256,
)


class SlideService:
    """Stores the covers of the carousel. Objects are written before the rows that name them, and removed after them."""

    def __init__(self, config: PicturesConfig, database: Database, pictures: PictureStore) -> None:
        self._config = config
        self._database = database
        self._pictures = pictures

    async def shown(self) -> list[CarouselItem]:
        """Return what the landing page shows, in its order."""
        async with self._database.read() as connection:
            rows = (await connection.execute(_slides().where(CarouselCover.is_active))).all()
        return [CarouselItem(**_shown(row)) for row in rows]

    async def all(self) -> list[SlideOut]:
        """Return all covers in their order, inactive ones too."""
        async with self._database.read() as connection:
            return [_out(row) for row in await connection.execute(_slides())]

    async def file(self, slide_id: int, form: str, *, inactive: bool) -> tuple[FileRef, bool]:
        """Find one form of a cover's picture, and return whether it is public. Raises Absent.

        An inactive cover is absent unless `inactive` ones are included.
        """
        query = select(CarouselCover.picture_id, CarouselCover.is_active).where(CarouselCover.id == slide_id)
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
            if row is None or not (row.is_active or inactive):
                raise Absent
            return await self._pictures.file(connection, row.picture_id, form), row.is_active

    async def create(self, wanted: SlideIn, actor: Actor) -> SlideOut:
        """Add a cover.

        Raises InvalidFields, TooLarge and WrongType, for all bad fields at once, Conflict and NoProvider.
        """
        values = _values(wanted)
        others = _faults(values)
        if not wanted.image_data:
            others["imageData"] = NO_IMAGE
        picture = await self._picture(wanted.image_data, others)
        assert picture is not None
        return await self._add(values, picture, actor)

    async def copy(self, original: FileRef, wanted: SlideIn, actor: Actor) -> SlideOut:
        """Add a cover whose picture is a copy of a stored one.

        Raises InvalidFields, Absent, Conflict and NoProvider.
        """
        values = _values(wanted)
        refuse({}, _faults(values))
        try:
            data = await self._pictures.read(original)
        except (ProviderError, NoProviderAvailable) as error:
            raise storage_away() from error
        picture = await ingest(data, self._config, limit=self._config.max_result_bytes)
        return await self._add(values, picture, actor)

    async def change(self, slide_id: int, wanted: SlideChange, actor: Actor) -> SlideOut:
        """Change the given fields.

        Raises InvalidFields, TooLarge and WrongType, for all bad fields at once, Absent and NoProvider.
        """
        values = _values(wanted)
        others = _faults(values)
        if wanted.image_url and wanted.image_url.partition("?")[0] != _path(slide_id):
            others["imageUrl"] = FOREIGN_IMAGE
        async with self._database.read() as connection:
            await _get(connection, slide_id)  # before a picture is processed in vain
        picture = await self._picture(wanted.image_data, others)
        stored = await self._store(picture) if picture else None
        refs: list[FileRef] = []
        try:
            async with self._database.write() as session:
                old = await _lock(session, slide_id)
                keys = [_WIRE.get(name, name) for name in values]
                if stored:
                    values["picture_id"] = await self._pictures.record(session, stored)
                    keys.append("imageData")
                if values:
                    await session.execute(update(CarouselCover).where(CarouselCover.id == slide_id).values(**values))
                    _audit(session, "carousel.change", slide_id, actor, keys)
                if stored:
                    refs = await self._pictures.forget(session, [old])
                changed = await _get(session, slide_id)
        except AppError:  # any other error may have left rows, so the collector decides about the objects
            if stored:
                await self._pictures.discard(stored)
            raise
        await self._pictures.erase(refs)
        return changed

    async def reorder(self, wanted: SlideOrderIn, actor: Actor) -> list[SlideOut]:
        """Put the covers into this order; unnamed ones come last. Raises InvalidFields for unknown ones."""
        async with self._database.write() as session:
            query = select(CarouselCover.id, CarouselCover.display_order).with_for_update()
            before = {row.id: row.display_order for row in await session.execute(_in_order(query))}
            if len(set(wanted.ids)) < len(wanted.ids) or not before.keys() >= set(wanted.ids):
                raise InvalidFields({"ids": OTHER_COVERS})
            order = [*wanted.ids, *(one for one in before if one not in wanted.ids)]
            for place, one in enumerate(order):
                if before[one] != place:
                    change = update(CarouselCover).where(CarouselCover.id == one).values(display_order=place)
                    await session.execute(change)
            audit(session, "carousel.order", actor_id=actor.id, ip=actor.ip, object="carousel", keys=["ids"])
            return [_out(row) for row in await session.execute(_slides())]

    async def remove(self, slide_id: int, actor: Actor) -> None:
        """Delete a cover and its picture. Raises Absent."""
        async with self._database.write() as session:
            picture_id = await _lock(session, slide_id)
            await session.execute(delete(CarouselCover).where(CarouselCover.id == slide_id))
            refs = await self._pictures.forget(session, [picture_id])
            _audit(session, "carousel.delete", slide_id, actor)
        await self._pictures.erase(refs)

    async def _picture(self, image_data: str | None, others: dict[str, FieldFault]) -> Ingested | None:
        """Read an uploaded picture, if there is one. Raises for errors in it and in other fields."""
        picture, faults = None, dict[str, AppError]()
        if image_data:
            limit = self._config.max_upload_bytes
            try:
                data = await asyncio.to_thread(decoded, image_data, limit)
                picture = await ingest(data, self._config, limit=limit)
            except AppError as error:
                faults["imageData"] = error
        refuse(faults, others)
        return picture

    async def _store(self, picture: Ingested) -> StoredPicture:
        try:
            return await self._pictures.put(new_uuid(), 0, picture)
        except (ProviderError, NoProviderAvailable) as error:
            raise storage_away() from error

    async def _add(self, values: Mapping[str, Any], picture: Ingested, actor: Actor) -> SlideOut:
        stored = await self._store(picture)
        try:
            async with self._database.write() as session:
                count = (await session.execute(select(func.count()).select_from(CarouselCover))).scalar_one()
                if count >= MAX_SLIDES:
                    raise Conflict(FULL, code="carousel_full")
                picture_id = await self._pictures.record(session, stored)
                made = insert(CarouselCover).values(picture_id=picture_id, created_at=clock.now(), **values)
                slide_id = (await session.execute(made.returning(CarouselCover.id))).scalar_one()
                _audit(session, "carousel.create", slide_id, actor)
                return await _get(session, slide_id)
        except AppError:
            await self._pictures.discard(stored)
            raise


def _values(wanted: SlideIn | SlideChange) -> dict[str, Any]:
    """Return the given columns, texts cleaned and on one line."""
    given = {name: getattr(wanted, name) for name in ("title", "genre", "description", "is_active", "display_order")}
    return {
        name: " ".join(clean(value).split()) if isinstance(value, str) else value
        for name, value in given.items()
        if value is not msgspec.UNSET
    }


def _faults(values: Mapping[str, Any]) -> dict[str, FieldFault]:
    """Return what is wrong with columns, by their fields in the API."""
    found: dict[str, FieldFault] = {}
    for name, most in LONGEST.items():
        text = values.get(name)
        if text == "" and name in REQUIRED:
            found[name] = REQUIRED[name]
        elif text and len(text) > most:
            found[name] = FieldError("too_long", f"Must be at most {most} long.", {"count": most})
    order = values.get("display_order", 0)
    if order < 0:
        found["displayOrder"] = FieldError("too_small", "Must be at least 0.", {"least": 0})
    elif order > MAX_ORDER:
        found["displayOrder"] = FieldError("too_big", f"Must be at most {MAX_ORDER}.", {"most": MAX_ORDER})
    return found


def _in_order(query: Select[Any]) -> Select[Any]:
    return query.order_by(CarouselCover.display_order, CarouselCover.id)


def _slides() -> Select[Any]:
    """Return the select of all covers that `_out` reads: there are MAX_SLIDES at most."""
    return _in_order(select(*_COLUMNS).join(Picture, Picture.id == CarouselCover.picture_id))


async def _get(reader: ReadConnection | AsyncSession, slide_id: int) -> SlideOut:
    row = (await reader.execute(_slides().where(CarouselCover.id == slide_id))).one_or_none()
    if row is None:
        raise Absent(ABSENT)
    return _out(row)


async def _lock(session: AsyncSession, slide_id: int) -> int:
    """Lock a cover until the transaction ends; return its picture. Raises Absent."""
    query = select(CarouselCover.picture_id).where(CarouselCover.id == slide_id).with_for_update()
    picture_id = (await session.execute(query)).scalar_one_or_none()
    if picture_id is None:
        raise Absent(ABSENT)
    return picture_id


def _audit(session: AsyncSession, action: str, slide_id: int, actor: Actor, keys: list[str] | None = None) -> None:
    audit(session, action, actor_id=actor.id, ip=actor.ip, object=f"carousel:{slide_id}", keys=keys or ())


def _path(slide_id: int) -> str:
    return f"/api/carousel/{slide_id}/image"


def _address(row: Any) -> str:
    return f"{_path(row.id)}?v={row.sha256[:HASH_CHARS]}"


def _shown(row: Any) -> dict[str, Any]:
    """Return the fields of a CarouselItem."""
    address = _address(row)
    return {
        "id": row.id,
        "title": row.title,
        "genre": row.genre,
        "description": row.description,
        "image_url": address,
        "thumbnail_url": f"{address}&size={THUMBNAIL}",
    }


def _out(row: Any) -> SlideOut:
    return SlideOut(
        **_shown(row),
        is_active=row.is_active,
        display_order=row.display_order,
        created_at=row.created_at,
    )
