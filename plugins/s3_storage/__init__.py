"""Stores objects in S3 and compatible services."""

from collections.abc import Sequence

from kernel.spi import BucketStorage, Comparison, ProviderSpec, hookimpl
from plugins.s3_storage.provider import build
from plugins.s3_storage.settings import S3Settings

S3: ProviderSpec[S3Settings, BucketStorage] = ProviderSpec(
    kind="storage",
    id="s3",
    label="S3",
    summary="Keeps pictures in a bucket of Amazon S3, or of a compatible store (MinIO, R2, Ceph, Garage).",
    contract=(1, 0),
    settings=S3Settings,
    build=build,
    docs_url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/creating-bucket.html",
    comparison=Comparison(purposes=("many_machines",), cost="depends", reach="chosen"),
)


@hookimpl
def register_storage_providers() -> Sequence[ProviderSpec[S3Settings, BucketStorage]]:
    """Return the one provider of this plugin."""
    return (S3,)
