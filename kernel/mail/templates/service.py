"""Rules and transactions of templates: storing, preview, and the greeting of new users."""

import asyncio
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, get_args

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.current_user import CurrentUser
from kernel.accounts.models import User
from kernel.accounts.validation import email_fault, normal_email
from kernel.core import clock
from kernel.core.audit import Actor, audit
from kernel.core.config import Config
from kernel.core.data.database import Database, ReadConnection, insert_into
from kernel.core.errors import InvalidFields
from kernel.core.field_errors import FieldError, FieldFault
from kernel.core.text.languages import is_language
from kernel.mail.mailer import TRANSACTIONAL, Mailer
from kernel.mail.models import EmailPostalAddress, EmailTemplate
from kernel.mail.schemas import (
    BodyFormat,
    CampaignIn,
    EmailPreviewIn,
    EmailPreviewOut,
    EmailTemplateIn,
    EmailTemplateOut,
    EmailTestIn,
    LetterIn,
    MessageStream,
    TemplateType,
)
from kernel.mail.suppression.unsubscribe import UnsubscribeService
from kernel.mail.templates.history import ADDRESS_HISTORY, TEMPLATE_HISTORY
from kernel.mail.templates.layout import Reader, SendingSite, render_campaign_email
from kernel.mail.templates.markdown import html_of
from kernel.mail.templates.template_text import VARIABLES, TemplateText, body_faults, is_blank, safe_html
from kernel.spi import EmailMessage, SendResult, Stream, ascii_address

DEFAULTS: Final = Path(__file__).with_name("defaults.toml")
TYPES: Final[tuple[TemplateType, ...]] = get_args(TemplateType)
STREAM_OF: Final[Mapping[TemplateType, MessageStream]] = {
    "signup": "outbound",
    "broadcast": "broadcast",
    "marketing": "broadcast",
}
STREAM_FAULTS: Final[Mapping[MessageStream, FieldError]] = {
    "outbound": FieldError("stream_outbound", "This email goes to one person: its stream is outbound."),
    "broadcast": FieldError("stream_broadcast", "This email goes to many people: its stream is broadcast."),
}
NO_LANGUAGE: Final = FieldError("not_a_choice", "This is not a language of the site.")
EMPTY: Final = FieldError("empty", "This field must not be empty.")


