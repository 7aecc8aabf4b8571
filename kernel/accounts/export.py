"""One's own data as a ZIP that is sent while it is put together: neither memory nor disk holds it."""

import zipfile
from collections.abc import AsyncIterator
from typing import Final

from kernel.accounts.belongings import Belongings, ExportFile
from kernel.core import clock

ENOUGH: Final = 64 * 1024
"""Bytes that are gathered before they are sent."""


class _Outlet:
    """What a ZipFile writes into: it knows no way back."""

    def __init__(self) -> None:
        self._held: list[bytes] = []
        self.size = 0

    def write(self, data: bytes) -> int:
        self._held.append(bytes(data))
        self.size += len(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: whoever reads takes what there is."""

    def take(self) -> bytes:
        """Return what was written since the last time."""
        data = b"".join(self._held)
        self._held.clear()
        self.size = 0
        return data


async def exported(belongings: Belongings, user_id: int) -> AsyncIterator[bytes]:
    """Yield the archive of everything that belongs to a user."""
    outlet = _Outlet()
    with zipfile.ZipFile(outlet, "w") as archive:  # type: ignore[call-overload]  # any object with write will do
        for belonging in belongings.kinds:
            async for file in belonging.export(user_id):
                async for chunk in _added(archive, outlet, file):
                    yield chunk
    yield outlet.take()


async def _added(archive: zipfile.ZipFile, outlet: _Outlet, file: ExportFile) -> AsyncIterator[bytes]:
    info = zipfile.ZipInfo(file.name, date_time=clock.now().timetuple()[:6])
    # pictures are packed already
    info.compress_type = zipfile.ZIP_DEFLATED if file.name.endswith(".json") else zipfile.ZIP_STORED
    info.external_attr = 0o600 << 16
    with archive.open(info, "w", force_zip64=True) as entry:
        async for chunk in file.chunks:
            entry.write(chunk)
            if outlet.size >= ENOUGH:
                yield outlet.take()
