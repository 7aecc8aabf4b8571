"""OpenAI's client, restricted: no retries, no environment, an enforced deadline, and bytes, not parsed answers."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import httpx

from kernel.spi import DeadlineExceeded, Effect, Unavailable
from plugins.openai_images.place import Place
from plugins.openai_images.settings import OpenAISettings

T = TypeVar("T")


class LazyClient:
    """The client, made at the first call and outside the event loop: its module takes a second to import."""

    def __init__(self, http: httpx.AsyncClient, settings: OpenAISettings, place: Place) -> None:
        self._http = http
        self._settings = settings
        self._place = place
        self._client: Any = None

    async def get(self) -> Any:
        """Return the client."""
        if self._client is None:
            self._client = await _in_thread(self._open)
        return self._client

    def extra_headers(self) -> dict[str, Any]:
        """Return the headers for every call; without a bearer the library requires an explicit omission."""
        from openai import Omit

        if self._settings.api_key and not self._place.at_azure:
            return {}
        return {"Authorization": Omit(), **self.key_header()}

    def key_header(self) -> dict[str, str]:
        """Return the header with the key, as the place wants it; none without a key."""
        if self._settings.api_key is None:
            return {}
        key = self._settings.api_key.reveal()
        return {"api-key": key} if self._place.at_azure else {"authorization": f"Bearer {key}"}

    def _open(self) -> Any:
        from openai import AsyncOpenAI, Omit

        key = self._settings.api_key.reveal() if self._settings.api_key else ""
        headers = {
            "OpenAI-Organization": self._settings.organization or Omit(),
            "OpenAI-Project": self._settings.project or Omit(),
        }
        return AsyncOpenAI(
            api_key=key,  # like the headers: otherwise the library reads the environment
            admin_api_key="",
            default_headers=cast(Any, headers),
            base_url=self._place.base_url,
            default_query=self._place.query,
            max_retries=0,
            timeout=cast(Any, self._http.timeout),
            http_client=cast(Any, self._http),
            _enforce_credentials=False,
        )


async def answer_of(call: Callable[[], Awaitable[Any]]) -> bytes:
    """Run a call of the library and return the answer's bytes."""
    with given_up():
        body: bytes = (await call()).content
    return body


@contextmanager
def given_up() -> Iterator[None]:
    """Run a call of the library in the block: its own exceptions mean an invalid answer. Raises Unavailable."""
    from openai import OpenAIError

    try:
        yield
    except (OpenAIError, httpx.HTTPError, ValueError) as error:
        raise Unavailable(f"the library gave up ({type(error).__name__})", effect=Effect.UNKNOWN) from error


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
