"""Stripe's API on a port of its own, for journeys in a browser: `python -m tests.vendors.stripe_site`.

It prints its address and sells one product until its input ends. `POST /browser/pay` with a client secret is what
Stripe's script does behind its form.
"""

import json
import sys

import httpx

from kernel.spi.testing import Loopback
from tests.vendors.stripe_api import FakeStripe


def main() -> None:
    """Serve until the input ends."""
    fake = FakeStripe()
    fake.books.sell("Pro", ("usd", 1900, "month"))

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path != "/browser/pay":
            return fake(request)
        fake.books.pay(json.loads(request.content)["secret"])
        return httpx.Response(200, json={})

    with Loopback(answer) as vendor:
        print(vendor.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
