"""The web UI's HTTP API (`/sdapi/v1`) over the kernel's client."""

import base64
from typing import Any, Final

import httpx
import msgspec

from kernel.spi import (
    Effect,
    ProviderError,
    SettingsInvalid,
    Unavailable,
    Unsupported,
    decode_answer,
    error_detail,
    problem_of,
    status_error,
)
from plugins.automatic1111_images.settings import WebUISettings

PROGRESS_LIMIT_S: Final = 3.0
"""Progress is worth no more waiting than this."""


class Made(msgspec.Struct, frozen=True):
    """Answer to an order: pictures in base64."""

    images: list[str]


class Progress(msgspec.Struct, frozen=True):
    """How far the server is with what it works on, whoever ordered that."""

    progress: float


class Checkpoint(msgspec.Struct, frozen=True):
    """One model. It can be loaded by its title, or by its name."""

    title: str
    model_name: str = ""


class Named(msgspec.Struct, frozen=True):
    """One sampler."""

    name: str


class Server:
    """One web UI."""

    def __init__(self, settings: WebUISettings, transport: httpx.AsyncBaseTransport) -> None:
        self._base = f"{settings.base_url.rstrip('/')}/sdapi/v1"
        headers = {}
        if settings.api_auth:
            headers["authorization"] = f"Basic {base64.b64encode(settings.api_auth.reveal().encode()).decode()}"
        self._http = httpx.AsyncClient(
            transport=transport, headers=headers, timeout=settings.timeout_seconds, trust_env=False
        )

    async def draw(self, method: str, order: dict[str, Any]) -> str:
        """Order a picture with `txt2img` or `img2img` and wait for it; base64, maybe as an address."""
        answer = await self._http.post(f"{self._base}/{method}", json=order)
        images = decode_answer(answer.content, Made).images
        if not images:
            raise Unavailable("the answer holds no picture", effect=Effect.UNKNOWN)
        return images[0]

    async def progress(self) -> float:
        """Return how far the server is with its present picture; 0 where it has none."""
        address = f"{self._base}/progress"
        answer = await self._http.get(address, params={"skip_current_image": "true"}, timeout=PROGRESS_LIMIT_S)
        return min(1.0, max(0.0, decode_answer(answer.content, Progress).progress))

    async def interrupt(self) -> None:
        """End the present picture, whoever ordered it."""
        await self._http.post(f"{self._base}/interrupt")

    async def checkpoints(self) -> list[Checkpoint]:
        """Return the models there are."""
        return decode_answer((await self._http.get(f"{self._base}/sd-models")).content, list[Checkpoint])

    async def samplers(self) -> list[str]:
        """Return the names of the samplers."""
        found = decode_answer((await self._http.get(f"{self._base}/samplers")).content, list[Named])
        return [sampler.name for sampler in found]

    async def aclose(self) -> None:
        """Close the client; the kernel's stays open."""
        await self._http.aclose()


def judge(answer: httpx.Response) -> ProviderError | None:
    """Return the error for an answer; None for a success."""
    status = answer.status_code
    if status < 300:
        return None
    problem = problem_of(answer.content)
    said = [problem.get(name) for name in ("error", "detail", "errors")]
    detail = "; ".join(text for text in said if isinstance(text, str) and text)
    if status in (400, 404) and "sampler" in detail.lower():
        return SettingsInvalid(error_detail(status, detail), field="sampler", upstream_status=status)
    if status == 404:
        return SettingsInvalid("the server has no API: start it with --api", field="base_url", upstream_status=404)
    if status == 422:  # all of the order is ours
        return Unsupported(error_detail(status, detail), upstream_status=status)
    return status_error(answer, detail, key_field="api_auth")
