"""The stub and its modes: words of the file `mode`, each for one call, with the operation it is about before a `=`.

    ok                  as it should be
    down                503, and nothing has happened
    broken              500, and nothing has happened
    limited             429
    reset               no answer, and nothing has happened (which the caller cannot know)
    lost                no answer, but it has happened
    failed              500, but it has happened
    declined  invalid  missing  auth_failed
    hold                waits until the file `release` is there

A word that ends with `*` stays. A webhook's body is a JSON list of `[event id, topic, ref]`.
"""

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta

from kernel.spi import (
    AuthFailed,
    BillingDetails,
    BillingRefusal,
    BrowserOrigins,
    CatalogProduct,
    ChangePreview,
    CheckReport,
    CheckStep,
    ClientData,
    CustomerRequest,
    Effect,
    FormResult,
    InvalidRequest,
    Invoice,
    InvoiceState,
    Money,
    NoBillingDetails,
    NoClient,
    NotFound,
    PaymentCapabilities,
    PaymentCard,
    PaymentDeclined,
    PromotionPreview,
    PromotionRefusal,
    ProviderContext,
    ProviderError,
    ProviderEvent,
    RateLimited,
    SandboxClient,
    ScriptClient,
    Settings,
    StartRequest,
    StartResult,
    SubscriptionTruth,
    TaxPreview,
    Unavailable,
    WebhookRejected,
    WebhookRequest,
)
from tests.stub_payment import taxes
from tests.stub_payment.bank import ENDED, MONTH_S, Bank, add_subscription, drop_customer, number, pay, refund
from tests.stub_payment.catalog import PRODUCTS, TRIAL, amount_of
from tests.stub_payment.promotions import told, use

KEY: Final = "stub webhook key"
ORIGINS: Final = BrowserOrigins(
    scripts=("https://cdn.stub.example",),
    frames=("https://pay.stub.example",),
    connections=("https://api.stub.example", "http://plain.stub.example"),
    styles=("https://cdn.stub.example",),
    popups=True,
)
FAILURES: Final[dict[str, Callable[[], ProviderError]]] = {
    "down": lambda: Unavailable("503", upstream_status=503, effect=Effect.NONE),
    "broken": lambda: Unavailable("500", upstream_status=500, effect=Effect.UNKNOWN),
    "limited": lambda: RateLimited("429", upstream_status=429, retry_after=2.0),
    "reset": lambda: Unavailable("connection reset", effect=Effect.UNKNOWN),
    "lost": lambda: Unavailable("connection reset", effect=Effect.UNKNOWN),
    "failed": lambda: Unavailable("500", upstream_status=500, effect=Effect.UNKNOWN),
    "declined": lambda: PaymentDeclined("the secret reason of the bank"),
    "invalid": lambda: InvalidRequest("the vendor does not like it"),
    "missing": lambda: NotFound("no such thing"),
    "auth_failed": lambda: AuthFailed("the key sk_live_do_not_tell is wrong"),
}
T = TypeVar("T")


class StubPaymentSettings(Settings, frozen=True, kw_only=True):
    """The test's configuration of the stub."""

    control: Annotated[str, Meta(title="Control folder", description="Holds the vendor.")]
    portal: Annotated[bool, Meta(title="Portal", description="Whether it has a page of its own.")] = True
    cancel_now: Annotated[bool, Meta(title="Cancel now", description="Whether it can end at once.")] = True
    change_at_renewal: Annotated[bool, Meta(title="At renewal", description="Whether a new price can wait.")] = True
    pause: Annotated[bool, Meta(title="Pause", description="Whether it can put off payments.")] = True
    promotions: Annotated[bool, Meta(title="Promotions", description="Whether it has promotion codes.")] = True
    receipts: Annotated[bool, Meta(title="Receipts", description="Whether it sends receipts.")] = False
    card_notices: Annotated[bool, Meta(title="Cards", description="Whether it writes before one expires.")] = False
    refund_notices: Annotated[bool, Meta(title="Refunds", description="Whether it writes about refunds.")] = False
    taxes: Annotated[bool, Meta(title="Taxes", description="Whether it computes taxes.")] = False
    script: Annotated[str, Meta(title="Script", description="Its form, if that is a script.")] = ""
    trial_notices: Annotated[bool, Meta(title="Trials", description="Whether it writes before one ends.")] = False


def build(settings: StubPaymentSettings, context: ProviderContext) -> "StubPayment":
    """Return the stub."""
    return StubPayment(settings)


