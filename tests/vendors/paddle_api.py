"""Paddle's API: versions, keys, envelopes, lists, errors, webhooks, and configurable faults."""

import hashlib
import hmac
import json
import threading
import time
from typing import Any, Final

import httpx

from kernel.spi import WebhookRequest
from tests.vendors.paddle_books import Books, Refused, Thing

KEY: Final = "pdl_sdbx_apikey_kit"
PUBLISHABLE: Final = "test_kit"
HOOK_SECRET: Final = "pdl_ntfset_kit"
MOST: Final = 200
MOST_SALES: Final = 30
PDF: Final = b"%PDF-1.7\nkit\n%%EOF\n"
DOCUMENTS: Final = "https://documents.paddle.example"


def failure(status: int, code: str, detail: str, **headers: str) -> httpx.Response:
    """Return an error in Paddle's format."""
    kind = "api_error" if status >= 500 else "request_error"
    url = f"https://developer.paddle.com/errors/shared/{code}"
    error = {"type": kind, "code": code, "detail": detail, "documentation_url": url}
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json={"error": error, "meta": {"request_id": "req-kit"}}, headers=sent)


LIMITED: Final = failure(429, "too_many_requests", "Rate limit exceeded", retry_after="7")
BROKEN: Final = failure(500, "internal_error", "Something went wrong")
DECLINED: Final = failure(400, "subscription_payment_declined", "Payment declined")
BAD_KEY: Final = failure(403, "invalid_token", "Authentication token is invalid")


class FakePaddle:
    """Answers requests from its `books`. Use it over a MockTransport or a Loopback.

    `trouble` holds what happens to the next requests, by method and beginning of the path: a Response instead of an
    answer, or `reset` (nothing is done) or `lost` (done, no answer). `documents` is where its documents lie.
    """

    def __init__(self, *, documents: str = DOCUMENTS) -> None:
        self.books = Books()
        self.documents = documents
        self.trouble: list[tuple[str, str, httpx.Response | str]] = []
        self.requests: list[httpx.Request] = []
        self._lock = threading.RLock()

    def __call__(self, request: httpx.Request) -> httpx.Response:
        with self._lock:
            self.requests.append(request)
            what = self._next_trouble(request)
            if isinstance(what, httpx.Response):
                return httpx.Response(what.status_code, headers=what.headers, content=what.content)
            if what == "reset":
                raise httpx.ReadError("reset", request=request)
            answer = self._answer(request)
            if what == "lost":
                raise httpx.ReadError("lost", request=request)
            return answer

    def sent(self, method: str, path: str) -> list[Thing]:
        """Return the bodies of all requests of this kind."""
        wanted = [request for request in self.requests if (request.method, request.url.path) == (method, path)]
        return [json.loads(request.content) for request in wanted]

    def webhook(self, event: Thing, *, secret: str = HOOK_SECRET, signed_at: float | None = None) -> WebhookRequest:
        """Return the webhook call for an event."""
        body, moment = json.dumps(event).encode(), time.time()
        headers = {"content-type": "application/json", "paddle-signature": signature(body, secret, signed_at or moment)}
        return WebhookRequest(body=body, headers=headers, query={}, received_unix=moment)

    def deliver(self, event: Thing) -> list[int]:
        """Send an event to every destination over HTTP, signed with its secret; return the statuses."""
        statuses = []
        for place in list(self.books.destinations.values()):
            call = self.webhook(event, secret=place["endpoint_secret_key"])
            answer = httpx.post(place["destination"], content=call.body, headers=dict(call.headers), trust_env=False)
            statuses.append(answer.status_code)
        return statuses

    def _next_trouble(self, request: httpx.Request) -> httpx.Response | str | None:
        for index, (method, path, what) in enumerate(self.trouble):
            if request.method == method and request.url.path.startswith(path):
                del self.trouble[index]
                return what
        return None

    def _answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.startswith("/documents/"):
            assert "authorization" not in request.headers, "the key goes to another host"
            return httpx.Response(200, content=PDF, headers={"content-type": "application/pdf"})
        if request.headers.get("authorization") != f"Bearer {KEY}":
            return BAD_KEY
        if request.headers.get("paddle-version") != "1":
            return failure(400, "invalid_version", "No such version")
        form = json.loads(request.content) if request.content else {}
        try:
            return self._route(request, request.url.path.strip("/").split("/"), form)
        except Refused as refused:
            return failure(refused.status, refused.code, refused.detail)
        except KeyError as missing:
            return failure(400, "bad_request", f"Missing field {missing}")

    def _route(self, request: httpx.Request, parts: list[str], form: Thing) -> httpx.Response:
        books = self.books
        match request.method, *parts:
            case "GET", "products":
                prices = list(books.prices.values())
                return _page(request, [entry | {"prices": prices} for entry in books.products.values()])
            case "GET", "prices", ref:
                return _one(books.find(books.prices, ref))
            case _, "customers", *rest:
                return self._customers(request, rest, form)
            case _, "transactions", *rest:
                return self._transactions(request, rest, form)
            case _, "subscriptions", *rest:
                return self._subscriptions(request, rest, form)
            case "GET", "notification-settings":
                return _page(request, list(books.destinations.values()))
            case "POST", "notification-settings":
                return _one(self._add_destination(form), 201)
            case "DELETE", "notification-settings", ref:
                del books.destinations[ref]
                return httpx.Response(204)
        return failure(404, "invalid_url", "No such path")

    def _add_destination(self, form: Thing) -> Thing:
        ref = self.books.new_id("ntfset")
        events = [{"name": name} for name in form["subscribed_events"]]
        secret = f"pdl_ntfset_{ref}"
        made = form | {"id": ref, "active": True, "endpoint_secret_key": secret, "subscribed_events": events}
        self.books.destinations[ref] = made
        return made

    def _customers(self, request: httpx.Request, rest: list[str], form: Thing) -> httpx.Response:
        books = self.books
        match request.method, *rest:
            case ["GET"]:
                return _page(request, list(books.customers.values()), ("email", "status"), {"status": "active"})
            case ["POST"]:
                return _one(books.add_customer(form), 201)
            case "GET", ref:
                return _one(books.find(books.customers, ref))
            case "PATCH", ref:
                return _one(books.change_customer(ref, form))
            case "POST", ref, "portal-sessions":
                books.find(books.customers, ref)
                url = f"https://customer-portal.paddle.com/{ref}?token=kit"
                return _one({"id": books.new_id("cpls"), "urls": {"general": {"overview": url}}}, 201)
        return failure(404, "invalid_url", "No such path")

    def _transactions(self, request: httpx.Request, rest: list[str], form: Thing) -> httpx.Response:
        books = self.books
        match request.method, *rest:
            case ["GET"]:
                names = ("customer_id", "subscription_id", "origin", "status")
                with_adjustments = "adjustments" in request.url.params.get("include", "")
                shown = [
                    entry if with_adjustments else {k: v for k, v in entry.items() if k != "adjustments"}
                    for entry in books.transactions.values()
                ]
                return _page(request, shown, names, most=MOST_SALES)
            case ["POST"]:
                return _one(books.begin(form), 201)
            case "GET", ref:
                return _one(books.find(books.transactions, ref))
            case "PATCH", ref:
                return _one(books.change_sale(ref, form))
            case "GET", ref, "invoice":
                if books.find(books.transactions, ref)["invoice_number"] is None:
                    raise Refused(400, "transaction_invoice_not_ready", "There is no invoice yet")
                return _one({"url": f"{self.documents}/documents/{ref}.pdf"})
        return failure(404, "invalid_url", "No such path")

    def _subscriptions(self, request: httpx.Request, rest: list[str], form: Thing) -> httpx.Response:
        books = self.books
        match request.method, *rest:
            case ["GET"]:
                return _page(request, list(books.subscriptions.values()), ("customer_id", "status"))
            case "GET", ref:
                return _one(books.find(books.subscriptions, ref))
            case "PATCH", ref:
                return _one(books.change(ref, form))
            case "POST", ref, "cancel":
                return _one(books.cancel(ref, form))
            case "GET", ref, "update-payment-method-transaction":
                return _one(books.payment_change(ref))
        return failure(404, "invalid_url", "No such path")


