"""Faulty email providers."""

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from kernel.spi import (
    CheckReport,
    EmailCapabilities,
    EmailMessage,
    InvalidRequest,
    KeptMessage,
    KeptMessagePage,
    ProviderEvent,
    SendResult,
    Stream,
    WebhookRequest,
)
from kernel.spi.testing import EmailContract
from kernel.spi.testing.emails import MESSAGE
from tests.kit.careless import KINDS, careless, spoilt
from tests.kit.emails import NoSettings, Pigeonhole
from tests.kit.examples import example

KINDS[EmailContract] = "email"
provider, tests = example("email")
Careful: Any = provider.ExampleEmailMail
given: Any = (tests.TestConformance, tests.EXAMPLE_EMAIL)
replace = msgspec.structs.replace


class Meddling(Careful):  # type: ignore[misc]
    """Sends something else than it was given."""

    def meddle(self, message: EmailMessage) -> EmailMessage:
        return message

    async def send(self, messages: Sequence[EmailMessage], *, stream: Stream, batch_id: str) -> Sequence[SendResult]:
        changed = [self.meddle(message) for message in messages]
        results: Sequence[SendResult] = await super().send(changed, stream=stream, batch_id=batch_id)
        return results


@spoilt("CAP_03", *given)
class KeepsOnPaper(Careful):  # type: ignore[misc]
    """Claims to keep messages."""

    def capabilities(self) -> EmailCapabilities:
        known: EmailCapabilities = super().capabilities()
        return replace(known, keeps_messages=True)


@spoilt("MAIL_01", *given)
class LosesAResult(Careful):  # type: ignore[misc]
    """Loses the last result."""

    async def send(self, messages: Sequence[EmailMessage], *, stream: Stream, batch_id: str) -> Sequence[SendResult]:
        results: Sequence[SendResult] = await super().send(messages, stream=stream, batch_id=batch_id)
        return results[:-1]


@spoilt("MAIL_02", *given)
class HidesLineBreaks(Meddling):
    """Sends smuggled line breaks, folded into one line."""

    def meddle(self, message: EmailMessage) -> EmailMessage:
        return replace(message, subject=" ".join(message.subject.split()))


@spoilt("MAIL_03", *given)
class AsciiOnly(Meddling):
    """Drops what is not ASCII."""

    def meddle(self, message: EmailMessage) -> EmailMessage:
        return replace(message, subject=message.subject.encode("ascii", "ignore").decode())


@spoilt("MAIL_04", *given)
class StumblesOverIdn(Meddling):
    """Fails a whole batch because of one unusual address."""

    def meddle(self, message: EmailMessage) -> EmailMessage:
        message.to.encode("ascii")
        return message


@spoilt("MAIL_05", *given)
class AllOrNothing(Careful):  # type: ignore[misc]
    """Raises when one recipient is refused."""

    async def send(self, messages: Sequence[EmailMessage], *, stream: Stream, batch_id: str) -> Sequence[SendResult]:
        results: Sequence[SendResult] = await super().send(messages, stream=stream, batch_id=batch_id)
        if any(result.state == "rejected" for result in results):
            raise InvalidRequest("a recipient was refused")
        return results


@spoilt("MAIL_06", *given)
class SplitsSilently(Careful):  # type: ignore[misc]
    """Splits a batch that is too large, and may stop in the middle."""

    async def send(self, messages: Sequence[EmailMessage], *, stream: Stream, batch_id: str) -> Sequence[SendResult]:
        halves = (messages[:50], messages[50:])
        return [entry for half in halves for entry in await super().send(half, stream=stream, batch_id=batch_id)]


@spoilt("MAIL_07", *given)
class OneStreamOnPaper(Careful):  # type: ignore[misc]
    """Sends on a stream that it does not claim."""

    def capabilities(self) -> EmailCapabilities:
        known: EmailCapabilities = super().capabilities()
        return replace(known, streams=("transactional",))


@spoilt("MAIL_08", *given)
class KnowsNothing(Careful):  # type: ignore[misc]
    """Reports that nothing was sent where it has no record."""

    async def lookup(self, batch_id: str) -> Mapping[str, SendResult] | None:
        return {}


@spoilt("MAIL_09", *given)
class SendsInItsCheck(Careful):  # type: ignore[misc]
    """Checks by sending."""

    async def check(self) -> CheckReport:
        await self.send([MESSAGE], stream="transactional", batch_id="check")
        report: CheckReport = await super().check()
        return report


@spoilt("HOOK_01", *given, webhooks={})
class ShrugsOffWebhooks(Careful):  # type: ignore[misc]
    """Accepts webhooks that it does not claim."""

    def capabilities(self) -> EmailCapabilities:
        known: EmailCapabilities = super().capabilities()
        return replace(known, webhooks=False)

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        return ()


class Rereading(Careful):  # type: ignore[misc]
    """Changes the events it reads."""

    def reread(self, event: ProviderEvent) -> ProviderEvent:
        return event

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        return [self.reread(event) for event in await super().read_webhook(request)]


@spoilt("HOOK_02", *given)
class VendorsWords(Rereading):
    """Returns the vendor's own topics."""

    def reread(self, event: ProviderEvent) -> ProviderEvent:
        return replace(event, topic=f"email.{event.topic}")


@spoilt("HOOK_03", *given)
class MakesIdsUp(Rereading):
    """Gives an event a new id each time."""

    def reread(self, event: ProviderEvent) -> ProviderEvent:
        return replace(event, event_id=uuid.uuid4().hex)


@spoilt("HOOK_04", *given)
class TrustsTheSilent(Careful):  # type: ignore[misc]
    """Checks the secret only where there is one."""

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        if "x-example_email-secret" in request.headers:
            events: Sequence[ProviderEvent] = await super().read_webhook(request)
            return events
        return (ProviderEvent(event_id="1", topic="bounced", ref=json.loads(request.body)["recipient"]),)


@spoilt("HOOK_05", *given)
class ReadsAnything(Careful):  # type: ignore[misc]
    """Fails on an unexpected body."""

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        json.loads(request.body)["type"]
        events: Sequence[ProviderEvent] = await super().read_webhook(request)
        return events


@careless("KEEP_01", EmailContract, NoSettings)
class OldestFirst(Pigeonhole):
    """Lists the oldest message first."""

    async def kept(self, *, cursor: str | None = None, limit: int = 50) -> KeptMessagePage:
        page = await super().kept(cursor=cursor, limit=limit)
        return replace(page, messages=page.messages[::-1])


@careless("KEEP_02", EmailContract, NoSettings)
class AlwaysSomething(Pigeonhole):
    """Returns some message for an unknown id."""

    async def kept_message(self, message_id: str) -> KeptMessage:
        return self.messages[0]
