"""What a backup says of itself, and what is where in a place of backups.

objects/<first two digits of the hash>/<hash>   every stored object, once, whichever backups hold it
backups/<name>/database.jsonl.gz                all rows of the database
backups/<name>/objects.jsonl.gz                 which row names which object
backups/<name>/keys                             the keys of secrets, encrypted with a passphrase; only when asked
backups/<name>/manifest.json                    written last: without it a backup is not complete
"""

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from kernel.pictures.storage_access import StorageAccess
from kernel.spi import NotFound

OBJECTS: Final = "objects/"
BACKUPS: Final = "backups/"
MANIFEST: Final = "manifest.json"
DATABASE: Final = "database.jsonl.gz"
LISTED: Final = "objects.jsonl.gz"
KEYS: Final = "keys"
NAME: Final = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9]{6}")
MOMENT: Final = "%Y%m%d-%H%M%S"
CHUNK: Final = 1 << 20
PAGE: Final = 500
JSON: Final = "application/json"
BYTES: Final = "application/octet-stream"
MANIFEST_BYTES: Final = 16 << 20


class BackupAbsent(Exception):
    """There is no such backup; the message is for the operator."""


class StoredFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of a backup."""

    size: int
    sha256: str


class MissingObject(msgspec.Struct, frozen=True, kw_only=True):
    """An object that a row names and that could not be saved."""

    key: str
    why: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A complete backup. `bytes` are those of all its objects, `added` those that were new in the place."""

    format: int
    name: str
    site: str
    version: str
    revision: str
    began: datetime
    ended: datetime
    rows: dict[str, int]
    database: StoredFile
    listed: StoredFile
    keys: StoredFile | None
    key_check: str
    objects: int
    bytes: int
    added: int
    missing: tuple[MissingObject, ...]
    configuration: dict[str, Any]

    @property
    def size(self) -> int:
        """Return the bytes of all that belongs to it."""
        return self.bytes + self.database.size + self.listed.size


class ListedObject(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A line of the list: a row of the table `holder` names this object."""

    holder: str
    instance: str
    key: str
    sha256: str
    size: int
    media_type: str


def object_key(sha256: str) -> str:
    """Return the key of an object in a place of backups."""
    return f"{OBJECTS}{sha256[:2]}/{sha256}"


def moment_of(name: str) -> datetime:
    """Return when a backup of this name began."""
    return datetime.strptime(name[:15], MOMENT).replace(tzinfo=UTC)


async def complete_names(place: StorageAccess) -> list[str]:
    """Return the names of complete backups, the newest first."""
    names = []
    async for page in place.pages(BACKUPS, limit=PAGE):
        names += [item.key.split("/")[1] for item in page.objects if item.key.endswith(f"/{MANIFEST}")]
    return sorted(filter(NAME.fullmatch, names), reverse=True)


async def read_manifest(place: StorageAccess, name: str = "") -> Manifest:
    """Return the manifest of a backup, of the newest one without a name. Raises BackupAbsent and ProviderError."""
    if not name:
        names = await complete_names(place)
        if not names:
            raise BackupAbsent("there is no complete backup")
        name = names[0]
    data = b""
    try:
        async for chunk in place.raw(f"{BACKUPS}{name}/{MANIFEST}"):
            data += chunk
            if len(data) > MANIFEST_BYTES:
                raise BackupAbsent(f"{name}: its manifest is too large")
        return msgspec.json.decode(data, type=Manifest)
    except NotFound as error:
        raise BackupAbsent(f"there is no complete backup {name}") from error
    except msgspec.MsgspecError as error:
        raise BackupAbsent(f"{name}: its manifest is damaged: {error}") from error


async def store_file(place: StorageAccess, key: str, path: Path, file: StoredFile, media_type: str = BYTES) -> None:
    """Store a file of this machine. Raises ProviderError."""

    async def chunks() -> AsyncIterator[bytes]:
        with path.open("rb") as opened:
            while data := opened.read(CHUNK):
                yield data

    await place.put(key, chunks, size=file.size, media_type=media_type, sha256=file.sha256)


async def fetch_file(place: StorageAccess, key: str, file: StoredFile, path: Path) -> None:
    """Copy a file to this machine and compare its bytes. Raises ProviderError."""
    with path.open("wb") as opened:
        async for chunk in place.read(key, sha256=file.sha256):
            opened.write(chunk)
