"""A ComfyUI: its queue, history, uploads and pictures, as its documentation and its source describe them."""

import json
import re
from typing import Any

import httpx

from tests.vendors.pictures import picture

HOST = "http://studio.example"
CHECKPOINTS = ["sd_xl_base_1.0.safetensors", "flux1-dev.safetensors"]
KINDS: dict[str, dict[str, Any]] = {
    "CheckpointLoaderSimple": {"ckpt_name": [CHECKPOINTS, {}]},
    "CLIPTextEncode": {"text": ["STRING", {"multiline": True}], "clip": ["CLIP"]},
    "EmptyLatentImage": {"width": ["INT", {}], "height": ["INT", {}], "batch_size": ["INT", {}]},
    "KSampler": {"seed": ["INT", {}], "sampler_name": ["COMBO", {"options": ["euler", "dpmpp_2m"]}]},
    "LoadImage": {"image": [["example.png"], {"image_upload": True}]},
    "PreviewImage": {"images": ["IMAGE"]},
    "SaveImage": {"images": ["IMAGE"], "filename_prefix": ["STRING", {}]},
}


def node(kind: str, title: str = "", **inputs: Any) -> dict[str, Any]:
    """Return a node as ComfyUI exports it."""
    return {"class_type": kind, "inputs": inputs, "_meta": {"title": title or kind}}


def workflow(**more: dict[str, Any]) -> dict[str, Any]:
    """Return a workflow from text to a picture."""
    return {
        "3": node("KSampler", seed=1, sampler_name="euler", latent_image=["5", 0], positive=["6", 0]),
        "4": node("CheckpointLoaderSimple", ckpt_name=CHECKPOINTS[0]),
        "5": node("EmptyLatentImage", width=512, height=512, batch_size=1),
        "6": node("CLIPTextEncode", "Prompt", text="a castle", clip=["4", 1]),
        "7": node("CLIPTextEncode", "Negative", text="watermark", clip=["4", 1]),
        "8": node("PreviewImage", images=["3", 0]),
        "9": node("SaveImage", images=["3", 0], filename_prefix="ComfyUI"),
    } | more


def ran(
    name: str, nodes: dict[str, Any], *, client: str = "a browser", at_ms: int = 1_790_000_000_000
) -> dict[str, Any]:
    """Return a run as the history has it."""
    status = {"status_str": "success", "messages": [["execution_start", {"prompt_id": name, "timestamp": at_ms}]]}
    return {"prompt": [1, name, nodes, {"client_id": client}, ["9"]], "outputs": {}, "status": status}


