"""`coverwright backup`: makes, lists and verifies backups while the product runs."""

import os
import sys
import time
from typing import Final

from kernel.backups.contents.keys import KeysRefused, lock, present_keys
from kernel.backups.contents.manifests import BackupAbsent, Manifest, complete_names, read_manifest
from kernel.backups.making import BackupFailed
from kernel.backups.places import PlaceRefused, open_place
from kernel.backups.service import BackupBusy, LostBackup
from kernel.backups.verifying import verify
from kernel.core.config import Config, ConfigError, read_env
from kernel.providers import Registry
from kernel.runtime import open_runtime
from kernel.spi import ProviderError

PASSPHRASE: Final = "COVERWRIGHT_BACKUP_PASSPHRASE"
MEGABYTE: Final = 1_000_000
TROUBLE: Final = (BackupBusy, BackupFailed, BackupAbsent, PlaceRefused, LostBackup, KeysRefused, ProviderError)


class ShownProgress:
    """Prints progress: on one line at a terminal, a line for each phase elsewhere."""

    def __init__(self) -> None:
        self._phase = ""
        self._live = sys.stderr.isatty()

    def __call__(self, phase: str, done: int, of: int) -> None:
        """Print where the work is."""
        if self._live:
            print(f"\r\x1b[K{phase}" + (f" {done} of {of}" if of else ""), end="", file=sys.stderr, flush=True)
        elif phase != self._phase:
            print(phase, file=sys.stderr, flush=True)
        self._phase = phase

    def end(self) -> None:
        """Leave the line."""
        if self._live:
            print("\r\x1b[K", end="", file=sys.stderr)


def place_of(config: Config, given: str) -> str:
    """Return the place to use. Raises PlaceRefused when there is none."""
    if place := given or config.backup.to:
        return place
    raise PlaceRefused("name a place: a folder, or s3://bucket/folder; or set [backup] to")


async def backup(config: Config, given: str, *, with_keys: bool) -> int:
    """Make a backup; return the exit code: 1 when it failed, or lacks objects that were missing before."""
    progress, began = ShownProgress(), time.monotonic()
    try:
        place = place_of(config, given)
        keys = lock(present_keys(config), passphrase()) if with_keys else None
        async with open_runtime(config) as runtime:
            manifest = await runtime.backups.backup_service.run_now(place, progress, keys=keys)
    except TROUBLE as error:
        progress.end()
        print(f"No backup: {error}", file=sys.stderr)
        return 1
    progress.end()
    took = time.monotonic() - began
    print(f"{_line(manifest)}; {manifest.added / MEGABYTE:.1f} MB were new; {took:.1f} s.")
    if keys is None:
        print("The key of secrets is not in it: keep secret.key, or COVERWRIGHT_SECRET_KEY, in another place.")
    for missing in manifest.missing[:10]:
        print(f"missing: {missing.key}: {missing.why}", file=sys.stderr)
    return int(bool(manifest.missing))


async def list_backups(config: Config, given: str) -> int:
    """Print the complete backups of a place, the newest first."""
    try:
        async with open_place(place_of(config, given), Registry.from_config(config)) as place:
            for name in await complete_names(place):
                print(_line(await read_manifest(place, name)))
    except TROUBLE as error:
        print(error, file=sys.stderr)
        return 1
    return 0


async def verify_backup(config: Config, given: str, name: str, *, quick: bool) -> int:
    """Read a backup and print what is wrong with it; return 1 when anything is."""
    progress = ShownProgress()
    try:
        async with open_place(place_of(config, given), Registry.from_config(config)) as place:
            manifest, faults = await verify(place, name, progress, config.data_dir, quick=quick)
    except TROUBLE as error:
        progress.end()
        print(error, file=sys.stderr)
        return 1
    progress.end()
    print(_line(manifest) + (": FAULTY" if faults else ": good"))
    for fault in faults:
        print(f"  {fault}")
    return int(bool(faults))


def passphrase() -> str:
    """Return the passphrase that the environment gives. Raises KeysRefused."""
    try:
        given = read_env(os.environ, PASSPHRASE)
    except ConfigError as error:
        raise KeysRefused(str(error)) from error
    if not given:
        raise KeysRefused(f"give the passphrase of the keys in {PASSPHRASE} or {PASSPHRASE}_FILE")
    return given


def _line(manifest: Manifest) -> str:
    rows, size = sum(manifest.rows.values()), manifest.size / MEGABYTE
    return f"{manifest.name}: {rows} rows, {manifest.objects} objects, {size:.1f} MB"
