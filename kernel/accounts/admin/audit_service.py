"""Reading the audit trail."""

from sqlalchemy import select

from kernel.accounts.models import User
from kernel.accounts.schemas import AuditOut
from kernel.core.audit import Audit
from kernel.core.data.database import Database
from kernel.core.web.paging import cursor_id, decode_cursor, encode_cursor


class AuditService:
    """The audit trail as administrators read it. There is nothing that changes or deletes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(
        self, *, action: str | None, actor_id: int | None, cursor: str | None, limit: int
    ) -> tuple[list[AuditOut], str | None]:
        """Return one page, latest first, and the cursor of the next. Raises InvalidFields for a foreign cursor."""
        query = (
            select(Audit, User.email)
            .join(User, User.id == Audit.actor_id, isouter=True)
            .order_by(Audit.id.desc())
            .limit(limit)
        )
        if parts := decode_cursor(cursor, 1):
            query = query.where(Audit.id < cursor_id(parts[0]))
        if action is not None:
            query = query.where(Audit.action == action)
        if actor_id is not None:
            query = query.where(Audit.actor_id == actor_id)
        async with self._database.scan() as connection:
            rows = (await connection.execute(query)).all()
        page = [
            AuditOut(
                id=row.id,
                at=row.at,
                actor_id=row.actor_id,
                actor_email=row.email,
                ip=row.ip,
                action=row.action,
                object=row.object,
                outcome=row.outcome,
                keys=row.keys,
            )
            for row in rows
        ]
        return page, encode_cursor(page[-1].id) if len(page) == limit else None