class FakeComfyUI:
    """Answers at `studio.example`.

    An order takes the `places` one by one with each look at the queue: 1 or more waits, 0 is worked on, None has ended.
    `status` and `images` change how orders end. `asked` are the nodes of each order, `uploads` the names of pictures.
    `history` is what others ran, by id.
    """

    def __init__(self, token: str = "") -> None:
        self.token = token
        self.places: list[int | None] = [1, 0, None]
        self.status: dict[str, Any] = {"status_str": "success", "completed": True, "messages": []}
        self.images: list[dict[str, str]] | None = None
        self.asked: list[dict[str, Any]] = []
        self.requests: list[httpx.Request] = []
        self.uploads: dict[str, bytes] = {}
        self.looks: dict[str, int] = {}
        self.removed: list[str] = []
        self.interrupted: list[str] = []
        self.history: dict[str, Any] = {}

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if self.token and request.headers.get("authorization") != self.token:
            return httpx.Response(401, text="Authorization required")
        match request.method, request.url.path.strip("/").split("/"):
            case "GET", ["system_stats"]:
                return httpx.Response(200, json={"system": {"comfyui_version": "0.9.1"}, "devices": []})
            case "GET", ["object_info", kind]:
                known = {kind: {"input": {"required": KINDS[kind]}}} if kind in KINDS else {}
                return httpx.Response(200, json=known)
            case "POST", ["upload", "image"]:
                return self._upload(request.content)
            case "POST", ["prompt"]:
                return self._order(json.loads(request.content)["prompt"])
            case "GET", ["queue"]:
                return self._queue()
            case "GET", ["history"]:
                return httpx.Response(200, json=self.history)
            case "GET", ["history", name] if name in self.history:
                return httpx.Response(200, json={name: self.history[name]})
            case "GET", ["history", name]:
                ended = name in self.looks and self._place(name) is None
                return httpx.Response(200, json={name: self._ended(name)} if ended else {})
            case "POST", ["queue"]:
                self.removed += json.loads(request.content)["delete"]
                return httpx.Response(200)
            case "POST", ["interrupt"]:
                self.interrupted.append(json.loads(request.content)["prompt_id"])
                return httpx.Response(200)
            case "GET", ["view"]:
                return self._view(request.url.params["filename"])
        return httpx.Response(404)

    def _upload(self, body: bytes) -> httpx.Response:
        name = re.search(rb'name="image"; filename="([^"]+)"', body)
        if name is None:
            return httpx.Response(400)
        self.uploads[name[1].decode()] = body
        return httpx.Response(200, json={"name": name[1].decode(), "subfolder": "coverwright", "type": "input"})

    def _order(self, nodes: dict[str, Any]) -> httpx.Response:
        for name, about in nodes.items():
            if about["class_type"] not in KINDS:
                error = {"type": "invalid_prompt", "message": f"Node {about['class_type']} not found"}
                return httpx.Response(400, json={"error": error, "node_errors": {}})
            if about["inputs"].get("ckpt_name", CHECKPOINTS[0]) not in CHECKPOINTS:
                problem = {"type": "value_not_in_list", "message": "Value not in list", "details": "ckpt_name"}
                errors = {name: {"errors": [problem], "class_type": about["class_type"]}}
                return httpx.Response(400, json={"error": {"message": "Prompt failed"}, "node_errors": errors})
        self.asked.append(nodes)
        name = f"11111111-0000-4000-8000-{len(self.asked):012d}"
        self.looks[name] = 0
        return httpx.Response(200, json={"prompt_id": name, "number": len(self.asked), "node_errors": {}})

    def _place(self, name: str) -> int | None:
        return self.places[min(self.looks[name], len(self.places) - 1)]

    def _queue(self) -> httpx.Response:
        places = {name: self._place(name) for name in self.looks}
        running = [[1, name, {}, {}, []] for name, place in places.items() if place == 0]
        pending = [[place, name, {}, {}, []] for name, place in places.items() if place]
        others = [
            [number, "another", {}, {}, []] for number in range(1, max((place or 0) for place in places.values()))
        ]
        for name in self.looks:
            self.looks[name] += 1
        return httpx.Response(200, json={"queue_running": running, "queue_pending": [*pending, *others]})

    def _ended(self, name: str) -> dict[str, Any]:
        nodes = self.asked[int(name[-12:]) - 1]
        size, sampler = nodes["5"]["inputs"], nodes["3"]["inputs"]
        file = f"{size['width']}x{size['height']}-{sampler['seed'] % 256}.png"
        preview = {"filename": "preview.png", "subfolder": "", "type": "temp"}
        saved = {"filename": file, "subfolder": "", "type": "output"}
        outputs = {"8": {"images": [preview]}, "9": {"images": [saved] if self.images is None else self.images}}
        return {"prompt": [], "outputs": outputs, "status": self.status}

    def _view(self, name: str) -> httpx.Response:
        if name == "odd.png":
            return httpx.Response(200, content=b"<html>")
        found = re.fullmatch(r"(\d+)x(\d+)-(\d+)\.png", name)
        if found is None:
            return httpx.Response(404)
        return httpx.Response(200, content=picture(int(found[1]), int(found[2]), "png", int(found[3])))
