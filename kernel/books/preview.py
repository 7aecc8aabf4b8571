"""A whole cover for the screen, drawn by the press as it will be printed."""

import base64
from typing import Final

import msgspec

from kernel.books.book_rows import book_row, editions_of
from kernel.books.editions import first_printed, forms, problems_of
from kernel.books.packs.ordering import PackPictures, edition_order, facts_of, read_front, side_of_back
from kernel.books.press import EditionPress
from kernel.books.schemas import EditionPreview
from kernel.core.data.database import Database
from kernel.core.errors import Absent, InvalidFields
from kernel.core.field_errors import FieldError
from kernel.pictures.ingest import convert
from kernel.pictures.store import PictureStore
from kernel.press.editions import EditionOrder, Picture, ShowSheet

SPINE_SHEET: Final = 1100
"""Pixels of a whole sheet whose spine is looked at on a shelf."""
SPINE_FROM: Final = "960"
"""The form of the artwork that is large enough for it."""


class PreviewService:
    """Printed editions of one user at a time; another user's do not exist."""

    def __init__(self, database: Database, pictures: PictureStore, press: EditionPress) -> None:
        self._database = database
        self._pictures = pictures
        self._press = press

    async def show(self, user_id: int, book_id: int, name: str, *, width: int) -> EditionPreview:
        """Return the whole cover of a printed edition, so many pixels wide, and its guides.

        Raises Absent, InvalidFields while the edition lacks something, Conflict (`book_without_cover`),
        EditionPressBusy and PressRefused.
        """
        order, version = await self._order(user_id, book_id, name, "original")
        shown = await self._press.show(ShowSheet(order=order, width=width))
        jpeg = await convert(shown.png, "jpeg", longest_px=None)
        return EditionPreview(
            version=version,
            picture=f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}",
            guides=shown.guides,
            width=shown.width,
            height=shown.height,
            dpi=shown.dpi,
            spine_type=shown.spine_type,
            spine_missing=shown.spine_missing,
            small=shown.small,
            findings=list(shown.report.findings),
        )

    async def spine(self, user_id: int, book_id: int) -> bytes:
        """Return the spine of a book's first printed edition that can be made, as JPEG.

        Raises Absent where there is none, Conflict (`book_without_cover`), EditionPressBusy and PressRefused.
        """
        async with self._database.read() as connection:
            row = await book_row(connection, user_id, book_id)
            editions = (await editions_of(connection, [book_id]))[book_id]
        settings = first_printed(editions, pages=row.pages, direction=row.direction)
        if settings is None:
            raise Absent("This book has no printed edition yet.")
        order, _ = await self._order(user_id, book_id, settings.name, SPINE_FROM)
        shown = await self._press.show(ShowSheet(order=order, width=SPINE_SHEET, panel="spine"))
        return await convert(shown.png, "jpeg", longest_px=None)

    async def _order(self, user_id: int, book_id: int, name: str, form: str) -> tuple[EditionOrder, int]:
        """Return what the press is asked for an edition, on one form of its artwork, and the book's version."""
        async with self._database.read() as connection:
            row = await book_row(connection, user_id, book_id)
            editions = {one.name: one for one in (await editions_of(connection, [book_id]))[book_id]}
            settings = editions.get(name)
            if settings is None or forms()[name].rules is None:
                raise Absent("There is no such printed edition.")
            if problems_of(settings, pages=row.pages, direction=row.direction):
                raise InvalidFields({"name": FieldError("edition_not_ready", "This edition cannot be made yet.")})
            side = side_of_back(row.direction, [settings])
            front = await read_front(connection, user_id, row.cover_id, painted=side)
            wanted = {
                "artwork": (front.picture_id, form),
                "painted": (front.painted_id, form),
                "mark": (row.mark_id, "original"),
                "back": (row.back_picture_id, "original"),
            }
            files = {
                name: await self._pictures.file(connection, picture_id, size)
                for name, (picture_id, size) in wanted.items()
                if picture_id is not None
            }
        read = {name: Picture(data=await self._pictures.read(ref)) for name, ref in files.items()}
        pictures = msgspec.structs.replace(PackPictures(), **read)
        return edition_order(facts_of(row), front, settings, pictures, made=row.updated_at), row.version
