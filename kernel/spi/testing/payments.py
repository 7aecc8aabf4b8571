"""Rules for payment providers."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar, Final

import msgspec
import pytest

from .. import (
    CatalogProduct,
    ClientData,
    InvalidRequest,
    Invoice,
    NoClient,
    NotFound,
    PaymentCapabilities,
    PaymentProvider,
    ProviderError,
    StartResult,
    SubscriptionTruth,
    Unsupported,
    WebhookRequest,
    misfit,
)
from .buyers import buyer, new_key, order, person, started
from .checkouts import CheckoutRules
from .contract import ProviderContract
from .fakes import PUBLIC_URL
from .pauses import PauseRules
from .promotions import PromotionRules
from .refunds import RefundRules
from .strategies import drawn, people, told
from .taxes import TaxRules
from .till import TillRules
from .waivers import waived
from .webhooks import WebhookRules, reject

Confirm = Callable[[StartResult], Awaitable[None]]
"""Pays what was started, as a person does at the vendor."""

YEN: Final = 500
STALE_S: Final = 3600
GRACE_S: Final = 60
USABLE: Final = ("active", "trialing")
TOPICS: Final = frozenset(
    {"subscription_changed", "action_required", "invoice_changed", "payment_disputed", "customer_deleted"}
)


class PaymentContract(
    TillRules, CheckoutRules, PromotionRules, PauseRules, RefundRules, TaxRules, WebhookRules, ProviderContract
):
    """Inherit it, override `spec`, `broken` and `confirm`, and what else the vendor needs: `cards` for a form,
    `codes` for promotions, `refund` for refunds,
    `bad_tax_ids` for taxes.

    The vendor of the tests must sell a price of 500 JPY, and two prices that recur in one currency.
    """

    capabilities_type = PaymentCapabilities
    topics = TOPICS
    faults_needed: ClassVar[tuple[str, ...]] = (
        "bad_key",
        "rate_limit",
        "server_error",
        "declined",
        "not_found",
        "garbage",
    )

    @pytest.fixture
    async def prices(self, provider: PaymentProvider) -> tuple[str, str]:
        """Return two prices to subscribe to: the first two that recur. Override it where the vendor has others."""
        first, second, *_ = (
            price.id
            for product in await provider.products()
            for price in product.prices
            if product.active and price.interval
        )
        return first, second

    @pytest.fixture
    def confirm(self, provider: Any) -> Confirm:
        """Return how a person confirms a start at the vendor, as in the browser: it becomes active."""
        raise NotImplementedError("override the fixture `confirm`: how a person pays at the vendor of the tests")

    async def exercise(self, provider: Any) -> Any:
        """Make a customer and list what can be sold."""
        await provider.ensure_customer(person())
        return await provider.products()

    async def provoke(self, provider: Any, fault: str) -> Any:
        """Start a subscription; read one that does not exist."""
        if fault == "not_found":
            return await provider.subscription("sub_nobody")
        return await provider.start_subscription(order("cus_kit", "price_kit"))

    # CAP: capabilities

    async def test_CAP_03_what_is_not_claimed_is_refused(
        self, provider: PaymentProvider, prices: tuple[str, str], confirm: Confirm
    ) -> None:
        known = provider.capabilities()
        truth = await _subscribed(provider, prices[0], confirm)
        calls: dict[str, Callable[[], Awaitable[object]]] = {
            "portal": lambda: provider.portal(truth.customer, return_url=PUBLIC_URL),
            "change_price": lambda: provider.change_price(truth.ref, price=prices[1], idempotency_key=new_key()),
            "reactivate": lambda: provider.reactivate(truth.ref, idempotency_key=new_key()),
            "cancel_now": lambda: provider.cancel(truth.ref, at_period_end=False, idempotency_key=new_key()),
        }
        for name, call in calls.items():
            if not getattr(known, name):
                with pytest.raises(Unsupported):
                    await call()

    # PAY: subscriptions

    async def test_PAY_01_the_catalogue_can_be_shown(self, provider: PaymentProvider) -> None:
        products = await provider.products()
        assert misfit(products, tuple[CatalogProduct, ...]) is None
        assert products and all(product.id and product.name.strip() for product in products)
        prices = [price for product in products for price in product.prices]
        assert len({price.id for price in prices}) == len(prices)
        for price in prices:
            money = price.money
            assert len(money.currency) == 3 and money.currency.isalpha() and money.currency == money.currency.lower()
            assert money.amount >= 0 and price.interval_count >= 1

    async def test_PAY_02_yen_have_no_minor_unit(self, provider: PaymentProvider) -> None:
        found = [
            price.money.amount
            for product in await provider.products()
            for price in product.prices
            if price.money.currency == "jpy"
        ]
        assert YEN in found, f"500 JPY are an amount of 500; found {found}"

    async def test_PAY_03_a_person_is_one_customer(self, provider: PaymentProvider) -> None:
        customer = person()
        first = await provider.ensure_customer(customer)
        assert isinstance(first, str) and first
        assert await provider.ensure_customer(customer) == first, "the same key makes no second customer"
        later = msgspec.structs.replace(customer, known=first, idempotency_key=new_key())
        assert await provider.ensure_customer(later) == first, "a known customer is used again"
        await provider.delete_customer(first)
        back = await provider.ensure_customer(msgspec.structs.replace(later, idempotency_key=new_key()))
        # a vendor that archives customers may bring one back
        assert back != first or not await provider.subscriptions(back), "a deleted customer has no subscriptions"
        assert await provider.ensure_customer(person()) != first

    async def test_PAY_35_a_name_in_any_script_makes_a_customer(self, provider: PaymentProvider) -> None:
        for somebody in drawn(people()):
            try:
                customer = await provider.ensure_customer(somebody)
                assert customer and await provider.ensure_customer(somebody) == customer, told(somebody)
            except ProviderError as error:
                pytest.fail(f"{type(error).__name__} for {told(somebody)}")

    async def test_PAY_04_the_same_key_starts_one_subscription(
        self, provider: PaymentProvider, prices: tuple[str, str]
    ) -> None:
        request = order(await buyer(provider), prices[0])
        first, again = await provider.start_subscription(request), await provider.start_subscription(request)
        assert first.subscription.ref == again.subscription.ref, "a repeated start must not subscribe twice"
        await asyncio.gather(*(provider.start_subscription(request) for _ in range(3)))
        assert len(await provider.subscriptions(request.customer)) == 1

    async def test_PAY_05_a_start_waits_for_the_person(
        self, provider: PaymentProvider, prices: tuple[str, str]
    ) -> None:
        request = order(await buyer(provider), prices[0])
        started = await provider.start_subscription(request)
        assert misfit(started, StartResult) is None
        assert (started.subscription.customer, started.subscription.price) == (request.customer, request.price)
        if isinstance(started.client, NoClient):
            assert started.subscription.state in USABLE
            return
        assert _kind(started.client) == provider.capabilities().client
        assert started.subscription.state == "incomplete", "it is not confirmed yet"
        again = await provider.confirmation(started.subscription.ref)
        assert misfit(again, ClientData) is None
        assert _kind(again) == _kind(started.client), "the payment page can be opened again"

    async def test_PAY_06_a_confirmed_subscription_is_active(
        self, provider: PaymentProvider, prices: tuple[str, str], confirm: Confirm
    ) -> None:
        truth = await _subscribed(provider, prices[0], confirm)
        assert misfit(truth, SubscriptionTruth) is None
        assert truth.state in USABLE and truth.cancel_at is None
        assert truth.period_end is not None and truth.period_end > time.time() - GRACE_S, "unix seconds, and to come"
        assert truth.period_end < time.time() + 2 * 366 * 86_400
        listed = await provider.subscriptions(truth.customer)
        assert misfit(listed, tuple[SubscriptionTruth, ...]) is None
        assert [entry.ref for entry in listed] == [truth.ref]
        assert isinstance(await provider.confirmation(truth.ref), NoClient), "nothing is open"

    async def test_PAY_07_a_cancellation_takes_effect_at_the_end_and_can_be_taken_back(
        self, provider: PaymentProvider, prices: tuple[str, str], confirm: Confirm
    ) -> None:
        truth = await _subscribed(provider, prices[0], confirm)
        ending = await provider.cancel(truth.ref, at_period_end=True, idempotency_key=new_key())
        assert ending.state in USABLE, "it is paid until the end of its period"
        assert ending.cancel_at == ending.period_end == truth.period_end
        assert await provider.subscription(truth.ref) == ending
        if provider.capabilities().reactivate:
            back = await provider.reactivate(truth.ref, idempotency_key=new_key())
            assert back.state in USABLE and back.cancel_at is None
            assert (await provider.subscription(truth.ref)).cancel_at is None

    async def test_PAY_08_a_subscription_that_ended_stays_ended(
        self, provider: PaymentProvider, prices: tuple[str, str], confirm: Confirm
    ) -> None:
        if not provider.capabilities().cancel_now:
            return waived("cancel_now is not claimed")
        truth = await _subscribed(provider, prices[0], confirm)
        ended = await provider.cancel(truth.ref, at_period_end=False, idempotency_key=new_key())
        assert ended.state == "canceled" and ended.ended_at is not None
        assert (await provider.cancel(truth.ref, at_period_end=False, idempotency_key=new_key())).state == "canceled"
        assert await provider.subscriptions(truth.customer) in ((), [])
        if provider.capabilities().reactivate:
            with pytest.raises(InvalidRequest):
                await provider.reactivate(truth.ref, idempotency_key=new_key())

    async def test_PAY_09_another_price_replaces_the_first(
        self, provider: PaymentProvider, prices: tuple[str, str], confirm: Confirm
    ) -> None:
        if not provider.capabilities().change_price:
            return waived("change_price is not claimed")
        truth = await _subscribed(provider, prices[0], confirm)
        changed = await provider.change_price(truth.ref, price=prices[1], idempotency_key=new_key())
        assert (changed.ref, changed.price) == (truth.ref, prices[1])
        assert [entry.price for entry in await provider.subscriptions(truth.customer)] == [prices[1]]

    async def test_PAY_10_invoices_come_newest_first(
        self, provider: PaymentProvider, prices: tuple[str, str], confirm: Confirm
    ) -> None:
        truth = await _subscribed(provider, prices[0], confirm)
        invoices = await provider.invoices(truth.customer)
        assert misfit(invoices, tuple[Invoice, ...]) is None
        assert [invoice.state for invoice in invoices] == ["paid"]
        assert invoices[0].paid == invoices[0].total and invoices[0].number
        created = [invoice.created for invoice in invoices]
        assert created == sorted(created, reverse=True)
        for address in (invoices[0].page_url, invoices[0].pdf_url):
            assert address is None or address.startswith(("https://", "http://127.0.0.1", PUBLIC_URL))

    async def test_PAY_11_what_nobody_has_is_not_found(self, provider: PaymentProvider) -> None:
        for call in (
            lambda: provider.subscription("sub_nobody"),
            lambda: provider.confirmation("sub_nobody"),
            lambda: provider.subscriptions("cus_nobody"),
            lambda: provider.invoices("cus_nobody"),
            lambda: provider.cancel("sub_nobody", at_period_end=True, idempotency_key=new_key()),
            lambda: provider.start_subscription(order("cus_nobody", "price_nobody")),
        ):
            with pytest.raises(NotFound):
                await call()

    async def test_PAY_12_a_deleted_customer_pays_no_more(
        self, provider: PaymentProvider, prices: tuple[str, str], confirm: Confirm
    ) -> None:
        truth = await _subscribed(provider, prices[0], confirm)
        for customer in (truth.customer, truth.customer, "cus_nobody"):
            await provider.delete_customer(customer)
        try:
            left = await provider.subscription(truth.ref)
        except NotFound:
            return
        assert left.state == "canceled", "the account is deleted but the subscription still charges"

    # HOOK: webhooks

    async def test_HOOK_06_a_changed_body_is_rejected(
        self, provider: PaymentProvider, webhooks: Mapping[str, WebhookRequest]
    ) -> None:
        if not webhooks:
            return waived("no webhooks")
        for request in webhooks.values():
            middle = len(request.body) // 2
            for what, body in (
                ("a byte more", request.body + b" "),
                ("another byte", request.body[:middle] + b"x" + request.body[middle + 1 :]),
                ("another event", next(other.body for other in webhooks.values() if other is not request)),
            ):
                await reject(provider, what, msgspec.structs.replace(request, body=body))

    async def test_HOOK_07_an_old_signature_is_rejected(
        self, provider: PaymentProvider, webhooks: Mapping[str, WebhookRequest]
    ) -> None:
        if not webhooks:
            return waived("no webhooks")
        for request in webhooks.values():
            late = msgspec.structs.replace(request, received_unix=request.received_unix + STALE_S)
            await reject(provider, "an hour old", late)


def _kind(client: ClientData) -> str:
    return str(type(client).__struct_config__.tag)


async def _subscribed(provider: PaymentProvider, price: str, confirm: Confirm) -> SubscriptionTruth:
    """Return the state of a new subscription that was confirmed."""
    begun = await started(provider, price)
    if not isinstance(begun.client, NoClient):
        await confirm(begun)
    return await provider.subscription(begun.subscription.ref)
