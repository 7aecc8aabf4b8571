"""In what the spines of a series differ from that of its first volume."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec
from sqlalchemy import select

from kernel.books.book_rows import FACTS, editions_of
from kernel.books.editions import EditionSettings, first_printed
from kernel.books.models import BookRow, PublisherMark
from kernel.books.packs.ordering import OrderedFront, PackPictures, edition_order, facts_of
from kernel.books.press import EditionPress
from kernel.books.shelf.schemas import MOST_COMPARED, DriftingSpine, ShelfDrift, SpineDrift, SpineDriftKind
from kernel.core.data.database import Database, ReadConnection
from kernel.covers.series.volumes import Volume, find_volumes
from kernel.pictures.models import Picture
from kernel.press.editions import EditionOrder, MeasureSpines, SpineMeasure
from kernel.themes.models import ThemeLook
from kernel.themes.service import ThemeService

SAME_HEIGHT: Final = 0.02
"""Inches: less is the tolerance of a knife."""
SAME_PLACE: Final = 1 / 16
"""Inches: what printers allow a spine to be off by, so nearer names look alike on a shelf."""


class _PrintedSpine(msgspec.Struct, frozen=True, kw_only=True):
    """The spine of a book: what it is set from, and what it is made of beside that."""

    book_id: int
    cover_id: int
    order: EditionOrder
    settings: EditionSettings
    mark: str | None
    mark_shape: float | None


class ShelfDriftService:
    """Themes of one user at a time; another user's theme does not exist."""

    def __init__(self, database: Database, themes: ThemeService, press: EditionPress) -> None:
        self._database = database
        self._themes = themes
        self._press = press

    async def compare(self, user_id: int, theme_id: int) -> ShelfDrift:
        """Compare the first spines of a shelf, so many as MOST_COMPARED. Raises Absent and EditionPressBusy."""
        async with self._database.read() as connection:
            await self._themes.get(connection, user_id, theme_id)
            spines = await _spines(connection, user_id, theme_id)
            looked_at = select(ThemeLook.cover_id).where(ThemeLook.theme_id == theme_id)
            look_cover = (await connection.execute(looked_at)).scalar_one_or_none()
        if not spines:
            return ShelfDrift(lead_book_id=None, compared=0, spines=[])
        wanted = MeasureSpines(
            orders=tuple(one.order for one in spines), mark_shapes=tuple(one.mark_shape for one in spines)
        )
        measures = (await self._press.measure(wanted)).spines
        first = next((place for place, one in enumerate(spines) if one.cover_id == look_cover), 0)
        found = [
            DriftingSpine(book_id=spine.book_id, drifts=drifts)
            for spine, measure in zip(spines, measures, strict=True)
            if (drifts := list(_drifts(spines[first], measures[first], spine, measure)))
        ]
        return ShelfDrift(lead_book_id=spines[first].book_id, compared=len(spines), spines=found)


async def _spines(connection: ReadConnection, user_id: int, theme_id: int) -> list[_PrintedSpine]:
    """Return the spines of a theme that can be printed, in the order of the shelf."""
    volumes = await find_volumes(connection, user_id, theme_id)
    query = (
        select(
            BookRow.id,
            BookRow.cover_id,
            *(getattr(BookRow, name) for name in FACTS),
            BookRow.updated_at,
            Picture.sha256.label("mark"),
            Picture.width,
            Picture.height,
        )
        .outerjoin(PublisherMark, PublisherMark.book_id == BookRow.id)
        .outerjoin(Picture, Picture.id == PublisherMark.picture_id)
        .where(BookRow.cover_id.in_([one.cover.id for one in volumes]), BookRow.deleted_at.is_(None))
    )
    books = {row.cover_id: row for row in await connection.execute(query)}
    editions = await editions_of(connection, [row.id for row in books.values()])
    found = []
    for volume in volumes:
        row = books.get(volume.cover.id)
        if row is None:
            continue
        settings = first_printed(editions[row.id], pages=row.pages, direction=row.direction)
        if settings is not None:
            found.append(_spine(volume, row, settings))
    return found[:MOST_COMPARED]


def _spine(volume: Volume, row: Any, settings: EditionSettings) -> _PrintedSpine:
    front = OrderedFront(
        picture_id=volume.ground_id,
        lettering=volume.lettering,
        width=volume.cover.width,
        height=volume.cover.height,
        genre=volume.cover.genre or "",
        colors=(),
    )
    return _PrintedSpine(
        book_id=row.id,
        cover_id=volume.cover.id,
        order=edition_order(facts_of(row), front, settings, PackPictures(), made=row.updated_at),
        settings=settings,
        mark=row.mark,
        mark_shape=row.width / row.height if row.mark else None,
    )


def _drifts(
    lead: _PrintedSpine, model: SpineMeasure, spine: _PrintedSpine, measure: SpineMeasure
) -> Iterator[SpineDrift]:
    """Yield in what a spine differs from the first volume's."""

    def drift(kind: SpineDriftKind, by: float | None = None) -> SpineDrift:
        return SpineDrift(kind=kind, by=None if by is None else round(by, 3))

    if abs(by := measure.height - model.height) > SAME_HEIGHT:
        yield drift("height", by)
    made = (spine.settings.background, spine.settings.color)
    if made != (lead.settings.background, lead.settings.color):
        yield drift("background")
    if model.missing:
        return
    if measure.missing:
        yield drift("bare")
        return
    if measure.reading != model.reading:
        yield drift("reading")
    if measure.title_face != model.title_face:
        yield drift("title_face")
    if measure.author is not None and model.author is not None:
        if measure.author_face != model.author_face:
            yield drift("author_face")
        if measure.reading == model.reading and abs(by := measure.author - model.author) > SAME_PLACE:
            yield drift("author_place", by)
    if measure.mark != model.mark:
        yield drift("extra_mark" if measure.mark else "no_mark")
    elif measure.mark and spine.mark != lead.mark:
        yield drift("mark")
