"""Customers for the tests of payment providers."""

import uuid

from .. import CustomerRequest, PaymentProvider, StartRequest, StartResult
from .fakes import PUBLIC_URL


def new_key() -> str:
    """Return an idempotency key."""
    return uuid.uuid4().hex


def person() -> CustomerRequest:
    """Return a new customer."""
    key = new_key()
    return CustomerRequest(user_ref=f"user-{key}", email=f"{key}@example.org", name="Ada Reader", idempotency_key=key)


def order(customer: str, price: str) -> StartRequest:
    """Return a request to subscribe."""
    return StartRequest(
        customer=customer,
        price=price,
        user_ref="user-kit",
        return_url=f"{PUBLIC_URL}/payment-status",
        idempotency_key=new_key(),
    )


async def started(provider: PaymentProvider, price: str) -> StartResult:
    """Start a subscription for a new customer."""
    return await provider.start_subscription(order(await provider.ensure_customer(person()), price))