class StubPayment:
    """A vendor with one product."""

    def __init__(self, settings: StubPaymentSettings) -> None:
        self._settings = settings
        self._bank = Bank(Path(settings.control))

    def capabilities(self) -> PaymentCapabilities:
        """Return the capabilities."""
        return PaymentCapabilities(
            client="script" if self._settings.script else "sandbox",
            live=False,
            cancel_now=self._settings.cancel_now,
            change_price=True,
            preview_change=True,
            change_at_renewal=self._settings.change_at_renewal,
            portal=self._settings.portal,
            documents=True,
            promotion_codes=self._settings.promotions,
            pause=self._settings.pause,
            sends_receipts=self._settings.receipts,
            sends_trial_notices=self._settings.trial_notices,
            sends_card_notices=self._settings.card_notices,
            sends_refund_notices=self._settings.refund_notices,
            refunds=True,
            taxes=self._settings.taxes,
            test_refunds=True,
            test_clock=True,
            origins=ORIGINS if self._settings.script else BrowserOrigins(),
        )

    async def check(self) -> CheckReport:
        """Report success."""
        return CheckReport(steps=(CheckStep(name="reach", status="ok"),))

    async def aclose(self) -> None:
        """Do nothing."""

    def _client(self, state: dict[str, Any], ref: str) -> ClientData:
        truth = _truth(state, ref)
        if truth.state not in ("incomplete", "past_due", "unpaid"):
            return NoClient()
        if self._settings.script:
            return ScriptClient(module=self._settings.script, element="stub-pay-checkout", data={"session": ref})
        return SandboxClient(client_secret=f"{ref}_secret")

    async def _call(self, name: str, do: Callable[[dict[str, Any]], T], **about: Any) -> T:
        mode = await asyncio.to_thread(self._bank.next_mode, name)
        self._bank.note(name, mode=mode, **about)
        if mode == "hold":
            while not (self._bank.folder / "release").exists():
                await asyncio.sleep(0.02)
        if mode in FAILURES and mode not in ("lost", "failed"):
            raise FAILURES[mode]()

        def run() -> T:
            with self._bank.open() as state:
                return do(state)

        result = await asyncio.to_thread(run)
        if mode in FAILURES:
            raise FAILURES[mode]()
        return result

    async def products(self) -> Sequence[CatalogProduct]:
        """Return the one product and an old one."""
        return await self._call("products", lambda _: PRODUCTS)

    async def ensure_customer(self, request: CustomerRequest) -> str:
        """Make a customer, once for each key."""

        def do(state: dict[str, Any]) -> str:
            if request.known in state["customers"]:
                return str(request.known)
            if (key := request.idempotency_key) in state["keys"]:
                return str(state["keys"][key])
            state["keys"][key] = name = number(state, "cus")
            state["customers"][name] = {"user_ref": request.user_ref, "email": request.email}
            return name

        return await self._call("ensure_customer", do, user=request.user_ref, key=request.idempotency_key)

    async def start_subscription(self, request: StartRequest) -> StartResult:
        """Make an incomplete subscription, once for each key; a free one is active at once."""

        def do(state: dict[str, Any]) -> StartResult:
            if request.customer not in state["customers"]:
                raise NotFound("no such customer")
            if self._settings.taxes and "billing" not in state["customers"][request.customer]:
                raise InvalidRequest("no address", field="billing_details")
            if request.idempotency_key not in state["keys"]:
                how = "trialing" if request.price == TRIAL else "incomplete"
                ref = add_subscription(state, request.customer, request.price, how)
                use(state, ref, amount_of(request.price), request.promotion_code)
                state["keys"][request.idempotency_key] = ref
            ref = state["keys"][request.idempotency_key]
            return StartResult(subscription=_truth(state, ref), client=self._client(state, ref))

        about = {"user": request.user_ref, "key": request.idempotency_key, "code": request.promotion_code}
        return await self._call("start_subscription", do, **about)

    async def pause(self, ref: str, *, months: int, idempotency_key: str) -> SubscriptionTruth:
        """Put off payments."""

        def do(state: dict[str, Any]) -> SubscriptionTruth:
            if _truth(state, ref).state != "active":
                raise InvalidRequest("it is not paid")
            entry = state["subscriptions"][ref]
            entry.setdefault("paused_until", None)
            entry["paused_until"] = entry["paused_until"] or entry["period_end"] + months * MONTH_S
            return _truth(state, ref)

        return await self._call("pause", do, ref=ref, key=idempotency_key, months=months)

    async def resume(self, ref: str, *, idempotency_key: str) -> SubscriptionTruth:
        """End a pause."""

        def do(state: dict[str, Any]) -> SubscriptionTruth:
            if _truth(state, ref).state == ENDED:
                raise InvalidRequest("it has ended")
            entry = state["subscriptions"][ref]
            if entry["state"] == "paused":
                entry.update(state="active", period_end=int(time.time()) + MONTH_S)
            entry.update(paused_until=None)
            return _truth(state, ref)

        return await self._call("resume", do, ref=ref, key=idempotency_key)

    async def preview_promotion(self, customer: str, *, price: str, code: str) -> PromotionPreview | PromotionRefusal:
        """Return what a code takes off."""
        return await self._call("preview_promotion", lambda state: told(state, amount_of(price), code), code=code)

    async def confirmation(self, ref: str) -> ClientData:
        """Return the secret while something is open."""
        return await self._call("confirmation", lambda state: self._client(state, ref), ref=ref)

    async def subscription(self, ref: str) -> SubscriptionTruth:
        """Return one."""
        return await self._call("subscription", lambda state: _truth(state, ref), ref=ref)

    async def subscriptions(self, customer: str) -> Sequence[SubscriptionTruth]:
        """Return those that have not ended, newest first."""

        def do(state: dict[str, Any]) -> tuple[SubscriptionTruth, ...]:
            if customer not in state["customers"]:
                raise NotFound("no such customer")
            return tuple(
                _truth(state, ref)
                for ref, entry in reversed(state["subscriptions"].items())
                if entry["customer"] == customer and entry["state"] != ENDED
            )

        return await self._call("subscriptions", do, customer=customer)

    async def cancel(self, ref: str, *, at_period_end: bool, idempotency_key: str) -> SubscriptionTruth:
        """End one."""

        def do(state: dict[str, Any]) -> SubscriptionTruth:
            _truth(state, ref)
            entry, now = state["subscriptions"][ref], int(time.time())
            if entry["state"] != ENDED:
                if at_period_end:
                    entry.update(cancel_at=entry["period_end"], canceled_at=now)
                else:
                    entry.update(state=ENDED, canceled_at=now, ended_at=now)
            return _truth(state, ref)

        return await self._call("cancel", do, ref=ref, at_period_end=at_period_end, key=idempotency_key)

    async def reactivate(self, ref: str, *, idempotency_key: str) -> SubscriptionTruth:
        """Take back a cancellation."""

        def do(state: dict[str, Any]) -> SubscriptionTruth:
            if _truth(state, ref).state == ENDED:
                raise InvalidRequest("it has ended")
            state["subscriptions"][ref].update(cancel_at=None, canceled_at=None)
            return _truth(state, ref)

        return await self._call("reactivate", do, ref=ref, key=idempotency_key)

    async def billing_details(self, customer: str) -> BillingDetails | NoBillingDetails:
        """Return what was stored."""
        return await self._call("billing_details", lambda state: taxes.kept(state, customer))

    async def save_billing_details(self, customer: str, details: BillingDetails) -> BillingDetails | BillingRefusal:
        """Store billing details; a tax id that ends with 0 is unknown, and a postal code is needed."""
        return await self._call("save_billing_details", lambda state: taxes.keep(state, customer, details))

    async def preview_taxes(self, customer: str, *, price: str, promotion_code: str | None = None) -> TaxPreview:
        """Return the price with a tenth of it as tax."""
        return await self._call(
            "preview_taxes", lambda state: taxes.told(state, customer, amount_of(price)), code=promotion_code
        )

    async def preview_change(self, ref: str, *, price: str) -> ChangePreview:
        """Return what a change would charge: the difference of the two prices."""

        def do(state: dict[str, Any]) -> ChangePreview:
            new, old = amount_of(price), amount_of(_truth(state, ref).price)
            due, moment = max(0, new - old), int(time.time())
            return ChangePreview(
                due=Money(amount=due, currency="usd"),
                credit=Money(amount=old, currency="usd"),
                next_charge=Money(amount=new, currency="usd"),
                next_at=moment + MONTH_S,
                as_of=moment,
            )

        return await self._call("preview_change", do, ref=ref)

    async def change_price(
        self,
        ref: str,
        *,
        price: str,
        idempotency_key: str,
        as_of: int | None = None,
        at_renewal: bool = False,
    ) -> SubscriptionTruth:
        """Change the price and charge the difference, or nothing before the renewal, once for each key."""

        def do(state: dict[str, Any]) -> SubscriptionTruth:
            _truth(state, ref)
            entry = state["subscriptions"][ref]
            if at_renewal:
                entry.update(price=price)
                return _truth(state, ref)
            if as_of is not None and abs(time.time() - as_of) > 3600:
                raise InvalidRequest("too old", field="as_of")
            if idempotency_key not in state["keys"]:
                state["keys"][idempotency_key] = ref
                due = max(0, amount_of(price) - amount_of(entry["price"]))
                entry.update(price=price)
                bill = {"customer": entry["customer"], "created": int(time.time()), "amount": due}
                state["invoices"][number(state, "in")] = bill
            return _truth(state, ref)

        about = {"ref": ref, "key": idempotency_key, "price": price, "as_of": as_of}
        return await self._call("change_at_renewal" if at_renewal else "change_price", do, **about)

    async def invoices(self, customer: str, *, limit: int = 24) -> Sequence[Invoice]:
        """Return a customer's invoices, newest first."""

        def do(state: dict[str, Any]) -> tuple[Invoice, ...]:
            mine = [(ref, item) for ref, item in state["invoices"].items() if item["customer"] == customer]
            return tuple(_invoice(ref, item) for ref, item in reversed(mine))[:limit]

        return await self._call("invoices", do, customer=customer)

    async def refund(self, invoice: str, *, total: int) -> None:
        """Refund a part of an invoice."""
        await self._call("refund", lambda state: refund(state, invoice, total), invoice=invoice, total=total)

    async def portal(self, customer: str, *, return_url: str) -> str:
        """Return an address."""
        return await self._call("portal", lambda _: f"https://bank.example/{customer}?back={return_url}")

    async def delete_customer(self, customer: str) -> None:
        """Delete a customer."""
        await self._call("delete_customer", lambda state: drop_customer(state, customer), customer=customer)

    async def pay(self, client_secret: str, card: PaymentCard, *, confirmed: bool = False) -> FormResult:
        """Pay; the last digit of the card decides the result."""

        def do(state: dict[str, Any]) -> FormResult:
            ref = client_secret.removesuffix("_secret")
            if ref not in state["subscriptions"]:
                raise NotFound("no such secret")
            if card.number.endswith("2"):
                return FormResult(status="declined", code="declined", message="The card was declined.")
            if card.number.endswith("3") and not confirmed:
                return FormResult(status="requires_confirmation")
            if card.number.endswith("4"):
                raise InvalidRequest("no test card")
            pay(state, ref)
            return FormResult(status="succeeded")

        return await self._call("pay", do)

    async def invoice_pdf(self, invoice: str) -> bytes:
        """Return a fake document."""

        def do(state: dict[str, Any]) -> bytes:
            if invoice not in state["invoices"]:
                raise NotFound("no such invoice")
            return b"%PDF-1.4 " + invoice.encode()

        return await self._call("invoice_pdf", do)

    async def now(self) -> float:
        """Return the bank's time."""
        return await self._call("now", lambda state: time.time() + float(state["clock"]))

    async def advance(self, days: int) -> float:
        """Advance the bank's time."""

        def do(state: dict[str, Any]) -> float:
            state["clock"] += days * 86_400
            return time.time() + float(state["clock"])

        return await self._call("advance", do)

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        """Accept callers that know the key."""
        if request.headers.get("x-stub-key") != KEY:
            raise WebhookRejected("wrong key")
        return tuple(
            ProviderEvent(event_id=event_id, topic=topic, ref=ref) for event_id, topic, ref in json.loads(request.body)
        )


def _truth(state: dict[str, Any], ref: str) -> SubscriptionTruth:
    if ref not in state["subscriptions"]:
        raise NotFound("no such subscription")
    return msgspec.convert({"ref": ref, **state["subscriptions"][ref]}, SubscriptionTruth)


def _invoice(ref: str, item: dict[str, Any]) -> Invoice:
    state: InvoiceState = "void" if item.get("void") else "open" if item.get("open") else "paid"
    refunded, tax = item.get("refunded"), item.get("tax")
    return Invoice(
        id=ref,
        number=f"CW-{ref}",
        state=state,
        total=Money(amount=item["amount"], currency="usd"),
        paid=Money(amount=item["amount"] if state == "paid" else 0, currency="usd"),
        created=item["created"],
        tax=Money(amount=tax, currency="usd") if tax else None,
        due_at=item.get("due_at"),
        refunded=Money(amount=refunded, currency="usd") if refunded else None,
        refunded_at=item.get("refunded_at"),
    )
