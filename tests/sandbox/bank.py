"""Steps of users and of the vendor at the sandbox."""

import json
import sqlite3
import time
import uuid
from pathlib import Path
from typing import Any

from kernel.spi import (
    CardOutcome,
    CustomerRequest,
    NoClient,
    PaymentCard,
    SandboxClient,
    StartRequest,
    StartResult,
    SubscriptionTruth,
    WebhookRequest,
)
from kernel.spi.testing import FakeContext
from plugins.sandbox_payments import SANDBOX
from plugins.sandbox_payments.cards import CARDS
from plugins.sandbox_payments.provider import SandboxPayments
from plugins.sandbox_payments.settings import SandboxSettings
from plugins.sandbox_payments.webhooks import SIGNATURE_HEADER, signature

MONTH, YEAR = "price_month_1900_usd", "price_year_19000_usd"
YEN, TRIAL = "price_month_500_jpy", "price_trial14_month_1900_usd"


def open_bank(folder: Path, public_url: str = "http://127.0.0.1:9", **settings: Any) -> SandboxPayments:
    """Return a provider with its database in a folder; its site's address is closed unless one is given."""
    context = FakeContext(folder)
    context.public_url = public_url
    return SANDBOX.build(SandboxSettings(**settings), context)


def typed(outcome: CardOutcome, expiry: str = "04/99", cvc: str = "123") -> PaymentCard:
    """Return the test card that does this, as a user types it."""
    number = next(card.number for card in CARDS if card.outcome == outcome)
    return PaymentCard(number=" ".join(number[at : at + 4] for at in range(0, 16, 4)), expiry=expiry, cvc=cvc)


async def customer(bank: SandboxPayments, name: str = "Ada Reader") -> str:
    """Return a new customer."""
    key = uuid.uuid4().hex
    request = CustomerRequest(user_ref=key, email=f"{key}@example.org", name=name, idempotency_key=key)
    return await bank.ensure_customer(request)


async def start(bank: SandboxPayments, price: str = MONTH, who: str | None = None) -> StartResult:
    """Start a subscription of a new customer, or of this one."""
    request = StartRequest(
        customer=who or await customer(bank),
        price=price,
        user_ref="user",
        return_url="http://127.0.0.1:9/gallery",
        idempotency_key=uuid.uuid4().hex,
    )
    return await bank.start_subscription(request)


def secret_of(started: StartResult) -> str:
    """Return the secret of the payment."""
    assert isinstance(started.client, SandboxClient)
    return started.client.client_secret


async def subscribe(
    bank: SandboxPayments, outcome: CardOutcome = "succeeds", price: str = MONTH, who: str | None = None
) -> SubscriptionTruth:
    """Return a subscription that is paid with this card, its confirmation included."""
    started = await start(bank, price, who)
    result = await bank.pay(secret_of(started), typed(outcome))
    if result.status == "requires_confirmation":
        result = await bank.pay(secret_of(started), typed(outcome), confirmed=True)
    assert result.status == "succeeded"
    return await bank.subscription(started.subscription.ref)


async def pay_open(bank: SandboxPayments, ref: str, outcome: CardOutcome) -> str:
    """Pay what is open with this card and return the result."""
    client = await bank.confirmation(ref)
    assert not isinstance(client, NoClient)
    assert isinstance(client, SandboxClient)
    return (await bank.pay(client.client_secret, typed(outcome))).status


def signed(folder: Path, event: dict[str, Any], at: float | None = None) -> WebhookRequest:
    """Return a webhook as the bank of this folder signs it, now or at another time."""
    books = sqlite3.connect(folder / "bank.db")
    secret = bytes.fromhex(books.execute("SELECT value FROM meta WHERE name = 'secret'").fetchone()[0])
    books.close()
    body, moment = json.dumps(event).encode(), time.time()
    proof = signature(secret, body, int(moment if at is None else at))
    headers = {"content-type": "application/json", SIGNATURE_HEADER: proof}
    return WebhookRequest(body=body, headers=headers, query={}, received_unix=moment)
