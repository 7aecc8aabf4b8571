"""Settings of the disk storage."""

from typing import Annotated

from msgspec import Meta

from kernel.spi import Settings


class DiskSettings(Settings, frozen=True, kw_only=True):
    """Where the files go."""

    folder: Annotated[
        str,
        Meta(
            title="Folder",
            description="Absolute path of the folder for the files. Empty: a folder inside the data folder.",
        ),
    ] = ""
