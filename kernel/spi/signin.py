"""Contract of the kind `signin`: identify a person. Sessions, linking and rate limits belong to the kernel."""

from collections.abc import Mapping
from typing import Literal, Protocol, runtime_checkable

import msgspec

from .provider import Provider


class SigninCapabilities(msgspec.Struct, frozen=True, kw_only=True):
    """`form`: the SPA shows a form and the kernel calls `complete`; `redirect`: the browser goes to the vendor."""

    flow: Literal["form", "redirect"]
    registration: bool = False


class Redirect(msgspec.Struct, frozen=True, kw_only=True):
    """Where to send the browser, and what to remember until it returns (kept by the kernel, never shown)."""

    url: str
    memory: dict[str, str] = {}


class SigninBegin(msgspec.Struct, frozen=True, kw_only=True):
    """The start of a sign-in. `state` and `nonce` are made by the kernel and must be used."""

    return_url: str
    state: str
    nonce: str


class SigninReturn(msgspec.Struct, frozen=True, kw_only=True):
    """What came back: form fields for `form`, query or body parameters for `redirect`.

    `stored` is the credential that the kernel stores for the named account (form flow), or None.
    """

    fields: Mapping[str, str]
    memory: Mapping[str, str] = {}
    nonce: str = ""
    stored: str | None = None


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """Who it is. `(issuer, subject)` identifies the person permanently; an address counts only when it is verified.

    `credential`, when set, replaces what the kernel stores (a new hash after the parameters changed). `session_id` is
    the issuer's name for the session in which the person signed in there, 1 to 255 printable characters.
    `multi_factor`: the issuer says that the person has just shown more than one factor, so the kernel asks for no more.
    """

    issuer: str
    subject: str
    email: str | None = None
    email_verified: bool = False
    first_name: str = ""
    last_name: str = ""
    credential: str | None = None
    session_id: str | None = None
    multi_factor: bool = False


class IssuerLogout(msgspec.Struct, frozen=True, kw_only=True):
    """A logout that an issuer reports: of one session there (`session_id`), of a person (`subject`), or of both.

    `token_id` names the report, which the kernel takes once; `valid_until` is when the provider stops accepting it, in
    seconds since 1970.
    """

    issuer: str
    token_id: str
    valid_until: float
    subject: str | None = None
    session_id: str | None = None


class SigninProvider(Provider, Protocol):
    """Turns a form or a callback into an identity."""

    def capabilities(self) -> SigninCapabilities:
        """Return what this instance can do; no I/O."""
        ...

    async def begin(self, request: SigninBegin) -> Redirect:
        """Return where to send the browser. Only for the redirect flow; a form provider raises Unsupported."""
        ...

    async def complete(self, request: SigninReturn) -> Identity:
        """Check what came back.

        Raises AuthFailed for a wrong identity, InvalidRequest for a malformed return, and ProofTooWeak for a person
        who has to sign in there again, or in another way.

        Must take as long for an unknown account (`stored` None) as for a wrong password.
        """
        ...

    async def enroll(self, secret: str) -> str:
        """Return what the kernel stores for a new password. Raises InvalidRequest(field="password") for a weak one.

        Only for the form flow; a redirect provider raises Unsupported.
        """
        ...

    async def logout_url(self, identity: Identity) -> str | None:
        """Return where to send the browser after sign-out, or None."""
        ...


@runtime_checkable
class LogoutReader(Protocol):
    """A sign-in provider whose issuer reports logouts. Optional, for the redirect flow."""

    async def read_logout(self, token: str) -> IssuerLogout:
        """Check a report and return what it says. Raises AuthFailed for one that is not the issuer's, or not for us.

        Called for whatever anybody sends to the instance's address for logouts; must not act on it.
        """
        ...
