"""Rules of campaigns: start or schedule, pause, resume, send the failed ones again, cancel, and report the progress."""

import asyncio
import hashlib
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, Select, case, exists, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.core import clock
from kernel.core.audit import Actor, audit
from kernel.core.config import MailConfig
from kernel.core.data.database import Database, ReadConnection, changed_rows
from kernel.core.data.ids import new_uuid
from kernel.core.errors import Absent, Conflict, InvalidFields
from kernel.core.fault_points import faultpoint
from kernel.core.field_errors import FieldError, FieldFault
from kernel.core.web.idempotency import check_key, made_before
from kernel.core.web.paging import cursor_uuid, decode_cursor, encode_cursor
from kernel.mail.campaigns.audience import AudienceFacts, copy_audience, count_audience, count_languages, segment_faults
from kernel.mail.campaigns.drafts import end_draft
from kernel.mail.campaigns.letter import Letter, letter_faults, written
from kernel.mail.campaigns.outcomes import finish_if_done, keep_canceled, requeue_failed
from kernel.mail.campaigns.progress import CampaignProgress, read_progress
from kernel.mail.models import EmailCampaign, EmailRecipient
from kernel.mail.schemas import (
    AudienceCountOut,
    AudienceOut,
    BulkKind,
    CampaignIn,
    CampaignOut,
    CampaignStep,
    Segment,
)
from kernel.mail.templates.service import TemplateService
from kernel.providers import EMAIL, Registry

REQUIRED: Final = "Please fill in all required fields"
NO_ADDRESS: Final = "Please enter the postal address first: every email to many people must name one."
NO_RECIPIENTS: Final[dict[BulkKind, str]] = {
    "broadcast": "Nobody has a confirmed email address yet",
    "marketing": "No users have opted in to marketing emails",
}
NO_PEOPLE: Final = "Nobody meets these conditions"
PAST: Final = FieldError("past", "This moment is in the past.")
TOO_LATE: Final = FieldError("too_late", "This must be within a year from now.")
LATENCY: Final = timedelta(minutes=1)
"""A moment that has just passed is now: the form was on its way."""
FARTHEST: Final = timedelta(days=366)
EVERYBODY: Final = Segment()
OPEN: Final = ("scheduled", "sending", "paused")
NOT_SO: Final = "This email is not in a state in which that can be done."


