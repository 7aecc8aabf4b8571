"""The Google storage itself."""

import os
from typing import Any, Final, Literal
from urllib.parse import SplitResult

import msgspec

from kernel.spi import (
    Bucket,
    BucketStorage,
    BucketVendor,
    ProviderContext,
    Secret,
    SettingsInvalid,
    bucket_address,
    bucket_options,
)
from plugins.google_storage.errors import KEY_FIELD, MEANINGS
from plugins.google_storage.settings import GoogleStorageSettings

VENDOR: Final = BucketVendor(meanings=MEANINGS)
GOOGLE_ADDRESS: Final = "https://storage.googleapis.com"
STRONGER: Final = ("GOOGLE_SERVICE_ACCOUNT", "GOOGLE_SERVICE_ACCOUNT_PATH", "GOOGLE_BEARER_TOKEN")
"""Variables that the library takes for an identity before, or beside, the key that it is given."""


class ServiceAccount(msgspec.Struct, frozen=True):
    """What is used of the JSON file of a key. The library would also take an address from it, which nobody checks."""

    type: Literal["service_account"]
    client_email: str
    private_key_id: str
    private_key: str

    def __repr__(self) -> str:
        return "ServiceAccount(***)"


def build(settings: GoogleStorageSettings, context: ProviderContext) -> BucketStorage:
    """Return the provider; opens no connection. Raises SettingsInvalid."""
    address = bucket_address(settings.endpoint or GOOGLE_ADDRESS, example="https://storage.cloud.example")
    store = _open(settings, address)
    # the library signs addresses for Google's own host only
    signed_urls = address.geturl() == GOOGLE_ADDRESS
    return BucketStorage(Bucket(store, address, VENDOR, context), prefix=settings.prefix, signed_urls=signed_urls)


def _open(settings: GoogleStorageSettings, address: SplitResult) -> Any:
    """Open the store without connecting. With a key it asks nobody for a token: it signs one for each hour itself."""
    from obstore.exceptions import BaseError
    from obstore.store import GCSStore

    if found := [name for name in STRONGER if os.environ.get(name)]:
        raise SettingsInvalid(f"Take {found[0]} out of the environment: it would replace this key.", field=KEY_FIELD)
    key = _service_account(settings.service_account_key)
    try:
        return GCSStore(
            settings.bucket,
            config={"service_account_key": key, "base_url": address.geturl(), "skip_signature": False},
            **bucket_options(address),
        )
    except (BaseError, ValueError):  # their texts may quote the key
        raise SettingsInvalid(
            "Its private key cannot be read; paste the file as it was made.", field=KEY_FIELD
        ) from None


def _service_account(secret: Secret) -> str:
    """Return the JSON of a key, with the known fields only. Raises SettingsInvalid."""
    try:
        account = msgspec.json.decode(secret.reveal(), type=ServiceAccount)
    except (msgspec.DecodeError, RecursionError):
        detail = "Paste the whole JSON file of a service account's key, from { to }."
        raise SettingsInvalid(detail, field=KEY_FIELD) from None
    return msgspec.json.encode(account).decode()
