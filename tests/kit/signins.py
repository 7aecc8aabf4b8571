"""Two small sign-in providers that keep the contract: one form, one redirect."""

import hashlib
import hmac
import os
from typing import Any
from urllib.parse import urlencode

from kernel.spi import (
    AuthFailed,
    CheckReport,
    CheckStep,
    Identity,
    InvalidRequest,
    Redirect,
    Settings,
    SigninBegin,
    SigninCapabilities,
    SigninReturn,
    Unsupported,
)

POOR = frozenset({"password123", "short1!", "a" * 12})


class NoSettings(Settings, frozen=True, kw_only=True):
    """Nothing to set."""


class _Signin:
    def __init__(self, settings: Settings, context: Any) -> None:
        self.context = context

    async def check(self) -> CheckReport:
        return CheckReport(steps=(CheckStep(name="ready", status="ok"),))

    async def aclose(self) -> None:
        return None

    async def logout_url(self, identity: Identity) -> str | None:
        return None


class FormSignin(_Signin):
    """Email and password, kept as salted scrypt."""

    def capabilities(self) -> SigninCapabilities:
        return SigninCapabilities(flow="form", registration=True)

    async def begin(self, request: SigninBegin) -> Redirect:
        raise Unsupported("a form")

    def digest(self, password: str, salt: bytes) -> str:
        kept = hashlib.scrypt(password.encode(), salt=salt, n=2**12, r=8, p=1)
        return f"{salt.hex()}.{kept.hex()}"

    async def enroll(self, secret: str) -> str:
        if not 8 <= len(secret) <= 200 or secret in POOR:
            raise InvalidRequest("a poor password", field="password")
        return self.digest(secret, os.urandom(16))

    async def complete(self, request: SigninReturn) -> Identity:
        email, password = request.fields.get("email"), request.fields.get("password")
        if not email or not password:
            raise InvalidRequest("email and password are needed")
        kept = request.stored if request.stored and "." in request.stored else "00.00"
        if not hmac.compare_digest(self.digest(password[:200], bytes.fromhex(kept.partition(".")[0])), kept):
            raise AuthFailed("not the password")
        return Identity(issuer="form", subject=email, email=email)


class RedirectSignin(_Signin):
    """Sends the browser to a vendor."""

    def capabilities(self) -> SigninCapabilities:
        return SigninCapabilities(flow="redirect")

    async def begin(self, request: SigninBegin) -> Redirect:
        query = urlencode({"state": request.state, "nonce": request.nonce, "redirect_uri": request.return_url})
        return Redirect(url=f"https://vendor.example/authorize?{query}")

    async def enroll(self, secret: str) -> str:
        raise Unsupported("the vendor knows the password")

    async def complete(self, request: SigninReturn) -> Identity:
        if not request.fields.get("code"):
            raise InvalidRequest("the vendor sent no code")
        return Identity(issuer="https://vendor.example", subject=request.fields["code"])
