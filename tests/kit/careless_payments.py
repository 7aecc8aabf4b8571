"""Faulty payment providers."""

import uuid
from collections.abc import Sequence
from typing import Any

import msgspec

from kernel.spi import (
    CatalogPrice,
    CatalogProduct,
    CustomerRequest,
    InvalidRequest,
    Invoice,
    Money,
    NotFound,
    ProviderEvent,
    Secret,
    StartRequest,
    StartResult,
    SubscriptionTruth,
    WebhookRequest,
)
from tests.kit.careless import spoilt
from tests.kit.examples import example

provider, tests = example("payment")
Careful: Any = provider.ExamplePaymentPayments
given: Any = (tests.TestConformance, tests.EXAMPLE_PAYMENT)
replace = msgspec.structs.replace


class Retelling(Careful):  # type: ignore[misc]
    """Reports a subscription wrongly."""

    def retell(self, truth: SubscriptionTruth) -> SubscriptionTruth:
        return truth

    async def subscription(self, ref: str) -> SubscriptionTruth:
        return self.retell(await super().subscription(ref))

    async def cancel(self, ref: str, *, at_period_end: bool, idempotency_key: str) -> SubscriptionTruth:
        return self.retell(await super().cancel(ref, at_period_end=at_period_end, idempotency_key=idempotency_key))


class Repricing(Careful):  # type: ignore[misc]
    """Reports prices wrongly."""

    def reprice(self, price: CatalogPrice) -> CatalogPrice:
        return price

    async def products(self) -> Sequence[CatalogProduct]:
        return tuple(
            replace(product, prices=tuple(map(self.reprice, product.prices))) for product in await super().products()
        )


@spoilt("CAP_03", *given)
class SecretPortal(Careful):  # type: ignore[misc]
    """Has a portal that it does not claim."""

    async def portal(self, customer: str, *, return_url: str) -> str:
        return return_url


@spoilt("PAY_34", *given)
class ForgetsItsStart(Retelling):
    """Gives a subscription another ref than its start, and does not say that they are one."""

    def retell(self, truth: SubscriptionTruth) -> SubscriptionTruth:
        return replace(truth, ref=f"{truth.ref}_begun")


@spoilt("PAY_01", *given)
class ShoutsCurrencies(Repricing):
    """Writes currencies as the vendor does."""

    def reprice(self, price: CatalogPrice) -> CatalogPrice:
        return replace(price, money=replace(price.money, currency=price.money.currency.upper()))


@spoilt("PAY_02", *given)
class HundredthsOfYen(Repricing):
    """Takes every amount for hundredths."""

    def reprice(self, price: CatalogPrice) -> CatalogPrice:
        return replace(price, money=Money(amount=price.money.amount * 100, currency=price.money.currency))


@spoilt("PAY_03", *given)
class NewCustomerEachTime(Careful):  # type: ignore[misc]
    """Makes a customer although one is known."""

    async def ensure_customer(self, request: CustomerRequest) -> str:
        customer: str = await super().ensure_customer(replace(request, known=None))
        return customer


@spoilt("PAY_04", *given)
class KeyPerTry(Careful):  # type: ignore[misc]
    """Makes an idempotency key of its own for every try."""

    async def start_subscription(self, request: StartRequest) -> StartResult:
        started: StartResult = await super().start_subscription(replace(request, idempotency_key=uuid.uuid4().hex))
        return started


@spoilt("PAY_05", *given)
class ActiveAtOnce(Careful):  # type: ignore[misc]
    """Reports an unpaid subscription as active."""

    async def start_subscription(self, request: StartRequest) -> StartResult:
        started: StartResult = await super().start_subscription(request)
        return replace(started, subscription=replace(started.subscription, state="active"))


@spoilt("PAY_06", *given)
class Milliseconds(Retelling):
    """Counts in milliseconds."""

    def retell(self, truth: SubscriptionTruth) -> SubscriptionTruth:
        return replace(truth, period_end=(truth.period_end or 0) * 1000)


@spoilt("PAY_07", *given)
class FlagOnly(Retelling):
    """Supports only one of two ways to write a scheduled end."""

    def retell(self, truth: SubscriptionTruth) -> SubscriptionTruth:
        return replace(truth, cancel_at=None)


@spoilt("PAY_08", *given)
class RaisesTheDead(Careful):  # type: ignore[misc]
    """Reactivates what has ended."""

    async def reactivate(self, ref: str, *, idempotency_key: str) -> SubscriptionTruth:
        try:
            truth: SubscriptionTruth = await super().reactivate(ref, idempotency_key=idempotency_key)
        except InvalidRequest:
            return replace(await super().subscription(ref), state="active")
        return truth


@spoilt("PAY_09", *given)
class SecondSubscription(Careful):  # type: ignore[misc]
    """Changes a price by adding another."""

    async def change_price(
        self, ref: str, *, price: str, idempotency_key: str, as_of: int | None = None
    ) -> SubscriptionTruth:
        truth: SubscriptionTruth = await super().subscription(ref)
        order = StartRequest(
            customer=truth.customer, price=price, user_ref="", return_url="", idempotency_key=idempotency_key
        )
        await super().start_subscription(order)
        return replace(truth, price=price)


@spoilt("PAY_10", *given)
class ShowsDrafts(Careful):  # type: ignore[misc]
    """Shows invoices that are not invoices yet."""

    async def invoices(self, customer: str, *, limit: int = 24) -> Sequence[Invoice]:
        return [replace(invoice, state="draft") for invoice in await super().invoices(customer)]


@spoilt("PAY_11", *given)
class TroubleIsNone(Careful):  # type: ignore[misc]
    """Reports that a customer it cannot find has no subscriptions."""

    async def subscriptions(self, customer: str) -> Sequence[SubscriptionTruth]:
        try:
            found: Sequence[SubscriptionTruth] = await super().subscriptions(customer)
        except NotFound:
            return ()
        return found


@spoilt("PAY_12", *given)
class ForgetsToCancel(Careful):  # type: ignore[misc]
    """Deletes the customer and lets the subscription continue."""

    async def delete_customer(self, customer: str) -> None:
        return


@spoilt("HOOK_06", *given)
class NeverChecksBodies(Careful):  # type: ignore[misc]
    """Accepts every body."""

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        return ()


@spoilt("HOOK_07", *given)
class OldNews(Careful):  # type: ignore[misc]
    """Accepts a signature of any age."""

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        at = request.headers["x-example_payment-signature"].partition(".")[0]
        events: Sequence[ProviderEvent] = await super().read_webhook(replace(request, received_unix=float(at)))
        return events


@spoilt("HOOK_08", *given)
class NowhereToKeepIt(Careful):  # type: ignore[misc]
    """Sets up a webhook and has no setting for its secret."""

    async def create_webhook(self, url: str) -> Secret:
        return Secret(url)
