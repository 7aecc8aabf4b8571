"""Unsubscribing: a link that needs no sign-in, never expires and can be undone."""

import base64
import hmac
import re
from typing import Final

import msgspec
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.core import clock
from kernel.core.audit import audit
from kernel.core.data.database import Database, ReadConnection, changed_rows, insert_into
from kernel.core.errors import Absent
from kernel.core.vault import Vault
from kernel.mail.schemas import BulkKind, UnsubscribeOut
from kernel.mail.suppression.models import EmailSuppression
from kernel.mail.suppression.service import is_suppressed

PURPOSE: Final = "unsubscribe"
BY_LINK: Final = "link"
_LETTERS: Final[dict[str, BulkKind]] = {"b": "broadcast", "m": "marketing"}
_TOKEN: Final = re.compile(r"([bm])([1-9][0-9]{0,15})-([A-Za-z0-9_-]{32})")
_SIGNATURE_BYTES: Final = 24


class Subscriber(msgspec.Struct, frozen=True, kw_only=True):
    """The owner of a link; the address is None when the account is deleted."""

    user_id: int
    kind: BulkKind
    email: str | None
    email_norm: str
    marketing: bool


class UnsubscribeService:
    """Makes unsubscribe links and handles their use. Any holder may use a link: it is sent to one mailbox only."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self._database = database
        self._keys = vault.derive_all(PURPOSE)

    def token(self, user_id: int, kind: BulkKind) -> str:
        """Return the token of a user's link; it never expires, as RFC 8058 and the law require."""
        about = f"{kind[0]}{user_id}"
        return f"{about}-{_sign(self._keys[0], about)}"

    async def about(self, token: str) -> UnsubscribeOut:
        """Return whose link it is. Raises Absent for one that this site did not make, and for a deleted account."""
        async with self._database.read() as connection:
            subscriber = await self._subscriber(connection, token)
            if subscriber.email is None:
                raise Absent("This link no longer works.")
            return await _status(connection, subscriber)

    async def unsubscribe(self, token: str) -> UnsubscribeOut:
        """Stop the emails of this kind; repeating it is allowed. Raises Absent for a token that is not ours."""
        return await self._set(token, off=True)

    async def undo(self, token: str) -> UnsubscribeOut:
        """Undo it. What was reported to the email service itself stays. Raises Absent."""
        return await self._set(token, off=False)

    async def _set(self, token: str, *, off: bool) -> UnsubscribeOut:
        async with self._database.write() as session:
            subscriber = await self._subscriber(session, token)
            if subscriber.email is not None and await _change(session, subscriber, off=off):
                action = "user.unsubscribe" if off else "user.resubscribe"
                audit(session, action, object=f"user:{subscriber.user_id}", keys=(subscriber.kind,))
            return await _status(session, await self._subscriber(session, token))

    async def _subscriber(self, reader: ReadConnection | AsyncSession, token: str) -> Subscriber:
        match = _TOKEN.fullmatch(token)
        if match is None or not any(
            hmac.compare_digest(_sign(key, match[1] + match[2]), match[3]) for key in self._keys
        ):
            raise Absent("This link is not valid.")
        user_id, kind = int(match[2]), _LETTERS[match[1]]
        columns = select(User.email, User.email_norm, User.email_marketing)
        row = (await reader.execute(columns.where(User.id == user_id, User.leaving_at.is_(None)))).one_or_none()
        return Subscriber(
            user_id=user_id,
            kind=kind,
            email=row.email if row else None,
            email_norm=row.email_norm if row else "",
            marketing=row is not None and row.email_marketing is not False,
        )


def _sign(key: bytes, about: str) -> str:
    digest = hmac.digest(key, about.encode(), "sha256")
    return base64.urlsafe_b64encode(digest[:_SIGNATURE_BYTES]).decode()


async def _change(session: AsyncSession, subscriber: Subscriber, *, off: bool) -> int:
    """Store the change; return 0 when there is none."""
    if subscriber.kind == "marketing":
        other = (User.id == subscriber.user_id, User.email_marketing.is_distinct_from(not off))
        return await changed_rows(session, update(User).where(*other).values(email_marketing=not off))
    if off:
        values = {"address": subscriber.email_norm, "scope": "bulk", "reason": "unsubscribed", "source": BY_LINK}
        row = insert_into(session, EmailSuppression).values(created_at=clock.now(), **values)
        return await changed_rows(session, row.on_conflict_do_nothing())
    ours = (EmailSuppression.scope == "bulk", EmailSuppression.source == BY_LINK)
    mine = EmailSuppression.address == subscriber.email_norm
    return await changed_rows(session, delete(EmailSuppression).where(mine, *ours))


async def _status(reader: ReadConnection | AsyncSession, subscriber: Subscriber) -> UnsubscribeOut:
    if subscriber.email is None:
        return UnsubscribeOut(email="", kind=subscriber.kind, unsubscribed=True)
    off = not subscriber.marketing if subscriber.kind == "marketing" else False
    suppressed = await is_suppressed(reader, subscriber.email_norm, "bulk")
    return UnsubscribeOut(email=masked(subscriber.email), kind=subscriber.kind, unsubscribed=off or suppressed)


def masked(email: str) -> str:
    """Return an address so that only its owner recognizes it: `a•••@example.org`."""
    local, _, domain = email.rpartition("@")
    return f"{local[:1]}•••@{domain}"
