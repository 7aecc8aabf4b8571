"""Mailgun's HTTP API over the kernel's client: Mailgun's own library for Python is synchronous and checks nothing."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import msgspec

from kernel.spi import (
    DeadlineExceeded,
    Effect,
    InvalidRequest,
    OutboundTransport,
    ProviderContext,
    SettingsInvalid,
    Unavailable,
    decode_answer,
)
from plugins.mailgun_email.errors import judge
from plugins.mailgun_email.messages import Field
from plugins.mailgun_email.settings import REGIONS, MailgunSettings

MAX_ANSWER_BYTES: Final = 20_000_000
EVENTS_PAGE: Final = 300
MAX_PAGES: Final = 12
PAGE: Final = re.compile(r"[A-Za-z0-9=_-]+")
TAKEN: Final = "accepted OR rejected"
"""Events that say what Mailgun made of a message when it came in."""


class Queued(msgspec.Struct, frozen=True):
    """Answer to a message."""

    id: str


class SendingDomain(msgspec.Struct, frozen=True):
    """A domain; `state` is active, unverified or disabled, `type` custom or sandbox."""

    state: str
    type: str = "custom"
    is_disabled: bool = False


class DomainAnswer(msgspec.Struct, frozen=True):
    """Answer about a domain."""

    domain: SendingDomain


class Headers(msgspec.Struct, frozen=True, rename={"message_id": "message-id"}):
    """Headers of a message in the log."""

    message_id: str = ""


class LoggedMessage(msgspec.Struct, frozen=True):
    """A message in the log; `recipients` are all of its call."""

    headers: Headers = Headers()
    recipients: list[str] = []


class LogEvent(msgspec.Struct, frozen=True):
    """An entry of the log; `timestamp` in unix seconds."""

    event: str
    timestamp: float
    recipient: str = ""
    message: LoggedMessage = LoggedMessage()


class Paging(msgspec.Struct, frozen=True):
    """Where the log goes on."""

    next: str = ""


class LogPage(msgspec.Struct, frozen=True):
    """A page of the log; an empty one is the last."""

    items: list[LogEvent]
    paging: Paging = Paging()


class Urls(msgspec.Struct, frozen=True):
    """Addresses of one event's webhooks."""

    urls: list[str] | None = None


class WebhookList(msgspec.Struct, frozen=True):
    """Webhooks of a domain, by event."""

    webhooks: dict[str, Urls | None]


class SigningKey(msgspec.Struct, frozen=True):
    """The key that signs the account's webhooks."""

    http_signing_key: str


class MailgunApi:
    """Calls of one domain. Every call raises ProviderError."""

    def __init__(self, settings: MailgunSettings, context: ProviderContext) -> None:
        self._base = (settings.base_url or REGIONS[settings.region]).rstrip("/")
        self._domain = settings.domain.lower()
        self._timeout_s = settings.timeout_s
        self._http = httpx.AsyncClient(
            transport=OutboundTransport(context.http, largest_bytes=MAX_ANSWER_BYTES, judge=judge),
            auth=httpx.BasicAuth("api", settings.api_key.reveal()),
            timeout=settings.timeout_s,
            trust_env=False,  # no proxies, no .netrc
        )

    async def send(self, fields: Sequence[Field]) -> str:
        """Send one call's messages; return their id. Sent once: a lost answer may have sent them."""
        content = await self._call("POST", f"/v3/{self._domain}/messages", files=fields)
        message_id = decode_answer(content, Queued).id
        if not message_id:
            raise Unavailable("Mailgun names no message", effect=Effect.UNKNOWN)
        return message_id

    async def probe(self) -> None:
        """Show the key and the domain to Mailgun, with a message that lacks everything and thus cannot be sent.

        Unlike other calls, this one is allowed for sending keys, too.
        """
        try:
            await self._call("POST", f"/v3/{self._domain}/messages", files=[("o:testmode", (None, b"yes"))])
        except InvalidRequest:
            return
        raise SettingsInvalid("this is not Mailgun's API: it takes a message without sender", field="base_url")

    async def domain(self) -> SendingDomain:
        """Read the state of the domain."""
        return decode_answer(await self._call("GET", f"/v4/domains/{self._domain}"), DomainAnswer).domain

    async def logged(self, message_id: str) -> tuple[dict[str, str], float]:
        """Search the log for messages with this id; return the event of each address, and the time of the last."""
        path, query = f"/v3/{self._domain}/events", {"message-id": message_id, "event": TAKEN, "limit": EVENTS_PAGE}
        found: dict[str, str] = {}
        last = 0.0
        for _ in range(MAX_PAGES):
            page = decode_answer(await self._call("GET", path, params=query), LogPage)
            for entry in page.items:
                if entry.message.headers.message_id.strip("<>") in ("", message_id):
                    found |= dict.fromkeys((*entry.message.recipients, entry.recipient), entry.event)
                    last = max(last, entry.timestamp)
            cursor = urlsplit(page.paging.next).path.rpartition("/")[2]
            if not page.items or not PAGE.fullmatch(cursor):
                break
            path, query = f"/v3/{self._domain}/events/{cursor}", {}  # never the address as given: it gets the key
        found.pop("", None)
        return found, last

    async def webhooks(self) -> Mapping[str, Sequence[str]]:
        """List the addresses of the domain's webhooks, by event."""
        listed = decode_answer(await self._call("GET", f"/v3/domains/{self._domain}/webhooks"), WebhookList)
        return {event: entry.urls or () for event, entry in listed.webhooks.items() if entry is not None}

    async def set_webhook(self, url: str, events: Sequence[str], *, known: bool) -> None:
        """Have these events reported to an address; `known`: it is registered already, and its events are replaced."""
        data = {"url": url, "event_types": list(events)}
        await self._call("PUT" if known else "POST", f"/v4/domains/{self._domain}/webhooks", data=data)

    async def signing_key(self) -> str:
        """Read the key that signs the account's webhooks."""
        key = decode_answer(await self._call("GET", "/v5/accounts/http_signing_key"), SigningKey).http_signing_key
        if not key:
            raise Unavailable("the account has no webhook signing key: create one at Mailgun")
        return key

    async def aclose(self) -> None:
        """Close the client; the kernel's stays open."""
        await self._http.aclose()

    async def _call(self, method: str, path: str, **more: Any) -> bytes:
        try:
            async with asyncio.timeout(self._timeout_s):
                return (await self._http.request(method, f"{self._base}{path}", **more)).content
        except TimeoutError as error:
            raise DeadlineExceeded("Mailgun did not answer in time", effect=Effect.UNKNOWN) from error
