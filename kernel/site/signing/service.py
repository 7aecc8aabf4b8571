"""Rules of the certificate: there always is one, self-made until an administrator uploads another."""

import asyncio
from datetime import timedelta
from typing import Any, Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.audit import Actor, audit
from kernel.core.config import SiteConfig
from kernel.core.data.database import Database, ReadConnection, insert_into
from kernel.core.data.stored_rows import Values
from kernel.core.errors import InvalidFields
from kernel.core.field_errors import FieldError
from kernel.core.vault import Vault
from kernel.pictures.marks.credentials import SigningCredentials, self_made, uploaded
from kernel.pictures.marks.manifests import is_accepted
from kernel.site.signing.models import ONLY_ROW, SigningCertificate
from kernel.site.signing.schemas import CertificateIn, CertificateOut, SigningOut

RENEWED: Final = timedelta(days=1825)
"""A self-made certificate gives way to the next one so long before it ends: what it has signed is valid until then."""
PLACE: Final = "signing_certificate:1:key"
ABOUT: Final = "signing"
REFUSED: Final = FieldError("certificate_refused", "Files signed with this certificate are not valid for C2PA.")
_TABLE: Final = SigningCertificate.__table__


class SwitchHistory:
    """Whether files are signed: to be shown and put back."""

    async def read(self, session: AsyncSession, about: str) -> Values:
        """Return whether they are; they are until an administrator says otherwise."""
        is_on = (await session.execute(select(SigningCertificate.is_on))).scalar_one_or_none()
        return {"is_on": is_on is not False}

    async def put_back(self, session: AsyncSession, about: str, values: Values) -> None:
        """Store what held earlier; it holds from the next file on."""
        await session.execute(update(SigningCertificate).values(is_on=values["is_on"]))


SWITCH_HISTORY: Final = SwitchHistory()


def place_of_signing_key(_: Any) -> str:
    """Return the place that the key is encrypted for."""
    return PLACE


class SigningService:
    """Keeps the certificate and its key."""

    def __init__(self, site: SiteConfig, database: Database, vault: Vault) -> None:
        self._site = site
        self._database = database
        self._vault = vault

    async def credentials(self) -> SigningCredentials | None:
        """Return what files are signed with; None while that is off. Raises VaultError when the key is lost."""
        row = await self._row()
        if not row.is_on:
            return None
        return SigningCredentials(
            chain=row.chain, key=self._vault.open(row.sealed, place=PLACE), alg=row.alg, ends_at=row.ends_at
        )

    async def state(self) -> SigningOut:
        """Return what administrators see."""
        return _shown(await self._row())

    async def switch(self, is_on: bool, actor: Actor) -> SigningOut:
        """Sign files from now on, or do not."""
        await self._row()
        async with self._database.write() as session:
            before = await SWITCH_HISTORY.read(session, ABOUT)
            await SWITCH_HISTORY.put_back(session, ABOUT, {"is_on": is_on})
            audit(
                session,
                "signing.switch",
                actor_id=actor.id,
                ip=actor.ip,
                object=ABOUT,
                keys=["isOn"],
                before=before,
                after=await SWITCH_HISTORY.read(session, ABOUT),
            )
        return await self.state()

    async def upload(self, wanted: CertificateIn, actor: Actor) -> SigningOut:
        """Use a certificate of one's own. Raises InvalidFields for what files must not be signed with."""
        credentials = uploaded(wanted.certificate, wanted.key, clock.now())
        if not await asyncio.to_thread(is_accepted, credentials):
            raise InvalidFields({"certificate": REFUSED})
        return await self._replace(credentials, actor, is_self_made=False)

    async def make_anew(self, actor: Actor) -> SigningOut:
        """Use a new self-made certificate."""
        return await self._replace(self_made(self._site.name, clock.now()), actor, is_self_made=True)

    async def _replace(self, credentials: SigningCredentials, actor: Actor, *, is_self_made: bool) -> SigningOut:
        await self._row()
        async with self._database.write() as session:
            values = self._values(credentials, is_self_made=is_self_made)
            await session.execute(update(SigningCertificate).values(**values))
            about = "self-made" if is_self_made else "uploaded"
            audit(session, "signing.certificate", actor_id=actor.id, ip=actor.ip, object=ABOUT, keys=[about])
        return await self.state()

    async def _row(self) -> Any:
        """Return the row; make a certificate where there is none, or it is time for the next self-made one."""
        async with self._database.read() as connection:
            row = await _stored(connection)
        if row is not None and not (row.is_self_made and row.ends_at - clock.now() < RENEWED):
            return row
        values = self._values(self_made(self._site.name, clock.now()), is_self_made=True)
        async with self._database.write() as session:
            if row is None:  # another process may be quicker: its certificate is used then
                made = insert_into(session, SigningCertificate).values(id=ONLY_ROW, is_on=True, **values)
                await session.execute(made.on_conflict_do_nothing(index_elements=["id"]))
            else:
                unchanged = (SigningCertificate.ends_at == row.ends_at, SigningCertificate.is_self_made.is_(True))
                await session.execute(update(SigningCertificate).where(*unchanged).values(**values))
            return await _stored(session)

    def _values(self, credentials: SigningCredentials, *, is_self_made: bool) -> dict[str, Any]:
        return {
            "is_self_made": is_self_made,
            "alg": credentials.alg,
            "chain": credentials.chain,
            "sealed": self._vault.seal(credentials.key, place=PLACE),
            "ends_at": credentials.ends_at,
            "created_at": clock.now(),
        }


async def _stored(reader: ReadConnection | AsyncSession) -> Any | None:
    return (await reader.execute(select(_TABLE))).one_or_none()


def _shown(row: Any) -> SigningOut:
    own = x509.load_pem_x509_certificates(row.chain.encode())[0]
    return SigningOut(
        is_on=row.is_on,
        certificate=CertificateOut(
            subject=own.subject.rfc4514_string(),
            issuer=own.issuer.rfc4514_string(),
            fingerprint=own.fingerprint(hashes.SHA256()).hex(),
            begins_at=own.not_valid_before_utc,
            ends_at=row.ends_at,
            is_self_made=row.is_self_made,
        ),
    )
