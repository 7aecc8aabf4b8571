"""The Mailgun provider itself."""

import asyncio
import hmac
import time
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from kernel.spi import (
    AuthFailed,
    CheckReport,
    CheckSteps,
    Effect,
    EmailCapabilities,
    EmailMessage,
    InvalidRequest,
    NotFound,
    ProviderContext,
    ProviderError,
    ProviderEvent,
    Secret,
    SendResult,
    SettingsInvalid,
    Stream,
    WebhookRequest,
    ascii_address,
    base_address,
    header_secret,
)
from plugins.mailgun_email.client import MailgunApi
from plugins.mailgun_email.messages import (
    BATCH_ID,
    DETAIL_CHARS,
    MAX_BATCH,
    MAX_BATCH_BYTES,
    Draft,
    form,
    group,
    invalid,
    size,
    write,
)
from plugins.mailgun_email.settings import MailgunSettings
from plugins.mailgun_email.webhooks import EVENTS, UsedTokens, read_webhook

BATCH_S: Final = 40.0
"""When no further call of a batch begins; with the last one's time-out it stays within what the kernel allows."""
CHECK_S: Final = 13.0
"""The contract allows a check 15 s; this leaves time to report."""
LOG_LAG_S: Final = 1800.0
"""Mailgun calls its log complete up to half an hour ago: documentation.mailgun.com, Event Polling, read 2026-11."""
ONLY_SENDS: Final = "this key may only send"
CUT_SHORT: Final = "not sent: the batch was cut short"


def build(settings: MailgunSettings, context: ProviderContext) -> "MailgunEmail":
    """Return the provider; makes no request. Raises SettingsInvalid."""
    if settings.sender:
        try:
            address = ascii_address(settings.sender)
        except InvalidRequest as error:
            raise SettingsInvalid("This is not an email address.", field="sender") from error
        if not address.isascii():
            raise SettingsInvalid("Mailgun needs ASCII before the @ of a sender.", field="sender")
    header_secret(settings.api_key, field="api_key")
    if settings.base_url:
        base_address(settings.base_url, example="https://mailgun.example.com")
    return MailgunEmail(settings, context)


