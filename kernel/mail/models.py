"""Tables of campaigns: templates, the operator's postal address, drafts, campaigns and the ledger of deliveries."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import JSON, ForeignKey, Index, String, Text, UniqueConstraint, Uuid, text
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from kernel.core import clock
from kernel.core.data.database import Base, BigInt, Row
from kernel.core.data.moments import Moment
from kernel.core.text.languages import FALLBACK


class EmailTemplate(Base):
    """An administrator's replacement for one of the built-in templates."""

    __tablename__ = "email_template"

    template_type: Mapped[str] = mapped_column(String(16), primary_key=True)
    subject: Mapped[str] = mapped_column(String(200))
    reply_to: Mapped[str] = mapped_column(String(254))
    html_body: Mapped[str] = mapped_column(Text)
    message_stream: Mapped[str] = mapped_column(String(16))
    is_active: Mapped[bool] = mapped_column()
    updated_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)


class EmailPostalAddress(Base):
    """The operator's postal address, which every campaign email must contain. One row, id 1."""

    __tablename__ = "email_postal_address"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    lines: Mapped[str] = mapped_column(String(300))


class EmailDraft(Base):
    """A campaign that is being written. It may lack anything, and nothing in it is sanitized.

    `subject` and `html_body`, which is Markdown where `body_format` says so, are in `language`, for everybody who reads
    none of the languages in `versions`; `languages` names them all for lists, which read no bodies. `version` counts up
    with each save. Sending deletes the row: once.
    """

    __tablename__ = "email_draft"

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True)
    created_by: Mapped[int] = mapped_column(BigInt)
    version: Mapped[int] = mapped_column(default=1)
    kind: Mapped[str] = mapped_column(String(16))
    language: Mapped[str] = mapped_column(String(8))
    body_format: Mapped[str] = mapped_column(String(8))
    subject: Mapped[str] = mapped_column(String(200))
    html_body: Mapped[str] = mapped_column(Text)
    versions: Mapped[dict[str, Any]] = mapped_column(JSON)
    languages: Mapped[list[str]] = mapped_column(JSON)
    reply_to: Mapped[str] = mapped_column(String(320))
    segment: Mapped[dict[str, Any]] = mapped_column(JSON)
    send_at: Mapped[datetime | None] = mapped_column(Moment)
    created_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)
    updated_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)


class EmailCampaign(Base):
    """A campaign. Its text never changes; the HTML is sanitized already.

    `subject` and `html_body` are in `language`, for everybody who reads none of the languages in `versions`; `source`
    is the Markdown that the body was written in, empty for HTML.

    `state`: scheduled (until `run_after`; its recipients are chosen then), sending, paused, done, canceled;
    `reason` says why it waits or was paused. `segment` holds the conditions on its recipients, as JSON.
    `batch_limit` is smaller than the service's maximum while a message that it refuses is searched. `tolerated`
    counts the failures up to which an administrator has resumed it.
    """

    __tablename__ = "email_campaign"
    job_kind = "campaign"
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
    language: Mapped[str] = mapped_column(String(8), default=FALLBACK, server_default=FALLBACK)
    source: Mapped[str] = mapped_column(Text, default="", server_default="")
    versions: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict, server_default=text("'{}'"))
    reply_to: Mapped[str] = mapped_column(String(254))
    postal_address: Mapped[str] = mapped_column(String(300))
    segment: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict, server_default=text("'{}'"))
    state: Mapped[str] = mapped_column(String(10))
    reason: Mapped[str | None] = mapped_column(String(64))
    recipients: Mapped[int] = mapped_column()
    batch_limit: Mapped[int | None] = mapped_column()
    tolerated: Mapped[int] = mapped_column(default=0)
    run_after: Mapped[datetime] = mapped_column(Moment)
    created_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)
    finished_at: Mapped[datetime | None] = mapped_column(Moment)


class EmailBatch(Base):
    """Messages that are being handed to a service, or may have reached it. The row is deleted when the result is known.

    A worker holds it until `lease_until`. `looks` counts the lookups afterwards.
    """

    __tablename__ = "email_batch"

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True)
    campaign_id: Mapped[UUID] = mapped_column(ForeignKey("email_campaign.id", ondelete="CASCADE"), index=True)
    instance_id: Mapped[str] = mapped_column(String(64))
    taken_at: Mapped[datetime] = mapped_column(Moment)
    lease_until: Mapped[datetime] = mapped_column(Moment, index=True)
    looks: Mapped[int] = mapped_column(default=0)


class EmailRecipient(Row):
    """One person of a campaign's audience, from its start; nobody is added or removed later.

    `state`: pending, sending (`batch_id` is set), sent, failed, skipped, unknown (it may have been sent). When the
    account is deleted the row stays without user and address, or the ledger would not add up. `reported` is what the
    mailbox said of it afterwards: bounced, complained.
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
    reported: Mapped[str | None] = mapped_column(String(16), default=None)
    reported_at: Mapped[datetime | None] = mapped_column(Moment, default=None)
