"""Keeps results that image services made on this machine's disk until they are stored: none is paid for twice."""

import asyncio
import hashlib
import os
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec

from kernel.spi import Size

PREFIX: Final = "made-"
HASH_CHARS: Final = 16


class MadePicture(msgspec.Struct, frozen=True, kw_only=True):
    """The bytes of one picture as its service returned them, the size that it was asked for, and who made it how.

    `lettered` is whether that service sets the words itself, `artwork` the same picture without them, if it has that,
    and `lettering` the document of how it set them; `elements` are what the service says that it drew.
    """

    data: bytes
    asked: Size
    lettered: bool = True
    artwork: bytes | None = None
    lettering: dict[str, Any] | None = None
    instance_id: str
    provider: str
    model: str
    style: str = ""
    elements: list[dict[str, Any]] | None = None


class Spool:
    """One file for each picture that is made and not yet stored, named after its job and content."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def save(self, job_id: UUID, made: MadePicture) -> str:
        """Write a picture so that a power cut loses nothing, and return the file's SHA-256. Raises OSError."""
        return await asyncio.to_thread(self._save, job_id, made)

    async def load(self, job_id: UUID, sha256: str) -> MadePicture | None:
        """Return a picture; None when this machine does not have it, or not whole."""
        return await asyncio.to_thread(self._load, job_id, sha256)

    async def remove(self, job_id: UUID) -> None:
        """Remove what is kept for a job that has ended."""
        await asyncio.to_thread(self._remove, job_id)

    def jobs(self) -> set[UUID]:
        """Return the jobs for which something is kept."""
        return {UUID(path.name.removeprefix(PREFIX)[:36]) for path in self._folder.glob(f"{PREFIX}*")}

    def _path(self, job_id: UUID, sha256: str) -> Path:
        return self._folder / f"{PREFIX}{job_id}-{sha256[:HASH_CHARS]}"

    def _save(self, job_id: UUID, made: MadePicture) -> str:
        content = msgspec.msgpack.encode(made)
        sha256 = hashlib.sha256(content).hexdigest()
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._path(job_id, sha256)
        fresh = path.with_name(f"{path.name}.{os.getpid()}")
        try:
            with fresh.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(path)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
        return sha256

    def _load(self, job_id: UUID, sha256: str) -> MadePicture | None:
        try:
            content = self._path(job_id, sha256).read_bytes()
        except OSError:
            return None
        if hashlib.sha256(content).hexdigest() != sha256:
            return None
        return msgspec.msgpack.decode(content, type=MadePicture)

    def _remove(self, job_id: UUID) -> None:
        for path in self._folder.glob(f"{PREFIX}{job_id}-*"):
            path.unlink(missing_ok=True)
