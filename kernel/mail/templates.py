"""Rules and transactions of templates: what is kept, what it looks like, and the one that greets new people."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, get_args

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from kernel.accounts.current import CurrentUser
from kernel.accounts.fields import email_fault, normal_email
from kernel.accounts.models import User
from kernel.core import clock
from kernel.core.audit import audit
from kernel.core.config import Config
from kernel.core.database import Database, insert_into
from kernel.core.errors import InvalidFields
from kernel.core.objections import Objection
from kernel.mail.campaign_models import EmailPostalAddress, EmailTemplate
from kernel.mail.campaign_schemas import (
    CampaignIn,
    EmailPreviewIn,
    EmailPreviewOut,
    EmailTemplateIn,
    EmailTemplateOut,
    EmailTestIn,
    MessageStream,
    TemplateType,
)
from kernel.mail.framing import Reader, Site, framed
from kernel.mail.service import TRANSACTIONAL, Mailer
from kernel.mail.unsubscribing import Unsubscribing
from kernel.mail.writing import VARIABLES, Text, faults_of, safe_html
from kernel.spi import EmailMessage, SendResult, Stream, ascii_address

DEFAULTS: Final = Path(__file__).with_name("defaults.toml")
TYPES: Final[tuple[TemplateType, ...]] = get_args(TemplateType)
STREAM_OF: Final[Mapping[TemplateType, MessageStream]] = {
    "signup": "outbound",
    "broadcast": "broadcast",
    "marketing": "broadcast",
}
STREAM_FAULTS: Final[Mapping[MessageStream, Objection]] = {
    "outbound": Objection("stream_outbound", "This e-mail goes to one person: its stream is outbound."),
    "broadcast": Objection("stream_broadcast", "This e-mail goes to many people: its stream is broadcast."),
}
EMPTY: Final = Objection("empty", "This field must not be empty.")


class _Default(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    subject: str
    html_body: str


@cache
def _defaults() -> dict[TemplateType, _Default]:
    return msgspec.convert(tomllib.loads(DEFAULTS.read_text("utf-8")), dict[TemplateType, _Default])


class TemplateService:
    """Templates as administrators wrote them, ours where they wrote none."""

    def __init__(self, config: Config, database: Database, mailer: Mailer, unsubscribing: Unsubscribing) -> None:
        self._config = config
        self._database = database
        self._mailer = mailer
        self._unsubscribing = unsubscribing

    async def all(self, reader: AsyncConnection | AsyncSession) -> list[EmailTemplateOut]:
        """Return the three templates."""
        rows = {row.template_type: row for row in await reader.execute(select(*_COLUMNS))}
        return [self._out(kind, rows.get(kind)) for kind in TYPES]

    async def get(self, reader: AsyncConnection | AsyncSession, kind: TemplateType) -> EmailTemplateOut:
        """Return one template."""
        query = select(*_COLUMNS).where(EmailTemplate.template_type == kind)
        return self._out(kind, (await reader.execute(query)).one_or_none())

    async def save(
        self, session: AsyncSession, kind: TemplateType, given: EmailTemplateIn, *, by: int, ip: str
    ) -> EmailTemplateOut:
        """Keep a template. Raises InvalidFields with all bad fields."""
        if found := self.faults(kind, given):
            raise InvalidFields(found)
        before = await self.get(session, kind)
        values = msgspec.structs.asdict(given) | {
            "subject": given.subject.strip(),
            "reply_to": self.kept_reply_to(given.reply_to),
            "updated_at": clock.now(),
        }
        row = insert_into(session, EmailTemplate).values(template_type=kind, **values)
        await session.execute(row.on_conflict_do_update(index_elements=["template_type"], set_=values))
        after = await self.get(session, kind)
        old, new = msgspec.to_builtins(before), msgspec.to_builtins(after)
        keys = [name for name in new if new[name] != old[name]]
        audit(session, "email.save_template", actor_id=by, ip=ip, object=f"email-template:{kind}", keys=keys)
        return after

    async def postal_address(self, reader: AsyncConnection | AsyncSession) -> str:
        """Return the operator's postal address, empty while there is none."""
        query = select(EmailPostalAddress.lines).where(EmailPostalAddress.id == 1)
        return (await reader.execute(query)).scalar_one_or_none() or ""

    async def save_postal_address(self, session: AsyncSession, text: str) -> None:
        """Keep it, without blanks around its lines; an empty one ends e-mails to many."""
        lines = "\n".join(line for line in (" ".join(line.split()) for line in text.splitlines()) if line)
        row = insert_into(session, EmailPostalAddress).values(id=1, lines=lines)
        await session.execute(row.on_conflict_do_update(index_elements=["id"], set_={"lines": lines}))

    async def preview(self, user: CurrentUser, given: EmailPreviewIn) -> EmailPreviewOut:
        """Return the e-mail that the asking administrator would get. Raises InvalidFields with all bad fields."""
        if found := faults_of(given.template_type, given.subject, given.html_body):
            raise InvalidFields(found)
        message = await self._made(given.template_type, given.subject, given.html_body, user)
        return EmailPreviewOut(subject=message.subject, html=message.html or "", text=message.text)

    async def send_test(self, user: CurrentUser, given: EmailTestIn) -> SendResult:
        """Send a saved template to one address, filled in for the administrator. Raises InvalidFields."""
        if fault := email_fault(given.to_email):
            raise InvalidFields({"toEmail": fault})
        async with self._database.read() as connection:
            template = await self.get(connection, given.template_type)
        message = await self._made(given.template_type, template.subject, template.html_body, user)
        message = msgspec.structs.replace(message, to=given.to_email.strip(), reply_to=template.reply_to or None)
        stream: Stream = TRANSACTIONAL if given.template_type == "signup" else "bulk"
        return await self._mailer.send(message, stream=stream)

    async def welcome(self, session: AsyncSession, user_id: int | None, address: str) -> EmailMessage | None:
        """Return the e-mail for somebody whose address was just confirmed; None when nobody is to get one."""
        template = await self.get(session, "signup")
        columns = select(User.email, User.first_name, User.last_name, User.language)
        present = (User.id == user_id, User.disabled.is_(False), User.email_verified)
        row = (await session.execute(columns.where(*present))).one_or_none()
        if not template.is_active or row is None or normal_email(row.email) != normal_email(address):
            return None
        text = Text(template.subject, safe_html(template.html_body))
        return framed(text, Reader(**row._asdict()), self.site(), footer="account", reply_to=template.reply_to or None)

    def site(self, postal_address: str = "") -> Site:
        """Return who sends."""
        return Site(name=self._config.site.name, url=self._config.public_url, postal_address=postal_address)

    def reply_to(self) -> str:
        """Return where answers go unless an administrator says otherwise: to the address that e-mails come from."""
        return ascii_address(self._mailer.sender)

    def faults(self, kind: TemplateType, given: EmailTemplateIn | CampaignIn) -> dict[str, str]:
        """Return what is wrong with what is to be sent, by field of the wire."""
        found: dict[str, str] = dict(faults_of(kind, given.subject, given.html_body))
        texts = (("subject", given.subject), ("htmlBody", given.html_body))
        found |= {name: EMPTY for name, text in texts if not text.strip()}
        # an empty address stands for the site's own, which may be at a host that is no mail domain elsewhere
        if self.kept_reply_to(given.reply_to) and (fault := email_fault(given.reply_to)):
            found["replyTo"] = fault
        if given.message_stream != STREAM_OF[kind]:
            found["messageStream"] = STREAM_FAULTS[STREAM_OF[kind]]
        return found

    def kept_reply_to(self, reply_to: str) -> str:
        """Return an address for answers as it is kept: empty for the site's own, which may change."""
        tidy = reply_to.strip()
        return "" if tidy == self.reply_to() else tidy

    async def _made(self, kind: TemplateType, subject: str, html: str, user: CurrentUser) -> EmailMessage:
        """Return an e-mail as it goes out to an administrator."""
        text = Text(subject, safe_html(html))
        reader = Reader(email=user.email, first_name=user.first_name, last_name=user.last_name, language=user.language)
        if kind == "signup":
            return framed(text, reader, self.site(), footer="account")
        async with self._database.read() as connection:
            site = self.site(await self.postal_address(connection))
        link = site.unsubscribe_page(self._unsubscribing.token(user.id, kind))
        return framed(text, reader, site, footer="bulk", unsubscribe_url=link)

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


_COLUMNS: Final = tuple(
    getattr(EmailTemplate, name) for name in EmailTemplateOut.__struct_fields__ if name != "variables"
)
