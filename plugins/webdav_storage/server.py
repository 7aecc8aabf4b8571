"""WebDAV's methods (RFC 4918) over the kernel's client. Paths are relative to the address of the settings."""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Final
from urllib.parse import urljoin, urlsplit

import httpx
import msgspec

from kernel.spi import (
    AuthFailed,
    DeadlineExceeded,
    Effect,
    NotFound,
    ProviderContext,
    SettingsInvalid,
    Unavailable,
    base_address,
)
from plugins.webdav_storage.errors import no_answer, status_error
from plugins.webdav_storage.multistatus import Entry, MultiStatus, unix_time
from plugins.webdav_storage.settings import WebDAVSettings

EXAMPLE: Final = "https://cloud.example/remote.php/dav/files/anna"
REQUEST_LIMIT_S: Final = 60.0
"""For a whole request that carries no object."""
LARGEST_LISTING: Final = 134_217_728
LARGEST_WORDS: Final = 65_536
"""Bytes of an answer that are read only so that its connection can be used again."""

PROPERTIES: Final = (
    b'<?xml version="1.0" encoding="utf-8"?>\n'
    b'<propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getlastmodified/>%b</prop></propfind>'
)
SPAN: Final = re.compile(r"bytes (\d{1,19})-(\d{1,19})/")


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """What a folder holds, by name, and the server's time."""

    entries: dict[str, Entry]
    now_unix: float | None


class Server:
    """Sends each request once; every answer that is not the expected one is an error of the kernel."""

    def __init__(self, settings: WebDAVSettings, context: ProviderContext) -> None:
        url = base_address(settings.base_url, example=EXAMPLE)
        if url.fragment:
            raise SettingsInvalid(f"An address looks like {EXAMPLE}.", field="base_url")
        self._base = str(url).rstrip("/")
        self._top = url.path.rstrip("/")
        self._http = context.http
        self._auth = httpx.BasicAuth(settings.username, settings.password.reveal())

    async def find(self, path: str, *, free: bool = False) -> Entry:
        """Return the data of a file or folder, of which `free` bytes only when asked for. Raises NotFound."""
        async with self._listed(path, depth=0, free=free) as answer:
            if _leads_to_folder(answer):
                return Entry(path=self._full(path), folder=True, size=None, modified_unix=0.0, free=None)
            for entry in await _entries(answer):
                if entry.path == self._full(path):
                    return entry
        raise _other_paths()

    async def list(self, path: str) -> Listing:
        """Return what a folder holds. Raises NotFound for a missing one."""
        async with self._listed(f"{path}/", depth=1) as answer:
            found = await _entries(answer)
        top = self._full(path)
        if top not in (entry.path for entry in found):
            raise _other_paths()
        within = {entry.path.removeprefix(f"{top}/"): entry for entry in found if entry.path.startswith(f"{top}/")}
        return Listing(
            entries={name: entry for name, entry in within.items() if "/" not in name},
            now_unix=unix_time(answer.headers.get("date", "")),
        )

    async def put(self, path: str, chunks: AsyncIterator[bytes], *, size: int, media_type: str) -> None:
        """Store a file; a server may keep part of it when `chunks` raises."""
        # with a length: behind some gateways a body in chunks arrives empty
        headers = {"content-type": media_type, "content-length": str(size)}
        async with self._answer("PUT", path, headers=headers, content=chunks) as answer:
            await _expect(answer, {200, 201, 204})

    async def make_folder(self, path: str) -> bool:
        """Make a folder unless there is something of this name; return False when its parent is missing."""
        try:
            return await self._ask("MKCOL", f"{path}/", {201, 405, 404, 409}) in (201, 405)
        except AuthFailed as error:
            if error.upstream_status != 403:
                raise
            with suppress(NotFound):  # so Apache says that it was made by another at the same moment
                if (await self.find(path)).folder:
                    return True
            raise

    async def move(self, path: str, target: str, *, replace: bool) -> int:
        """Move a file and return the status.

        201 or 204: it is there. 412: the target exists and was not to be replaced. 404, 409, 500: its folder is
        missing, or something else is wrong; servers differ.
        """
        whole = f"{self._base}/{target}"
        # a proxy that ends TLS makes another address of ours; then the path is understood
        for destination in (whole, urlsplit(whole).path):
            headers = {"destination": destination, "overwrite": "T" if replace else "F"}
            status = await self._ask("MOVE", path, {201, 204, 400, 404, 409, 412, 500, 502}, headers)
            if status not in (400, 502):
                return status
        raise Unavailable(f"{status}: the server does not move files", effect=Effect.UNKNOWN, upstream_status=status)

    async def delete(self, path: str) -> None:
        """Remove a file, or a folder with all that is in it; succeed if it does not exist."""
        await self._ask("DELETE", path, {200, 202, 204, 404, 410})

    async def read(self, path: str, start: int, end: int | None) -> AsyncGenerator[bytes, None]:
        """Yield a file's bytes from `start` up to, not including, `end`. Raises NotFound.

        What a server answers for a folder is one of many errors, or a page.
        """
        partly = start > 0 or end is not None
        headers = {"range": f"bytes={start}-{'' if end is None else end - 1}"} if partly else {}
        async with self._answer("GET", path, headers=headers) as answer:
            if partly and answer.status_code == 416:  # it begins beyond the end
                return
            _recognize(answer)
            skip, left = _skipped(answer, start), None if end is None else end - start
            async for block in _body(answer):
                block, skip = block[skip:], max(0, skip - len(block))
                if left is not None:
                    block, left = block[:left], left - len(block[:left])
                if block:
                    yield block
                if left == 0:
                    return

    @asynccontextmanager
    async def _listed(self, path: str, *, depth: int, free: bool = False) -> AsyncIterator[httpx.Response]:
        headers = {"depth": str(depth), "content-type": "application/xml; charset=utf-8"}
        content = PROPERTIES % (b"<quota-available-bytes/>" if free else b"")
        async with _limited(), self._answer("PROPFIND", path, headers=headers, content=content) as answer:
            if answer.status_code in (404, 410):
                raise NotFound(path)
            if not (depth == 0 and _leads_to_folder(answer)):
                await _expect(answer, {207}, keep=True)
            yield answer

    async def _ask(
        self, method: str, path: str, expected: Collection[int], headers: Mapping[str, str] | None = None
    ) -> int:
        """Send a request without a body, and return the status if it is among those expected."""
        async with _limited(), self._answer(method, path, headers=headers or {}) as answer:
            await _expect(answer, expected)
            return answer.status_code

    @asynccontextmanager
    async def _answer(
        self, method: str, path: str, *, headers: Mapping[str, str], content: bytes | AsyncIterator[bytes] | None = None
    ) -> AsyncIterator[httpx.Response]:
        """Send a request and open its answer. Errors of the connection are translated, inside the block too."""
        request = self._http.build_request(
            method, f"{self._base}/{path}", headers={"accept-encoding": "identity", **headers}, content=content
        )
        try:
            answer = await self._http.send(request, auth=self._auth, stream=True, follow_redirects=False)
            try:
                yield answer
            finally:
                await answer.aclose()
        except httpx.RequestError as error:
            raise no_answer(error) from error

    def _full(self, path: str) -> str:
        return f"{self._top}/{path}".rstrip("/")


