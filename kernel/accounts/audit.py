"""The audit trail: who did what, from where, and how it ended. Names of changed fields, never their values."""

from collections.abc import Sequence
from typing import Any, Final

from litestar.connection import ASGIConnection
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import Audit

MAX_OBJECT: Final = 200


def ip_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the client's address, as a trusted proxy told it; empty on a unix socket."""
    return connection.client.host[:64] if connection.client else ""


def audit(
    session: AsyncSession,
    action: str,
    *,
    actor_id: int | None = None,
    ip: str = "",
    object: str = "",
    outcome: str = "ok",
    keys: Sequence[str] = (),
) -> None:
    """Add a row in the caller's transaction, so that it is kept exactly when the deed is.

    `action` is dotted (`user.sign_in`), `object` is kind and id (`user:7`), `keys` name the fields that changed.
    """
    about = object[:MAX_OBJECT]
    session.add(Audit(action=action, actor_id=actor_id, ip=ip, object=about, outcome=outcome, keys=sorted(keys)))
