"""The storage, whose control folder holds a file `mode` with words; each `put` takes the first, and the last one stays.

ok              the object is stored
unavailable     down, nothing happened
lost            the object is stored, and the answer is lost
forbidden       the settings are not accepted
full            no room
"""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta

from kernel.spi import (
    Effect,
    ObjectInfo,
    ProviderContext,
    ProviderError,
    QuotaExhausted,
    Settings,
    SettingsInvalid,
    Unavailable,
)
from plugins.disk_storage.provider import DiskStorage

ERRORS: Final[dict[str, Callable[[], ProviderError]]] = {
    "unavailable": lambda: Unavailable("503"),
    "lost": lambda: Unavailable("connection lost", effect=Effect.UNKNOWN),
    "forbidden": lambda: SettingsInvalid("403", field="control"),
    "full": lambda: QuotaExhausted("507"),
}


class StubStorageSettings(Settings, frozen=True, kw_only=True):
    """The test's configuration of the stub."""

    control: Annotated[str, Meta(title="Control folder", description="Holds `mode` and the objects.")] = ""


def build(settings: StubStorageSettings, context: ProviderContext) -> "StubStorage":
    """Return the stub."""
    return StubStorage(Path(settings.control or context.data_dir))


class StubStorage(DiskStorage):
    """Stores objects as files, unless the mode says otherwise."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._mode = folder / "mode"

    async def put(self, key: str, chunks: AsyncIterator[bytes], *, size: int, media_type: str) -> ObjectInfo:
        """Do what the mode says."""
        words = self._mode.read_text().split() if self._mode.exists() else []
        if len(words) > 1:
            self._mode.write_text(" ".join(words[1:]))
        word = words[0] if words else "ok"
        if word in ("ok", "lost"):
            info = await super().put(key, chunks, size=size, media_type=media_type)
        if word in ERRORS:
            raise ERRORS[word]()
        return info