@asynccontextmanager
async def _limited() -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(REQUEST_LIMIT_S):
            yield
    except TimeoutError as error:
        raise DeadlineExceeded(f"no whole answer within {REQUEST_LIMIT_S:g} s", effect=Effect.UNKNOWN) from error


async def _expect(answer: httpx.Response, expected: Collection[int], *, keep: bool = False) -> None:
    """Raise what the status means unless it is expected; read the rest of a short answer unless it is to be kept."""
    if answer.status_code not in expected:
        raise status_error(answer)
    if keep or _is_packed(answer):
        return
    came = 0
    async for block in answer.aiter_bytes():
        came += len(block)
        if came > LARGEST_WORDS:
            return


async def _entries(answer: httpx.Response) -> list[Entry]:
    found, came = MultiStatus(), 0
    async for block in _body(answer):
        came += len(block)
        if came > LARGEST_LISTING:
            raise Unavailable(f"the answer is larger than {LARGEST_LISTING} bytes")
        found.feed(block)
    return found.entries()


async def _body(answer: httpx.Response) -> AsyncIterator[bytes]:
    """Yield the body. Raises Unavailable for another length than announced."""
    if _is_packed(answer):
        raise Unavailable("the server compresses what was to come as it is")
    announced, came = answer.headers.get("content-length"), 0
    async for block in answer.aiter_bytes():
        came += len(block)
        yield block
    if announced is not None and announced != str(came):
        raise Unavailable("another number of bytes came than was announced", effect=Effect.UNKNOWN)


def _is_packed(answer: httpx.Response) -> bool:
    return str(answer.headers.get("content-encoding", "identity")).lower() != "identity"


def _recognize(answer: httpx.Response) -> None:
    """Raise an error unless the answer looks like a file: portals and proxies answer with pages of their own."""
    if answer.status_code in (404, 410):
        raise NotFound("there is no such file", upstream_status=answer.status_code)
    if answer.status_code not in (200, 206):
        raise status_error(answer)
    marked = "etag" in answer.headers or "last-modified" in answer.headers
    if not marked or answer.headers.get("content-type", "").startswith("text/html"):
        raise Unavailable("a web page came back instead of the object", upstream_status=answer.status_code)


def _skipped(answer: httpx.Response, start: int) -> int:
    """Return how many bytes come before `start`: a server may ignore that only some were asked for."""
    if answer.status_code == 200:
        return start
    span = SPAN.match(answer.headers.get("content-range", ""))
    if span is None or int(span[1]) > start:
        raise Unavailable("another part came back than was asked for")
    return start - int(span[1])


def _leads_to_folder(answer: httpx.Response) -> bool:
    """Return whether a redirect only adds a slash: so some servers say that a path is a folder."""
    if not 300 <= answer.status_code < 400:
        return False
    asked = str(answer.request.url)
    try:
        target = urljoin(asked, str(answer.headers.get("location", "")))
        return urlsplit(target).path == f"{urlsplit(asked).path}/"
    except ValueError:
        return False


def _other_paths() -> Unavailable:
    return Unavailable("the server answers for another path than was asked; a proxy in between may change paths")
