"""Replicate's API: predictions that start, run and end as configured, and pictures that anybody may fetch."""

import json
from typing import Any

import httpx

from tests.vendors.pictures import picture

TOKEN = "r8_works"
FILES = "https://replicate.delivery"
RATIOS = {
    "1:1": (2048, 2048),
    "2:3": (1664, 2496),
    "3:4": (1728, 2304),
    "9:16": (1440, 2560),
    "3:2": (2496, 1664),
    "4:3": (2304, 1728),
    "16:9": (2560, 1440),
}


def problem(status: int, title: str, detail: str, **headers: str) -> httpx.Response:
    """Return an error in Replicate's format."""
    return httpx.Response(status, json={"title": title, "detail": detail, "status": status}, headers=headers)


class FakeReplicate:
    """Answers the API at `api.replicate.com` and serves pictures at `replicate.delivery`.

    A prediction takes the `statuses` one by one with each question; `changes` goes into every answer. `asked` are the
    inputs, `created` and `cancelled` count; `served` are the requests for pictures.
    """

    def __init__(self) -> None:
        self.statuses = ["starting", "processing", "succeeded"]
        self.changes: dict[str, Any] = {}
        self.output: Any = None
        self.asked: list[dict[str, Any]] = []
        self.requests: list[httpx.Request] = []
        self.served: list[httpx.Request] = []
        self.cancelled: list[str] = []
        self.uploads = 0
        self.polls: dict[str, int] = {}
        self.lost_downloads = 0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if request.url.host != "api.replicate.com":
            return self._serve(request)
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return problem(401, "Unauthenticated", "You did not pass a valid authentication token")
        match request.method, request.url.path.removeprefix("/v1/").split("/"):
            case "GET", ["account"]:
                return httpx.Response(200, json={"type": "user", "username": "writer", "name": "A. Writer"})
            case "GET", ["models", _, name] if name != "nobody-made-it":
                return httpx.Response(200, json={"owner": "somebody", "name": name})
            case "POST", ["models", _, name, "predictions"] if name != "nobody-made-it":
                return self._create(json.loads(request.content))
            case "POST", ["predictions"]:
                return self._create(json.loads(request.content))
            case "POST", ["files"]:
                self.uploads += 1
                return httpx.Response(201, json=_file(f"https://api.replicate.com/v1/files/{self.uploads}"))
            case "GET", ["predictions", name] if name in self.polls:
                self.polls[name] += 1
                return self._tell(name)
            case "POST", ["predictions", name, "cancel"] if name in self.polls:
                self.cancelled.append(name)
                return self._tell(name)
        return problem(404, "Not found", "The requested resource could not be found.")

    def _create(self, body: dict[str, Any]) -> httpx.Response:
        self.asked.append(body["input"])
        name = f"prediction{len(self.asked)}"
        self.polls[name] = 0
        return self._tell(name, 201)

    def _tell(self, name: str, code: int = 200) -> httpx.Response:
        status = self.statuses[min(self.polls[name], len(self.statuses) - 1)]
        asked = self.asked[int(name.removeprefix("prediction")) - 1]
        if name in self.cancelled:
            status = "canceled"
        prediction = {
            "id": name,
            "model": "somebody/something",
            "version": "hidden",
            "status": status,
            "input": asked,
            "output": (self.output or _address(asked)) if status == "succeeded" else None,
            "logs": "",
            "error": None,
            "metrics": {"predict_time": 2.5} if status == "succeeded" else {},
            "urls": {},
        }
        return httpx.Response(code, json=prediction | self.changes)

    def _serve(self, request: httpx.Request) -> httpx.Response:
        self.served.append(request)
        if len(self.served) <= self.lost_downloads:
            raise httpx.ReadError("the connection was lost", request=request)
        name, _, kind = request.url.path.rpartition("/")[2].partition(".")
        try:
            size, seed = name.split("-")
            width, height = map(int, size.split("x"))
        except ValueError:
            return httpx.Response(404)
        return httpx.Response(200, content=picture(width, height, {"jpg": "jpeg"}.get(kind, kind), int(seed)))


def _address(asked: dict[str, Any]) -> Any:
    """Return the picture's address; Seedream returns a list."""
    if "width" in asked:
        size = f"{asked['width']}x{asked['height']}"
    elif "resolution" in asked:
        size = asked["resolution"]
    else:
        size = "{}x{}".format(*RATIOS[asked["aspect_ratio"]])
    address = f"{FILES}/out/{size}-{int(asked.get('seed', 0))}.{asked.get('output_format', 'png')}"
    return [address] if "sequential_image_generation" in asked else address


def _file(address: str) -> dict[str, Any]:
    return {
        "id": "file",
        "name": "reference.png",
        "content_type": "image/png",
        "size": 1,
        "etag": "e",
        "checksums": {},
        "metadata": {},
        "created_at": "2026-11-21T00:00:00Z",
        "expires_at": None,
        "urls": {"get": address},
    }
