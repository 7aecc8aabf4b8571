"""Rules of a cover's words: reading them, changing them at any time, and going back."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.config import PicturesConfig
from kernel.core.data.database import Database, ReadConnection, changed_rows
from kernel.core.data.ids import new_uuid
from kernel.core.errors import Absent, Conflict, InvalidFields
from kernel.core.field_errors import FieldError, FieldFault
from kernel.core.queue.job_loop import run_to_end
from kernel.covers.book_words import BookWords, on_cover
from kernel.covers.cover_read import image_address, pictures_of, text_key
from kernel.covers.gallery.service import GalleryService
from kernel.covers.lettering.press import LetteringPress
from kernel.covers.lettering.schemas import (
    CoverLettering,
    LetteringChange,
    LetteringVersion,
    SketchIn,
    StylePreview,
    StylePreviewsIn,
    SuggestionIn,
)
from kernel.covers.lettering.versions import (
    StoredVersion,
    add_version,
    drop_version,
    find_version,
    is_without_words,
    keep_shown,
)
from kernel.covers.models import Cover, CoverVersion
from kernel.pictures.ingest import Ingested, ingest
from kernel.pictures.models import Picture
from kernel.pictures.store import FileRef, PictureStore, StoredPicture
from kernel.press.catalogue import PLACES
from kernel.press.lettering.document import MOST_BLOCKS, CoverWords, Lettering
from kernel.press.lettering.orders import Choose, Measures, Preview, Previews, Release, Restyle, Rewrite, Sketch
from kernel.press.lettering.styles import is_style
from kernel.site.prompts import clean
from kernel.spi import Size

LENGTHS: Final = {"title": 100, "author": 100, "subtitle": 200, "tagline": 300}
"""What a cover is named by of what stands on it, and how long that may be."""

MOST_RATIO: Final = 4
"""How much longer one side of a book may be than the other."""

MOVED_ON: Final = "The words of this cover have been changed elsewhere."


Within = Callable[[AsyncSession, int], Awaitable[None]]
"""What else is written in the transaction of a new version, whose number it is given."""


class _Shown(BookWords, frozen=True, kw_only=True):
    """A cover as it is stored now; its artwork is the shown picture where there is none apart."""

    id: int
    picture_id: int
    artwork_id: int | None
    version: int
    width: int
    height: int

    @property
    def ground_id(self) -> int:
        return self.picture_id if self.artwork_id is None else self.artwork_id


class LetteringService:
    """Covers of one user at a time; another user's cover does not exist."""

    def __init__(
        self,
        config: PicturesConfig,
        database: Database,
        gallery: GalleryService,
        pictures: PictureStore,
        press: LetteringPress,
    ) -> None:
        self._config = config
        self._database = database
        self._gallery = gallery
        self._pictures = pictures
        self._press = press

    async def get(self, user_id: int, cover_id: int) -> CoverLettering:
        """Return the words of a cover that is not in the bin. Raises Absent."""
        async with self._database.read() as connection:
            return await self._state(connection, user_id, cover_id)

    async def artwork(self, user_id: int, cover_id: int, form: str) -> FileRef:
        """Find one form of a cover's picture without our words. Raises Absent."""
        async with self._database.read() as connection:
            shown = await _shown(connection, user_id, cover_id)
            return await self._pictures.file(connection, shown.ground_id, form)

    async def save(
        self, user_id: int, cover_id: int, change: LetteringChange, *, within: Within | None = None
    ) -> CoverLettering:
        """Set other words on a cover, as a new version; one that continues a step takes the place of the one before.

        So an editor that saves by itself leaves one version for each step of work. Every save gets the next number all
        the same: it is what tells two tabs apart. What a step is, the editor says; the first version and one that keeps
        a picture of its own never make room. `within` is told the new version in the transaction that writes it.

        Raises Absent, InvalidFields for a face there is not, Conflict when `change.version` is not shown any more,
        PressBusy, PressUnable and what storing raises.
        """
        lettering = change.lettering
        check_lettering(lettering)
        wanted = StoredVersion(lettering=None if lettering is None or lettering.is_plain else lettering)
        return await self._show(
            user_id, cover_id, wanted, version=change.version, continues=change.continues, within=within
        )

    async def _show(
        self,
        user_id: int,
        cover_id: int,
        wanted: StoredVersion,
        *,
        version: int,
        continues: bool = False,
        within: Within | None = None,
    ) -> CoverLettering:
        async with self._database.read() as connection:
            shown = await _shown(connection, user_id, cover_id)
            if shown.version != version:
                raise Conflict(MOVED_ON, code="version_conflict")
            ground_id = wanted.artwork_id or shown.ground_id
            ground = await self._pictures.file(connection, ground_id, "original")
            native = await _native_size(connection, ground_id)
        stored: StoredPicture | None = None
        if wanted.lettering is not None and wanted.picture_id is None:
            composed = await self._composed(shown, ground, wanted.lettering)
            stored = await self._pictures.put(new_uuid(), 0, msgspec.structs.replace(composed, native=native))
        try:
            async with self._database.write() as session:
                gone = await self._replace(session, user_id, shown, stored, wanted)
                if continues:
                    await drop_version(session, cover_id, version)
                if within:
                    await within(session, version + 1)
                state = await self._state(session, user_id, cover_id)
        except BaseException:
            if stored:
                await run_to_end(self._pictures.discard(stored))
            raise
        await self._pictures.erase(gone)
        return state

    async def restore(
        self, user_id: int, cover_id: int, *, version: int, number: int, within: Within | None = None
    ) -> CoverLettering:
        """Show an earlier version again, as a new one. Raises what `save` raises; Absent for a version there is not."""
        async with self._database.read() as connection:
            shown = await _shown(connection, user_id, cover_id)
            earlier = await find_version(connection, cover_id, number)
        if earlier is None:
            if number != shown.version:
                raise Absent("There is no such version.")
            earlier = StoredVersion(lettering=None)  # one that was never changed
        return await self._show(user_id, cover_id, earlier, version=version, within=within)

    async def suggest(self, user_id: int, cover_id: int, wanted: SuggestionIn, *, language: str) -> Lettering:
        """Return a lettering for a cover's artwork, and store nothing. Raises Absent, InvalidFields, PressBusy and
        PressUnable.
        """
        check_lettering(wanted.lettering)
        async with self._database.read() as connection:
            shown = await _shown(connection, user_id, cover_id)
            ground = await self._pictures.file(connection, shown.ground_id, "960")
        picture = await self._pictures.read(ground)
        words = CoverWords(**msgspec.structs.asdict(wanted.words)) if wanted.words else None
        lettering = wanted.lettering
        if lettering is None:
            choice = Choose(
                picture=picture,
                words=words or on_cover(shown),
                genre=shown.genre,
                language=language,
            )
            lettering = await self._press.choose(choice)
        elif words is not None:
            lettering = await self._press.choose(Rewrite(picture=picture, lettering=lettering, words=words))
        if wanted.style is not None:
            _check(wanted.style)
            lettering = await self._press.choose(Restyle(picture=picture, lettering=lettering, style=wanted.style))
        if wanted.freed is not None:
            if wanted.freed.index >= len(lettering.blocks):
                raise InvalidFields({"freed.index": FieldError("not_a_choice", "There is no such block.")})
            order = Release(
                picture=picture, lettering=lettering, index=wanted.freed.index, free=wanted.freed.properties
            )
            lettering = await self._press.choose(order)
        return lettering

    async def measure(self, user_id: int, cover_id: int, lettering: Lettering) -> Measures:
        """Return how well a lettering can be read on a cover's artwork.

        Raises Absent, InvalidFields, PressBusy and PressUnable.
        """
        check_lettering(lettering)
        return await self._press.measure(await self._ground(user_id, cover_id, "960"), lettering)

    async def previews(self, user_id: int, cover_id: int, wanted: StylePreviewsIn) -> list[StylePreview]:
        """Return a lettering in several styles, measured on a cover's artwork.

        Raises Absent, InvalidFields for a style there is not, PressBusy and PressUnable.
        """
        check_lettering(wanted.lettering)
        for style in wanted.styles:
            _check(style, field="styles")
        async with self._database.read() as connection:
            shown = await _shown(connection, user_id, cover_id)
            ground = await self._pictures.file(connection, shown.ground_id, "320")
        order = Previews(
            picture=await self._pictures.read(ground),
            lettering=wanted.lettering,
            styles=wanted.styles,
            width=shown.width,
            height=shown.height,
        )
        return [_preview(one) for one in await self._press.previews(order)]

    async def _ground(self, user_id: int, cover_id: int, form: str) -> bytes:
        """Return one form of a cover's artwork. Raises Absent."""
        return await self._pictures.read(await self.artwork(user_id, cover_id, form))

    async def sketch(self, wanted: SketchIn, *, language: str) -> StylePreview:
        """Return words set before there is a picture. Raises InvalidFields for a style there is not, PressBusy and
        PressUnable.
        """
        if wanted.style is not None:
            _check(wanted.style)
        if not 1 / MOST_RATIO <= wanted.width / wanted.height <= MOST_RATIO:
            raise InvalidFields({"height": FieldError("not_a_choice", "There is no book of these proportions.")})
        order = Sketch(
            ground=wanted.ground,
            words=CoverWords(**{name: clean(text) for name, text in msgspec.structs.asdict(wanted.words).items()}),
            genre=wanted.genre,
            language=language,
            colors=wanted.colors,
            style=wanted.style or "",
            width=wanted.width,
            height=wanted.height,
        )
        return _preview(await self._press.sketch(order))

    async def _composed(self, shown: _Shown, ground: FileRef, lettering: Lettering) -> Ingested:
        artwork = await self._pictures.read(ground)
        png = await self._press.compose(artwork, lettering, width=shown.width, height=shown.height)
        limit = max(len(png), self._config.max_result_bytes)
        return await ingest(png, self._config, limit=limit, fit=Size(shown.width, shown.height))

    async def _replace(
        self,
        session: AsyncSession,
        user_id: int,
        shown: _Shown,
        stored: StoredPicture | None,
        wanted: StoredVersion,
    ) -> list[FileRef]:
        """Write the new version; return the objects that nothing shows any more. Raises Absent and Conflict."""
        ground_id = wanted.artwork_id or shown.ground_id
        before = await pictures_of(session, [shown])
        kept = wanted.picture_id or ground_id
        picture_id = kept if stored is None else await self._pictures.record(session, stored)
        number = shown.version + 1
        values: dict[str, Any] = {"picture_id": picture_id, "artwork_id": ground_id, "version": number}
        values |= _book_words(wanted.lettering)
        mine = (Cover.id == shown.id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
        as_read = (Cover.version == shown.version, Cover.picture_id == shown.picture_id)
        if not await changed_rows(session, update(Cover).where(*mine, *as_read).values(**values)):
            await _shown(session, user_id, shown.id)
            raise Conflict(MOVED_ON, code="version_conflict")
        if shown.artwork_id is None:
            await add_version(session, shown.id, shown.version, None, artwork_id=shown.picture_id)
        if ground_id != shown.ground_id:
            await keep_shown(session, shown.id, shown.version, artwork_id=shown.ground_id, picture_id=shown.picture_id)
        await add_version(
            session, shown.id, number, wanted.lettering, artwork_id=ground_id, picture_id=wanted.picture_id
        )
        now = msgspec.structs.replace(shown, picture_id=picture_id, artwork_id=ground_id)
        unused = set(before) - set(await pictures_of(session, [now]))
        return await self._pictures.forget(session, sorted(unused))

    async def _state(self, reader: ReadConnection | AsyncSession, user_id: int, cover_id: int) -> CoverLettering:
        shown = await _shown(reader, user_id, cover_id)
        cover = await self._gallery.get_in(reader, user_id, cover_id)
        query = select(
            CoverVersion.number,
            CoverVersion.created_at,
            CoverVersion.lettering.is_(None).label("bare"),
        )
        rows = (await reader.execute(query.where(CoverVersion.cover_id == cover_id))).all()
        versions = [
            LetteringVersion(number=row.number, created_at=row.created_at, is_part_of_picture=row.bare) for row in rows
        ] or [LetteringVersion(number=shown.version, created_at=cover.created_at, is_part_of_picture=True)]
        current = await find_version(reader, cover_id, shown.version)
        digest = (await reader.execute(select(Picture.sha256).where(Picture.id == shown.ground_id))).scalar_one()
        return CoverLettering(
            cover=cover,
            version=shown.version,
            lettering=current.lettering if current else None,
            artwork_url=image_address(cover_id, digest, "960", of="artwork"),
            is_artwork_apart=await is_without_words(reader, cover_id, shown.ground_id),
            versions=sorted(versions, key=lambda known: -known.number),
        )


def _preview(preview: Preview) -> StylePreview:
    return StylePreview(**msgspec.structs.asdict(preview) | {"soft": list(preview.soft)})


async def _shown(reader: ReadConnection | AsyncSession, user_id: int, cover_id: int) -> _Shown:
    """Return a cover that is not in the bin. Raises Absent."""
    columns = [getattr(Cover, name) for name in _Shown.__struct_fields__ if name not in ("width", "height")]
    query = select(*columns, Picture.width, Picture.height).join(Picture, Picture.id == Cover.picture_id)
    mine = (Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
    row = (await reader.execute(query.where(*mine))).one_or_none()
    if row is None:
        raise Absent("This cover does not exist.")
    return _Shown(**row._asdict())


async def _native_size(reader: ReadConnection, picture_id: int) -> Size:
    """Return the size in which a picture was made."""
    query = select(Picture.native_width, Picture.native_height).where(Picture.id == picture_id)
    row = (await reader.execute(query)).one()
    return Size(row.native_width, row.native_height)


def check_lettering(lettering: Lettering | None, *, field: str = "lettering") -> None:
    """Raise InvalidFields for too many blocks and for faces that the press does not have."""
    found: dict[str, FieldFault] = {}
    if lettering and len(lettering.blocks) > MOST_BLOCKS:
        words = f"Must be at most {MOST_BLOCKS} long."
        found[f"{field}.blocks"] = FieldError("too_many", words, {"count": MOST_BLOCKS})
    for number, block in enumerate(lettering.blocks if lettering else ()):
        for name, font in (("font", block.font), ("smallFont", block.small_font)):
            if font and font not in PLACES:
                fault = FieldError("not_a_choice", f"{font} is not one of the choices.")
                found[f"{field}.blocks[{number}].{name}"] = fault
    if found:
        raise InvalidFields(found)


def _check(wanted: str, *, field: str = "style") -> None:
    """Raise InvalidFields for a style there is not."""
    if not is_style(wanted):
        raise InvalidFields({field: FieldError("not_a_choice", f"{wanted} is not one of the choices.")})


def _book_words(lettering: Lettering | None) -> dict[str, str]:
    """Return the words as they stand on the cover now; what does not stand there keeps its name."""
    texts: dict[str, str] = {
        block.role: " ".join(clean(block.text).split()) for block in (lettering.blocks if lettering else ())
    }
    values: dict[str, str] = {}
    for role, most in LENGTHS.items():
        if (text := texts.get(role)) and len(text) <= most:
            values[role] = text
    return values | {f"{role}_key": text_key(values[role]) for role in ("title", "author") if role in values}
