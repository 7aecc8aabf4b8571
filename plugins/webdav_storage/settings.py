"""Settings of the WebDAV storage."""

from typing import Annotated

from msgspec import Meta

from kernel.spi import Secret, Settings


class WebDAVSettings(Settings, frozen=True, kw_only=True):
    """Which folder of which server, and who we are there."""

    base_url: Annotated[
        str,
        Meta(
            max_length=500,
            title="Address",
            description="Of a folder that exists, as the service shows it for WebDAV, such as "
            "https://cloud.example/remote.php/dav/files/anna.",
            extra_json_schema={"x-destination": True},
        ),
    ]
    username: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=200,
            title="User name",
            description="Of a user that may read and write in this folder.",
        ),
    ]
    password: Annotated[
        Secret,
        Meta(
            title="App password",
            description="Made for this site in the service's security settings; if it has none, the user's password.",
        ),
    ]
    folder: Annotated[
        str,
        Meta(
            pattern=r"^([A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*)?$",
            max_length=200,
            title="Folder",
            description="Keeps all files in this folder at the address, and makes it. Empty: at the address itself.",
        ),
    ] = "coverwright"
