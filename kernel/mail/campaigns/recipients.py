"""Who was to get a campaign and what became of that, as pages and as a file."""

from collections.abc import AsyncIterator
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Select, select

from kernel.core.data.database import Database, ReadConnection
from kernel.core.errors import Absent
from kernel.core.text.csv_file import csv_lines
from kernel.core.web.paging import cursor_id, decode_cursor, encode_cursor
from kernel.mail.models import EmailCampaign, EmailRecipient
from kernel.mail.schemas import RecipientFilter, RecipientOut

BATCH: Final = 500
"""Rows of a file that are read at once."""
REPORTS: Final = ("bounced", "complained")
LISTED: Final = RecipientOut.__struct_fields__


class CampaignRecipients:
    """The ledgers of campaigns, for administrators to read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(
        self, campaign_id: UUID, only: RecipientFilter | None, cursor: str | None, limit: int
    ) -> tuple[list[RecipientOut], str | None]:
        """Return a page of a campaign's ledger, and the cursor of the next. Raises Absent."""
        async with self._database.scan() as connection:
            await _must_exist(connection, campaign_id)
            rows = await _rows(connection, campaign_id, only, cursor, limit + 1)
        return rows[:limit], encode_cursor(rows[limit - 1].id) if len(rows) > limit else None

    async def lines(self, campaign_id: UUID, only: RecipientFilter | None) -> AsyncIterator[str]:
        """Return all of them as lines of CSV. Raises Absent, before the first line."""
        async with self._database.scan() as connection:
            await _must_exist(connection, campaign_id)
        return self._lines(campaign_id, only)

    async def _lines(self, campaign_id: UUID, only: RecipientFilter | None) -> AsyncIterator[str]:
        yield csv_lines([LISTED])
        cursor = None
        while True:
            async with self._database.scan() as connection:
                rows = await _rows(connection, campaign_id, only, cursor, BATCH)
            yield csv_lines([list(msgspec.to_builtins(row).values()) for row in rows])
            if len(rows) < BATCH:
                return
            cursor = encode_cursor(rows[-1].id)


async def _must_exist(connection: ReadConnection, campaign_id: UUID) -> None:
    known = select(EmailCampaign.id).where(EmailCampaign.id == campaign_id)
    if (await connection.execute(known)).first() is None:
        raise Absent("There is no such email.")


async def _rows(
    connection: ReadConnection, campaign_id: UUID, only: RecipientFilter | None, cursor: str | None, limit: int
) -> list[RecipientOut]:
    columns = [
        EmailRecipient.address.label("email") if name == "email" else getattr(EmailRecipient, name) for name in LISTED
    ]
    query: Select[Any] = select(*columns).where(EmailRecipient.campaign_id == campaign_id)
    if only is not None:
        query = query.where((EmailRecipient.reported if only in REPORTS else EmailRecipient.state) == only)
    if (parts := decode_cursor(cursor, 1)) is not None:
        query = query.where(EmailRecipient.id > cursor_id(parts[0]))
    rows = await connection.execute(query.order_by(EmailRecipient.id).limit(limit))
    return [RecipientOut(**row._asdict()) for row in rows]
