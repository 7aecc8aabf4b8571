"""Warns before the certificate ends; a self-made one is renewed in time and needs no warning."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.data.database import Database, ReadConnection
from kernel.core.queue.job_loop import repeat
from kernel.providers.notices.service import open_notice, open_notices, resolve
from kernel.site.signing.models import SigningCertificate

CHECK_S: Final = 3600.0
KIND: Final = "certificate_ending"
ENDING: Final = ((0, "ended"), (7, "ends_in_7_days"), (30, "ends_in_30_days"))


class CertificateWatch:
    """Opens a notice when the certificate ends soon, another when it is nearer, and resolves it with the next one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def run(self) -> None:
        """Check forever, each hour."""
        await repeat("certificate", self.check, every_s=CHECK_S)

    async def check(self) -> None:
        """Do it once."""
        async with self._database.read() as connection:
            ends_at = await end_of_uploaded(connection)
            standing = [entry for entry in await open_notices(connection) if entry.kind == KIND]
        code = None if ends_at is None else ending_code(ends_at)
        if code is None or ends_at is None:
            if standing:
                async with self._database.write() as session:
                    await resolve(session, [entry.id for entry in standing])
        elif code not in {entry.code for entry in standing}:
            async with self._database.write() as session:
                await open_notice(session, KIND, "", code, day=ends_at.date().isoformat())


def ending_code(ends_at: datetime) -> str | None:
    """Return how near the end is, None while it is far."""
    left = ends_at - clock.now()
    return next((code for days, code in ENDING if left <= timedelta(days=days)), None)


async def end_of_uploaded(reader: ReadConnection | AsyncSession) -> datetime | None:
    """Return when an uploaded certificate ends that files are signed with, None where there is none."""
    query = select(SigningCertificate.ends_at).where(
        SigningCertificate.is_on.is_(True), SigningCertificate.is_self_made.is_(False)
    )
    found: datetime | None = (await reader.execute(query)).scalar_one_or_none()
    return found
