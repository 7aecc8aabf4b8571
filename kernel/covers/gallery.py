"""Rules of the gallery: listing, changing, the bin, and what is left of a cover in the end."""

import re
import unicodedata
from datetime import timedelta
from typing import Any, Final
from urllib.parse import quote

import msgspec
from sqlalchemy import Select, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from kernel.core import clock
from kernel.core.database import Database, changed_rows
from kernel.core.errors import Absent, InvalidFields
from kernel.core.paging import cursor_id, decode_cursor, encode_cursor
from kernel.covers.models import Cover, Generation
from kernel.covers.schemas import CoverChange, CoverOut, CoverSort
from kernel.covers.views import cover_out, covers_query, fold
from kernel.pictures.store import FileRef, PictureStore
from kernel.site.prompts import clean

PURGE_BATCH: Final = 100


class CoverFilter(msgspec.Struct, frozen=True, kw_only=True):
    """What to list. `search` looks into title and author; `theme` 0 means covers without a theme."""

    search: str = ""
    starred: bool | None = None
    theme: int | None = None
    sort: CoverSort = "newest"
    cursor: str | None = None
    limit: int = 100


class GalleryService:
    """Covers of one user at a time; another user's cover does not exist."""

    def __init__(self, database: Database, pictures: PictureStore) -> None:
        self._database = database
        self._pictures = pictures

    async def page(
        self, reader: AsyncConnection, user_id: int, wanted: CoverFilter
    ) -> tuple[list[CoverOut], str | None]:
        """Return one page and the cursor of the next. Raises InvalidFields for a cursor of another order."""
        shape, values = _shape(wanted)
        limits = {"user_id": user_id, "limit": wanted.limit + 1}
        rows = (await reader.execute(_statement(shape), values | limits)).all()
        shown = rows[: wanted.limit]
        following = _cursor(shown[-1], wanted.sort) if len(rows) > wanted.limit else None
        return [cover_out(row) for row in shown], following

    async def get(self, reader: AsyncConnection | AsyncSession, user_id: int, cover_id: int) -> CoverOut:
        """Return one cover that is not in the bin. Raises Absent."""
        query = covers_query().where(Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
        row = (await reader.execute(query)).one_or_none()
        if row is None:
            raise Absent("This cover does not exist.")
        return cover_out(row)

    async def change(self, session: AsyncSession, user_id: int, cover_id: int, wanted: CoverChange) -> CoverOut:
        """Change title or star. Raises Absent."""
        given = {key: value for key, value in msgspec.structs.asdict(wanted).items() if value is not msgspec.UNSET}
        if "title" in given:
            given["title"] = clean(given["title"])
            given["title_key"] = fold(given["title"])
        if given:
            mine = (Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
            await session.execute(update(Cover).where(*mine).values(**given))
        return await self.get(session, user_id, cover_id)

    async def bin(self, session: AsyncSession, user_id: int, cover_id: int) -> None:
        """Put a cover into the bin. Raises Absent."""
        mine = (Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
        if not await changed_rows(session, update(Cover).where(*mine).values(deleted_at=clock.now())):
            raise Absent("This cover does not exist.")

    async def restore(self, session: AsyncSession, user_id: int, cover_id: int) -> CoverOut:
        """Take a cover out of the bin; one that is not in it stays as it is. Raises Absent."""
        mine = (Cover.id == cover_id, Cover.user_id == user_id)
        await session.execute(update(Cover).where(*mine).values(deleted_at=None))
        return await self.get(session, user_id, cover_id)

    async def file(self, reader: AsyncConnection, user_id: int, cover_id: int, form: str) -> tuple[FileRef, str]:
        """Find one form of a user's cover, in the bin or not, and the cover's title. Raises Absent."""
        query = select(Cover.picture_id, Cover.title).where(Cover.id == cover_id, Cover.user_id == user_id)
        row = (await reader.execute(query)).one_or_none()
        if row is None:
            raise Absent("This cover does not exist.")
        return await self._pictures.file(reader, row.picture_id, form), row.title

    async def purge(self, *, older_than_days: int) -> int:
        """Remove covers that have been in the bin for too long, rows first and then objects; return how many."""
        horizon = clock.now() - timedelta(days=older_than_days)
        async with self._database.write() as session:
            query = select(Cover.id, Cover.picture_id, Cover.generation_id).where(Cover.deleted_at < horizon)
            rows = (await session.execute(query.limit(PURGE_BATCH))).all()
            made_by = Generation.id.in_([row.generation_id for row in rows])
            await session.execute(update(Generation).where(made_by).values(purged_at=clock.now()))
            await session.execute(delete(Cover).where(Cover.id.in_([row.id for row in rows])))
            refs = await self._pictures.forget(session, [row.picture_id for row in rows])
        await self._pictures.erase(refs)
        return len(rows)


def file_name(title: str, extension: str) -> str:
    """Return the specified name of a downloaded cover: the title in lower case, everything else an underscore."""
    plain = unicodedata.normalize("NFC", title).lower()
    stem = "".join(char if char.isalnum() else "_" for char in plain)
    return f"{stem or 'cover'}.{extension}"


def content_disposition(name: str) -> str:
    """Return the header for a download; readers without RFC 5987 get an ASCII name."""
    ascii_name = re.sub(r"[^a-z0-9_.-]", "_", name.lower())
    return f"attachment; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(name, safe='')}"


def _escaped(text: str) -> str:
    return re.sub(r"([\\%_])", r"\\\1", text)


class _Shape(NamedTuple):
    """What distinguishes one statement from another; all else are its parameters.

    `theme` is whether covers of any theme are listed, of one, or of none. `after` is whether there is a cursor, and for
    the order by stars whether it points at a starred cover.
    """

    sort: CoverSort
    search: bool
    starred: bool | None
    theme: Literal["any", "one", "none"]
    after: Literal["start", "row", "starred", "plain"]


def _shape(wanted: CoverFilter) -> tuple[_Shape, dict[str, object]]:
    """Return the shape of a list and its parameters. Raises InvalidFields for a cursor of another order."""
    values: dict[str, object] = {}
    if wanted.search:
        values["pattern"] = f"%{_escaped(fold(wanted.search))}%"
    if wanted.theme:
        values["theme_id"] = wanted.theme
    after: Literal["start", "row", "starred", "plain"] = "start"
    if parts := decode_cursor(wanted.cursor, 1 if wanted.sort in ("newest", "oldest") else 2):
        after = "row"
        values["last"] = cursor_id(parts[-1])
        if wanted.sort == "title":
            values["key"] = parts[0]
        if wanted.sort == "starred":
            if parts[0] not in ("True", "False"):
                raise InvalidFields({"cursor": "This is not a cursor of ours."})
            after = "starred" if parts[0] == "True" else "plain"
    theme: Literal["any", "one", "none"] = "any" if wanted.theme is None else "one" if wanted.theme else "none"
    return _Shape(wanted.sort, bool(wanted.search), wanted.starred, theme, after), values


@cache  # as many as there are shapes; putting a statement together costs more than running it
def _statement(shape: _Shape) -> Select[Any]:
    """Return the select of a page, with parameters `user_id`, `limit` and those of the shape."""
    query = covers_query().where(Cover.user_id == bindparam("user_id"), Cover.deleted_at.is_(None))
    if shape.search:
        keys = (Cover.title_key, Cover.author_key)
        query = query.where(or_(*(key.like(bindparam("pattern"), escape="\\") for key in keys)))
    if shape.starred is not None:
        query = query.where(Cover.starred.is_(shape.starred))
    if shape.theme != "any":
        query = query.where(Cover.theme_id == bindparam("theme_id") if shape.theme == "one" else Cover.theme_id.is_(None))
    query = query.order_by(*_ORDERS[shape.sort]).limit(bindparam("limit", type_=Integer))
    return query if shape.after == "start" else query.where(_later(shape))


_ORDERS: Final[dict[CoverSort, tuple[Any, ...]]] = {
    "oldest": (Cover.id,),
    "newest": (Cover.id.desc(),),
    "starred": (Cover.starred.desc(), Cover.id.desc()),
    "title": (Cover.title_key, Cover.id),
}


def _later(shape: _Shape) -> ColumnElement[bool]:
    """Match what follows the cursor; the id breaks ties, so pages neither repeat nor lose a row."""
    last = bindparam("last", type_=Cover.id.type)
    match shape.sort:
        case "oldest":
            return Cover.id > last
        case "newest":
            return Cover.id < last
        case "starred":
            same_star = Cover.starred.is_(shape.after == "starred") & (Cover.id < last)
            return same_star | Cover.starred.is_(False) if shape.after == "starred" else same_star
        case "title":
            key = bindparam("key", type_=Cover.title_key.type)
            return (Cover.title_key > key) | ((Cover.title_key == key) & (Cover.id > last))


def _cursor(row: Any, sort: CoverSort) -> str:
    match sort:
        case "starred":
            return encode_cursor(bool(row.starred), row.id)
        case "title":
            return encode_cursor(row.title_key, row.id)
        case _:
            return encode_cursor(row.id)
