"""What pages need for the payment vendor: the origins that a browser may use, and the screen named after it."""

from typing import Final

from kernel.core.web.request_middleware import policies
from kernel.providers import PAYMENT, Registry

PAYMENT_SCREENS: Final = frozenset({"/subscribe", "/account"})
"""Where users can pay: a first time, or what a failed renewal left open. The browser loads these as documents."""


def page_policies(registry: Registry, screen: str) -> dict[str, str]:
    """Return the headers of a page: where users pay, the origins that the payment instances in use now need."""
    paying = screen.rstrip("/") in PAYMENT_SCREENS
    return policies(entry.capabilities.origins for entry in registry.failover_order(PAYMENT) if paying and entry.usable)


def payment_screens(registry: Registry) -> frozenset[str]:
    """Return the address of the screen that is named after the provider that sells now; empty when none does."""
    selling = next((entry.provider_id for entry in registry.failover_order(PAYMENT) if entry.state == "ready"), None)
    return frozenset() if selling is None else frozenset({f"/admin/{selling}"})