class MailgunEmail:
    """Sends batches through Mailgun."""

    def __init__(self, settings: MailgunSettings, context: ProviderContext) -> None:
        self._settings = settings
        self._webhook_url = f"{context.public_url}/api/webhooks/email/{context.instance_id}"
        self._api = MailgunApi(settings, context)
        self._tokens = UsedTokens()

    def capabilities(self) -> EmailCapabilities:
        """Return the capabilities: large batches with lookup; unsubscribe links are the kernel's."""
        return EmailCapabilities(
            max_batch=MAX_BATCH,
            max_batch_bytes=MAX_BATCH_BYTES,
            lookup=True,
            webhooks=self._settings.webhook_signing_key is not None,
        )

    async def check(self) -> CheckReport:
        """Show the key, then read the domain and its webhooks as far as the key allows; send nothing."""
        steps = CheckSteps()
        step = "key"
        try:
            async with asyncio.timeout(CHECK_S):
                await self._api.probe()
                steps.add(step, "ok", self._settings.domain)
                step = "delivery"
                await self._check_domain(steps)
                step = "webhook"
                await self._check_webhook(steps)
        except AuthFailed as error:
            if step == "key":
                steps.add(step, "fail", error.detail, field=error.field)
            else:
                steps.add(step, "warn", f"{ONLY_SENDS}: domain and webhooks cannot be read")
        except ProviderError as error:
            steps.add(step, "fail", error.detail, field=error.field)
        except TimeoutError:
            steps.add(step, "fail", "Mailgun did not answer in time", field="base_url")
        return steps.report()

    async def _check_domain(self, steps: CheckSteps) -> None:
        domain = await self._api.domain()
        state = "disabled" if domain.is_disabled else domain.state[:40]
        if state != "active":
            unverified = "enter its DNS records, then choose Verify at Mailgun"
            step = unverified if state == "unverified" else "see Mailgun's control panel"
            steps.add("delivery", "fail", f"the domain is {state}: {step}", field="domain")
        elif domain.type == "sandbox":
            detail = "a sandbox domain delivers only to the authorized recipients that it has at Mailgun"
            steps.add("delivery", "warn", detail, field="domain")
        else:
            steps.add("delivery", "ok", "the domain is verified")

    async def _check_webhook(self, steps: CheckSteps) -> None:
        name, key = "webhook_signing_key", self._settings.webhook_signing_key
        if key is None:
            steps.add("webhook", "warn", "bounces and complaints stay unknown until it is set up", field=name)
            return
        listed = await self._api.webhooks()
        missing = [event for event in EVENTS if self._webhook_url not in listed.get(event, ())]
        if missing:
            steps.add("webhook", "warn", f"not registered at Mailgun for {', '.join(missing)}", field=name)
        elif not hmac.compare_digest((await self._api.signing_key()).encode(), key.reveal().encode()):
            steps.add("webhook", "warn", "this is not the signing key of the account", field=name)
        else:
            steps.add("webhook", "ok", "registered")

    async def send(self, messages: Sequence[EmailMessage], *, stream: Stream, batch_id: str) -> Sequence[SendResult]:
        """Send a batch, in one call as far as its messages are alike."""
        if len(messages) > MAX_BATCH:
            raise InvalidRequest(f"more than {MAX_BATCH} messages")
        if not BATCH_ID.fullmatch(batch_id):
            raise InvalidRequest("a batch id is at most 100 letters, digits, hyphens and underscores")
        written = await asyncio.to_thread(self._write, messages, batch_id)
        results = {place: entry for place, entry in enumerate(written) if isinstance(entry, SendResult)}
        drafts = {place: entry for place, entry in enumerate(written) if isinstance(entry, Draft)}
        results |= await self._hand_over(drafts, group(written), stream, batch_id)
        return tuple(results[place] for place in range(len(messages)))

    def _write(self, messages: Sequence[EmailMessage], batch_id: str) -> list[Draft | SendResult]:
        if sum(map(size, messages)) > MAX_BATCH_BYTES:
            raise InvalidRequest(f"more than {MAX_BATCH_BYTES} bytes")
        if sender := self._settings.sender:
            messages = [msgspec.structs.replace(message, sender=sender) for message in messages]
        return [write(message, batch_id) for message in messages]

    async def _hand_over(
        self, drafts: Mapping[int, Draft], calls: list[tuple[int, ...]], stream: Stream, batch_id: str
    ) -> dict[int, SendResult]:
        """Send the calls one after the other. Raises only while nothing has been sent, or may have been.

        Mailgun refuses a call whole for one message: its halves are sent then, until that message is alone.
        """
        results: dict[int, SendResult] = {}
        taken, until, ids = 0, time.monotonic() + BATCH_S, _Ids(batch_id, self._settings.domain)
        while calls:
            places = calls.pop(0)
            if time.monotonic() > until:
                results |= dict.fromkeys(places, SendResult(state="failed", code="cut_short", detail=CUT_SHORT))
                continue
            sent = [drafts[place] for place in places]
            try:
                message_id = await self._api.send(await asyncio.to_thread(form, sent, ids.next(sent), stream))
            except InvalidRequest as error:
                half = len(places) // 2
                if half:
                    calls[:0] = [places[:half], places[half:]]
                else:
                    results[places[0]] = invalid(error.detail)
            except ProviderError as error:
                in_doubt = error.effect is Effect.UNKNOWN
                if not taken and not (in_doubt and calls):
                    raise
                detail = error.detail[:DETAIL_CHARS]
                failed = SendResult(state="unknown" if in_doubt else "failed", code=error.code, detail=detail)
                results |= dict.fromkeys(places, failed)
                until = 0.0
            else:
                taken += len(places)
                ids.use(sent)
                results |= dict.fromkeys(places, SendResult(state="queued", message_id=message_id.strip("<>")))
        return results

    async def lookup(self, batch_id: str) -> Mapping[str, SendResult] | None:
        """Search Mailgun's log for the batch's message id; the domains of recipients are in ASCII.

        Returns None for a key that may only send. Raises NotFound while nothing is listed, or too lately for the log
        to be complete: what is missing there may have been sent.
        """
        message_id = _Ids(batch_id, self._settings.domain).first
        try:
            found, last = await self._api.logged(message_id)
        except AuthFailed:
            return None
        if not found or time.time() - last < LOG_LAG_S:
            raise NotFound("Mailgun's log does not list all of this batch, or not yet")
        return {
            address: SendResult(
                state="rejected" if event == "rejected" else "queued", message_id=message_id, detail=event[:40]
            )
            for address, event in found.items()
        }

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        """Verify and translate."""
        return read_webhook(request, self._settings.webhook_signing_key, self._tokens)

    async def create_webhook(self, url: str) -> Secret:
        """Register the address for the events of the contract, and read the key that signs them."""
        try:
            key = await self._api.signing_key()
            known = any(url in urls for urls in (await self._api.webhooks()).values())
            await self._api.set_webhook(url, EVENTS, known=known)
        except AuthFailed as error:
            step = f"{ONLY_SENDS}: register the webhook at Mailgun and copy its signing key, or use an account's key"
            raise AuthFailed(step, field="api_key", upstream_status=error.upstream_status) from error
        return Secret(key)

    async def aclose(self) -> None:
        """Close the client; the kernel's stays open."""
        await self._api.aclose()


class _Ids:
    """Message ids of a batch: one for all its calls, so that the log can be searched for it.

    Mailgun has no idempotency key. The same message, sent twice for the same batch, has the same id at least, and many
    mailboxes show it once. An address that gets several messages in one batch gets them with ids of their own.
    """

    def __init__(self, batch_id: str, domain: str) -> None:
        self._batch_id = batch_id
        self._domain = domain.lower()
        self._used: dict[str, int] = {}

    @property
    def first(self) -> str:
        """Return the id of an address's first message."""
        return f"{self._batch_id}@{self._domain}"

    def next(self, drafts: Sequence[Draft]) -> str:
        """Return the id for a call."""
        again = max(self._used.get(draft.address, 0) for draft in drafts)
        return f"{self._batch_id}.{again}@{self._domain}" if again else self.first

    def use(self, drafts: Sequence[Draft]) -> None:
        """Note that a call was taken."""
        for draft in drafts:
            self._used[draft.address] = self._used.get(draft.address, 0) + 1
