"""Stores objects as files in a folder."""

from collections.abc import Sequence

from kernel.spi import Comparison, ProviderSpec, hookimpl
from plugins.disk_storage.provider import DiskStorage, build
from plugins.disk_storage.settings import DiskSettings

DISK: ProviderSpec[DiskSettings, DiskStorage] = ProviderSpec(
    kind="storage",
    id="disk",
    label="Files on disk",
    summary="Keeps pictures as files in a folder of this machine, or of a disk that all machines share.",
    contract=(1, 0),
    settings=DiskSettings,
    build=build,
    offline=True,
    comparison=Comparison(purposes=("one_machine", "no_service"), cost="free", reach="machine"),
)


@hookimpl
def register_storage_providers() -> Sequence[ProviderSpec[DiskSettings, DiskStorage]]:
    """Return the one provider of this plugin."""
    return (DISK,)
