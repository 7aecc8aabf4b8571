"""Tables of e-mails to many: templates, the operator's address, campaigns and the ledger of who got what."""

from datetime import datetime
from typing import Any
from uuid import UUID

from advanced_alchemy.types import DateTimeUTC
from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, Uuid
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from kernel.core import clock
from kernel.core.database import Base, BigInt, Row

Moment = DateTimeUTC(timezone=True)


class EmailTemplate(Base):
    """What an administrator wrote in place of one of our templates."""

    __tablename__ = "email_template"

    template_type: Mapped[str] = mapped_column(String(16), primary_key=True)
    subject: Mapped[str] = mapped_column(String(200))
    reply_to: Mapped[str] = mapped_column(String(254))
    html_body: Mapped[str] = mapped_column(Text)
    message_stream: Mapped[str] = mapped_column(String(16))
    is_active: Mapped[bool] = mapped_column()
    updated_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)


class EmailPostalAddress(Base):
    """Where the operator receives letters, as every e-mail to many must say. One row, id 1."""

    __tablename__ = "email_postal_address"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    lines: Mapped[str] = mapped_column(String(300))


class EmailCampaign(Base):
    """One e-mail to many. What it says never changes; the HTML is safe already.

    `state`: sending, paused, done, canceled; `reason` says why it waits or was paused. `batch_limit` is smaller than
    what the service takes while the message that it refuses is looked for. `tolerated` counts the failures that an
    administrator has seen and gone on from.
    """

    __tablename__ = "email_campaign"
    __table_args__ = (
        UniqueConstraint("created_by", "idempotency_key", name="uq_email_campaign_key"),
        Index("ix_email_campaign_due", "state", "run_after"),
    )

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True)
    created_by: Mapped[int] = mapped_column(BigInt)
    idempotency_key: Mapped[str | None] = mapped_column(String(255))
    request_hash: Mapped[str] = mapped_column(String(64))
    kind: Mapped[str] = mapped_column(String(16))
    subject: Mapped[str] = mapped_column(String(200))
    html_body: Mapped[str] = mapped_column(Text)
    reply_to: Mapped[str] = mapped_column(String(254))
    postal_address: Mapped[str] = mapped_column(String(300))
    state: Mapped[str] = mapped_column(String(10))
    reason: Mapped[str | None] = mapped_column(String(64))
    recipients: Mapped[int] = mapped_column()
    batch_limit: Mapped[int | None] = mapped_column()
    tolerated: Mapped[int] = mapped_column(default=0)
    run_after: Mapped[datetime] = mapped_column(Moment)
    created_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)
    finished_at: Mapped[datetime | None] = mapped_column(Moment)


class EmailBatch(Base):
    """Messages that are being handed to a service, or may have reached it. The row goes when that is known.

    Whoever works on it holds it until `lease_until`. `looks` counts how often the service was asked afterwards.
    """

    __tablename__ = "email_batch"

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True)
    campaign_id: Mapped[UUID] = mapped_column(ForeignKey("email_campaign.id", ondelete="CASCADE"), index=True)
    instance_id: Mapped[str] = mapped_column(String(64))
    taken_at: Mapped[datetime] = mapped_column(Moment)
    lease_until: Mapped[datetime] = mapped_column(Moment, index=True)
    looks: Mapped[int] = mapped_column(default=0)


class EmailRecipient(Row):
    """One person of a campaign's audience, from its first moment on; nobody is added or removed later.

    `state`: pending, sending (`batch_id` is set), sent, failed, skipped, unknown (it may have gone out). When the
    account is deleted the row stays without user and address, or the ledger would not add up.
    """

    __tablename__ = "email_recipient"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (
            UniqueConstraint("campaign_id", "user_id", name="uq_email_recipient"),
            Index("ix_email_recipient_queue", "campaign_id", "state", "attempts", "id"),
            {"sqlite_autoincrement": True},
        )

    campaign_id: Mapped[UUID] = mapped_column(ForeignKey("email_campaign.id", ondelete="CASCADE"))
    user_id: Mapped[int | None] = mapped_column(BigInt, index=True)
    address: Mapped[str] = mapped_column(String(254))
    state: Mapped[str] = mapped_column(String(10))
    batch_id: Mapped[UUID | None] = mapped_column(Uuid, index=True)
    attempts: Mapped[int] = mapped_column(default=0)
    code: Mapped[str | None] = mapped_column(String(64))
    message_id: Mapped[str | None] = mapped_column(String(200))
    updated_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)
