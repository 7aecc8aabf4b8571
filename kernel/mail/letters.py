"""Sending the letters that are due: at most once each, as soon as a service takes them.

A letter is claimed, and its link made, in one transaction; then it is handed over. What was certainly not taken waits
for another try; what may have gone out is never repeated, not even after a crash.
"""

import logging
import random
from datetime import timedelta
from typing import Any, Final

import msgspec
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.correspondence import SIGNUP, open_letter
from kernel.core import clock
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.core.faults import faultpoint
from kernel.core.letters import Letter
from kernel.mail.rounds import send_for_ever, send_whole
from kernel.mail.service import Mailer
from kernel.mail.stationery import written
from kernel.mail.templates import TemplateService
from kernel.spi import EmailMessage, SendResult, SendState

log = logging.getLogger(__name__)

BATCH: Final = 20
LEASE: Final = timedelta(minutes=5)
"""Longer than a call may take. A letter that is still being handed over then was left by a worker that died."""

RETRY_BASE_S: Final = 5.0
RETRY_MAX_S: Final = 1800.0

ENDED: Final[frozenset[SendState]] = frozenset({"sent", "queued", "invalid", "rejected", "unknown"})
"""What is not tried again; `failed` is: the service did not take the letter this time."""


class Claimed(msgspec.Struct, frozen=True, kw_only=True):
    """A letter in hand: the rendered message, and the tries so far."""

    id: int
    kind: str
    attempts: int
    message: EmailMessage


class LetterRoom:
    """Sends letters; runs in every worker."""

    def __init__(self, config: Config, database: Database, mailer: Mailer, templates: TemplateService) -> None:
        self._config = config
        self._database = database
        self._mailer = mailer
        self._templates = templates

    async def run(self) -> None:
        """Send what is due until cancelled; one failure does not end the loop."""
        await send_for_ever("letters", self.send_due)

    async def send_due(self) -> bool:
        """Send the letters that are due, one after the other; say whether there may be more."""
        now = clock.now()
        query = (
            select(Letter.id, Letter.lease_until).where(Letter.run_after <= now).order_by(Letter.run_after, Letter.id)
        )
        async with self._database.read() as connection:
            due = (await connection.execute(query.limit(BATCH))).all()
        for row in due:
            if row.lease_until is None:
                await send_whole(self._send(row.id))
            elif row.lease_until <= now:
                log.warning("letter %d may not have gone out; it is not sent again", row.id)
                await self._drop(row.id)
        return len(due) == BATCH and any(row.lease_until is None for row in due)

    async def _send(self, letter_id: int) -> None:
        claimed = await self._claim(letter_id)
        if claimed is None:
            return
        faultpoint("letter_claimed")
        await self._after(claimed, await self._mailer.send(claimed.message))

    async def _claim(self, letter_id: int) -> Claimed | None:
        """Take a letter and make its message; None when another worker has it, or there is nothing to send."""
        now = clock.now()
        async with self._database.write() as session:
            # what is in somebody's hands does not come up again before they can be presumed dead
            mine = update(Letter).where(Letter.id == letter_id, Letter.lease_until.is_(None))
            claim = mine.values(lease_until=now + LEASE, run_after=now + LEASE, attempts=Letter.attempts + 1)
            row = (
                await session.execute(
                    claim.returning(
                        Letter.kind,
                        Letter.user_id,
                        Letter.address,
                        Letter.language,
                        Letter.attempts,
                        Letter.give_up_at,
                    )
                )
            ).one_or_none()
            if row is None:
                return None
            message = await self._message(session, row) if row.give_up_at > now else None
            if message is None:
                await session.execute(delete(Letter).where(Letter.id == letter_id))
                return None
        return Claimed(id=letter_id, kind=row.kind, attempts=row.attempts, message=message)

    async def _message(self, session: AsyncSession, row: Any) -> EmailMessage | None:
        """Make the message of a letter; None when there is nothing to say any more."""
        if row.kind == SIGNUP:
            return await self._templates.welcome(session, row.user_id, row.address)
        due = await open_letter(session, row.kind, user_id=row.user_id, address=row.address, language=row.language)
        if due is None:
            return None
        return written(due, to=row.address, name=self._config.site.name, url=self._config.public_url)

    async def _after(self, claimed: Claimed, result: SendResult) -> None:
        """Put a letter back that was not taken; otherwise it is done with."""
        if result.state not in ("sent", "queued"):
            log.warning("letter %d (%s) %s: %s", claimed.id, claimed.kind, result.state, result.code or "")
        if result.state in ENDED:
            await self._drop(claimed.id)
            return
        wait = min(RETRY_MAX_S, RETRY_BASE_S * 2 ** min(claimed.attempts, 10)) * random.uniform(0.5, 1)
        later = {"lease_until": None, "run_after": clock.now() + timedelta(seconds=wait)}
        async with self._database.write() as session:
            await session.execute(update(Letter).where(Letter.id == claimed.id).values(**later))

    async def _drop(self, letter_id: int) -> None:
        async with self._database.write() as session:
            await session.execute(delete(Letter).where(Letter.id == letter_id))
