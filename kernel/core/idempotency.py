"""The Idempotency-Key: what is asked for again under the same key is done once."""

from typing import Annotated, Final
from uuid import UUID

from litestar.params import HeaderParameter
from sqlalchemy import Select
from sqlalchemy.ext.asyncio import AsyncConnection

from kernel.core.errors import AppError, InvalidFields

IdempotencyKey = Annotated[str | None, HeaderParameter(name="Idempotency-Key")]
MAX_KEY_CHARS: Final = 255


class IdempotencyConflict(AppError):
    """The key was used for another request."""

    status, code = 422, "idempotency_conflict"


def check_key(key: str | None) -> None:
    """Raise InvalidFields for a key that is empty or too long."""
    if key is not None and not 0 < len(key) <= MAX_KEY_CHARS:
        raise InvalidFields({"Idempotency-Key": f"Must be 1 to {MAX_KEY_CHARS} characters long."})


async def made_before(reader: AsyncConnection, query: Select[tuple[UUID, str]], digest: str) -> UUID | None:
    """Return what a key has made already; `query` selects its id and the digest of the request it was made for.

    Raises IdempotencyConflict when that was another request.
    """
    row = (await reader.execute(query)).one_or_none()
    if row is None:
        return None
    made, of = row._tuple()
    if of != digest:
        raise IdempotencyConflict("This Idempotency-Key was used for another request.")
    return made


def replay_headers(replayed: bool) -> dict[str, str]:
    """Return the headers that tell a repeated answer from a first one."""
    return {"idempotent-replayed": "true"} if replayed else {}
