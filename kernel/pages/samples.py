"""The sample covers that come with the interface, shown while administrators have chosen none."""

from collections.abc import Mapping
from typing import Final

import msgspec

from kernel.pages.static_files import StaticFiles

LISTED: Final = "/showcase/showcase.json"


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """One sample cover; `images` are its files by their width in pixels."""

    title: str
    author: str
    genre: str
    images: Mapping[str, str]

    @property
    def address(self) -> str:
        """The address of its largest picture."""
        return self._address(max(self.images, key=int))

    @property
    def thumbnail(self) -> str:
        """The address of its smallest picture."""
        return self._address(min(self.images, key=int))

    def _address(self, width: str) -> str:
        return f"/showcase/{self.images[width]}"


class _Listed(msgspec.Struct, frozen=True):
    carousel: tuple[Sample, ...] = ()


def samples(static_files: StaticFiles) -> tuple[Sample, ...]:
    """Return the covers that the landing page shows while the carousel is empty; none where they were not rendered."""
    listed = static_files.find(LISTED)
    return msgspec.json.decode(listed.bodies["identity"], type=_Listed).carousel if listed else ()
