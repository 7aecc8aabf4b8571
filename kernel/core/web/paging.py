"""Keyset pages: a plain list in the body, the next cursor in the `Link` header."""

import base64
import binascii
from typing import Annotated, Final
from urllib.parse import urlencode
from uuid import UUID

from litestar.params import PathParameter, QueryParameter

from kernel.core.errors import InvalidFields
from kernel.core.schemas import MAX_ID
from kernel.core.web.access import AppRequest

DEFAULT_LIMIT: Final = 100
Limit = Annotated[int, QueryParameter(ge=1, le=DEFAULT_LIMIT)]
Cursor = Annotated[str | None, QueryParameter(max_length=200)]
PathId = Annotated[int, PathParameter(ge=1, le=MAX_ID)]
"""An id in an address; a number beyond the range of ids is absent. `RowId`'s limits do not reach Litestar's paths."""


class ForeignCursor(InvalidFields):
    """A cursor that this site did not make."""

    def __init__(self) -> None:
        super().__init__({"cursor": "This is not a cursor of ours."})


def encode_cursor(*parts: object) -> str:
    """Pack the sort values of the last row."""
    return base64.urlsafe_b64encode("\x1f".join(str(part) for part in parts).encode()).decode().rstrip("=")


def decode_cursor(cursor: str | None, parts: int) -> tuple[str, ...] | None:
    """Unpack a cursor with this number of parts. Raises InvalidFields for one that this site did not make."""
    if cursor is None:
        return None
    try:
        values = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().split("\x1f")
    except (binascii.Error, ValueError) as error:
        raise ForeignCursor from error
    if len(values) != parts:
        raise ForeignCursor
    return tuple(values)


def cursor_id(text: str) -> int:
    """Return the id in a cursor. Raises InvalidFields."""
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= MAX_ID:
        raise ForeignCursor
    return int(text)


def cursor_uuid(text: str) -> UUID:
    """Return the id in a cursor, for ids that are UUIDs. Raises InvalidFields."""
    try:
        return UUID(text)
    except ValueError as error:
        raise ForeignCursor from error


def link_header(request: AppRequest, cursor: str | None) -> dict[str, str]:
    """Return the `Link` header to the next page, or nothing on the last one."""
    if cursor is None:
        return {}
    query = [(name, value) for name, value in request.query_params.multi_items() if name != "cursor"]
    return {"link": f'<{request.url.path}?{urlencode([*query, ("cursor", cursor)])}>; rel="next"'}
