"""Stripe's client over the kernel's guarded HTTP client: what is sent, what is repeated, how answers are read."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from operator import attrgetter
from typing import Any, Final, TypeVar

import httpx
import msgspec
import stripe

from kernel.spi import Effect, OutboundTransport, ProviderContext, ProviderError, Unavailable
from plugins.stripe_payments.errors import is_stored, translate, within
from plugins.stripe_payments.settings import StripeSettings
from plugins.stripe_payments.wire import Page

T = TypeVar("T")
Options = dict[str, Any]

REQUEST_LIMIT_S: Final = 10.0
CONNECT_LIMIT_S: Final = 5.0
CALL_LIMIT_S: Final = 20.0
"""For one call with its repetitions; the library's own time-out is 80 s and starts anew with every byte."""

RETRIES: Final = 2
LARGEST_ANSWER_BYTES: Final = 8_388_608
PAGE: Final = 100
MOST_PAGES: Final = 100
MOST_KEYS: Final = 5
SENT: Final = ("authorization", "stripe-version", "idempotency-key", "content-type", "user-agent")
"""The library's headers that are sent: the others describe this machine."""

READ: Final = ("request-id", "retry-after", "idempotent-replayed", "stripe-should-retry")
SERVICES: Final = (
    "accounts",
    "billing_portal.configurations",
    "billing_portal.sessions",
    "charges",
    "customers.tax_ids",
    "invoices",
    "payment_intents",
    "prices",
    "products",
    "promotion_codes",
    "subscriptions",
    "tax.settings",
    "tax_rates",
    "webhook_endpoints",
)

stripe.enable_telemetry = False  # it would store an id in the home folder
logging.getLogger("stripe").setLevel(logging.WARNING)  # below this level, it logs whole answers with client secrets


class StoredFailure(Exception):
    """Stripe repeats the failure of an earlier call with this key, and will for a day."""


class OutboundClient(stripe.HTTPClient):
    """Sends the library's requests through `context.http`, with its address guard; one per instance and event loop.

    The library repeats a request up to RETRIES times: one that reads, one that never reached Stripe, one that Stripe
    refused because of a concurrent one (409). What changes something and may have been carried out is not repeated.
    """

    name = "httpx"

    def __init__(self, http: httpx.AsyncClient) -> None:
        super().__init__()
        transport = OutboundTransport(http, largest_bytes=LARGEST_ANSWER_BYTES, judge=lambda answer: None)
        timeout = httpx.Timeout(REQUEST_LIMIT_S, connect=CONNECT_LIMIT_S)
        self._http = httpx.AsyncClient(transport=transport, timeout=timeout, trust_env=False)

    async def request_async(
        self, method: str, url: str, headers: Mapping[str, str], post_data: Any = None
    ) -> tuple[bytes, int, Mapping[str, str]]:
        """Send one request. Raises APIConnectionError, whose cause is a ProviderError."""
        sent = {name: value for name, value in headers.items() if name.lower() in SENT}
        try:
            answer = await self._http.request(method, url, headers=sent, content=post_data)
        except ProviderError as error:
            harmless = method == "get" or error.effect is Effect.NONE
            lost = stripe.APIConnectionError(error.detail, should_retry=harmless)  # type: ignore[no-untyped-call]
            raise lost from error
        read = httpx.Headers({name: answer.headers[name] for name in READ if name in answer.headers})
        if method != "get" and answer.status_code >= 500:
            read["stripe-should-retry"] = "false"
        return answer.content, answer.status_code, read

    def sleep_async(self, secs: float) -> Awaitable[None]:
        """Wait between two attempts."""
        return asyncio.sleep(secs)

    async def close_async(self) -> None:
        """Close the client; the kernel's stays open."""
        await self._http.aclose()


class Api:
    """Calls to Stripe, with results in our types and the kernel's errors."""

    def __init__(self, settings: StripeSettings, context: ProviderContext) -> None:
        self._http = OutboundClient(context.http)
        client = stripe.StripeClient(
            settings.secret_key.reveal(),
            http_client=self._http,
            max_network_retries=RETRIES,
            base_addresses={"api": settings.api_url.rstrip("/")},
        )
        self.v1: Final[Any] = client.v1
        attrgetter(*SERVICES)(self.v1)  # each imports its module, here and not in the event loop

    async def read(self, kind: type[T], call: Awaitable[Any]) -> T:
        """Read one object. Raises ProviderError."""
        return _decoded(await _answered(call), kind)

    async def pages(self, kind: Any, call: Callable[[dict[str, Any]], Awaitable[Any]], **params: Any) -> list[Any]:
        """Read all pages of a list. Raises ProviderError, also for a list without an end."""
        found: list[Any] = []
        more: dict[str, Any] = {}
        for _ in range(MOST_PAGES):
            page = await self.read(Page[kind], call({**params, "limit": PAGE, **more}))
            found += page.data
            if not page.has_more or not page.data:
                return found
            more = {"starting_after": page.data[-1].id}
        raise Unavailable(f"a list of more than {MOST_PAGES * PAGE} entries")

    async def change(
        self,
        kind: type[T],
        call: Callable[[Options], Awaitable[Any]],
        *,
        key: str,
        lost: Callable[[], Awaitable[T | None]] | None = None,
    ) -> tuple[T, bool]:
        """Change something under a key; also return whether the answer is that of an earlier call, perhaps out of date.

        Stripe also stores failures under a key. When it repeats one, `lost` looks for what that call has made
        nevertheless; if it made nothing, the change is tried under a key derived from the first. Raises ProviderError.
        """
        for number in range(1, MOST_KEYS + 1):
            try:
                answer = await _answered(call({"idempotency_key": key if number == 1 else f"{key}-{number}"}))
            except StoredFailure:
                if lost is not None and (found := await lost()) is not None:
                    return found, True
                continue
            return _decoded(answer, kind), answer.headers.get("idempotent-replayed") == "true"
        raise Unavailable("Stripe keeps failing at this change", effect=Effect.UNKNOWN)

    async def aclose(self) -> None:
        """Close the client."""
        await self._http.close_async()


async def _answered(call: Awaitable[Any]) -> Any:
    """Wait for an answer and return its raw body and headers. Raises ProviderError and StoredFailure."""
    try:
        return (await within(CALL_LIMIT_S, call)).last_response
    except stripe.StripeError as error:
        failure = error
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:  # for an invalid answer
        raise Unavailable(f"the answer cannot be read: {type(error).__name__}", effect=Effect.UNKNOWN) from error
    if is_stored(failure):
        raise StoredFailure from failure
    translated = translate(failure)
    raise translated from translated.__cause__ or failure  # a lost connection has its own cause already


def _decoded(answer: Any, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(answer.body, type=kind)
    except (msgspec.DecodeError, AttributeError, TypeError, RecursionError) as error:
        text = str(error)[:200] if isinstance(error, msgspec.ValidationError) else type(error).__name__
        raise Unavailable(f"the answer cannot be read: {text}", effect=Effect.UNKNOWN) from error
