"""A vendor's API on a port of its own, for journeys in a browser."""

import json
import sys
from collections.abc import Callable
from typing import Any

import httpx

from kernel.spi.testing import Loopback


def serve(vendor: Callable[[httpx.Request], httpx.Response], pay: Callable[[dict[str, Any]], object]) -> None:
    """Print the address, and serve until the input ends. A `POST /browser/pay` is what a person does in the form."""

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path != "/browser/pay":
            return vendor(request)
        pay(json.loads(request.content))
        return httpx.Response(200, json={})

    with Loopback(answer) as server:
        print(server.url, flush=True)
        sys.stdin.read()
