"""Emails sent to a user, as data that an account owns: included in an export, made anonymous with the account."""

from collections.abc import AsyncIterator

from sqlalchemy import case, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.accounts.owned_data import ExportFile, json_file
from kernel.core.data.database import Database
from kernel.mail.models import EmailCampaign, EmailRecipient
from kernel.mail.suppression.models import EmailSuppression


class MailData:
    """A user's rows in the ledgers. They stay, or a ledger would not add up, but without user and address."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def export(self, user_id: int) -> AsyncIterator[ExportFile]:
        """Yield emails.json: what was sent, and whether the address is suppressed."""
        sent = (
            select(
                EmailCampaign.kind,
                EmailCampaign.subject,
                EmailRecipient.address,
                EmailRecipient.state,
                EmailRecipient.reported,
                EmailRecipient.updated_at,
            )
            .join(EmailCampaign, EmailCampaign.id == EmailRecipient.campaign_id)
            .where(EmailRecipient.user_id == user_id)
            .order_by(EmailRecipient.id)
        )
        kept = (
            select(EmailSuppression.scope, EmailSuppression.reason, EmailSuppression.created_at)
            .join(User, User.email_norm == EmailSuppression.address)
            .where(User.id == user_id)
            .order_by(EmailSuppression.id)
        )
        async with self._database.scan() as connection:
            emails = [row._asdict() for row in await connection.execute(sent)]
            suppressions = [row._asdict() for row in await connection.execute(kept)]
        yield ExportFile(name="emails.json", chunks=json_file({"received": emails, "suppressed": suppressions}))

    async def remove(self, user_id: int) -> None:
        """Blank the rows and send nothing more; one that is being sent is blanked when that has ended."""
        waiting = EmailRecipient.state == "pending"
        values = {
            "user_id": None,
            "address": "",
            "message_id": None,
            "state": case((waiting, "skipped"), else_=EmailRecipient.state),
            "code": case((waiting, "gone"), else_=EmailRecipient.code),
        }
        settled = (EmailRecipient.user_id == user_id, EmailRecipient.state != "sending")
        async with self._database.write() as session:
            await session.execute(update(EmailRecipient).where(*settled).values(**values))

    async def left(self, session: AsyncSession, user_id: int) -> bool:
        """Return whether an email to them is being sent at the moment."""
        rows = select(EmailRecipient.id).where(EmailRecipient.user_id == user_id)
        return (await session.execute(rows.limit(1))).first() is not None
