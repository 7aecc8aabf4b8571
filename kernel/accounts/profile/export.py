"""A user's own data as a ZIP that is streamed while it is built: it is never whole in memory or on disk."""

import zipfile
from collections.abc import AsyncIterator
from typing import Final

from kernel.accounts.auth.rate_limits import AccountRateLimits
from kernel.accounts.auth.sessions import Peer
from kernel.accounts.owned_data import AllOwnedData, ExportFile
from kernel.core import clock
from kernel.core.audit import audit
from kernel.core.data.database import Database

ENOUGH: Final = 64 * 1024
"""Bytes that are collected before they are sent."""


class ExportService:
    """Gives people what belongs to them."""

    def __init__(self, database: Database, limits: AccountRateLimits, owned_data: AllOwnedData) -> None:
        self._database = database
        self._limits = limits
        self._owned_data = owned_data

    async def begin(self, user_id: int, peer: Peer) -> AsyncIterator[bytes]:
        """Count and record one export, and return its archive. Raises TooMany."""
        await self._limits.export(user_id)
        async with self._database.write() as session:
            audit(session, "user.export", actor_id=user_id, ip=peer.ip, object=f"user:{user_id}")
        return exported(self._owned_data, user_id)


class _Outlet:
    """The stream into which a ZipFile writes; it cannot seek."""

    def __init__(self) -> None:
        self._held: list[bytes] = []
        self.size = 0

    def write(self, data: bytes) -> int:
        self._held.append(bytes(data))
        self.size += len(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: the reader takes what there is."""

    def take(self) -> bytes:
        """Return what was written since the last time."""
        data = b"".join(self._held)
        self._held.clear()
        self.size = 0
        return data


async def exported(owned_data: AllOwnedData, user_id: int) -> AsyncIterator[bytes]:
    """Yield the archive of everything that belongs to a user."""
    outlet = _Outlet()
    with zipfile.ZipFile(outlet, "w") as archive:  # type: ignore[call-overload]  # any object with write will do
        for owned in owned_data.kinds:
            async for file in owned.export(user_id):
                async for chunk in _added(archive, outlet, file):
                    yield chunk
    yield outlet.take()


async def _added(archive: zipfile.ZipFile, outlet: _Outlet, file: ExportFile) -> AsyncIterator[bytes]:
    info = zipfile.ZipInfo(file.name, date_time=clock.now().timetuple()[:6])
    # pictures are compressed already
    info.compress_type = zipfile.ZIP_DEFLATED if file.name.endswith(".json") else zipfile.ZIP_STORED
    info.external_attr = 0o600 << 16
    with archive.open(info, "w", force_zip64=True) as entry:
        async for chunk in file.chunks:
            entry.write(chunk)
            if outlet.size >= ENOUGH:
                yield outlet.take()
