"""Faulty sign-in providers."""

from kernel.spi import AuthFailed, Identity, InvalidRequest, Redirect, SigninBegin, SigninReturn
from kernel.spi.testing import SigninContract
from tests.kit.careless import careless
from tests.kit.careless_basics import Nothing
from tests.kit.signins import FormSignin, RedirectSignin


@careless("SIGN_01", SigninContract, Nothing)
class NobodysName(FormSignin):
    """Signs a user in without an identity."""

    async def complete(self, request: SigninReturn) -> Identity:
        await super().complete(request)
        return Identity(issuer="form", subject="")


@careless("SIGN_02", SigninContract, Nothing)
class TrimsPasswords(FormSignin):
    """Accepts a password with an extra space."""

    async def complete(self, request: SigninReturn) -> Identity:
        fields = {name: text.strip() for name, text in request.fields.items()}
        return await super().complete(SigninReturn(fields=fields, stored=request.stored))


@careless("SIGN_03", SigninContract, Nothing)
class TellsByTime(FormSignin):
    """Answers at once for an unknown account."""

    async def complete(self, request: SigninReturn) -> Identity:
        if request.stored is None:
            raise AuthFailed("nobody")
        return await super().complete(request)


@careless("SIGN_04", SigninContract, Nothing)
class NoSalt(FormSignin):
    """Stores the same password in the same way for all users."""

    async def enroll(self, secret: str) -> str:
        return self.digest(secret, b"salt")


@careless("SIGN_05", SigninContract, Nothing)
class TakesPoorPasswords(FormSignin):
    """Accepts any password."""

    async def enroll(self, secret: str) -> str:
        return self.digest(secret, b"salt")


@careless("SIGN_06", SigninContract, Nothing)
class TrustsTheReturn(FormSignin):
    """Reads the return without checking it."""

    async def complete(self, request: SigninReturn) -> Identity:
        return Identity(issuer="form", subject=request.fields["email"])


@careless("SIGN_07", SigninContract, Nothing)
class FormThatRedirects(FormSignin):
    """A form that also redirects."""

    async def begin(self, request: SigninBegin) -> Redirect:
        return Redirect(url=request.return_url)


@careless("SIGN_08", SigninContract, Nothing)
class ForgetsState(RedirectSignin):
    """Redirects without state and nonce."""

    async def begin(self, request: SigninBegin) -> Redirect:
        if not request.state:
            raise InvalidRequest("no state")
        return Redirect(url="https://vendor.example/authorize")
