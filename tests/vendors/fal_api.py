"""fal's queue: orders that wait, run and end as configured; its price list; and pictures that anybody may fetch."""

import json
from typing import Any

import httpx

from tests.vendors.pictures import picture

KEY = "fal-id:works"
FILES = "https://v3.fal.media"
PRICES = {
    "fal-ai/flux-2-pro": (0.03, "megapixels"),
    "fal-ai/ideogram/v3": (0.06, "images"),
    "fal-ai/recraft/v4.1/text-to-image": (0.04, "images"),
}


def problem(status: int, detail: Any, **headers: str) -> httpx.Response:
    """Return an error in fal's format: a text, or a list of objects."""
    return httpx.Response(status, json={"detail": detail}, headers=headers)


def flagged(place: str = "prompt") -> httpx.Response:
    """Return what a model answers to content that its checker does not allow."""
    entry = {
        "loc": ["body", place],
        "msg": "The content was flagged by a content checker.",
        "type": "content_policy_violation",
        "url": "https://docs.fal.ai/errors#content_policy_violation",
        "input": "the prompt",
    }
    return problem(422, [entry])


class FakeFal:
    """Answers at `queue.fal.run` and `api.fal.ai`, and serves pictures at `v3.fal.media`.

    An order takes the `statuses` one by one with each question. `ahead` are those before it in the queue, two
    where it is empty. `result` replaces a model's answer, `said` goes into
    the status of one that has ended, `changes` into a result. `asked` are endpoint and input of each order.
    """

    def __init__(self) -> None:
        self.statuses = ["IN_QUEUE", "IN_PROGRESS", "COMPLETED"]
        self.ahead: list[int] = []
        self.result: httpx.Response | None = None
        self.said: dict[str, Any] = {}
        self.changes: dict[str, Any] = {}
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.requests: list[httpx.Request] = []
        self.served: list[httpx.Request] = []
        self.cancelled: list[str] = []
        self.polls: dict[str, int] = {}

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if request.url.host not in ("queue.fal.run", "api.fal.ai", "gateway.example"):
            return self._serve(request)
        if request.headers.get("authorization") != f"Key {KEY}":
            return problem(401, "Cannot access application 'fal-ai/flux-2-pro'. Authentication is required.")
        if request.url.host == "api.fal.ai":
            return self._price(request.url.params["endpoint_id"])
        match request.method, request.url.path.strip("/").split("/"):
            case "POST", [owner, app, *_] if "requests" not in request.url.path and app != "nobody-made-it":
                return self._place(request.url.path.strip("/"), json.loads(request.content), f"{owner}/{app}")
            case "GET", [_, _, "requests", name, "status"] if name in self.polls:
                return self._tell(name)
            case "GET", [_, _, "requests", name] if name in self.polls:
                return self._answer(name)
            case "PUT", [_, _, "requests", name, "cancel"] if name in self.polls:
                if self._status(name) == "COMPLETED":
                    return httpx.Response(400, json={"status": "ALREADY_COMPLETED"})
                self.cancelled.append(name)
                return httpx.Response(202, json={"status": "CANCELLATION_REQUESTED"})
        if "requests" in request.url.path:
            return httpx.Response(404, json={"status": "NOT_FOUND"})
        return problem(404, "Application not found")

    def _price(self, endpoint: str) -> httpx.Response:
        if endpoint not in PRICES:
            return httpx.Response(404, json={"error": {"type": "not_found", "message": "No such endpoint"}})
        price, unit = PRICES[endpoint]
        entry = {"endpoint_id": endpoint, "unit_price": price, "unit": unit, "currency": "USD"}
        return httpx.Response(200, json={"prices": [entry], "next_cursor": None, "has_more": False})

    def _place(self, endpoint: str, body: dict[str, Any], app: str) -> httpx.Response:
        self.asked.append((endpoint, body))
        name = f"00000000-0000-4000-8000-{len(self.asked):012d}"
        self.polls[name] = 0
        address = f"https://queue.fal.run/{app}/requests/{name}"
        urls = {"response_url": address, "status_url": f"{address}/status", "cancel_url": f"{address}/cancel"}
        return httpx.Response(200, json={"request_id": name, "queue_position": 2, **urls})

    def _status(self, name: str) -> str:
        return self.statuses[min(max(0, self.polls[name] - 1), len(self.statuses) - 1)]

    def _tell(self, name: str) -> httpx.Response:
        self.polls[name] += 1
        status = self._status(name)
        said: dict[str, Any] = {"status": status, "request_id": name}
        if status == "IN_QUEUE":
            said["queue_position"] = self.ahead.pop(0) if self.ahead else 2
        if status == "COMPLETED":
            said |= {"metrics": {"inference_time": 2.5}, "logs": []} | self.said
        return httpx.Response(200 if status == "COMPLETED" else 202, json=said)

    def _answer(self, name: str) -> httpx.Response:
        if self.result is not None:
            return self.result
        _, asked = self.asked[int(name[-12:]) - 1]
        size = asked["image_size"]
        kind, seed = asked.get("output_format", "png"), int(asked.get("seed", 0))
        url = f"{FILES}/files/b/{size['width']}x{size['height']}-{seed}.{kind}"
        images = [{"url": url, "content_type": f"image/{kind}", **size}]
        return httpx.Response(200, json={"images": images, "seed": seed, "prompt": asked["prompt"]} | self.changes)

    def _serve(self, request: httpx.Request) -> httpx.Response:
        self.served.append(request)
        name, _, kind = request.url.path.rpartition("/")[2].partition(".")
        try:
            size, seed = name.split("-")
            width, height = map(int, size.split("x"))
        except ValueError:
            return httpx.Response(404)
        return httpx.Response(200, content=picture(width, height, kind, int(seed)))