class StartedCampaign(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign that was accepted now, or by an earlier request with the same key."""

    campaign: CampaignOut
    replayed: bool


class CampaignService:
    """Campaigns as administrators manage them. Each method is one short transaction."""

    def __init__(
        self,
        config: MailConfig,
        database: Database,
        registry: Registry,
        templates: TemplateService,
        facts: AudienceFacts,
    ) -> None:
        self._config = config
        self._database = database
        self._registry = registry
        self._templates = templates
        self._facts = facts

    async def audience(self) -> AudienceOut:
        """Return how many users would get an email now, and whether one can be sent."""
        async with self._database.scan() as connection:
            address = await self._templates.postal_address(connection)
            able = any(
                instance.state == "ready" and "bulk" in instance.capabilities.streams
                for instance in self._registry.failover_order(EMAIL)
            )
            reason = "postal_address_missing" if not address else None if able else "unavailable"
            return AudienceOut(
                broadcast=await count_audience(connection, "broadcast", EVERYBODY, self._facts),
                marketing=await count_audience(connection, "marketing", EVERYBODY, self._facts),
                postal_address=address,
                can_send=reason is None,
                reason=reason,
            )

    async def count(self, kind: BulkKind, segment: Segment) -> AudienceCountOut:
        """Return how many users of a segment would get an email now. Raises InvalidFields."""
        if found := segment_faults(segment):
            raise InvalidFields(found)
        async with self._database.scan() as connection:
            languages = await count_languages(connection, kind, segment, self._facts)
        return AudienceCountOut(people=sum(languages.values()), languages=languages)

    async def start(self, kind: BulkKind, given: CampaignIn, actor: Actor, *, key: str | None) -> StartedCampaign:
        """Copy the audience into the ledger and start the campaign, or return the one that this key already made.

        One that is to begin later keeps its conditions instead: who meets them is looked up when it begins.

        Raises InvalidFields with all bad fields, IdempotencyConflict, and Conflict (`postal_address_missing`,
        `no_recipients`, `draft_moved_on` and `draft_gone`).
        """
        check_key(key)
        if found := await asyncio.to_thread(self._faults, kind, given):
            empty = not given.subject.strip() or not given.html_body.strip()
            raise InvalidFields(found, REQUIRED if empty else None)
        letter = await asyncio.to_thread(written, given)
        digest = hashlib.sha256(kind.encode() + msgspec.json.encode(given)).hexdigest()
        if known := await self._by_key(actor, key, digest):
            return known
        try:
            async with self._database.write() as session:
                campaign_id = await self._store(session, kind, given, letter, actor, key, digest)
                about = f"campaign:{campaign_id}"
                audit(session, f"email.{kind}", actor_id=actor.id, ip=actor.ip, object=about)
                faultpoint("inside_campaign_start")
                return StartedCampaign(campaign=await self._get(session, campaign_id), replayed=False)
        except (IntegrityError, Conflict):  # the same request was faster, and has ended the draft
            if known := await self._by_key(actor, key, digest):
                return known
            raise

    async def page(self, cursor: str | None, limit: int) -> tuple[list[CampaignOut], str | None]:
        """Return campaigns, newest first, and the cursor of the next page."""
        query = _campaigns().order_by(EmailCampaign.id.desc()).limit(limit + 1)  # ids are in order of time
        if (parts := decode_cursor(cursor, 1)) is not None:
            query = query.where(EmailCampaign.id < cursor_uuid(parts[0]))
        async with self._database.scan() as connection:
            rows = (await connection.execute(query)).all()
            progress = await self._progress(connection, rows[:limit])
        following = encode_cursor(rows[limit - 1].id) if len(rows) > limit else None
        return [progress.out(row) for row in rows[:limit]], following

    async def get(self, campaign_id: UUID) -> CampaignOut:
        """Return one campaign. Raises Absent."""
        async with self._database.scan() as connection:
            return await self._get(connection, campaign_id)

    async def pause(self, campaign_id: UUID, actor: Actor) -> CampaignOut:
        """Stop sending for now; the batch that is being handed over is still sent. Raises Absent and Conflict."""
        return await self._change(campaign_id, "pause", ("sending",), {"state": "paused", "reason": None}, actor)

    async def resume(self, campaign_id: UUID, actor: Actor) -> CampaignOut:
        """Continue where it was paused. Raises Absent and Conflict."""
        failed = (
            select(func.count())
            .where(EmailRecipient.campaign_id == campaign_id, EmailRecipient.state == "failed")
            .scalar_subquery()
        )
        values = {"state": "sending", "reason": None, "run_after": clock.now(), "tolerated": failed}
        return await self._change(campaign_id, "resume", ("paused",), values, actor)

    async def send_now(self, campaign_id: UUID, actor: Actor) -> CampaignOut:
        """Begin one that is scheduled for later. Raises Absent and Conflict."""
        return await self._change(campaign_id, "send_now", ("scheduled",), {"run_after": clock.now()}, actor)

    async def retry(self, campaign_id: UUID, actor: Actor) -> CampaignOut:
        """Send one that has ended to those again for whom it failed. Raises Absent and Conflict."""
        values = {"state": "sending", "reason": None, "run_after": clock.now(), "tolerated": 0, "finished_at": None}
        failed = exists().where(EmailRecipient.campaign_id == campaign_id, EmailRecipient.state == "failed")
        return await self._change(campaign_id, "retry", ("done",), values, actor, only=failed)

    async def cancel(self, campaign_id: UUID, actor: Actor) -> CampaignOut:
        """Stop sending for good; the remaining recipients never get it. Raises Absent and Conflict."""
        values = {"state": "canceled", "reason": None, "finished_at": clock.now()}
        return await self._change(campaign_id, "cancel", OPEN, values, actor)

    async def cancel_in(self, session: AsyncSession, campaign_id: UUID) -> bool:
        """Stop a campaign for good in the caller's transaction; False when it has ended."""
        going = update(EmailCampaign).where(EmailCampaign.id == campaign_id, EmailCampaign.state.in_(OPEN))
        if not await changed_rows(session, going.values(state="canceled", reason=None, finished_at=clock.now())):
            return False
        await keep_canceled(session, campaign_id)
        return True

    async def _change(
        self,
        campaign_id: UUID,
        action: CampaignStep,
        states: tuple[str, ...],
        values: dict[str, Any],
        actor: Actor,
        *,
        only: ColumnElement[bool] | None = None,
    ) -> CampaignOut:
        async with self._database.write() as session:
            mine = [EmailCampaign.id == campaign_id, EmailCampaign.state.in_(states)]
            changing = update(EmailCampaign).where(*mine, *([] if only is None else [only])).values(**values)
            if not await changed_rows(session, changing):
                await self._get(session, campaign_id)
                raise Conflict(NOT_SO, code="wrong_state")
            if action == "cancel":
                await keep_canceled(session, campaign_id)
            elif action == "resume":
                await finish_if_done(session, campaign_id)
            elif action == "retry":
                await requeue_failed(session, campaign_id)
            audit(session, f"email.{action}", actor_id=actor.id, ip=actor.ip, object=f"campaign:{campaign_id}")
            return await self._get(session, campaign_id)

    def _faults(self, kind: BulkKind, given: CampaignIn) -> dict[str, FieldFault]:
        found = letter_faults(self._templates, kind, given)
        return found | segment_faults(given.segment) | _moment_faults(given)

    async def _store(
        self,
        session: AsyncSession,
        kind: BulkKind,
        given: CampaignIn,
        letter: Letter,
        actor: Actor,
        key: str | None,
        digest: str,
    ) -> UUID:
        if given.draft is not None:
            await end_draft(session, given.draft)
        address = await self._templates.postal_address(session)
        if not address:
            raise Conflict(NO_ADDRESS, code="postal_address_missing")
        campaign_id, now = new_uuid(), clock.now()
        campaign = EmailCampaign(
            id=campaign_id,
            created_by=actor.id,
            idempotency_key=key,
            request_hash=digest,
            kind=kind,
            subject=letter.fallback.subject,
            html_body=letter.fallback.html_body,
            source=letter.fallback.source,
            language=given.language,
            versions=msgspec.to_builtins(letter.versions),
            reply_to=self._templates.kept_reply_to(given.reply_to),
            postal_address=address,
            segment=msgspec.to_builtins(given.segment),
            state="sending" if given.send_at is None else "scheduled",
            recipients=0,
            run_after=given.send_at or now,
            created_at=now,
        )
        session.add(campaign)
        await session.flush()
        if given.send_at is not None:
            return campaign_id
        count = await copy_audience(session, campaign_id, kind, given.segment, self._facts)
        if not count:
            everybody = given.segment == EVERYBODY
            raise Conflict(NO_RECIPIENTS[kind] if everybody else NO_PEOPLE, code="no_recipients")
        campaign.recipients = count
        await session.flush()
        return campaign_id

    async def _by_key(self, actor: Actor, key: str | None, digest: str) -> StartedCampaign | None:
        if key is None:
            return None
        query = select(EmailCampaign.id, EmailCampaign.request_hash).where(
            EmailCampaign.created_by == actor.id, EmailCampaign.idempotency_key == key
        )
        async with self._database.read() as connection:
            made = await made_before(connection, query, digest)
            return None if made is None else StartedCampaign(campaign=await self._get(connection, made), replayed=True)

    async def _get(self, reader: ReadConnection | AsyncSession, campaign_id: UUID) -> CampaignOut:
        row = (await reader.execute(_campaigns().where(EmailCampaign.id == campaign_id))).one_or_none()
        if row is None:
            raise Absent("There is no such email.")
        return (await self._progress(reader, [row])).out(row)

    async def _progress(self, reader: ReadConnection | AsyncSession, rows: Sequence[Any]) -> CampaignProgress:
        return await read_progress(reader, rows, most_per_s=self._config.bulk_per_second)


def _campaigns() -> Select[Any]:
    author = case((User.email == "", None), else_=User.email).label("created_by")
    names = (
        "id",
        "kind",
        "subject",
        "segment",
        "state",
        "reason",
        "recipients",
        "run_after",
        "created_at",
        "finished_at",
    )
    columns = [getattr(EmailCampaign, name) for name in names]
    return select(*columns, author).outerjoin(User, User.id == EmailCampaign.created_by)


def _moment_faults(given: CampaignIn) -> dict[str, FieldFault]:
    if given.send_at is None:
        return {}
    if given.send_at < clock.now() - LATENCY:
        return {"sendAt": PAST}
    return {"sendAt": TOO_LATE} if given.send_at > clock.now() + FARTHEST else {}
