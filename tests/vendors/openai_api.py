"""OpenAI's Images API, or a server with the same API."""

import base64
import json
from collections.abc import Sequence
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any, Literal

import httpx

from tests.vendors.pictures import picture

KEY = "sk-test-works"
MODELS = ("gpt-image-2", "gpt-image-2.6-flare", "gpt-image-1.5", "gpt-5.6-luna")
USAGE = {
    "input_tokens": 350,
    "input_tokens_details": {"text_tokens": 50, "image_tokens": 300},
    "output_tokens": 5488,
    "total_tokens": 5838,
}


def failure(status: int, code: str | None, message: str, *, param: str | None = None, **headers: str) -> httpx.Response:
    """Return an error in OpenAI's format."""
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    return httpx.Response(status, json={"error": error}, headers=headers)


def event(kind: str, **data: Any) -> bytes:
    """Return one event of a stream in OpenAI's format."""
    return f"event: {kind}\ndata: {json.dumps({'type': kind} | data)}\n\n".encode()


class FakeOpenAI:
    """Answers `/v1/models`, `/v1/chat/completions`, `/v1/images/generations`, `/v1/images/edits` and `/generated/…`.

    A picture that is asked for with `stream` comes in events; `events` replaces those before the last with its own, and
    ends the stream where it is None. `answer` replaces what all but the list answer. `parts` are the pictures of the
    last edit: name of the field, of the file, and media type.
    """

    def __init__(self, *, key: str | None = KEY, delivery: Literal["base64", "url"] = "base64") -> None:
        self.key = key
        self.delivery = delivery
        self.url_base = ""
        self.usage: Any = USAGE
        self.answer: httpx.Response | None = None
        self.events: Sequence[bytes | None] | None = None
        self.asked: list[dict[str, Any]] = []
        self.requests: list[httpx.Request] = []
        self.parts: list[tuple[str, str, str]] = []
        self.models: list[dict[str, Any]] = [{"id": name, "object": "model"} for name in MODELS]

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if self.key is not None and request.headers.get("authorization") != f"Bearer {self.key}":
            given = request.headers.get("authorization", "none")
            return failure(401, "invalid_api_key", f"Incorrect API key provided: {given}")
        match request.method, request.url.path:
            case "GET", "/v1/models":
                return httpx.Response(200, json={"object": "list", "data": self.models})
            case "POST", "/v1/chat/completions":
                return self._say(json.loads(request.content))
            case "POST", "/v1/images/generations":
                return self._make(json.loads(request.content))
            case "POST", "/v1/images/edits":
                return self._make(self._form(request))
            case "GET", path if path.startswith("/generated/"):
                width, height = path.removeprefix("/generated/").split("x")
                return httpx.Response(200, content=picture(int(width), int(height)))
        return failure(404, None, "Invalid URL")

    def _say(self, asked: dict[str, Any]) -> httpx.Response:
        self.asked.append(asked)
        if self.answer is not None:
            return httpx.Response(self.answer.status_code, headers=self.answer.headers, content=self.answer.content)
        choice = {"index": 0, "message": {"role": "assistant", "content": "Lighthouse."}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 40, "completion_tokens": 8, "total_tokens": 48}
        return httpx.Response(200, json={"object": "chat.completion", "choices": [choice], "usage": usage})

    def _make(self, asked: dict[str, Any]) -> httpx.Response:
        self.asked.append(asked)
        if self.answer is not None:
            return httpx.Response(self.answer.status_code, headers=self.answer.headers, content=self.answer.content)
        width, height = map(int, asked["size"].split("x"))
        if str(asked.get("stream", "")).lower() == "true":
            return self._stream(self._events(asked, width, height))
        made = [self._one(width, height, asked.get("output_format", "png"), index) for index in range(int(asked["n"]))]
        answer: dict[str, Any] = {"created": 1, "data": made}
        return httpx.Response(200, json=answer | ({"usage": self.usage} if self.usage is not None else {}))

    def _stream(self, events: list[bytes]) -> httpx.Response:
        return httpx.Response(200, content=b"".join(events), headers={"content-type": "text/event-stream"})

    def _events(self, asked: dict[str, Any], width: int, height: int) -> list[bytes]:
        """Return a picture in parts, as OpenAI's reference of the events has them."""
        kind = "image_edit" if self.requests[-1].url.path.endswith("/edits") else "image_generation"
        count, of = int(asked.get("partial_images", 0)), asked.get("output_format", "png")
        about = {"size": asked["size"], "quality": asked.get("quality", "auto"), "background": "opaque"}
        about |= {"output_format": of, "created_at": 1}
        partials = [
            event(f"{kind}.partial_image", partial_image_index=at, **about, **self._one(width, height, of, 100 + at))
            for at in range(count)
        ]
        usage = self.usage
        if isinstance(usage, dict) and "output_tokens" in usage:
            usage = usage | {"output_tokens": usage["output_tokens"] + 100 * count}
        extra = {} if usage is None else {"usage": usage}
        sent = [*(partials if self.events is None else self.events)]
        sent.append(event(f"{kind}.completed", **about, **extra, **self._one(width, height, of, 0)))
        return [one for one in sent[: sent.index(None) if None in sent else None] if one is not None]

    def _one(self, width: int, height: int, kind: str, index: int) -> dict[str, str]:
        if self.delivery == "url":
            return {"url": f"{self.url_base}/generated/{width}x{height}"}
        return {"b64_json": base64.b64encode(picture(width, height, kind, 40 + index)).decode()}

    def _form(self, request: httpx.Request) -> dict[str, Any]:
        """Read a multipart form; pictures without a type are refused, as OpenAI does."""
        head = f"Content-Type: {request.headers['content-type']}\r\n\r\n".encode()
        fields: dict[str, Any] = {}
        self.parts = []
        for part in BytesParser(policy=HTTP).parsebytes(head + request.content).iter_parts():
            name = str(part.get_param("name", header="content-disposition"))
            if (filename := part.get_filename()) is None:
                fields[name] = part.get_content().strip()
            else:
                self.parts.append((name, filename, part.get_content_type()))
        return fields