def signature(body: bytes, secret: str, at: float) -> str:
    """Return the header that proves a webhook."""
    proof = hmac.new(secret.encode(), f"{int(at)}:".encode() + body, hashlib.sha256).hexdigest()
    return f"ts={int(at)};h1={proof}"


def _one(thing: Any, status: int = 200) -> httpx.Response:
    return httpx.Response(status, json={"data": thing, "meta": {"request_id": "req-kit"}})


def _page(
    request: httpx.Request,
    things: list[Thing],
    names: tuple[str, ...] = (),
    usual: Thing | None = None,
    *,
    most: int = MOST,
) -> httpx.Response:
    """Return a page of what fits the query: newest first, after the id that it names."""
    query = (usual or {}) | dict(request.url.params)
    size = int(query.get("per_page", 50))
    if size > most:
        return failure(400, "bad_request", f"per_page is at most {most}")
    fitting = [one for one in things if all(one[name] in query[name].split(",") for name in names if name in query)]
    found = sorted(fitting, key=lambda one: str(one["id"]), reverse=True)
    after = query.get("after")
    rest = [one for one in found if after is None or one["id"] < after]
    page, more = rest[:size], len(rest) > size
    follow = f"{request.url.copy_with(query=None)}?after={page[-1]['id']}" if page else str(request.url)
    paging = {"per_page": size, "next": follow, "has_more": more, "estimated_total": len(found)}
    return httpx.Response(200, json={"data": page, "meta": {"request_id": "req-kit", "pagination": paging}})
