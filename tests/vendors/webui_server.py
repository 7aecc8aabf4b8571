"""A Stable Diffusion web UI started with `--api`: `/sdapi/v1` as its own documentation page lists it."""

import asyncio
import base64
import json
from typing import Any

import httpx

from tests.vendors.pictures import picture

HOST = "http://studio.example:7860"
CHECKPOINTS = [
    {"title": "sdxl.safetensors [31e35c80fc]", "model_name": "sdxl", "hash": "31e35c80fc"},
    {"title": "flux.safetensors [abc]", "model_name": "flux", "hash": "abc"},
]
SAMPLERS = ["DPM++ 2M", "Euler"]


class FakeWebUI:
    """Answers at `studio.example`.

    `asked` are method and order of each picture. With `shares` a picture takes as long as there are any: each look at
    the progress takes one. `prefix` stands before the picture, as SD.Next may have it.
    """

    def __init__(self, login: str = "") -> None:
        self.login = f"Basic {base64.b64encode(login.encode()).decode()}" if login else ""
        self.shares: list[float] = []
        self.prefix = ""
        self.answer: httpx.Response | None = None
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.requests: list[httpx.Request] = []
        self.interrupted = 0

    async def slowly(self, request: httpx.Request) -> httpx.Response:
        """Answer an order once all shares have been told."""
        if request.url.path.endswith("2img"):
            while self.shares:
                await asyncio.sleep(0.005)
        return self(request)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        path = request.url.path.removeprefix("/sdapi/v1/")
        if self.login and request.headers.get("authorization") != self.login:
            return httpx.Response(401, json={"detail": "Incorrect username or password"})
        match request.method, path:
            case "GET", "sd-models":
                return httpx.Response(200, json=CHECKPOINTS)
            case "GET", "samplers":
                return httpx.Response(200, json=[{"name": name, "aliases": [], "options": {}} for name in SAMPLERS])
            case "GET", "progress":
                share = self.shares.pop(0) if self.shares else 0.0
                return httpx.Response(200, json={"progress": share, "eta_relative": 1.5, "state": {"job_count": 1}})
            case "POST", "interrupt":
                self.interrupted += 1
                return httpx.Response(200, json={})
            case "POST", "txt2img" | "img2img":
                return self._draw(path, json.loads(request.content))
        return httpx.Response(404, json={"detail": "Not Found"})

    def _draw(self, method: str, order: dict[str, Any]) -> httpx.Response:
        self.asked.append((method, order))
        if self.answer is not None:
            return self.answer
        if order.get("sampler_name", "Euler") not in SAMPLERS:
            return httpx.Response(400, json={"error": "HTTPException", "detail": "Sampler not found", "errors": ""})
        seed = order["seed"] if order["seed"] >= 0 else 4
        drawn = base64.b64encode(picture(order["width"], order["height"], "png", seed)).decode()
        info = json.dumps({"seed": seed, "all_seeds": [seed]})
        return httpx.Response(200, json={"images": [self.prefix + drawn], "parameters": {}, "info": info})
