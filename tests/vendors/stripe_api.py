"""Stripe's API for subscriptions: forms, idempotency, lists, errors, webhooks, and configurable faults."""

import json
import re
import threading
import time
from typing import Any, Final
from urllib.parse import parse_qsl

import httpx
import stripe

from kernel.spi import WebhookRequest
from tests.vendors.stripe_books import VERSION, Books, Missing, Thing, shown
from tests.vendors.stripe_refunds import charge_of
from tests.vendors.stripe_taxes import NoPlace, country_of, new_tax_id, rate_of

KEY: Final = "sk_test_51Kit"
PUBLISHABLE: Final = "pk_test_51Kit"
HOOK_SECRET: Final = "whsec_kit"
MOST: Final = 100


def failure(status: int, kind: str, code: str | None, message: str, **more: Any) -> httpx.Response:
    """Return an error in Stripe's format."""
    headers = {"request-id": "req_kit"} | more.pop("headers", {})
    return httpx.Response(
        status, json={"error": {"type": kind, "code": code, "message": message, **more}}, headers=headers
    )


BUSY: Final = failure(409, "idempotency_error", "idempotency_key_in_use", "Another request is in progress.")
DECLINED: Final = failure(402, "card_error", "card_declined", "Your card was declined.", decline_code="generic_decline")
LIMITED: Final = failure(429, "invalid_request_error", "rate_limit", "Too many.", headers={"retry-after": "7"})
BROKEN: Final = failure(500, "api_error", None, "An unknown error occurred.")
DOWN: Final = httpx.Response(503, html="<html>503</html>")


