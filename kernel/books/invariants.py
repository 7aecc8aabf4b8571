"""The invariants of books and packs, for `coverwright doctor`: each check returns its violations."""

from typing import Final

from sqlalchemy import Select, func, select

from kernel.accounts.models import User
from kernel.accounts.profile.deletion import is_being_deleted
from kernel.books.editions import forms
from kernel.books.models import BOOK_PICTURES, BookPicture, BookRow, EditionPack, EditionRow
from kernel.core.data.database import ReadConnection
from kernel.core.invariants import Invariants
from kernel.covers.models import Cover
from kernel.pictures.models import EditionPackFile, PictureFile


async def packs_have_files_or_leases(connection: ReadConnection) -> list[str]:
    """Return packs whose file or lease does not match their state."""
    filed, running = EditionPackFile.pack_id.is_not(None), EditionPack.state == "running"
    query = (
        select(EditionPack.id, EditionPack.state)
        .outerjoin(EditionPackFile, EditionPackFile.pack_id == EditionPack.id)
        .where((filed != (EditionPack.state == "completed")) | (EditionPack.lease_until.is_not(None) != running))
    )
    return [f"pack {row.id} is {row.state}" for row in await connection.execute(query)]


async def packs_belong_to_books_of_their_user(connection: ReadConnection) -> list[str]:
    """Return packs of somebody else's book."""
    query = (
        select(EditionPack.id)
        .join(BookRow, BookRow.id == EditionPack.book_id)
        .where(BookRow.user_id != EditionPack.user_id)
    )
    return [f"pack {pack_id}" for pack_id in (await connection.execute(query)).scalars()]


async def covers_of_books_are_their_users(connection: ReadConnection) -> list[str]:
    """Return books with somebody else's cover."""
    query = select(BookRow.id).join(Cover, Cover.id == BookRow.cover_id).where(BookRow.user_id != Cover.user_id)
    return [f"book {book_id}" for book_id in (await connection.execute(query)).scalars()]


async def editions_have_known_forms(connection: ReadConnection) -> list[str]:
    """Return editions of a form that the trade table does not have."""
    query = select(EditionRow.id, EditionRow.name).where(EditionRow.name.not_in(list(forms())))
    return [f"edition {row.id} is {row.name}" for row in await connection.execute(query)]


async def own_pictures_are_of_one_user(connection: ReadConnection) -> list[str]:
    """Return pictures of books without a file, and those that books of two users share."""
    found: list[str] = []
    for table in BOOK_PICTURES:
        query = (
            select(table.picture_id)
            .join(BookRow, BookRow.id == table.book_id)
            .outerjoin(PictureFile, PictureFile.picture_id == table.picture_id)
            .group_by(table.picture_id)
            .having((func.count(PictureFile.form) == 0) | (func.count(BookRow.user_id.distinct()) > 1))
        )
        found += [f"picture {picture_id}" for picture_id in (await connection.execute(query)).scalars()]
    return found


def objects_being_deleted() -> tuple[Select[tuple[str]], ...]:
    """Return the keys of deleted accounts' objects: they are removed before the rows that name them."""
    packs = (
        select(EditionPackFile.object_key)
        .join(EditionPack, EditionPack.id == EditionPackFile.pack_id)
        .join(User, User.id == EditionPack.user_id)
        .where(is_being_deleted())
    )
    return packs, *map(_own_objects_being_deleted, BOOK_PICTURES)


def _own_objects_being_deleted(table: type[BookPicture]) -> Select[tuple[str]]:
    return (
        select(PictureFile.object_key)
        .join(table, table.picture_id == PictureFile.picture_id)
        .join(BookRow, BookRow.id == table.book_id)
        .join(User, User.id == BookRow.user_id)
        .where(is_being_deleted())
    )


INVARIANTS: Final[Invariants] = {
    "every finished edition pack has its file, every running one its lease": packs_have_files_or_leases,
    "every edition pack is of a book of the same user": packs_belong_to_books_of_their_user,
    "every book has a cover of the same user, or none": covers_of_books_are_their_users,
    "every edition has a form of the trade table": editions_have_known_forms,
    "every picture of a book's own has its file, and is of one user's books": own_pictures_are_of_one_user,
}
