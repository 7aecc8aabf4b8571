"""The Idempotency-Key: a request that is repeated under the same key is carried out once."""

from typing import Annotated, Final
from uuid import UUID

from litestar.params import HeaderParameter
from sqlalchemy import Select

from kernel.core.data.database import ReadConnection
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


async def made_before(reader: ReadConnection, query: Select[tuple[UUID, str]], digest: str) -> UUID | None:
    """Return what an earlier request with the key made; `query` selects its id and the digest of that request.

    Raises IdempotencyConflict when the requests differ.
    """
    row = (await reader.execute(query)).one_or_none()
    if row is None:
        return None
    made, of = row._tuple()
    if of != digest:
        raise IdempotencyConflict("This Idempotency-Key was used for another request.")
    return made


def replay_headers(replayed: bool) -> dict[str, str]:
    """Return the headers that distinguish a repeated answer from a first one."""
    return {"idempotent-replayed": "true"} if replayed else {}
