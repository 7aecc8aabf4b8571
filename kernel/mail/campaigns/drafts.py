"""Campaigns that are being written: kept, opened again, made from a sent one, and ended by being sent."""

from typing import Any, Final, cast
from uuid import UUID

import msgspec
from sqlalchemy import case, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.core import clock
from kernel.core.audit import Actor, audit
from kernel.core.data.database import Database, ReadConnection, changed_rows
from kernel.core.data.ids import new_uuid
from kernel.core.errors import Absent, Conflict, InvalidFields
from kernel.core.field_errors import FieldFault
from kernel.core.text.languages import is_language
from kernel.core.web.paging import cursor_uuid, decode_cursor, encode_cursor
from kernel.mail.campaigns.letter import stored_letter
from kernel.mail.models import EmailCampaign, EmailDraft
from kernel.mail.schemas import (
    BulkKind,
    EmailDraftChange,
    EmailDraftIn,
    EmailDraftLine,
    EmailDraftOut,
    EmailDraftRef,
    LetterIn,
    LetterVersion,
    Segment,
)
from kernel.mail.templates.service import NO_LANGUAGE

MOST: Final = 200
"""Drafts of the site; more are forgotten ones."""
NO_DRAFT: Final = "There is no such draft."
MOVED_ON: Final = "This draft has been changed elsewhere."
GONE: Final = "This draft has been sent or deleted elsewhere."
FULL: Final = f"There are {MOST} drafts already. Please delete some first."


class DraftService:
    """Drafts of all administrators, who share them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(self, cursor: str | None, limit: int) -> tuple[list[EmailDraftLine], str | None]:
        """Return drafts, newest first, and the cursor of the next page."""
        author = case((User.email == "", None), else_=User.email).label("created_by")
        names = ("id", "kind", "subject", "languages", "updated_at")
        query = select(*(getattr(EmailDraft, name) for name in names), author)
        query = query.outerjoin(User, User.id == EmailDraft.created_by)
        if (parts := decode_cursor(cursor, 1)) is not None:
            query = query.where(EmailDraft.id < cursor_uuid(parts[0]))
        async with self._database.scan() as connection:
            newest = query.order_by(EmailDraft.id.desc()).limit(limit + 1)  # ids are in order of time
            rows = (await connection.execute(newest)).all()
        following = encode_cursor(rows[limit - 1].id) if len(rows) > limit else None
        return [EmailDraftLine(**row._asdict()) for row in rows[:limit]], following

    async def get(self, draft_id: UUID) -> EmailDraftOut:
        """Return one draft. Raises Absent."""
        async with self._database.read() as connection:
            return await _get(connection, draft_id)

    async def create(self, given: EmailDraftIn, actor: Actor) -> EmailDraftOut:
        """Keep a new draft. Raises InvalidFields for unknown languages, and Conflict (`drafts_full`)."""
        _check(given)
        async with self._database.write() as session:
            return await _add(session, given.kind, given, actor)

    async def copy(self, campaign_id: UUID, actor: Actor) -> EmailDraftOut:
        """Make a draft of what a campaign said, and to whom. Raises Absent and Conflict (`drafts_full`)."""
        async with self._database.write() as session:
            found = select(EmailCampaign).where(EmailCampaign.id == campaign_id)
            campaign = (await session.execute(found)).scalar_one_or_none()
            if campaign is None:
                raise Absent("There is no such email.")
            letter = stored_letter(campaign)
            texts = {code: (text.subject, text.source or text.html_body) for code, text in letter.versions.items()}
            given = LetterIn(
                subject=campaign.subject,
                html_body=campaign.source or campaign.html_body,
                body_format="markdown" if campaign.source else "html",
                language=campaign.language,
                versions={code: LetterVersion(subject=one, html_body=body) for code, (one, body) in texts.items()},
                reply_to=campaign.reply_to,
                segment=msgspec.convert(campaign.segment, Segment),
            )
            return await _add(session, cast(BulkKind, campaign.kind), given, actor)

    async def save(self, draft_id: UUID, given: EmailDraftChange) -> EmailDraftOut:
        """Keep a draft as it is now. Raises InvalidFields for unknown languages, Absent, and Conflict
        (`draft_moved_on`) when it was changed since that version.
        """
        _check(given)
        async with self._database.write() as session:
            mine = (EmailDraft.id == draft_id, EmailDraft.version == given.version)
            values = _values(given) | {"version": EmailDraft.version + 1, "updated_at": clock.now()}
            changed = await changed_rows(session, update(EmailDraft).where(*mine).values(**values))
            draft = await _get(session, draft_id)
        if not changed:
            raise Conflict(MOVED_ON, code="draft_moved_on")
        return draft

    async def remove(self, draft_id: UUID, actor: Actor) -> None:
        """Delete a draft. Raises Absent."""
        async with self._database.write() as session:
            if not await changed_rows(session, delete(EmailDraft).where(EmailDraft.id == draft_id)):
                raise Absent(NO_DRAFT)
            audit(session, "email.delete_draft", actor_id=actor.id, ip=actor.ip, object=f"draft:{draft_id}")


async def end_draft(session: AsyncSession, ref: EmailDraftRef) -> None:
    """Delete a draft that is being sent: in the transaction that makes the campaign, so that it is sent once.

    Raises Conflict: `draft_moved_on` when it was changed since, `draft_gone` when it was sent or deleted.
    """
    mine = delete(EmailDraft).where(EmailDraft.id == ref.id, EmailDraft.version == ref.version)
    if await changed_rows(session, mine):
        return
    known = (await session.execute(select(EmailDraft.id).where(EmailDraft.id == ref.id))).first()
    raise Conflict(MOVED_ON, code="draft_moved_on") if known else Conflict(GONE, code="draft_gone")


async def _add(session: AsyncSession, kind: BulkKind, given: LetterIn, actor: Actor) -> EmailDraftOut:
    if (await session.execute(select(func.count()).select_from(EmailDraft))).scalar_one() >= MOST:
        raise Conflict(FULL, code="drafts_full")
    draft_id, now = new_uuid(), clock.now()
    row = {"id": draft_id, "created_by": actor.id, "version": 1, "kind": kind, "created_at": now, "updated_at": now}
    await session.execute(insert(EmailDraft).values(**row, **_values(given)))
    audit(session, "email.create_draft", actor_id=actor.id, ip=actor.ip, object=f"draft:{draft_id}")
    return await _get(session, draft_id)


async def _get(reader: ReadConnection | AsyncSession, draft_id: UUID) -> EmailDraftOut:
    columns = (getattr(EmailDraft, name) for name in EmailDraftOut.__struct_fields__)
    row = (await reader.execute(select(*columns).where(EmailDraft.id == draft_id))).one_or_none()
    if row is None:
        raise Absent(NO_DRAFT)
    values = row._asdict() | {
        "versions": msgspec.convert(row.versions, dict[str, LetterVersion]),
        "segment": msgspec.convert(row.segment, Segment),
    }
    return EmailDraftOut(**values)


def _values(given: LetterIn) -> dict[str, Any]:
    values = {name: getattr(given, name) for name in LetterIn.__struct_fields__}
    values |= {name: msgspec.to_builtins(values[name]) for name in ("versions", "segment")}
    return values | {"languages": [given.language, *given.versions]}


def _check(given: LetterIn) -> None:
    """Refuse languages that the site has not; all else may still be wrong in a draft."""
    found: dict[str, FieldFault] = {} if is_language(given.language) else {"language": NO_LANGUAGE}
    found |= {f"versions.{code}": NO_LANGUAGE for code in given.versions if not is_language(code)}
    if found:
        raise InvalidFields(found)
