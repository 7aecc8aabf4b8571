"""Reads a backup from its beginning to its end, as a restore would, and compares everything with its digest."""

import tempfile
from pathlib import Path
from typing import Final

import msgspec

from kernel.backups.contents.manifests import (
    BACKUPS,
    DATABASE,
    KEYS,
    LISTED,
    OBJECTS,
    PAGE,
    Manifest,
    fetch_file,
    object_key,
    read_manifest,
)
from kernel.backups.contents.object_index import ObjectIndex, read_list
from kernel.backups.contents.table_files import DumpEnd, DumpError, lines
from kernel.backups.making import SPOOL, Tell
from kernel.pictures.storage_access import StorageAccess
from kernel.spi import ProviderError

MOST: Final = 20
"""After this many faults a backup is no better known."""


async def verify(
    place: StorageAccess, name: str, tell: Tell, folder: Path, *, quick: bool = False
) -> tuple[Manifest, list[str]]:
    """Return the manifest and what is wrong. `quick` looks only whether each object is there, with its size.

    Raises BackupAbsent and, when the place does not answer at all, ProviderError.
    """
    manifest, faults = await read_manifest(place, name), list[str]()
    home = f"{BACKUPS}{manifest.name}/"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(prefix=SPOOL, dir=folder) as spool:
        database, listed = Path(spool) / DATABASE, Path(spool) / LISTED
        tell("database", 0, manifest.objects)
        try:
            await fetch_file(place, home + DATABASE, manifest.database, database)
            end = None
            for step in lines(database):
                end = step
            if not isinstance(end, DumpEnd) or end.rows != manifest.rows:
                faults.append(f"{DATABASE}: its rows are not those of the manifest")
        except (ProviderError, DumpError) as error:
            faults.append(f"{DATABASE}: {error}")
        try:
            if manifest.keys is not None:
                await fetch_file(place, home + KEYS, manifest.keys, Path(spool) / KEYS)
        except ProviderError as error:
            faults.append(f"{KEYS}: {error}")
        try:
            await fetch_file(place, home + LISTED, manifest.listed, listed)
            faults += await _faulty_objects(place, listed, manifest, tell, Path(spool), quick=quick)
        except (ProviderError, OSError, msgspec.MsgspecError) as error:
            faults.append(f"{LISTED}: {error}")
    return manifest, faults


async def _faulty_objects(
    place: StorageAccess, listed: Path, manifest: Manifest, tell: Tell, spool: Path, *, quick: bool
) -> list[str]:
    faults, seen, last = list[str](), 0, ""
    index = ObjectIndex(spool / "objects.db")
    try:
        if quick:
            async for page in place.pages(OBJECTS, limit=PAGE):
                index.hold([f"{item.key.rpartition('/')[2]}:{item.size}" for item in page.objects])
        for entry in read_list(listed):
            if entry.sha256 == last:  # the list is in the order of the hashes
                continue
            last, seen = entry.sha256, seen + 1
            if quick:
                if not index.holds(f"{entry.sha256}:{entry.size}"):
                    faults.append(f"{entry.key}: it is not there, or not whole")
            else:
                try:
                    async for _ in place.read(object_key(entry.sha256), sha256=entry.sha256):
                        pass
                except ProviderError as error:
                    faults.append(f"{entry.key}: {error.code}: {error.detail}")
            tell("objects", seen, manifest.objects)
            if len(faults) >= MOST:
                return faults
    finally:
        index.close()
    if seen != manifest.objects:
        faults.append(f"{LISTED}: it names {seen} objects instead of {manifest.objects}")
    return faults
