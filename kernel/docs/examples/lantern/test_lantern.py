"""Lantern keeps the contract: the kit, and the service as it answers when all is well."""

import io
import json
from collections.abc import Mapping
from typing import Any

import httpx
import lantern
import pytest
from coverwright_spi import ProviderSpec, Secret, Settings
from coverwright_spi.testing import ImageContract
from PIL import Image

WORKING = lantern.LanternSettings(api_key=Secret("right"))


class Vendor:
    """Lantern on this machine. Each order waits, is painted and is done: one step for each question."""

    def __init__(self) -> None:
        self._orders: dict[str, dict[str, Any]] = {}

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer one request."""
        path = request.url.path.removeprefix("/v1/").split("/")
        if path[0] != "files" and request.headers.get("authorization") != "Bearer right":
            return httpx.Response(401)
        match request.method, path:
            case "GET", ["account"]:
                return httpx.Response(200, json={"name": "tests"})
            case "POST", ["orders"]:
                order_id = f"order-{len(self._orders) + 1}"
                self._orders[order_id] = {"asked": 0, "wish": json.loads(request.content)}
                return httpx.Response(201, json={"id": order_id, "state": "waiting", "place": 2})
            case "GET", ["orders", order_id] if order_id in self._orders:
                return httpx.Response(200, json=self._state(order_id))
            case "DELETE", ["orders", order_id] if order_id in self._orders:
                return httpx.Response(204)
            case "GET", ["files", order_id] if order_id in self._orders:
                return httpx.Response(200, content=_painted(self._orders[order_id]["wish"]))
        return httpx.Response(404)

    def _state(self, order_id: str) -> dict[str, Any]:
        order = self._orders[order_id]
        order["asked"] += 1
        if order["asked"] == 1:
            return {"id": order_id, "state": "painting", "share": 0.5}
        return {"id": order_id, "state": "done", "picture": f"https://api.lantern.example/v1/files/{order_id}"}


def _painted(wish: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    shade = wish.get("seed", 0) % 256
    Image.new("RGB", (wish["width"], wish["height"]), (shade, 90, 140)).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


class TestConformance(ImageContract):
    @pytest.fixture(autouse=True)
    def _quick(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lantern, "POLL_S", 0.005)

    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return lantern.LANTERN

    @pytest.fixture
    def settings(self) -> Settings:
        return WORKING

    @pytest.fixture
    def broken(self) -> Mapping[str, Settings]:
        return {
            "api_key": lantern.LanternSettings(api_key=Secret("wrong")),
            "base_url": lantern.LanternSettings(api_key=Secret("right"), base_url="nowhere"),
        }

    @pytest.fixture
    def upstream(self) -> httpx.MockTransport:
        return httpx.MockTransport(Vendor().answer)

    @pytest.fixture
    def faults(self) -> Mapping[str, Any]:
        return {
            "bad_key": httpx.Response(401),
            "rate_limit": httpx.Response(429, headers={"retry-after": "7"}),
            "server_error": httpx.Response(503),
            "refused": httpx.Response(422, json={"code": "refused", "message": "not this"}),
            "no_funds": httpx.Response(402),
            "garbage": httpx.Response(200, text="<html>"),
        }
