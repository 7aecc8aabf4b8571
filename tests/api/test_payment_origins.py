"""Pages may connect to the payment vendor whose form they show, and to no other site."""

import re
from typing import Any

import pytest

from kernel.core.web.request_middleware import policies

STRIPE = ("https://js.stripe.com", "https://*.js.stripe.com")


def directives(headers: dict[str, str]) -> dict[str, list[str]]:
    parts = [part.split() for part in headers["content-security-policy"].split("; ")]
    return {name: sources for name, *sources in parts}


def test_without_a_vendor_a_page_goes_to_us_only() -> None:
    found = directives(policies())
    assert found["script-src"] == found["connect-src"] == found["frame-src"] == ["'self'"]
    assert policies()["permissions-policy"].endswith("payment=(self)")


def test_a_vendors_origins_are_added_where_they_belong() -> None:
    headers = policies(STRIPE, (*STRIPE, "https://hooks.stripe.com"), ("https://api.stripe.com",))
    found = directives(headers)
    assert set(found["script-src"]) == {"'self'", *STRIPE}
    assert set(found["frame-src"]) == {"'self'", *STRIPE, "https://hooks.stripe.com"}
    assert found["connect-src"] == ["'self'", "https://api.stripe.com"]
    assert found["default-src"] == ["'none'"] and found["style-src"] == ["'self'"]
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
    assert policies([source], [source], [source]) == policies()
    assert not re.search(r"[\r\n]", "".join(policies([source]).values()))
