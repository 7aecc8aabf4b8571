"""Removes backups that are older than they are kept, and then the objects that no other backup holds."""

import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Final

from kernel.backups.contents.manifests import (
    BACKUPS,
    LISTED,
    MANIFEST,
    NAME,
    OBJECTS,
    PAGE,
    complete_names,
    fetch_file,
    moment_of,
    read_manifest,
)
from kernel.backups.contents.object_index import ObjectIndex, read_list
from kernel.backups.making import SPOOL
from kernel.core import clock
from kernel.pictures.storage_access import StorageAccess

UNFINISHED: Final = timedelta(days=2)
"""An older backup without a manifest was given up."""


async def prune(place: StorageAccess, *, keep: timedelta, folder: Path) -> list[str]:
    """Remove what began longer ago than `keep`, but never the newest; return the names. Nothing else may be at work.

    A manifest goes first: what is interrupted here leaves no backup that looks complete. Raises ProviderError.
    """
    now, complete = clock.now(), await complete_names(place)
    files = dict[str, list[str]]()
    async for page in place.pages(BACKUPS, limit=PAGE):
        for item in page.objects:
            if NAME.fullmatch(name := item.key.split("/")[1]):
                files.setdefault(name, []).append(item.key)
    old = [name for name in complete[1:] if now - moment_of(name) > keep]
    given_up = [name for name in files if name not in complete and now - moment_of(name) > UNFINISHED]
    for name in (*old, *given_up):
        for key in sorted(files[name], key=lambda key: not key.endswith(MANIFEST)):
            await place.delete(key)
    if old or given_up:
        await _remove_unheld(place, [name for name in complete if name not in old], folder)
    return old


async def _remove_unheld(place: StorageAccess, names: list[str], folder: Path) -> None:
    with tempfile.TemporaryDirectory(prefix=SPOOL, dir=folder) as spool:
        index = ObjectIndex(Path(spool) / "kept.db")
        try:
            for name in names:
                manifest = await read_manifest(place, name)
                await fetch_file(place, f"{BACKUPS}{name}/{LISTED}", manifest.listed, Path(spool) / LISTED)
                batch = list[str]()
                for entry in read_list(Path(spool) / LISTED):
                    batch.append(entry.sha256)
                    if len(batch) == PAGE:
                        index.hold(batch)
                        batch.clear()
                index.hold(batch)
            async for page in place.pages(OBJECTS, limit=PAGE):
                for item in page.objects:
                    if not index.holds(item.key.rpartition("/")[2]):
                        await place.delete(item.key)
        finally:
            index.close()
