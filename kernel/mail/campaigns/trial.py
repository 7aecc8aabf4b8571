"""Tests of a campaign that is being written: sent to a few addresses, in the languages that are asked for."""

import asyncio

import msgspec

from kernel.accounts.current_user import CurrentUser
from kernel.accounts.validation import email_fault, normal_email
from kernel.core.audit import Actor, audit
from kernel.core.data.database import Database
from kernel.core.errors import InvalidFields
from kernel.core.field_errors import FieldFault
from kernel.mail.campaigns.letter import SentText, letter_faults, written
from kernel.mail.mailer import Mailer
from kernel.mail.schemas import LetterTestIn, LetterTestOut
from kernel.mail.templates.service import NO_LANGUAGE, TemplateService


class LetterTrial:
    """Sends what is being written as it would go out, filled in for the administrator."""

    def __init__(self, database: Database, mailer: Mailer, templates: TemplateService) -> None:
        self._database = database
        self._mailer = mailer
        self._templates = templates

    async def send(self, user: CurrentUser, given: LetterTestIn, ip: str) -> list[LetterTestOut]:
        """Send the versions that are asked for to each address once, and return what became of each.

        Raises InvalidFields with all bad addresses and all that is wrong with the text.
        """
        if found := await asyncio.to_thread(self._faults, given):
            raise InvalidFields(found)
        letter = await asyncio.to_thread(written, given)
        texts = {given.language: letter.fallback, **letter.versions}
        addresses = list({normal_email(one) or one: one.strip() for one in given.to}.values())
        sent: list[LetterTestOut] = []
        for language in [given.only] if given.only else list(texts):
            one_by_one = (self._send(user, given, texts[language], language, to) for to in addresses)
            sent += await asyncio.gather(*one_by_one)
        actor = Actor(id=user.id, ip=ip)
        async with self._database.write() as session:
            ends = ",".join(sorted({one.state for one in sent}))
            audit(session, "email.send_test", actor_id=actor.id, ip=ip, object=f"campaign:{given.kind}", outcome=ends)
        return sent

    async def _send(
        self, user: CurrentUser, given: LetterTestIn, text: SentText, language: str, to: str
    ) -> LetterTestOut:
        message = await self._templates.message(given.kind, text.subject, text.html_body, user, language)
        reply_to = self._templates.kept_reply_to(given.reply_to) or None
        message = msgspec.structs.replace(message, to=to, reply_to=reply_to)
        result = await self._mailer.send(message, stream="bulk")
        return LetterTestOut(to=to, language=language, state=result.state, detail=result.detail)

    def _faults(self, given: LetterTestIn) -> dict[str, FieldFault]:
        found = letter_faults(self._templates, given.kind, given)
        found |= {f"to.{place}": fault for place, one in enumerate(given.to) if (fault := email_fault(one))}
        if given.only and given.only not in (given.language, *given.versions):
            found["only"] = NO_LANGUAGE
        return found
