"""What the files of a book are made of: read once from what is stored, kept with the job, and put to the press."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.books.editions import EditionSettings, case_of, forms, read_trim
from kernel.core.data.database import ReadConnection
from kernel.core.errors import Conflict
from kernel.covers.extensions import Side, find_extension
from kernel.covers.lettering.versions import shown_ground
from kernel.covers.models import Cover
from kernel.covers.provenance.marking import is_composed, mark_of
from kernel.covers.provenance.origin import Origin
from kernel.pictures.marks.xmp import Mark
from kernel.pictures.models import Picture as StoredPicture
from kernel.press.editions import Book, Edition, EditionOrder, FileKind, Front, Ground, Picture, Template, files_of
from kernel.press.lettering.document import Lettering
from kernel.themes.models import Theme

PROOFS: Final[frozenset[FileKind]] = frozenset(("proof", "proof_picture", "ebook"))
"""What there is on a plan without the files for printers."""

OF_THE_PRINTED_BOOK: Final = ("mockups", "layers")
"""Editions that show the first printed one among those of the pack; without one, the press takes a usual book."""


class OrderedFront(msgspec.Struct, frozen=True, kw_only=True):
    """The cover: the picture below the words, the words, and the size in pixels at which they were set.

    `is_composed` says that the cover as it is shown is not the bare picture. `painted_id` is the picture in which that
    below the words goes on over spine and back, as the job `painted_by` made it; None where it was not painted.
    """

    picture_id: int
    lettering: Lettering | None
    width: int
    height: int
    genre: str
    colors: tuple[str, ...]
    is_composed: bool = False
    painted_id: int | None = None
    painted_by: UUID | None = None


class OrderedBook(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of a book that stand on its covers."""

    title: str
    subtitle: str
    authors: str
    tagline: str
    blurb: str
    about_author: str
    series: str
    number: str
    language: str
    direction: str
    publisher: str
    price: str
    pages: int | None
    quote: str = ""


class PackPictures(msgspec.Struct, frozen=True, kw_only=True):
    """Where the press reads the pictures of an order: artwork, how it goes on over spine and back, publisher's mark,
    picture on the back, and artworks of other volumes.
    """

    artwork: Picture = Picture()
    painted: Picture = Picture()
    mark: Picture = Picture()
    back: Picture = Picture()
    volumes: tuple[Picture, ...] = ()


class OrderedPack(msgspec.Struct, frozen=True, kw_only=True):
    """All that a pack is made of. The same order makes the same bytes; `made` is when the book was last changed.

    `proof` says that what is for printers is made as marked proofs. `language` is that of disclosure and report.
    `mark_id` is the publisher's mark, `back_picture_id` the picture on the back, `volumes` are the fronts beside which
    a mock-up shows the book.
    """

    book: OrderedBook
    front: OrderedFront
    editions: tuple[EditionSettings, ...]
    origin: Origin
    proof: bool
    language: str
    made: datetime
    mark_id: int | None = None
    back_picture_id: int | None = None
    volumes: tuple[OrderedFront, ...] = ()

    def order(self, settings: EditionSettings, pictures: PackPictures) -> EditionOrder:
        """Return what the press is asked for one edition."""
        printed = [one for one in self.editions if forms()[one.name].rules is not None]
        shown = printed[0] if printed and forms()[settings.name].kind in OF_THE_PRINTED_BOOK else settings
        order = edition_order(self.book, self.front, shown, pictures, made=self.made)
        edition = msgspec.structs.replace(order.edition, form=forms()[settings.name].kind)
        volumes = tuple(map(_front, self.volumes, pictures.volumes)) if edition.form == "mockups" else ()
        return msgspec.structs.replace(order, edition=edition, volumes=volumes)

    def kinds(self, order: EditionOrder) -> list[FileKind]:
        """Return the files of an edition that the plan gives, what is handed in first."""
        return [file.kind for file in files_of(order) if not self.proof or file.kind in PROOFS]

    def mark(self, kind: FileKind) -> Mark:
        """Return what a picture among the files tells of its origin. The e-book's is the cover as it is shown."""
        return mark_of(self.origin, is_composed=kind != "ebook" or self.front.is_composed)


