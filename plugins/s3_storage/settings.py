"""Settings of the S3 storage."""

from typing import Annotated

from msgspec import Meta

from kernel.spi import Secret, Settings


class S3Settings(Settings, frozen=True, kw_only=True):
    """Which bucket, and who we are there."""

    bucket: Annotated[
        str,
        Meta(
            pattern=r"^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$",
            title="Bucket",
            description="It must exist and should be private. Let it remove unfinished uploads after a day.",
        ),
    ]
    access_key_id: Annotated[
        Secret,
        Meta(
            title="Access key ID",
            description="Of a user that may list the bucket, and read, write and delete its objects.",
            extra_json_schema={"x-env": "AWS_ACCESS_KEY_ID"},
        ),
    ]
    secret_access_key: Annotated[
        Secret,
        Meta(
            title="Secret access key",
            description="The other half of the access key.",
            extra_json_schema={"x-env": "AWS_SECRET_ACCESS_KEY"},
        ),
    ]
    region: Annotated[
        str,
        Meta(
            pattern=r"^[a-z0-9-]{1,40}$",
            title="Region",
            description="Where the bucket is. Many other stores take any region, or `auto`.",
        ),
    ] = "us-east-1"
    endpoint: Annotated[
        str,
        Meta(
            max_length=500,
            title="Address",
            description="Of a store that is not Amazon's, such as https://minio.example:9000. Empty: Amazon S3.",
            extra_json_schema={"x-destination": True},
        ),
    ] = ""
    prefix: Annotated[
        str,
        Meta(
            pattern=r"^([a-z0-9._-]+(/[a-z0-9._-]+)*)?$",
            max_length=200,
            title="Folder",
            description="Keeps all objects under this name in the bucket, such as `coverwright`. Empty: at its top.",
        ),
    ] = ""
    path_style: Annotated[
        bool,
        Meta(
            title="Bucket in the path",
            description="How addresses name the bucket: in the path, or (off) in front of the host.",
        ),
    ] = True
