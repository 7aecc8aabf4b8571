"""The Azure storage itself."""

import base64
from typing import Any
from urllib.parse import SplitResult

from kernel.spi import (
    Bucket,
    BucketStorage,
    BucketVendor,
    ProviderContext,
    SettingsInvalid,
    bucket_address,
    bucket_options,
    header_secret,
)
from plugins.azure_storage.errors import meanings
from plugins.azure_storage.settings import AzureStorageSettings


def build(settings: AzureStorageSettings, context: ProviderContext) -> BucketStorage:
    """Return the provider; opens no connection. Raises SettingsInvalid."""
    key_field, credential = _credential(settings)
    text = settings.endpoint or f"https://{settings.account_name}.blob.core.windows.net"
    address = bucket_address(text, example="https://covers.blob.core.windows.net", path=True)
    vendor = BucketVendor(
        meanings=meanings(key_field),
        bucket_field="container",
        address_field="endpoint" if settings.endpoint else "account_name",
        size_name="coverwrightsize",  # one that C# could use; headers with an underscore are lost at some proxies
    )
    bucket = Bucket(_open(settings, address, credential), address, vendor, context)
    # only a key can sign, and what is signed names the account, which must be in the address
    named = settings.account_name in (address.hostname or "").split(".") + address.path.split("/")
    return BucketStorage(bucket, prefix=settings.prefix, signed_urls=key_field == "account_key" and named)


def _credential(settings: AzureStorageSettings) -> tuple[str, Any]:
    """Return the setting that says who we are, and how the library wants it. Raises SettingsInvalid."""
    if (settings.account_key is None) == (settings.sas_token is None):
        raise SettingsInvalid("Enter either the account key or a shared access signature.", field="account_key")
    if settings.account_key is not None:
        key = header_secret(settings.account_key, field="account_key").strip()
        try:
            base64.b64decode(key, validate=True)
        except ValueError:
            raise SettingsInvalid("This is no account key; copy it whole.", field="account_key") from None
        return "account_key", {"access_key": key, "expires_at": None}
    token = header_secret(settings.sas_token, field="sas_token", noun="signature").strip().removeprefix("?")
    if "sig=" not in token or "://" in token:
        raise SettingsInvalid("A signature looks like sv=…&sig=…, without an address.", field="sas_token")
    return "sas_token", {"sas_token": token, "expires_at": None}


def _open(settings: AzureStorageSettings, address: SplitResult, credential: Any) -> Any:
    """Open the store without connecting. Every value is given, else the library takes it from the environment."""
    from obstore.store import AzureStore

    return AzureStore(
        settings.container,
        config={
            "account_name": settings.account_name,
            "endpoint": address.geturl(),
            "credential_type": "auto",
            "use_emulator": False,
            "use_fabric_endpoint": False,
            "use_azure_cli": False,
            "skip_signature": False,
            "disable_tagging": False,
        },
        credential_provider=lambda: credential,
        **bucket_options(address),
    )
