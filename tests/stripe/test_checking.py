"""The check of a Stripe account reports what is wrong, at its field, and changes nothing."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from kernel.spi import Secret, SettingsInvalid
from kernel.spi.testing import FakeContext
from plugins.stripe_payments import STRIPE
from tests.stripe.conftest import SETTINGS, Shop
from tests.vendors.stripe_api import failure

pytestmark = pytest.mark.anyio

OURS = "https://covers.example/api/webhooks/payment/kit"
FORBIDDEN = failure(403, "invalid_request_error", "permission_error", "The key does not have the permission.")


async def steps(shop: Shop, **changes: Any) -> dict[str, tuple[str, str | None]]:
    """Check and return status and field by the name of the step."""
    report = await shop.open(**changes).check()
    return {step.name: (step.status, step.field) for step in report.steps}


async def test_a_good_account_passes_and_nothing_is_changed(shop: Shop) -> None:
    await shop.stripe.create_webhook(OURS)
    before = len(shop.vendor.requests)
    assert await steps(shop, automatic_tax=True) == {
        "reach": ("ok", None),
        "key": ("ok", None),
        "mode": ("ok", None),
        "prices": ("ok", None),
        "webhook": ("ok", None),
        "refunds": ("ok", None),
        "tax": ("ok", "automatic_tax"),
        "portal": ("ok", None),
    }
    assert {request.method for request in shop.vendor.requests[before:]} == {"GET"}


async def test_what_is_not_ready_at_stripe_is_told(shop: Shop) -> None:
    shop.books.prices.clear()
    shop.books.tax_status, shop.books.portal_saved = "pending", False
    found = await steps(shop, automatic_tax=True)
    assert found["prices"] == ("warn", None)
    assert found["webhook"] == ("warn", None)
    assert found["tax"] == ("fail", "automatic_tax")
    assert found["portal"] == ("warn", None)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, "ok"),
        ({"api_version": None}, "warn"),
        ({"api_version": "2024-06-20"}, "warn"),
        ({"status": "disabled"}, "warn"),
        ({"enabled_events": ["invoice.paid"]}, "warn"),
        ({"enabled_events": ["*"]}, "ok"),
        ({"url": "https://else.example/hook"}, "warn"),
    ],
    ids=str,
)
async def test_an_unsuitable_webhook_endpoint_is_reported(shop: Shop, change: dict[str, Any], status: str) -> None:
    await shop.stripe.create_webhook(OURS)
    next(iter(shop.books.endpoints.values())).update(change)
    assert (await steps(shop))["webhook"] == (status, None)


async def test_keys_must_be_of_one_mode(shop: Shop) -> None:
    assert (await steps(shop, publishable="pk_live_51Kit"))["mode"] == ("fail", "publishable")


async def test_a_live_account_that_may_not_sell_fails(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.vendors.stripe_api.KEY", "sk_live_51Kit")
    shop.books.charges_enabled = False
    live = {"secret_key": Secret("sk_live_51Kit"), "publishable": "pk_live_51Kit"}
    assert (await steps(shop, **live))["key"] == ("fail", "secret_key")
    assert shop.open(**live).capabilities().live and not shop.stripe.capabilities().live


async def test_a_restricted_key_is_used_within_its_permissions(shop: Shop) -> None:
    shop.vendor.trouble += [("GET", f"/v1/{path}", FORBIDDEN) for path in ("account", "webhook_endpoints", "billing")]
    found = await steps(shop)
    assert (found["key"], found["webhook"], found["portal"]) == (("warn", None),) * 3
    assert found["prices"] == ("ok", None)
    shop.vendor.trouble.append(("GET", "/v1/prices", FORBIDDEN))
    assert (await steps(shop))["prices"] == ("fail", "secret_key")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("secret_key", Secret("pk_test_51Kit")),
        ("secret_key", Secret("sk_test_51Kit\n")),
        ("webhook_secret", Secret("whsec_kit\n")),
        ("api_url", "https://:0"),
    ],
    ids=str,
)
def test_what_cannot_be_right_is_refused_without_asking(field: str, value: Any, tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid) as caught:
        STRIPE.build(msgspec.structs.replace(SETTINGS, **{field: value}), FakeContext(tmp_path))
    assert caught.value.field == field
