"""Transactions at Paddle: what a checkout is opened with, and what there is of a subscription before it is paid."""

import time
from collections.abc import Sequence
from typing import Any, Final

from kernel.spi import NoClient, NotFound, ScriptClient, StartRequest, SubscriptionTruth
from plugins.paddle_payments import wire
from plugins.paddle_payments.client import TRANSACTIONS_PAGE, Api, known_id
from plugins.paddle_payments.customers import USER
from plugins.paddle_payments.errors import SETTLED
from plugins.paddle_payments.settings import PaddleSettings
from plugins.paddle_payments.truths import CARD_CHANGE, OPENED, STARTED, start_of, trial_days

MODULE: Final = "paddle-checkout.js"
ELEMENT: Final = "paddle-checkout"

OPERATION: Final = "coverwright_operation"
ENDED: Final = "coverwright_ended"
"""Where it is noted that a draft is given up: Paddle cancels only what has an address already."""
DAY_S: Final = 86_400


class Sales:
    """Begins and ends transactions, and says what a browser needs to pay them."""

    def __init__(self, api: Api, settings: PaddleSettings) -> None:
        self._api = api
        self._settings = settings

    async def of_customer(self, customer: str, **query: str) -> list[wire.Transaction]:
        """Return the transactions of a customer, newest first."""
        return await self._listed(customer_id=known_id(customer, "ctm"), **query)

    async def of_subscription(self, ref: str, **query: str) -> list[wire.Transaction]:
        """Return the transactions of a subscription, newest first."""
        return await self._listed(subscription_id=known_id(ref, "sub"), **query)

    async def _listed(self, **query: str) -> list[wire.Transaction]:
        return await self._api.pages(wire.Transaction, "/transactions", query, size=TRANSACTIONS_PAGE)

    async def read(self, ref: str) -> wire.Transaction:
        """Return one transaction. Raises NotFound."""
        return await self._api.read(wire.Transaction, f"/transactions/{known_id(ref, 'txn')}")

    async def begin(self, request: StartRequest) -> wire.Transaction:
        """Return the transaction of this key, made now unless it was made before. Raises NotFound."""
        customer, price = known_id(request.customer, "ctm"), known_id(request.price, "pri")
        for sale in await self.of_customer(customer, origin=STARTED):
            if (sale.custom_data or {}).get(OPERATION) == request.idempotency_key:
                return sale
        wish = {
            "customer_id": customer,
            "items": [{"price_id": price, "quantity": 1}],
            "collection_mode": "automatic",
            "custom_data": {USER: request.user_ref, OPERATION: request.idempotency_key},
        }
        made = await self._api.change(wire.Transaction, "POST", "/transactions", wish)
        if made is None:
            raise NotFound("no transaction was made")
        return made

    async def end(self, sale: wire.Transaction) -> None:
        """Give up what was not paid. One that was paid meanwhile is left alone."""
        if not is_open(sale):
            return
        draft = sale.status == "draft"
        change: dict[str, Any] = {"status": "canceled"}
        if draft:
            change = {"custom_data": {**(sale.custom_data or {}), ENDED: "yes"}}
        await self._api.change(wire.Transaction, "PATCH", f"/transactions/{sale.id}", change, tolerated=SETTLED)

    async def card_sale(self, subscription: str) -> wire.Transaction:
        """Return the transaction with which another card is given: the one that is open, or a new one."""
        opened = await self.of_subscription(subscription, origin=CARD_CHANGE, status=",".join(OPENED))
        if opened:
            return opened[0]
        return await self.due(subscription)

    async def due(self, subscription: str) -> wire.Transaction:
        """Return what Paddle wants the payer to open: the renewal that failed, or a new one of nothing for a card."""
        path = f"/subscriptions/{known_id(subscription, 'sub')}/update-payment-method-transaction"
        return await self._api.read(wire.Transaction, path)

    def payment(self, sale: wire.Transaction) -> ScriptClient | NoClient:
        """Return the checkout of what was begun; for a trial, that takes a card."""
        if not is_open(sale):
            return NoClient()
        days = sum(trial_days(item.price) for item in sale.items if item.price)
        return self.card(sale, int(time.time()) + days * DAY_S) if days else self.checkout(sale)

    def checkout(self, sale: wire.Transaction) -> ScriptClient:
        """Return the checkout in which a transaction is paid."""
        return ScriptClient(module=MODULE, element=ELEMENT, data=self._data(sale))

    def card(self, sale: wire.Transaction, first_payment: int | None) -> ScriptClient:
        """Return the checkout in which a card is given that is charged later."""
        return ScriptClient(
            module=MODULE, element=ELEMENT, data=self._data(sale), intent="setup", first_payment=first_payment
        )

    def _data(self, sale: wire.Transaction) -> dict[str, str]:
        return {
            "environment": self._settings.environment,
            "clientToken": self._settings.publishable,
            "transactionId": sale.id,
        }


def is_open(sale: wire.Transaction) -> bool:
    """Return whether a transaction can still be paid for the first time."""
    return sale.status in OPENED and ENDED not in (sale.custom_data or {})


def starts(sales: Sequence[wire.Transaction]) -> list[SubscriptionTruth]:
    """Return those of a customer's transactions that this site began and of which there is no subscription yet."""
    ours = (sale for sale in sales if sale.origin == STARTED and OPERATION in (sale.custom_data or {}))
    begun = (sale for sale in ours if sale.subscription_id is None)
    return [start_of(sale) for sale in begun if is_open(sale) or sale.status in ("paid", "completed")]
