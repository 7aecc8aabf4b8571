"""`coverwright restore`: puts a backup into an empty place, also with another database and another storage."""

import sys
import tempfile
from pathlib import Path

from kernel.backups.contents.keys import KeysRefused, fits, has_keys, put_keys, unlock
from kernel.backups.contents.manifests import (
    BACKUPS,
    DATABASE,
    KEYS,
    LISTED,
    BackupAbsent,
    Manifest,
    fetch_file,
    read_manifest,
)
from kernel.backups.contents.table_files import DumpError
from kernel.backups.making import SPOOL
from kernel.backups.places import PlaceRefused, absolute, open_place
from kernel.backups.restoring import ObjectRestore, RestoreRefused, load_rows, state_of
from kernel.commands.backup import ShownProgress, passphrase, place_of
from kernel.core.config import Config
from kernel.core.vault import open_vault
from kernel.migrations.quick_check import known_revisions
from kernel.migrations.upgrade import migrate
from kernel.pictures.storage_access import StorageAccess
from kernel.providers import Registry
from kernel.runtime import open_runtime
from kernel.spi import ProviderError

TROUBLE = (BackupAbsent, PlaceRefused, RestoreRefused, KeysRefused, DumpError, ProviderError)


async def restore(config: Config, given: str, name: str, into: str) -> int:
    """Restore a backup; return the exit code. Repeated after an interruption, it goes on."""
    progress = ShownProgress()
    try:
        location = place_of(config, given)
        async with open_place(location, Registry.from_config(config)) as place:
            manifest = await read_manifest(place, name)
            await _restore(config, place, absolute(location), manifest, into, progress)
    except TROUBLE as error:
        progress.end()
        print(f"Not restored: {error}", file=sys.stderr)
        return 1
    progress.end()
    print(f"Restored {manifest.name}: {sum(manifest.rows.values())} rows, {manifest.objects} objects.")
    if manifest.missing:
        print(f"{len(manifest.missing)} objects were missing when it was made; its manifest names them.")
    print("Now run `coverwright doctor`.")
    return 0


async def _restore(
    config: Config, place: StorageAccess, location: str, manifest: Manifest, into: str, progress: ShownProgress
) -> None:
    if manifest.revision not in known_revisions():
        raise RestoreRefused(f"it comes from a newer version ({manifest.version}): install that one first")
    found = await state_of(config, manifest.name)
    config.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(prefix=SPOOL, dir=config.data_dir) as folder:
        spool = Path(folder)
        home = f"{BACKUPS}{manifest.name}/"
        await _provide_key(config, place, manifest, spool)
        await fetch_file(place, home + LISTED, manifest.listed, spool / LISTED)
        if found == "empty":
            progress("database", 0, 0)
            await fetch_file(place, home + DATABASE, manifest.database, spool / DATABASE)
            await migrate(config, manifest.revision)
            await load_rows(config, spool / DATABASE, location, manifest.name)
        await migrate(config)
        async with open_runtime(config) as runtime:
            objects = ObjectRestore(runtime.database, runtime.providers.registry, place)
            await objects.run(spool / LISTED, manifest, progress, into=into)


async def _provide_key(config: Config, place: StorageAccess, manifest: Manifest, spool: Path) -> None:
    """See to it that this place has the key of the backup's secrets. Raises KeysRefused."""
    if not has_keys(config):
        if manifest.keys is None:
            where = f"put its secret.key into {config.data_dir}, or set COVERWRIGHT_SECRET_KEY"
            raise KeysRefused(f"the key of its secrets is not here: {where}")
        await fetch_file(place, f"{BACKUPS}{manifest.name}/{KEYS}", manifest.keys, spool / KEYS)
        put_keys(config, unlock((spool / KEYS).read_bytes(), passphrase()))
    if not fits(open_vault(config), manifest.key_check):
        raise KeysRefused("the key that is here is not that of the backup's secrets")
