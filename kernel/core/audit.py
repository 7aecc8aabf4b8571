"""The audit trail: who did what, from where, and how it ended.

Of settings, prompts, templates, limits and prices it has the values before and after, of all else only the names of the
fields that changed. Secrets and what people typed are never in it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from litestar.connection import ASGIConnection
from sqlalchemy import JSON, Identity, Index, String
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from kernel.core import clock
from kernel.core.data.database import Base, BigInt
from kernel.core.data.moments import Moment
from kernel.core.data.stored_rows import Values

MAX_OBJECT: Final = 200


class Audit(Base):
    """Who did what. Rows are only ever added; they outlive the account they name, so no foreign key points to it.

    `before` and `after` are what was stored, null where values are not kept.
    `ip` is the only personal data in a row; it is blanked when the account is deleted.
    """

    __tablename__ = "audit"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (Index(None, "actor_id", "id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(BigInt, Identity(), primary_key=True)
    at: Mapped[datetime] = mapped_column(Moment, default=clock.now)
    actor_id: Mapped[int | None] = mapped_column(BigInt, default=None)
    ip: Mapped[str] = mapped_column(String(64), default="")
    action: Mapped[str] = mapped_column(String(64))
    object: Mapped[str] = mapped_column(String(200), default="")
    outcome: Mapped[str] = mapped_column(String(32), default="ok")
    keys: Mapped[list[str]] = mapped_column(JSON, default=list)
    before: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True), default=None)
    after: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True), default=None)


def ip_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the client's address, as a trusted proxy reported it; empty on a unix socket."""
    return connection.client.host[:64] if connection.client else ""


class Actor(msgspec.Struct, frozen=True, kw_only=True):
    """Who acts, and from where."""

    id: int
    ip: str


def audit(
    session: AsyncSession,
    action: str,
    *,
    actor_id: int | None = None,
    ip: str = "",
    object: str = "",
    outcome: str = "ok",
    keys: Sequence[str] = (),
    before: Values | None = None,
    after: Values | None = None,
) -> None:
    """Add a row in the caller's transaction, so that it is stored exactly when the change is.

    `action` is dotted (`user.sign_in`), `object` is kind and id (`user:7`), `keys` name the fields that changed.
    `before` and `after` are what a `History` read around the change; they are kept where they differ.
    """
    about = object[:MAX_OBJECT]
    entry = Audit(action=action, actor_id=actor_id, ip=ip, object=about, outcome=outcome, keys=sorted(keys))
    if before is not None and after is not None and before != after:
        entry.before, entry.after = dict(before), dict(after)
    session.add(entry)
