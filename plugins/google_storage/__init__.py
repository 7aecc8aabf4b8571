"""Stores objects in Google Cloud Storage."""

from collections.abc import Sequence

from kernel.spi import BucketStorage, Comparison, ProviderSpec, hookimpl
from plugins.google_storage.provider import build
from plugins.google_storage.settings import GoogleStorageSettings

GOOGLE: ProviderSpec[GoogleStorageSettings, BucketStorage] = ProviderSpec(
    kind="storage",
    id="google",
    label="Google Cloud Storage",
    summary="Keeps pictures in a bucket of Google Cloud Storage.",
    contract=(1, 0),
    settings=GoogleStorageSettings,
    build=build,
    docs_url="https://cloud.google.com/storage/docs/creating-buckets",
    comparison=Comparison(purposes=("many_machines",), cost="paid", reach="vendor", vendor="Google"),
)


@hookimpl
def register_storage_providers() -> Sequence[ProviderSpec[GoogleStorageSettings, BucketStorage]]:
    """Return the one provider of this plugin."""
    return (GOOGLE,)
