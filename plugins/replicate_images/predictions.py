"""Predictions through Replicate's client, with what it lacks: deadlines, odd answers, the status `aborted`."""

import asyncio
import io
import re
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, TypeVar

import httpx
import msgspec

from kernel.spi import DeadlineExceeded, Effect, NotFound, Unavailable, reference_type, reference_url
from plugins.replicate_images.settings import ReplicateSettings

T = TypeVar("T")

CALL_LIMIT_S: Final = 30.0
"""For one request: the library lets some of them wait forever."""

INLINE_BYTES: Final = 262_144
"""Larger references are uploaded first, as Replicate recommends from this size on."""

EXTENSIONS: Final = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp"}
PREDICTION_ID: Final = re.compile(r"[a-z0-9]{5,64}")
ABORTED: Final = "aborted"
"""Aborted before it started, and not charged. The library fails to read predictions with this status."""

PROGRESS: Final = re.compile(r"(\d{1,3})%\|")
"""A line of tqdm, the only sign of progress in the logs of models."""


class State(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a prediction. `output` holds addresses; `seconds` is the model's run time."""

    id: str
    status: str
    output: tuple[str, ...] = ()
    error: str | None = None
    fraction: float | None = None
    seconds: float | None = None
    input: dict[str, Any] = {}


class Predictions:
    """Starts, watches and cancels predictions of one model."""

    def __init__(self, settings: ReplicateSettings, transport: httpx.AsyncBaseTransport) -> None:
        self._settings = settings
        self._transport = transport
        self._client: Any = None

    async def create(self, model_input: dict[str, Any]) -> State:
        """Start a prediction. Sent once: a lost answer may have started one."""
        client = await self.open()
        name, _, version = self._settings.model.partition(":")
        chosen = {"version": version} if version else {"model": name}
        state = await self._answer(lambda: client.predictions.async_create(**chosen, input=model_input))
        if not PREDICTION_ID.fullmatch(state.id) and state.status != ABORTED:
            raise Unavailable("the prediction has no usable id", effect=Effect.UNKNOWN)
        return state

    async def get(self, prediction_id: str) -> State:
        """Read the state of a prediction. Raises NotFound when Replicate does not know it (any more)."""
        client = await self.open()
        return await self._answer(lambda: client.predictions.async_get(prediction_id))

    async def cancel(self, prediction_id: str) -> None:
        """Request the cancellation of a prediction; succeed where Replicate does not know it (any more)."""
        client = await self.open()
        with suppress(NotFound):
            await self._answer(lambda: client.predictions.async_cancel(prediction_id))

    async def refer(self, data: bytes) -> str:
        """Return a reference for the input: itself if it is small, else the address of an upload."""
        kind = reference_type(data)
        if len(data) <= INLINE_BYTES:
            return reference_url(data)
        client = await self.open()
        name = f"reference.{EXTENSIONS[kind]}"
        file = await self.call(lambda: client.files.async_create(io.BytesIO(data), filename=name, content_type=kind))
        address = file.urls.get("get")
        if not address:
            raise Unavailable("the upload has no address")
        return str(address)

    async def account(self) -> None:
        """Read the owner of the token. Raises AuthFailed."""
        client = await self.open()
        await self._exists(client.accounts.async_current)

    async def model(self) -> None:
        """Read the model. Raises SettingsInvalid when there is none of that name."""
        client = await self.open()
        name = self._settings.model.partition(":")[0]
        await self._exists(lambda: client.models.async_get(name))

    async def call(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run one call of the library; its own exceptions mean an invalid answer."""
        from replicate.exceptions import ReplicateException

        try:
            async with asyncio.timeout(CALL_LIMIT_S):
                return await work()
        except TimeoutError as error:
            raise DeadlineExceeded(f"no answer within {CALL_LIMIT_S:g} s", effect=Effect.UNKNOWN) from error
        except (ReplicateException, httpx.HTTPError, ValueError, TypeError, KeyError, AttributeError) as error:
            kind = type(error).__name__
            raise Unavailable(f"the answer is not what the API documents ({kind})", effect=Effect.UNKNOWN) from error

    async def _answer(self, work: Callable[[], Awaitable[Any]]) -> State:
        try:
            return _state(await self.call(work))
        except Unavailable as error:
            if _is_aborted(_faults(error)):
                return State(id="", status=ABORTED)
            raise

    async def _exists(self, work: Callable[[], Awaitable[object]]) -> None:
        """Make a request; an answer that fails the library's validation also proves that the object exists."""
        try:
            await self.call(work)
        except Unavailable as error:
            if not _faults(error):
                raise

    async def open(self) -> Any:
        """Return the library's client, made at the first call and in a thread: its import takes half a second."""
        if self._client is None:
            threads = ThreadPoolExecutor(1, thread_name_prefix="replicate-import")
            try:
                self._client = await asyncio.get_running_loop().run_in_executor(threads, self._make)
            finally:
                threads.shutdown(wait=False)
        return self._client

    def _make(self) -> Any:
        from replicate.client import Client

        return Client(
            api_token=self._settings.api_token.reveal(),
            base_url=self._settings.base_url,
            transport=self._transport,
            trust_env=False,
        )


def _state(found: Any) -> State:
    """Return the useful part of the library's prediction, which checks only the outermost types."""
    output = found.output if isinstance(found.output, list) else [found.output]
    metrics = found.metrics if isinstance(found.metrics, dict) else {}
    seconds = metrics.get("predict_time")
    shares = PROGRESS.findall(found.logs or "")
    return State(
        id=found.id,
        status=found.status,
        output=tuple(entry for entry in output if isinstance(entry, str)),
        error=found.error,
        fraction=min(1.0, int(shares[-1]) / 100) if shares else None,
        seconds=float(seconds) if isinstance(seconds, int | float) and seconds >= 0 else None,
        input=found.input if isinstance(found.input, dict) else {},
    )


def _faults(error: Unavailable) -> list[dict[str, Any]]:
    """Return what the library's own validation found wrong with an answer; empty for any other exception."""
    cause: Any = error.__cause__
    return list(cause.errors()) if hasattr(cause, "errors") else []


def _is_aborted(faults: list[dict[str, Any]]) -> bool:
    return [(fault["loc"], fault.get("ctx", {}).get("given")) for fault in faults] == [(("status",), ABORTED)]
