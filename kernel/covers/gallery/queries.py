"""The statements that list covers, one for each combination of filters and order."""

from datetime import datetime
from functools import cache
from typing import Any, Final, Literal, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Integer, Select, bindparam

from kernel.core.web.paging import ForeignCursor, cursor_id, decode_cursor, encode_cursor
from kernel.covers.cover_read import covers_query
from kernel.covers.dimensions import Dimensions
from kernel.covers.models import Cover, Generation
from kernel.covers.schemas import CoverSort

After = Literal["start", "row", "starred", "plain"]
Theme = Literal["any", "one", "none"]
Order = CoverSort | Literal["bin"]
Narrow = Literal["genre", "dimensions", "provider", "since"]

_ORDERS: Final[dict[Order, tuple[Any, ...]]] = {
    "oldest": (Cover.id,),
    "newest": (Cover.id.desc(),),
    "starred": (Cover.starred.desc(), Cover.id.desc()),
    "title": (Cover.title_key, Cover.id),
    "bin": (Cover.deleted_at.desc(), Cover.id.desc()),
}
_NARROW: Final[dict[Narrow, ColumnElement[bool]]] = {
    "genre": Cover.genre == bindparam("genre"),
    "dimensions": Generation.dimensions == bindparam("dimensions"),
    "provider": Generation.provider == bindparam("provider"),
    "since": Cover.created_at >= bindparam("since", type_=Cover.created_at.type),
}
_OF_GENERATION: Final[frozenset[Narrow]] = frozenset({"dimensions", "provider"})


class CoverFilter(msgspec.Struct, frozen=True, kw_only=True):
    """What to list.

    `search` looks into title, author and prompt; `theme` 0 means covers without a theme. `genre`, `dimensions` and
    `provider` are exact; `since` is the earliest time at which the cover was made. With `bin` it is the deleted covers,
    last deleted first, whatever `sort` says.
    """

    search: str = ""
    starred: bool | None = None
    theme: int | None = None
    genre: str | None = None
    dimensions: Dimensions | None = None
    provider: str | None = None
    since: datetime | None = None
    sort: CoverSort = "newest"
    bin: bool = False
    cursor: str | None = None
    limit: int = 100

    @property
    def order(self) -> Order:
        """Return the sort order of the list."""
        return "bin" if self.bin else self.sort

    @property
    def narrowed(self) -> frozenset[Narrow]:
        """Return the filters for which rows are looked at that no index leads to."""
        return frozenset(name for name in _NARROW if getattr(self, name) is not None)


def listing(user_id: int, wanted: CoverFilter) -> tuple[Select[Any], dict[str, object]]:
    """Return the select of a page and one row more, whatever is searched for, and its parameters.

    Raises InvalidFields for a foreign cursor.
    """
    shape, values = _shape(wanted)
    return _statement(shape), values | {"user_id": user_id, "limit": wanted.limit + 1}


def cursor_at(row: Any, order: Order) -> str:
    """Return the cursor that points at a row."""
    match order:
        case "starred":
            return encode_cursor(bool(row.starred), row.id)
        case "title":
            return encode_cursor(row.title_key, row.id)
        case "bin":
            return encode_cursor(row.deleted_at.isoformat(), row.id)
        case _:
            return encode_cursor(row.id)


class _Shape(NamedTuple):
    """What distinguishes one statement from another; everything else is a parameter.

    `theme` is whether covers of any theme are listed, of one, or of none. `narrow` are the further filters. `after` is
    whether there is a cursor, and for the order by stars whether it points at a starred cover.
    """

    order: Order
    starred: bool | None
    theme: Theme
    narrow: frozenset[Narrow]
    after: After


def _shape(wanted: CoverFilter) -> tuple[_Shape, dict[str, object]]:
    """Return the shape of a list and its parameters. Raises InvalidFields for a cursor of another order."""
    values: dict[str, object] = {}
    if wanted.theme:
        values["theme_id"] = wanted.theme
    narrow = wanted.narrowed
    values |= {name: getattr(wanted, name) for name in narrow}
    after: After = "start"
    if parts := decode_cursor(wanted.cursor, 1 if wanted.order in ("newest", "oldest") else 2):
        after = "row"
        values["last"] = cursor_id(parts[-1])
        if wanted.order == "title":
            values["key"] = parts[0]
        if wanted.order == "bin":
            values["moment"] = _moment(parts[0])
        if wanted.order == "starred":
            if parts[0] not in ("True", "False"):
                raise ForeignCursor
            after = "starred" if parts[0] == "True" else "plain"
    theme: Theme = "any" if wanted.theme is None else "one" if wanted.theme else "none"
    return _Shape(wanted.order, wanted.starred, theme, narrow, after), values


@cache  # one entry per shape; compiling a statement costs more than running it
def _statement(shape: _Shape) -> Select[Any]:
    """Return the select of a page, with parameters `user_id`, `limit` and those of the shape."""
    thrown_away = Cover.deleted_at.is_not(None) if shape.order == "bin" else Cover.deleted_at.is_(None)
    query = covers_query().where(Cover.user_id == bindparam("user_id"), thrown_away)
    if shape.starred is not None:
        query = query.where(Cover.starred.is_(shape.starred))
    if shape.theme != "any":
        query = query.where(
            Cover.theme_id == bindparam("theme_id") if shape.theme == "one" else Cover.theme_id.is_(None)
        )
    if shape.narrow & _OF_GENERATION:
        query = query.join(Generation, Generation.id == Cover.generation_id)
    for name in sorted(shape.narrow):
        query = query.where(_NARROW[name])
    query = query.order_by(*_ORDERS[shape.order]).limit(bindparam("limit", type_=Integer))
    return query if shape.after == "start" else query.where(_later(shape))


def _later(shape: _Shape) -> ColumnElement[bool]:
    """Match what follows the cursor; the id breaks ties, so pages neither repeat nor lose a row."""
    last = bindparam("last", type_=Cover.id.type)
    match shape.order:
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
        case "bin":
            moment = bindparam("moment", type_=Cover.deleted_at.type)
            return (Cover.deleted_at < moment) | ((Cover.deleted_at == moment) & (Cover.id < last))


def _moment(text: str) -> datetime:
    """Return the time in a cursor. Raises InvalidFields."""
    try:
        moment = datetime.fromisoformat(text)
        if moment.utcoffset() is None:
            raise ValueError
    except ValueError as error:
        raise ForeignCursor from error
    return moment
