"""The S3 storage itself."""

from typing import Any, Final
from urllib.parse import SplitResult

from kernel.spi import Bucket, BucketStorage, BucketVendor, ProviderContext, bucket_address, bucket_options
from plugins.s3_storage.errors import MEANINGS
from plugins.s3_storage.settings import S3Settings

VENDOR: Final = BucketVendor(meanings=MEANINGS)


def build(settings: S3Settings, context: ProviderContext) -> BucketStorage:
    """Return the provider; opens no connection. Raises SettingsInvalid."""
    address = address_of(settings)
    return BucketStorage(Bucket(_open(settings, address), address, VENDOR, context), prefix=settings.prefix)


def address_of(settings: S3Settings) -> SplitResult:
    """Return the address to which requests are sent. Raises SettingsInvalid."""
    tail = ".cn" if settings.region.startswith("cn-") else ""
    text = settings.endpoint or f"https://s3.{settings.region}.amazonaws.com{tail}"
    url = bucket_address(text, example="https://minio.example:9000")
    return url if settings.path_style else url._replace(netloc=f"{settings.bucket}.{url.netloc}")


def _open(settings: S3Settings, address: SplitResult) -> Any:
    """Open the store without connecting. Every value is given, else the library takes it from the environment."""
    from obstore.store import S3Store

    def credentials() -> Any:
        return {
            "access_key_id": settings.access_key_id.reveal(),
            "secret_access_key": settings.secret_access_key.reveal(),
            "token": None,
            "expires_at": None,
        }

    endpoint = address.geturl()
    return S3Store(
        settings.bucket,
        config={
            "aws_endpoint_url_s3": endpoint,
            "endpoint": endpoint,
            "region": settings.region,
            "virtual_hosted_style_request": not settings.path_style,
            "disable_bulk_delete": True,
            "skip_signature": False,
            "unsigned_payload": False,
            "request_payer": False,
        },
        credential_provider=credentials,
        **bucket_options(address),
    )
