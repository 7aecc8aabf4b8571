"""The Gemini API: `generateContent` of image models, and the list of models."""

import base64
import json
from typing import Any

import httpx

from tests.vendors.pictures import picture

KEY = "AIza-works"
RATIOS = {
    "1:1": (1024, 1024),
    "2:3": (848, 1264),
    "3:2": (1264, 848),
    "3:4": (896, 1200),
    "4:3": (1200, 896),
    "4:5": (928, 1152),
    "5:4": (1152, 928),
    "9:16": (768, 1376),
}
TIMES = {"1K": 1, "2K": 2, "4K": 4}
MODELS = ("gemini-3-pro-image", "gemini-nano-banana-2.1", "gemini-3.8-flash", "veo-3.1-generate")


def problem(status: int, name: str, message: str, *details: dict[str, Any]) -> httpx.Response:
    """Return an error in Google's format."""
    error = {"code": status, "message": message, "status": name, "details": list(details)}
    return httpx.Response(status, json={"error": error})


def bad_key() -> httpx.Response:
    """Return what Google answers to a key it does not know: a 400."""
    info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
    return problem(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", info)


def too_often(seconds: int) -> httpx.Response:
    """Return what Google answers to too many requests in a minute."""
    retry = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{seconds}s"}
    quota = {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        "violations": [{"quotaId": "GenerateRequestsPerMinutePerProjectPerModel", "quotaValue": "10"}],
    }
    return problem(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota.", quota, retry)


def no_allowance() -> httpx.Response:
    """Return what Google answers when the day's allowance is used up."""
    quota = {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel", "quotaValue": "250"}],
    }
    return problem(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota.", quota)


class FakeGemini:
    """Answers at `generativelanguage.googleapis.com`. `answer` replaces an answer, `changes` goes into it."""

    def __init__(self) -> None:
        self.answer: dict[str, Any] | None = None
        self.changes: dict[str, Any] = {}
        self.asked: list[dict[str, Any]] = []
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if request.headers.get("x-goog-api-key") != KEY:
            return bad_key()
        path = request.url.path.removeprefix("/v1beta/")
        if request.method == "GET" and path == "models":
            kinds = [("predictLongRunning" if name.startswith("veo") else "generateContent") for name in MODELS]
            listed = [
                {"name": f"models/{name}", "supportedGenerationMethods": [kind]}
                for name, kind in zip(MODELS, kinds, strict=True)
            ]
            return httpx.Response(200, json={"models": listed})
        model, _, method = path.removeprefix("models/").partition(":")
        if request.method == "POST" and method == "generateContent" and "nobody" not in model:
            return self._generate(json.loads(request.content))
        return problem(404, "NOT_FOUND", f"{path} is not found for API version v1beta")

    def _generate(self, body: dict[str, Any]) -> httpx.Response:
        self.asked.append(body)
        if self.answer is not None:
            return httpx.Response(200, json=self.answer)
        config = body["generationConfig"]["imageConfig"]
        width, height = (side * TIMES[config["imageSize"]] for side in RATIOS[config["aspectRatio"]])
        drawn = base64.b64encode(picture(width, height)).decode()
        draft = base64.b64encode(b"a draft").decode()
        parts = [
            {"inlineData": {"mimeType": "image/png", "data": draft}, "thought": True},
            {"inlineData": {"mimeType": "image/png", "data": drawn}, "thoughtSignature": "c2ln"},
        ]
        usage = {
            "promptTokenCount": 300,
            "candidatesTokenCount": 1120,
            "thoughtsTokenCount": 500,
            "totalTokenCount": 1920,
            "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 300}],
            "candidatesTokensDetails": [{"modality": "IMAGE", "tokenCount": 1120}],
        }
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
        return httpx.Response(200, json={"candidates": [candidate], "usageMetadata": usage} | self.changes)
