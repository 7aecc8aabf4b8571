"""Customers for the tests of payment providers."""

import uuid
from typing import Any

from .. import BillingDetails, CustomerRequest, PaymentProvider, StartRequest, StartResult
from .fakes import PUBLIC_URL


def new_key() -> str:
    """Return an idempotency key."""
    return uuid.uuid4().hex


def person() -> CustomerRequest:
    """Return a new customer."""
    key = new_key()
    return CustomerRequest(user_ref=f"user-{key}", email=f"{key}@example.org", name="Ada Reader", idempotency_key=key)


AT_HOME = BillingDetails(name="Ada Reader", country="DE", line1="Lindenallee 7", city="Berlin", postal_code="10115")
"""A private person where most vendors know the taxes."""


async def buyer(provider: PaymentProvider) -> str:
    """Return a new customer who can buy: with billing details where they are needed."""
    customer = await provider.ensure_customer(person())
    taxing: Any = provider
    if provider.capabilities().taxes:
        await taxing.save_billing_details(customer, AT_HOME)
    return customer


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
    return await provider.start_subscription(order(await buyer(provider), price))
