"""Paddle's API on a port of its own, for journeys in a browser: `python -m tests.vendors.paddle_site`.

It prints its address, and serves until its input ends. `POST /browser/pay` with a transaction is what the frame does.
"""

import json
import sys

import httpx

from kernel.spi.testing import Loopback
from tests.vendors.paddle_api import FakePaddle


def main() -> None:
    """Serve until the input ends."""
    fake = FakePaddle()

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path != "/browser/pay":
            return fake(request)
        fake.books.pay(json.loads(request.content)["transaction"])
        return httpx.Response(200, json={})

    with Loopback(answer) as vendor:
        print(vendor.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
