"""ComfyUI's own HTTP API over the kernel's client."""

from typing import Any, Final
from urllib.parse import quote

import httpx
import msgspec

from kernel.spi import (
    InvalidRequest,
    NotFound,
    ProviderError,
    SettingsInvalid,
    decode_answer,
    error_detail,
    problem_of,
    status_error,
)
from plugins.comfyui_images.settings import ComfyUISettings
from plugins.comfyui_images.workflow import Nodes

CALL_LIMIT_S: Final = 60.0
CLIENT: Final = "coverwright"


class Accepted(msgspec.Struct, frozen=True):
    """Answer to an order."""

    prompt_id: str


class Uploaded(msgspec.Struct, frozen=True):
    """Where an upload is kept."""

    name: str
    subfolder: str = ""


class Queue(msgspec.Struct, frozen=True):
    """What is worked on and what waits; the second item of each entry is the id of an order."""

    queue_running: list[list[Any]]
    queue_pending: list[list[Any]]


class Saved(msgspec.Struct, frozen=True):
    """A picture that a node has saved. `type` is `output`, or `temp` for a preview."""

    filename: str
    subfolder: str = ""
    type: str = "output"


class Outcome(msgspec.Struct, frozen=True):
    """How an order ended, with messages: pairs of a name and an object."""

    status_str: str = ""
    messages: list[tuple[str, dict[str, Any]]] = []


class Ended(msgspec.Struct, frozen=True):
    """An order in the history: what each node has put out, by kind.

    `prompt` is a number, the id, the nodes, an object that names the client, and ids of nodes with an output.
    """

    prompt: list[Any] = []
    outputs: dict[str, dict[str, Any]] = {}
    status: Outcome | None = None


class Server:
    """One ComfyUI."""

    def __init__(self, settings: ComfyUISettings, transport: httpx.AsyncBaseTransport) -> None:
        self._base = settings.base_url.rstrip("/")
        headers = {"authorization": settings.authorization.reveal()} if settings.authorization else {}
        self._http = httpx.AsyncClient(transport=transport, headers=headers, timeout=CALL_LIMIT_S, trust_env=False)

    async def order(self, nodes: Nodes) -> str:
        """Place an order and return its id. Sent once: a lost answer may have placed one."""
        answer = await self._http.post(f"{self._base}/prompt", json={"prompt": nodes, "client_id": CLIENT})
        return decode_answer(answer.content, Accepted).prompt_id

    async def upload(self, name: str, data: bytes, media_type: str) -> str:
        """Store a reference and return the name by which a node loads it."""
        form = {"type": "input", "subfolder": CLIENT, "overwrite": "true"}
        files = {"image": (name, data, media_type)}
        answer = await self._http.post(f"{self._base}/upload/image", data=form, files=files)
        stored = decode_answer(answer.content, Uploaded)
        return f"{stored.subfolder}/{stored.name}" if stored.subfolder else stored.name

    async def ended(self, order_id: str) -> Ended | None:
        """Return how an order ended; None for one that has not, or that is not known."""
        answer = await self._http.get(f"{self._base}/history/{order_id}")
        return decode_answer(answer.content, dict[str, Ended]).get(order_id)

    async def history(self, most: int) -> dict[str, Ended]:
        """Return what has ended, the last last."""
        answer = await self._http.get(f"{self._base}/history", params={"max_items": most})
        return decode_answer(answer.content, dict[str, Ended])

    async def place_of(self, order_id: str) -> int | None:
        """Return 0 for an order that is worked on, else its place in the queue, or None when it is not in it."""
        queue = decode_answer((await self._http.get(f"{self._base}/queue")).content, Queue)
        if order_id in _ids(queue.queue_running):
            return 0
        waiting = _ids(sorted(queue.queue_pending, key=_number))
        return waiting.index(order_id) + 1 if order_id in waiting else None

    async def remove(self, order_id: str) -> None:
        """Take an order out of the queue before it begins."""
        await self._http.post(f"{self._base}/queue", json={"delete": [order_id]})

    async def interrupt(self, order_id: str) -> None:
        """End what is worked on. Older versions do not read the id: ask first whose it is."""
        await self._http.post(f"{self._base}/interrupt", json={"prompt_id": order_id})

    async def picture(self, saved: Saved) -> bytes:
        """Return a picture. Raises NotFound."""
        named = {"filename": saved.filename, "subfolder": saved.subfolder, "type": saved.type}
        return (await self._http.get(f"{self._base}/view", params=named)).content

    async def version(self) -> str:
        """Return the version of the server."""
        about = problem_of((await self._http.get(f"{self._base}/system_stats")).content).get("system")
        return str(about.get("comfyui_version", "")) if isinstance(about, dict) else ""

    async def inputs_of(self, kind: str) -> dict[str, Any] | None:
        """Return what a kind of node takes, by name; None for a kind that the server does not have."""
        answer = await self._http.get(f"{self._base}/object_info/{quote(kind, safe='')}")
        about = decode_answer(answer.content, dict[str, dict[str, Any]]).get(kind)
        if about is None:
            return None
        groups = about.get("input")
        required = groups.get("required") if isinstance(groups, dict) else None
        return required if isinstance(required, dict) else {}

    async def aclose(self) -> None:
        """Close the client; the kernel's stays open."""
        await self._http.aclose()


def judge(answer: httpx.Response) -> ProviderError | None:
    """Return the error for an answer; None for a success."""
    status, path = answer.status_code, answer.request.url.path
    if status == 400 and path.endswith("/prompt"):
        return SettingsInvalid(error_detail(status, _rejected(answer.content)), field="workflow", upstream_status=400)
    if status == 400 and path.endswith("/upload/image"):
        return InvalidRequest("the server does not take a reference", upstream_status=400)
    if status == 404 and path.endswith("/view"):
        return NotFound("the picture is not there any more", upstream_status=404)
    return status_error(answer, "", key_field="authorization")


def choices_of(described: Any) -> tuple[str, ...] | None:
    """Return the values that an input may have; None for one that is free. There are two ways to say it."""
    if not isinstance(described, list) or not described:
        return None
    if isinstance(described[0], list):
        return tuple(map(str, described[0]))
    options = described[1].get("options") if len(described) > 1 and isinstance(described[1], dict) else None
    return tuple(map(str, options)) if described[0] == "COMBO" and isinstance(options, list) else None


def _rejected(body: bytes) -> str:
    """Return why an order was not accepted: the nodes at fault, or the whole."""
    problem = problem_of(body)
    nodes = problem.get("node_errors")
    found = []
    for node_id, about in (nodes if isinstance(nodes, dict) else {}).items():
        errors = about.get("errors") if isinstance(about, dict) else None
        objects = [entry for entry in errors or () if isinstance(entry, dict)]
        texts = [f"{entry.get('message', '')} {entry.get('details', '')}".strip() for entry in objects]
        found.append(f"node {node_id}: {'; '.join(texts)}")
    error = problem.get("error")
    said = error.get("message", "") if isinstance(error, dict) else error
    return "; ".join(found) or str(said or "")


def _ids(entries: list[list[Any]]) -> list[Any]:
    return [entry[1] for entry in entries if len(entry) > 1]


def _number(entry: list[Any]) -> float:
    return float(entry[0]) if entry and isinstance(entry[0], int | float) else 0.0