def facts_of(row: Any) -> OrderedBook:
    """Return the facts in a row of the book's columns."""
    return OrderedBook(**{name: getattr(row, name) for name in OrderedBook.__struct_fields__})


def edition_order(
    book: OrderedBook,
    front: OrderedFront,
    settings: EditionSettings,
    pictures: PackPictures,
    *,
    made: datetime,
) -> EditionOrder:
    """Return what the press is asked for one edition of a book."""
    return EditionOrder(
        book=Book(
            title=book.title,
            subtitle=book.subtitle,
            authors=(book.authors,) if book.authors else (),
            tagline=book.tagline,
            blurb=book.blurb,
            about=book.about_author,
            quote=book.quote,
            series=book.series,
            number=book.number,
            publisher=book.publisher,
            language=book.language,
            right_to_left=book.direction == "rtl",
            mark=pictures.mark,
            picture=pictures.back,
        ),
        front=_front(front, pictures.artwork),
        edition=_edition(book, settings, pictures.painted),
        made=made.strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


def _front(front: OrderedFront, artwork: Picture) -> Front:
    return Front(
        artwork=artwork,
        lettering=front.lettering,
        composed=(front.width, front.height),
        genre=front.genre,
        colors=front.colors,
    )


def _edition(book: OrderedBook, settings: EditionSettings, painted: Picture) -> Edition:
    form = forms()[settings.name]
    treatment = "mirror" if settings.background == "painted" and not painted else settings.background
    ground = Ground(treatment=treatment, color=settings.color or None, painted=painted)
    if form.rules is None:
        return Edition(form=form.kind, isbn=settings.isbn, ground=ground)
    template = None
    if settings.spine is not None:
        template = Template(
            spine=settings.spine,
            width=settings.sheet_width,
            height=settings.sheet_height,
            case=case_of(settings),
        )
    return Edition(
        form=form.kind,
        printer=form.printer,
        trim=read_trim(settings.trim) or (0.0, 0.0),
        pages=book.pages or 0,
        paper=settings.paper,
        template=template,
        isbn=settings.isbn,
        price=book.price,
        ground=ground,
    )


async def read_front(
    reader: ReadConnection | AsyncSession, user_id: int, cover_id: int | None, *, painted: Side | None = None
) -> OrderedFront:
    """Return the cover of a book, with what was `painted` beyond that side of its picture.

    Raises Conflict (`book_without_cover`) when it is in the bin or gone.
    """
    query = (
        select(
            Cover.id,
            Cover.picture_id,
            Cover.artwork_id,
            Cover.version,
            Cover.genre,
            Theme.colors,
            StoredPicture.width,
            StoredPicture.height,
        )
        .join(StoredPicture, StoredPicture.id == Cover.picture_id)
        .outerjoin(Theme, Theme.id == Cover.theme_id)
        .where(Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
    )
    row = None if cover_id is None else (await reader.execute(query)).one_or_none()
    if row is None:
        raise Conflict("The cover of this book is in the bin or gone.", code="book_without_cover")
    ground_id, lettering = await shown_ground(reader, row)
    beside = await find_extension(reader, row.id, ground_id, painted) if painted else None
    return OrderedFront(
        picture_id=ground_id,
        lettering=lettering,
        width=row.width,
        height=row.height,
        genre=row.genre,
        colors=tuple(row.colors or ()),
        is_composed=is_composed(row),
        painted_id=beside.picture_id if beside else None,
        painted_by=beside.generation_id if beside else None,
    )


def side_of_back(direction: str, editions: Iterable[EditionSettings]) -> Side | None:
    """Return beyond which side of the front the back of a book is; None where no edition is to have it painted."""
    if not any(one.background == "painted" and forms()[one.name].rules is not None for one in editions):
        return None
    return "right" if direction == "rtl" else "left"