class _Default(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    subject: str
    html_body: str


@cache
def _defaults() -> dict[TemplateType, _Default]:
    return msgspec.convert(tomllib.loads(DEFAULTS.read_text("utf-8")), dict[TemplateType, _Default])


class TemplateService:
    """Templates as administrators wrote them; the built-in ones otherwise."""

    def __init__(
        self, config: Config, database: Database, mailer: Mailer, unsubscribe_service: UnsubscribeService
    ) -> None:
        self._config = config
        self._database = database
        self._mailer = mailer
        self._unsubscribe_service = unsubscribe_service

    async def all(self) -> list[EmailTemplateOut]:
        """Return the three templates."""
        async with self._database.read() as connection:
            rows = {row.template_type: row for row in await connection.execute(select(*_COLUMNS))}
        return [self._out(kind, rows.get(kind)) for kind in TYPES]

    async def get(self, kind: TemplateType) -> EmailTemplateOut:
        """Return one template."""
        async with self._database.read() as connection:
            return await self._get(connection, kind)

    async def save(self, kind: TemplateType, given: EmailTemplateIn, actor: Actor) -> EmailTemplateOut:
        """Keep a template. Raises InvalidFields with all bad fields."""
        if found := self.faults(kind, given):
            raise InvalidFields(found)
        async with self._database.write() as session:
            return await self._save(session, kind, given, actor)

    async def _get(self, reader: ReadConnection | AsyncSession, kind: TemplateType) -> EmailTemplateOut:
        query = select(*_COLUMNS).where(EmailTemplate.template_type == kind)
        return self._out(kind, (await reader.execute(query)).one_or_none())

    async def _save(
        self, session: AsyncSession, kind: TemplateType, given: EmailTemplateIn, actor: Actor
    ) -> EmailTemplateOut:
        about = f"email-template:{kind}"
        before, kept = await self._get(session, kind), await TEMPLATE_HISTORY.read(session, about)
        values = msgspec.structs.asdict(given) | {
            "subject": given.subject.strip(),
            "reply_to": self.kept_reply_to(given.reply_to),
            "updated_at": clock.now(),
        }
        row = insert_into(session, EmailTemplate).values(template_type=kind, **values)
        await session.execute(row.on_conflict_do_update(index_elements=["template_type"], set_=values))
        after = await self._get(session, kind)
        old, new = msgspec.to_builtins(before), msgspec.to_builtins(after)
        keys = [name for name in new if new[name] != old[name]]
        audit(
            session,
            "email.save_template",
            actor_id=actor.id,
            ip=actor.ip,
            object=about,
            keys=keys,
            before=kept,
            after=await TEMPLATE_HISTORY.read(session, about),
        )
        return after

    async def postal_address(self, reader: ReadConnection | AsyncSession) -> str:
        """Return the operator's postal address, empty while there is none."""
        query = select(EmailPostalAddress.lines).where(EmailPostalAddress.id == 1)
        return (await reader.execute(query)).scalar_one_or_none() or ""

    async def save_postal_address(self, text: str, actor: Actor) -> None:
        """Keep it, without blanks around its lines; an empty one ends emails to many."""
        lines = "\n".join(line for line in (" ".join(line.split()) for line in text.splitlines()) if line)
        async with self._database.write() as session:
            before = await ADDRESS_HISTORY.read(session, "")
            row = insert_into(session, EmailPostalAddress).values(id=1, lines=lines)
            await session.execute(row.on_conflict_do_update(index_elements=["id"], set_={"lines": lines}))
            audit(
                session,
                "email.postal_address",
                actor_id=actor.id,
                ip=actor.ip,
                keys=("postalAddress",),
                before=before,
                after=await ADDRESS_HISTORY.read(session, ""),
            )

    async def preview(self, user: CurrentUser, given: EmailPreviewIn) -> EmailPreviewOut:
        """Return the email that the requesting administrator would get. Raises InvalidFields with all bad fields."""
        # Markdown takes its time
        html, found = await asyncio.to_thread(_checked, given)
        if given.language and not is_language(given.language):
            found["language"] = NO_LANGUAGE
        if found:
            raise InvalidFields(found)
        message = await self.message(given.template_type, given.subject, html, user, given.language)
        return EmailPreviewOut(subject=message.subject, html=message.html or "", text=message.text)

    async def send_test(self, user: CurrentUser, given: EmailTestIn, *, ip: str) -> SendResult:
        """Send a saved template to one address, filled in for the administrator. Raises InvalidFields."""
        if fault := email_fault(given.to_email):
            raise InvalidFields({"toEmail": fault})
        async with self._database.read() as connection:
            template = await self._get(connection, given.template_type)
        message = await self.message(given.template_type, template.subject, template.html_body, user)
        message = msgspec.structs.replace(message, to=given.to_email.strip(), reply_to=template.reply_to or None)
        stream: Stream = TRANSACTIONAL if given.template_type == "signup" else "bulk"
        result = await self._mailer.send(message, stream=stream)
        about = f"email-template:{given.template_type}"
        async with self._database.write() as session:
            audit(session, "email.send_test", actor_id=user.id, ip=ip, object=about, outcome=result.state)
        return result

    async def welcome(self, session: AsyncSession, user_id: int | None, address: str) -> EmailMessage | None:
        """Return the email for somebody whose address was just confirmed; None when nobody is to get one."""
        template = await self._get(session, "signup")
        columns = select(User.email, User.first_name, User.last_name, User.language)
        present = (User.id == user_id, User.disabled.is_(False), User.email_verified)
        row = (await session.execute(columns.where(*present))).one_or_none()
        if not template.is_active or row is None or normal_email(row.email) != normal_email(address):
            return None
        text = TemplateText(template.subject, safe_html(template.html_body))
        return render_campaign_email(
            text, Reader(**row._asdict()), self.site(), footer="account", reply_to=template.reply_to or None
        )

    def site(self, postal_address: str = "") -> SendingSite:
        """Return who sends."""
        return SendingSite(name=self._config.site.name, url=self._config.public_url, postal_address=postal_address)

    def reply_to(self) -> str:
        """Return the default address for replies: the one that emails are sent from."""
        return ascii_address(self._mailer.sender)

    def faults(self, kind: TemplateType, given: EmailTemplateIn | LetterIn) -> dict[str, FieldFault]:
        """Return what is wrong with a template, by field of the API."""
        body_format: BodyFormat = given.body_format if isinstance(given, LetterIn) else "html"
        found: dict[str, FieldFault] = dict(body_faults(kind, given.subject, given.html_body, body_format))
        texts = (("subject", given.subject), ("htmlBody", given.html_body))
        found |= {name: EMPTY for name, text in texts if not text.strip()}
        if "htmlBody" not in found and is_blank(given.html_body, body_format):
            found["htmlBody"] = EMPTY
        # an empty address stands for the site's own, whose host may not be a mail domain
        if self.kept_reply_to(given.reply_to) and (fault := email_fault(given.reply_to)):
            found["replyTo"] = fault
        if isinstance(given, EmailTemplateIn | CampaignIn) and given.message_stream != STREAM_OF[kind]:
            found["messageStream"] = STREAM_FAULTS[STREAM_OF[kind]]
        return found

    def kept_reply_to(self, reply_to: str) -> str:
        """Return an address for replies as it is stored: empty for the site's own, which may change."""
        tidy = reply_to.strip()
        return "" if tidy == self.reply_to() else tidy

    async def message(
        self, kind: TemplateType, subject: str, html: str, user: CurrentUser, language: str = ""
    ) -> EmailMessage:
        """Return an email as it would be sent to an administrator, or to one who reads another language."""
        text = TemplateText(subject, safe_html(html))
        names = {"first_name": user.first_name, "last_name": user.last_name}
        reader = Reader(email=user.email, language=language or user.language, **names)
        if kind == "signup":
            return render_campaign_email(text, reader, self.site(), footer="account")
        async with self._database.read() as connection:
            site = self.site(await self.postal_address(connection))
        link = site.unsubscribe_page(self._unsubscribe_service.token(user.id, kind))
        return render_campaign_email(text, reader, site, footer="bulk", unsubscribe_url=link)

    def _out(self, kind: TemplateType, row: object) -> EmailTemplateOut:
        variables = list(VARIABLES[kind])
        if row is None:
            default = _defaults()[kind]
            return EmailTemplateOut(
                template_type=kind,
                subject=default.subject,
                reply_to=self.reply_to(),
                html_body=default.html_body.strip(),
                message_stream=STREAM_OF[kind],
                is_active=True,
                variables=variables,
            )
        stored = {name: getattr(row, name) for name in EmailTemplateOut.__struct_fields__ if name != "variables"}
        return EmailTemplateOut(**stored | {"reply_to": stored["reply_to"] or self.reply_to()}, variables=variables)


def _checked(given: EmailPreviewIn) -> tuple[str, dict[str, FieldFault]]:
    """Return the HTML of what is to be shown, and what is wrong with it."""
    found = body_faults(given.template_type, given.subject, given.html_body, given.body_format)
    return "" if found else html_of(given.html_body, given.body_format), dict(found)


_COLUMNS: Final = tuple(
    getattr(EmailTemplate, name) for name in EmailTemplateOut.__struct_fields__ if name != "variables"
)
