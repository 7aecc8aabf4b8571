"""The certificate that signs files: renewed in time where it is self-made, warned about where it is not."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from kernel.core import clock
from kernel.core.audit import Actor
from kernel.core.config import load_config
from kernel.core.data.database import Database
from kernel.core.vault import Vault
from kernel.covers.provenance.files import MarkedFiles
from kernel.covers.provenance.marking import CoverMark
from kernel.pictures.marks.xmp import Mark
from kernel.pictures.store import FileRef
from kernel.providers.models import Notice
from kernel.providers.notices.service import Notices
from kernel.site.invariants import certificate_lasts
from kernel.site.signing.expiry import CertificateWatch
from kernel.site.signing.models import SigningCertificate
from kernel.site.signing.schemas import CertificateIn
from kernel.site.signing.service import SigningService
from tests.property.test_manifests import Forge, encoded
from tests.support.marks import active, manifests_of, source_of

pytestmark = pytest.mark.anyio

ACTOR = Actor(id=1, ip="")
MASTER = b"a master key of enough characters"


@pytest.fixture
def signing(database: Database) -> SigningService:
    return SigningService(load_config({}).site, database, Vault(MASTER))


async def notices(database: Database) -> list[tuple[str, str, Any]]:
    """Return the open notices."""
    async with database.read() as connection:
        query = select(Notice.kind, Notice.code, Notice.params).where(Notice.resolved_at.is_(None))
        return [tuple(row) for row in await connection.execute(query)]


async def ends_in(database: Database, days: float) -> datetime:
    """Let the certificate end so soon."""
    moment = clock.now() + timedelta(days=days)
    async with database.write() as session:
        await session.execute(update(SigningCertificate).values(ends_at=moment))
    return moment


async def test_a_self_made_certificate_is_renewed_in_time(database: Database, signing: SigningService) -> None:
    first = (await signing.state()).certificate.fingerprint
    assert (await signing.state()).certificate.fingerprint == first
    await ends_in(database, 1826)
    assert (await signing.state()).certificate.fingerprint == first
    await ends_in(database, 1824)
    renewed = (await signing.state()).certificate
    assert renewed.fingerprint != first and renewed.ends_at > clock.now() + timedelta(days=3600)
    await CertificateWatch(database).check()
    assert await notices(database) == []


async def test_an_uploaded_one_is_warned_about_once_for_each_step(database: Database, signing: SigningService) -> None:
    forge, watch = Forge(), CertificateWatch(database)
    await signing.upload(CertificateIn(certificate=forge.chain(), key=forge.pem()), ACTOR)
    for days, code in ((40, None), (20, "ends_in_30_days"), (6, "ends_in_7_days"), (-1, "ended")):
        day = (await ends_in(database, days)).date().isoformat()
        for _ in range(2):
            await watch.check()
        expected = [] if code is None else [("certificate_ending", code, {"day": day})]
        assert await notices(database) == expected
        async with database.read() as connection:
            assert bool(await certificate_lasts(connection)) is (code is not None)
    await signing.make_anew(ACTOR)
    await watch.check()
    assert await notices(database) == []


@pytest.mark.parametrize(("spoilt", "code"), [("key", "key_lost"), ("chain", "failed"), ("end", "expired")])
async def test_what_cannot_be_signed_goes_out_marked_and_is_told_once(
    database: Database, signing: SigningService, spoilt: str, code: str
) -> None:
    told = Notices(database)
    files = MarkedFiles(None, signing, told)  # type: ignore[arg-type]
    forge = Forge()
    await signing.upload(CertificateIn(certificate=forge.chain(), key=forge.pem()), ACTOR)
    values: dict[str, Any] = {
        "key": {"sealed": Vault(b"another master key of some length").seal("x", place="signing_certificate:1:key")},
        "chain": {"chain": "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"},
        "end": {"ends_at": clock.now() - timedelta(days=1)},
    }[spoilt]
    async with database.write() as session:
        await session.execute(update(SigningCertificate).values(**values))
    about = CoverMark(mark=Mark(source="algorithmicMedia", made_at=datetime.now(UTC)), manifest=None)
    for _ in range(3):
        finished = await files.finish(encoded("png"), "png", about, await files.credentials())
        assert not finished.is_signed and source_of(finished.data) == "algorithmicMedia"
        assert manifests_of(finished.data, "png") == ("", {})
    await told.flush()
    ((kind, found, params),) = await notices(database)
    assert (kind, found) == ("signing_failed", code)
    assert forge.pem().splitlines()[1] not in str(params)


class Damaged:
    """A storage in which the manifest of a provider is damaged."""

    async def read(self, ref: FileRef) -> bytes:
        """Return what is left of it."""
        return b"damaged"


async def test_a_damaged_manifest_of_a_provider_costs_itself_only(database: Database, signing: SigningService) -> None:
    files = MarkedFiles(Damaged(), signing, Notices(database))  # type: ignore[arg-type]
    ref = FileRef(instance_id="disk", object_key="x", media_type="application/c2pa", size=7, sha256="")
    mark = Mark(source="trainedAlgorithmicMedia", made_at=datetime.now(UTC))
    finished = await files.finish(
        encoded("jpeg"), "jpeg", CoverMark(mark=mark, manifest=ref), await files.credentials()
    )
    state, found = manifests_of(finished.data, "jpeg")
    assert finished.is_signed and state == "Valid" and "ingredients" not in active(found)
