"""Administrators' calls about the signing of files."""

from litestar import Controller, get, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.core.audit import Actor
from kernel.core.web.access import ADMIN, RECENT_SIGN_IN
from kernel.site.signing.schemas import CertificateIn, SigningIn, SigningOut
from kernel.site.signing.service import SigningService


class SigningController(Controller):
    """Whether downloaded files are signed, and with which certificate."""

    path = "/api/admin/signing"
    tags = ("Administration",)
    opt = ADMIN

    @get(operation_id="getSigning")
    async def get_signing(self, signing: NamedDependency[SigningService]) -> SigningOut:
        """Return whether files are signed, and the certificate without its key."""
        return await signing.state()

    @put(operation_id="switchSigning", opt=RECENT_SIGN_IN)
    async def switch(
        self, actor: NamedDependency[Actor], data: JSONBody[SigningIn], signing: NamedDependency[SigningService]
    ) -> SigningOut:
        """Sign files from now on, or do not."""
        return await signing.switch(data.is_on, actor)

    @put("/certificate", operation_id="uploadSigningCertificate", opt=RECENT_SIGN_IN)
    async def upload(
        self, actor: NamedDependency[Actor], data: JSONBody[CertificateIn], signing: NamedDependency[SigningService]
    ) -> SigningOut:
        """Use a certificate of one's own, with its key."""
        return await signing.upload(data, actor)

    @post("/self-made", operation_id="makeSigningCertificate", opt=RECENT_SIGN_IN, status_code=200)
    async def make(self, actor: NamedDependency[Actor], signing: NamedDependency[SigningService]) -> SigningOut:
        """Make a new certificate and use it."""
        return await signing.make_anew(actor)
