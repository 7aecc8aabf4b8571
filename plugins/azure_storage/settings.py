"""Settings of the Azure storage."""

from typing import Annotated

from msgspec import Meta

from kernel.spi import Secret, Settings


class AzureStorageSettings(Settings, frozen=True, kw_only=True):
    """Which container of which storage account, and who we are there."""

    container: Annotated[
        str,
        Meta(
            pattern=r"^[a-z0-9](-?[a-z0-9]){2,62}$",
            title="Container",
            description="It must exist and should be private, in a storage account without a hierarchical namespace.",
        ),
    ]
    account_name: Annotated[
        str,
        Meta(
            pattern=r"^[a-z0-9]{3,24}$",
            title="Storage account",
            description="The name of the account, such as `covers` in covers.blob.core.windows.net.",
        ),
    ]
    account_key: Annotated[
        Secret | None,
        Meta(
            title="Account key",
            description="One of the two access keys of the storage account. Leave it empty when you enter a signature.",
        ),
    ] = None
    sas_token: Annotated[
        Secret | None,
        Meta(
            title="Shared access signature",
            description="Instead of the key, for this container: it must allow to read, add, create, write, delete and "
            "list. When it ends, pictures can no longer be read.",
        ),
    ] = None
    prefix: Annotated[
        str,
        Meta(
            pattern=r"^([a-z0-9._-]+(/[a-z0-9._-]+)*)?$",
            max_length=200,
            title="Folder",
            description="Keeps all objects under this name in the container, such as `coverwright`. Empty: at its top.",
        ),
    ] = ""
    endpoint: Annotated[
        str,
        Meta(
            max_length=500,
            title="Address",
            description="Of another cloud or an emulator, such as https://covers.blob.core.chinacloudapi.cn. Empty: "
            "Azure.",
            extra_json_schema={"x-destination": True},
        ),
    ] = ""
