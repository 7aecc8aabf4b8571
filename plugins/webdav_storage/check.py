"""The check of the settings: each step ends in a sentence that says what to do."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final

from kernel.spi import (
    CheckReport,
    CheckSteps,
    NotFound,
    ProviderError,
    SettingsInvalid,
    Unavailable,
    add_space_step,
)
from plugins.webdav_storage.errors import NO_FOLDER
from plugins.webdav_storage.folders import Folders
from plugins.webdav_storage.server import Server

FIRST_STEPS: Final = ("reach", "sign in", "folder")
CHECK_LIMIT_S: Final = 12.0
TIDYING_LIMIT_S: Final = 2.0
PROBE_BYTES: Final = 2_097_152
"""As large as a cover: many servers take no more than a megabyte until they are told to."""


class Check:
    """Does once what the storage does all the time."""

    def __init__(self, server: Server, folders: Folders, incoming: str, *, encrypted: bool) -> None:
        self._server = server
        self._folders = folders
        self._incoming = incoming
        self._encrypted = encrypted

    async def run(self, path: str) -> CheckReport:
        """Go through the steps until one fails; files are made at this path and beside it."""
        steps, moved, running = CheckSteps(), f"{path}-moved", ""
        probe = secrets.token_bytes(PROBE_BYTES)
        try:
            async with asyncio.timeout(CHECK_LIMIT_S):
                await self._address(steps)
                for running, step in (("write", self._write), ("read", self._read), ("delete", self._delete)):
                    steps.add(running, "ok", await step(path, moved, probe))
        except TimeoutError:
            steps.add(running or "reach", "fail", f"not done within {CHECK_LIMIT_S:g} s", field="base_url")
        except ProviderError as error:
            if not running:
                running = _reached(steps, error)
            steps.add(running, "fail", error.detail, field=_field(error))
        report = steps.report()
        if not report.ok and running in ("write", "read", "delete"):
            await self._tidy(path, moved)
        return report

    async def _address(self, steps: CheckSteps) -> None:
        """Look at the address: one request reaches the server, signs in and finds the folder."""
        try:
            top = await self._server.find("", free=True)
        except NotFound as error:
            raise SettingsInvalid(NO_FOLDER, field="base_url", upstream_status=404) from error
        if not top.folder:
            raise SettingsInvalid("this is the address of a file", field="base_url", upstream_status=207)
        for name in FIRST_STEPS:
            steps.add(name, "ok")
        if not self._encrypted:
            steps.add("encryption", "warn", "without https, whoever is in between can read password and pictures")
        if top.free is not None:
            add_space_step(steps, top.free)

    async def _write(self, path: str, moved: str, probe: bytes) -> str:
        await self._folders.make(self._incoming)
        await self._server.put(path, _one(probe), size=PROBE_BYTES, media_type="application/octet-stream")
        if (status := await self._server.move(path, moved, replace=False)) not in (201, 204):
            raise Unavailable(f"{status}: the server does not move files", upstream_status=status)
        return "a file was written and moved"

    async def _read(self, path: str, moved: str, probe: bytes) -> str:
        name = moved.rpartition("/")[2]
        if b"".join([block async for block in self._server.read(moved, 0, None)]) != probe:
            raise Unavailable("other bytes came back", upstream_status=200)
        if b"".join([block async for block in self._server.read(moved, 9, 99)]) != probe[9:99]:
            raise Unavailable("other bytes came back for a part", upstream_status=206)
        listed = (await self._server.list(self._incoming)).entries.get(name)
        if listed is None or listed.size != PROBE_BYTES:
            raise Unavailable("the folder's list lacks the file, or names another size", upstream_status=207)
        return "it came back, and is listed"

    async def _delete(self, path: str, moved: str, probe: bytes) -> str:
        await self._server.delete(moved)
        with suppress(NotFound):
            await self._server.find(moved)
            raise Unavailable("the file is still there", upstream_status=207)
        return "it was removed"

    async def _tidy(self, *paths: str) -> None:
        with suppress(ProviderError, TimeoutError):
            async with asyncio.timeout(TIDYING_LIMIT_S):
                for path in paths:
                    await self._server.delete(path)


async def _one(data: bytes) -> AsyncIterator[bytes]:
    yield data


def _reached(steps: CheckSteps, error: ProviderError) -> str:
    """Add the steps that the first request made, and return the one at which it failed."""
    failed = {None: "reach", 401: "sign in"}.get(error.upstream_status, "folder")
    for name in FIRST_STEPS[: FIRST_STEPS.index(failed)]:
        steps.add(name, "ok")
    return failed


def _field(error: ProviderError) -> str | None:
    """Return the setting at fault; a missing answer points to the address."""
    return error.field or ("base_url" if error.upstream_status is None else None)
