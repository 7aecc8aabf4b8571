"""OpenAI's client, restricted: no retries, no environment, an enforced deadline, and bytes, not parsed answers."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar, cast

import httpx

from kernel.spi import DeadlineExceeded, Effect, Unavailable
from plugins.openai_images.settings import OpenAISettings

T = TypeVar("T")


class LazyClient:
    """The client, made at the first call and outside the event loop: its module takes a second to import."""

    def __init__(self, http: httpx.AsyncClient, settings: OpenAISettings) -> None:
        self._http = http
        self._settings = settings
        self._client: Any = None

    async def get(self) -> Any:
        """Return the client."""
        if self._client is None:
            self._client = await _in_thread(self._open)
        return self._client

    def extra_headers(self) -> dict[str, Any]:
        """Return the headers for every call; without a key the library requires an explicit omission."""
        from openai import Omit

        return {} if self._settings.api_key else {"Authorization": Omit()}

    def _open(self) -> Any:
        from openai import AsyncOpenAI, Omit

        key = self._settings.api_key.reveal() if self._settings.api_key else ""
        headers = {"OpenAI-Organization": Omit(), "OpenAI-Project": Omit()}
        return AsyncOpenAI(
            api_key=key,  # like the headers: otherwise the library reads the environment
            admin_api_key="",
            default_headers=cast(Any, headers),
            base_url=self._settings.base_url,
            max_retries=0,
            timeout=cast(Any, self._http.timeout),
            http_client=cast(Any, self._http),
            _enforce_credentials=False,
        )


async def answer_of(call: Callable[[], Awaitable[Any]]) -> bytes:
    """Run a call of the library and return the answer's bytes; its own exceptions mean an invalid answer."""
    from openai import OpenAIError

    try:
        body: bytes = (await call()).content
    except (OpenAIError, httpx.HTTPError, ValueError) as error:
        raise Unavailable(f"the library gave up ({type(error).__name__})", effect=Effect.UNKNOWN) from error
    return body


async def within(seconds: float, call: Callable[[], Awaitable[T]]) -> T:
    """Run a call under a deadline: the library's time-out starts anew with every byte."""
    try:
        async with asyncio.timeout(seconds):
            return await call()
    except TimeoutError as error:
        raise DeadlineExceeded(f"no answer within {seconds:g} s", effect=Effect.UNKNOWN) from error


def origin_of(url: httpx.URL) -> tuple[str, str, int | None]:
    """Return scheme, host and port of an address."""
    return url.scheme, url.host, url.port or {"http": 80, "https": 443}.get(url.scheme)


async def _in_thread(work: Callable[[], T]) -> T:
    """Run blocking work in a separate thread, which ends with it."""
    threads = ThreadPoolExecutor(1, thread_name_prefix="openai-import")
    try:
        return await asyncio.get_running_loop().run_in_executor(threads, work)
    finally:
        threads.shutdown(wait=False)
