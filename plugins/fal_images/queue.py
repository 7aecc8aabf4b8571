"""fal's queue over the kernel's client: fal's own library repeats POSTs, and brings a client and a backup host."""

from typing import Any, Final

import httpx
import msgspec

from kernel.spi import ContentRefused, Effect, InvalidRequest, NotFound, ProviderError, Unavailable, decode_answer
from plugins.fal_images.errors import failed
from plugins.fal_images.settings import FalSettings

CALL_LIMIT_S: Final = 30.0
NAMESPACES: Final = frozenset({"workflows", "comfy"})
"""Beginnings of endpoints whose app has three parts, as fal's library knows them."""

IN_QUEUE: Final = "IN_QUEUE"
IN_PROGRESS: Final = "IN_PROGRESS"
COMPLETED: Final = "COMPLETED"


class Picture(msgspec.Struct, frozen=True):
    """One file of a result."""

    url: str


class Output(msgspec.Struct, frozen=True):
    """The result of an image model: `images`, or one `image`. Safety checkers blacken what they name."""

    images: list[Picture] = []
    image: Picture | None = None
    has_nsfw_concepts: list[bool] | None = None


class Queued(msgspec.Struct, frozen=True):
    """Answer to an order. `queue_position` counts those that are ahead of it."""

    request_id: str
    queue_position: int | None = None


class Metrics(msgspec.Struct, frozen=True):
    """What fal measured."""

    inference_time: float | None = None


class Status(msgspec.Struct, frozen=True):
    """Answer to a question about an order. `queue_position` counts those that are ahead of it."""

    status: str
    queue_position: int | None = None
    metrics: Metrics | None = None
    error: str | None = None
    error_type: str | None = None


class State(msgspec.Struct, frozen=True, kw_only=True):
    """An order as the provider sees it. `position` is its place in the queue, from 1.

    `output` and `failure` are those of one that has ended.
    """

    id: str
    status: str
    position: int | None = None
    seconds: float | None = None
    output: Output | None = None
    failure: ProviderError | None = None


class Queue:
    """Orders pictures of one model."""

    def __init__(self, settings: FalSettings, transport: httpx.AsyncBaseTransport) -> None:
        self._model = settings.model
        self._base = settings.base_url.rstrip("/")
        parts = settings.model.split("/")
        self._app = "/".join(parts[: 3 if parts[0] in NAMESPACES else 2])
        self._http = httpx.AsyncClient(
            transport=transport,
            headers={"authorization": f"Key {settings.api_key.reveal()}"},
            timeout=CALL_LIMIT_S,
            trust_env=False,
        )

    async def place(self, endpoint: str, model_input: dict[str, Any]) -> State:
        """Place an order. Sent once: a lost answer may have placed one."""
        answer = await self._http.post(f"{self._base}/{endpoint}", json=model_input)
        placed = decode_answer(answer.content, Queued)
        return State(id=placed.request_id, status=IN_QUEUE, position=_place(placed.queue_position))

    async def ask(self, order_id: str) -> State:
        """Read the state of an order, and its result if there is one. Raises NotFound."""
        said = decode_answer((await self._http.get(self._address(order_id, "/status"))).content, Status)
        if said.status not in (IN_QUEUE, IN_PROGRESS, COMPLETED):
            raise Unavailable("the order is in a state that is not documented", effect=Effect.UNKNOWN)
        if said.status != COMPLETED:
            return State(id=order_id, status=said.status, position=_place(said.queue_position))
        seconds = said.metrics.inference_time if said.metrics else None
        try:
            answer = await self._http.get(self._address(order_id))
        except (ContentRefused, InvalidRequest, NotFound) as error:  # the model's own answer, which stays as it is
            return State(id=order_id, status=COMPLETED, failure=error)
        except ProviderError:
            if said.error is None:  # the model may have answered, but not to us
                raise
            return State(id=order_id, status=COMPLETED, failure=failed(said.error, said.error_type or ""))
        return State(id=order_id, status=COMPLETED, seconds=seconds, output=decode_answer(answer.content, Output))

    async def cancel(self, order_id: str) -> None:
        """Take an order out of the queue, or ask its model to stop. One that has ended is answered with a 400."""
        try:
            await self._http.put(self._address(order_id, "/cancel"))
        except ProviderError as error:
            if error.upstream_status not in (400, 404):
                raise

    async def probe(self) -> None:
        """Ask about an order that cannot exist. Raises NotFound, which proves that the address and the key work."""
        await self._http.get(self._address("00000000-0000-0000-0000-000000000000", "/status"))

    async def price(self, platform: str) -> bytes:
        """Read what the model costs this account. Raises SettingsInvalid when there is no such model."""
        return (await self._http.get(f"{platform}/models/pricing", params={"endpoint_id": self._model})).content

    async def aclose(self) -> None:
        """Close the client; the kernel's stays open."""
        await self._http.aclose()

    def _address(self, order_id: str, rest: str = "") -> str:
        return f"{self._base}/{self._app}/requests/{order_id}{rest}"


def _place(ahead: int | None) -> int | None:
    return None if ahead is None else ahead + 1
