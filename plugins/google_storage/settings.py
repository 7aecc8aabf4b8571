"""Settings of the Google storage."""

from typing import Annotated

from msgspec import Meta

from kernel.spi import Secret, Settings


class GoogleStorageSettings(Settings, frozen=True, kw_only=True):
    """Which bucket, and who we are there."""

    bucket: Annotated[
        str,
        Meta(
            pattern=r"^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$",
            title="Bucket",
            description="It must exist and should be private. Let it remove unfinished uploads after a day.",
        ),
    ]
    service_account_key: Annotated[
        Secret,
        Meta(
            title="Service account key",
            description="The whole JSON file of a key. Its service account needs the role Storage Object User on the "
            "bucket.",
            extra_json_schema={"x-help-url": "https://cloud.google.com/iam/docs/keys-create-delete"},
        ),
    ]
    prefix: Annotated[
        str,
        Meta(
            pattern=r"^([a-z0-9._-]+(/[a-z0-9._-]+)*)?$",
            max_length=200,
            title="Folder",
            description="Keeps all objects under this name in the bucket, such as `coverwright`. Empty: at its top.",
        ),
    ] = ""
    endpoint: Annotated[
        str,
        Meta(
            max_length=500,
            title="Address",
            description="Of a private cloud or an emulator, such as https://storage.cloud.example. Empty: Google.",
            extra_json_schema={"x-destination": True},
        ),
    ] = ""
