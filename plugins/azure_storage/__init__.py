"""Stores objects in Azure Blob Storage."""

from collections.abc import Sequence

from kernel.spi import BucketStorage, Comparison, ProviderSpec, hookimpl
from plugins.azure_storage.provider import build
from plugins.azure_storage.settings import AzureStorageSettings

AZURE: ProviderSpec[AzureStorageSettings, BucketStorage] = ProviderSpec(
    kind="storage",
    id="azure",
    label="Azure Blob Storage",
    summary="Keeps pictures in a container of Azure Blob Storage.",
    contract=(1, 0),
    settings=AzureStorageSettings,
    build=build,
    docs_url="https://learn.microsoft.com/en-us/azure/storage/blobs/storage-quickstart-blobs-portal",
    comparison=Comparison(purposes=("many_machines",), cost="paid", reach="vendor", vendor="Microsoft"),
)


@hookimpl
def register_storage_providers() -> Sequence[ProviderSpec[AzureStorageSettings, BucketStorage]]:
    """Return the one provider of this plugin."""
    return (AZURE,)
