"""Pages may connect to the payment vendor whose form they show, and to no other site."""

import re
from typing import Any

import pytest

from kernel.core.web.request_middleware import policies
from kernel.spi import BrowserOrigins

STRIPE = ("https://js.stripe.com", "https://*.js.stripe.com")


def directives(headers: dict[str, str]) -> dict[str, list[str]]:
    parts = [part.split() for part in headers["content-security-policy"].split("; ")]
    return {name: sources for name, *sources in parts}


def test_without_a_vendor_a_page_goes_to_us_only() -> None:
    found = directives(policies())
    assert found["script-src"] == found["connect-src"] == found["frame-src"] == ["'self'"]
    assert policies()["permissions-policy"].endswith("payment=(self)")


def test_a_vendors_origins_are_added_where_they_belong() -> None:
    first = BrowserOrigins(
        scripts=STRIPE, frames=(*STRIPE, "https://hooks.stripe.com"), connections=("https://api.stripe.com",)
    )
    headers = policies([first])
    found = directives(headers)
    assert set(found["script-src"]) == {"'self'", *STRIPE}
    assert set(found["frame-src"]) == {"'self'", *STRIPE, "https://hooks.stripe.com"}
    assert found["connect-src"] == ["'self'", "https://api.stripe.com"]
    assert found["default-src"] == ["'none'"] and found["style-src"] == ["'self'"]
    assert found["img-src"] == ["'self'", "data:", "blob:"]
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert 'payment=(self "https://hooks.stripe.com" "https://js.stripe.com")' in headers["permissions-policy"]


@pytest.mark.parametrize(
    "source",
    [
        "*",
        "https:",
        "http://pay.example",
        "'unsafe-inline'",
        "https://a.example; script-src *",
        "https://a\r\nx: y",
        "",
    ],
)
def test_an_invalid_origin_is_not_added_to_the_policy(source: Any) -> None:
    bad = BrowserOrigins(scripts=(source,), frames=(source,), connections=(source,), styles=(source,), images=(source,))
    assert policies([bad]) == policies()
    assert not re.search(r"[\r\n]", "".join(policies([bad]).values()))


def test_two_vendors_are_added_side_by_side_with_their_sheets_pictures_and_windows() -> None:
    paddle = BrowserOrigins(scripts=("https://cdn.paddle.example",), styles=("https://cdn.paddle.example",))
    paypal = BrowserOrigins(
        scripts=("https://www.paypal.example",), images=("https://pictures.paypal.example",), popups=True
    )
    headers = policies([paddle, paypal])
    found = directives(headers)
    assert found["script-src"] == ["'self'", "https://cdn.paddle.example", "https://www.paypal.example"]
    assert found["style-src"] == ["'self'", "https://cdn.paddle.example"]
    assert found["img-src"] == ["'self'", "data:", "blob:", "https://pictures.paypal.example"]
    assert headers["cross-origin-opener-policy"] == "same-origin-allow-popups"