class FakeStripe:
    """Answers requests from its `books`. Use it over a MockTransport or a Loopback.

    `trouble` holds what happens to the next requests, by method and beginning of the path: a Response instead of an
    answer, or `reset` (nothing is done), `lost` (done, no answer), `stored` (not done, a 500 that is kept under the
    key), `done` (done, and a kept 500 all the same), `slow` (answers once `release` is set).
    """

    def __init__(self) -> None:
        self.books = Books()
        self.trouble: list[tuple[str, str, httpx.Response | str]] = []
        self.requests: list[httpx.Request] = []
        self.release = threading.Event()
        self._answers: dict[str, tuple[str, httpx.Response]] = {}
        self._lock = threading.RLock()

    def __call__(self, request: httpx.Request) -> httpx.Response:
        with self._lock:
            self.requests.append(request)
            what = self._next_trouble(request)
        if what == "slow":
            self.release.wait(30)
        with self._lock:
            return self._in_trouble(request, what)

    def sent(self, method: str, path: str) -> list[Thing]:
        """Return the forms of all requests of this kind, as nested objects."""
        return [form_of(request) for request in self.requests if (request.method, request.url.path) == (method, path)]

    def webhook(self, event: Thing, *, secret: str = HOOK_SECRET, signed_at: float | None = None) -> WebhookRequest:
        """Return the webhook call for an event."""
        body = json.dumps(event, separators=(",", ":"))
        moment = time.time()
        header = stripe.WebhookSignature.generate_signature_header(body, secret, int(signed_at or moment))
        headers = {"content-type": "application/json", "stripe-signature": header}
        return WebhookRequest(body=body.encode(), headers=headers, query={}, received_unix=moment)

    def deliver(self, event: Thing) -> list[int]:
        """Send an event to every endpoint over HTTP, signed with its secret; return the statuses."""
        statuses = []
        for endpoint in list(self.books.endpoints.values()):
            call = self.webhook(event, secret=f"whsec_{endpoint['id']}")
            answer = httpx.post(endpoint["url"], content=call.body, headers=dict(call.headers), trust_env=False)
            statuses.append(answer.status_code)
        return statuses

    def _next_trouble(self, request: httpx.Request) -> httpx.Response | str | None:
        for index, (method, path, what) in enumerate(self.trouble):
            if request.method == method and request.url.path.startswith(path):
                del self.trouble[index]
                return what
        return None

    def _in_trouble(self, request: httpx.Request, what: httpx.Response | str | None) -> httpx.Response:
        if isinstance(what, httpx.Response):
            return httpx.Response(what.status_code, headers=what.headers, content=what.content)
        if what == "reset":
            raise httpx.ReadError("reset", request=request)
        if what in ("stored", "done"):
            if what == "done":
                self._answer(request)
            return self._keep(request, BROKEN)
        answer = self._once(request)
        if what == "lost":
            raise httpx.ReadError("lost", request=request)
        return answer

    def _once(self, request: httpx.Request) -> httpx.Response:
        """Answer, or repeat the answer for the same key."""
        if request.headers.get("authorization") != f"Bearer {KEY}":
            given = request.headers.get("authorization", "nothing")
            return failure(401, "invalid_request_error", None, f"Invalid API Key provided: {given}")
        key = request.headers.get("idempotency-key")
        if request.method != "POST" or key is None:
            return self._answer(request)
        if key in self._answers:
            asked, kept = self._answers[key]
            if asked != _asked(request):
                text = "Keys for idempotent requests can only be used with the same parameters."
                return failure(400, "idempotency_error", None, text)
            headers = {**kept.headers, "idempotent-replayed": "true"}
            return httpx.Response(kept.status_code, headers=headers, content=kept.content)
        return self._keep(request, self._answer(request))

    def _keep(self, request: httpx.Request, answer: httpx.Response) -> httpx.Response:
        if answer.status_code < 400 or answer.status_code >= 500:
            self._answers[request.headers["idempotency-key"]] = (_asked(request), answer)
        return answer

    def _answer(self, request: httpx.Request) -> httpx.Response:
        parts = request.url.path.removeprefix("/v1/").split("/")
        form = form_of(request)
        try:
            answer = self._route(request.method, parts, form)
        except Missing as missing:
            return failure(404, "invalid_request_error", "resource_missing", str(missing), param=missing.param)
        except NoPlace as error:
            return failure(400, "invalid_request_error", "customer_tax_location_invalid", str(error))
        except ValueError as error:
            return failure(400, "invalid_request_error", None, str(error))
        if answer is None:
            text = f"Unrecognized request URL ({request.method}: {request.url.path})."
            return failure(404, "invalid_request_error", None, text)
        return httpx.Response(200, json=answer, headers={"request-id": "req_kit", "stripe-version": VERSION})

    def _route(self, method: str, parts: list[str], form: Thing) -> Thing | None:
        books, expand = self.books, tuple(form.get("expand", ()))
        match method, *parts:
            case "GET", "account":
                return {"id": "acct_kit", "object": "account", "charges_enabled": books.charges_enabled}
            case "GET", "products" | "prices" as kind:
                things = {"products": books.products, "prices": books.prices}[kind]
                return _page([thing for thing in things.values() if thing["active"]], form)
            case "POST", "customers":
                return books.add_customer(form)
            case "GET", "customers":
                found = [entry for entry in reversed(books.customers.values()) if entry.get("email") == form["email"]]
                return _page(found, form)
            case "GET", "customers", ref:
                return shown(books.find(books.customers, ref), books, expand)
            case "POST", "customers", ref:
                return self._update_customer(ref, form)
            case "POST", "customers", ref, "tax_ids":
                return new_tax_id(books.customer(ref), books.new_id("txi"), form)
            case "DELETE", "customers", ref, "tax_ids", gone:
                owned = books.customer(ref)["tax_ids"]
                owned[:] = [one for one in owned if one["id"] != gone]
                return {"id": gone, "object": "tax_id", "deleted": True}
            case "GET", "tax_rates", ref:
                return rate_of(ref)
            case "DELETE", "customers", ref:
                return books.delete_customer(ref)
            case "GET", "payment_intents", ref:
                return books.find(books.intents, ref)
            case "GET", "tax", "settings":
                return {"object": "tax.settings", "status": books.tax_status}
            case _, "subscriptions", *rest:
                return self._subscriptions(method, rest, form, expand)
            case "POST", "invoices", "create_preview":
                if "subscription" not in form:
                    return books.preview_first(form)
                if "subscription_details" not in form:
                    return books.preview_next(form["subscription"])
                return books.preview(form["subscription"], form["subscription_details"])
            case "GET", "promotion_codes":
                return _page(books.promotions.listed(form), form)
            case "GET", "prices", ref:
                return books.find(books.prices, ref)
            case "GET", "charges":
                return self._charges(form, expand)
            case "GET", "invoices":
                return self._invoices(form, expand)
            case _, "billing_portal", what:
                return self._portal(method, what, form)
            case _, "webhook_endpoints", *rest:
                return self._endpoints(method, rest, form)
        return None

    def _subscriptions(self, method: str, rest: list[str], form: Thing, expand: tuple[str, ...]) -> Thing | None:
        books = self.books
        match method, *rest:
            case ["GET"]:
                books.find(books.customers, form["customer"], "customer")
                everything = form.get("status") == "all"
                ours = [
                    shown(entry, books, tuple(path.removeprefix("data.") for path in expand))
                    for entry in reversed(books.subscriptions.values())
                    if entry["customer"] == form["customer"] and (everything or entry["status"] != "canceled")
                ]
                return _page(ours, form)
            case ["POST"]:
                prices = [item["price"] for item in form["items"]]
                taxes = "automatic_tax" in form
                about = (form.get("metadata", {}), form.get("discounts"))
                made = books.subscribe(form["customer"], prices, *about, taxes=taxes)
                return shown(made, books, expand)
            case "GET", ref:
                return shown(books.find(books.subscriptions, ref), books, expand)
            case "POST", ref:
                return shown(books.change(ref, form), books, expand)
            case "DELETE", ref:
                return shown(books.end(ref), books)
        return None

    def _invoices(self, form: Thing, expand: tuple[str, ...]) -> Thing:
        books = self.books
        if "customer" in form:
            books.find(books.customers, form["customer"], "customer")
        wanted = {name: form[name] for name in ("customer", "subscription", "status") if name in form}
        found = [
            shown(invoice, books, tuple(path.removeprefix("data.") for path in expand))
            for invoice in reversed(books.invoices.values())
            if all(invoice[name] == value for name, value in wanted.items())
        ]
        return _page(found, form)

    def _update_customer(self, ref: str, form: Thing) -> Thing:
        """Change a customer, as a whole or not at all. Raises NoPlace."""
        customer, checked = self.books.customer(ref), form.pop("tax", {}).get("validate_location") == "immediately"
        changed = {**customer, **form}
        if checked:
            country_of(changed)
        customer |= changed
        return shown(customer, self.books)

    def _charges(self, form: Thing, expand: tuple[str, ...]) -> Thing:
        inside = tuple(path.removeprefix("data.") for path in expand)
        paid = [
            charge_of(invoice, inside)
            for invoice in reversed(self.books.invoices.values())
            if invoice["amount_paid"] and form.get("customer") in (None, invoice["customer"])
        ]
        return _page(paid, form)

    def _portal(self, method: str, what: str, form: Thing) -> Thing | None:
        saved = self.books.portal_saved
        match method, what:
            case "GET", "configurations":
                return _page([{"id": "bpc_kit"}] if saved else [], form)
            case "POST", "sessions":
                self.books.customer(form["customer"])
                if not saved:
                    raise ValueError("No configuration provided and your default configuration has not been created.")
                return {"id": "bps_kit", "url": f"https://billing.stripe.com/p/session/{form['customer']}"}
        return None

    def _endpoints(self, method: str, rest: list[str], form: Thing) -> Thing | None:
        endpoints = self.books.endpoints
        match method, *rest:
            case ["GET"]:
                return _page(list(endpoints.values()), form)
            case ["POST"]:
                ref = self.books.new_id("we")
                endpoints[ref] = {"id": ref, "object": "webhook_endpoint", "status": "enabled", **form}
                return endpoints[ref] | {"secret": f"whsec_{ref}"}
            case "DELETE", ref:
                del endpoints[ref]
                return {"id": ref, "object": "webhook_endpoint", "deleted": True}
        return None


def _page(things: list[Thing], form: Thing) -> Thing:
    limit, after = min(MOST, int(form.get("limit", 10))), form.get("starting_after")
    start = next((index + 1 for index, thing in enumerate(things) if thing["id"] == after), 0)
    page = things[start : start + limit]
    return {"object": "list", "data": page, "has_more": start + limit < len(things)}


def form_of(request: httpx.Request) -> Thing:
    """Return a form as objects: `items[0][price]=x` as nested objects and lists."""
    text = request.content.decode() if request.method == "POST" else request.url.query.decode()
    form: Thing = {}
    for name, value in parse_qsl(text, keep_blank_values=True):
        path = [part for part in re.split(r"[\[\]]+", name) if part]
        place: Any = form
        for part in path[:-1]:
            place = place.setdefault(part, {})
        place[path[-1]] = value
    listed: Thing = _lists(form)
    return listed


def _lists(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    inner = {name: _lists(entry) for name, entry in value.items()}
    return list(inner.values()) if inner and all(name.isdigit() for name in inner) else inner


def _asked(request: httpx.Request) -> str:
    return f"{request.method} {request.url.path} {request.content.decode()}"
