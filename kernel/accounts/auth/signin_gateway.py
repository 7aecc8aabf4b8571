"""The sign-in methods there are, and the calls to the chosen provider. Knows no vendor by name."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, Literal, TypeVar

import msgspec

from kernel.accounts.validation import POOR_PASSWORD
from kernel.core.errors import InvalidFields, NoProvider
from kernel.providers import SIGNIN, Instance, NoProviderAvailable, Registry
from kernel.spi import (
    AuthFailed,
    Identity,
    InvalidRequest,
    IssuerLogout,
    LogoutReader,
    ProofTooWeak,
    ProviderError,
    Redirect,
    SigninBegin,
    SigninCapabilities,
    SigninProvider,
    SigninReturn,
    misfit,
)

log = logging.getLogger(__name__)

PATIENCE_S: Final = 20.0
"""A sign-in that takes longer has failed; a queue of password hashes is shorter than that."""

FAREWELL_S: Final = 3.0
"""Signing out does not wait longer for a provider."""

MAX_NAME: Final = 255
"""Maximum length of an issuer or subject, in characters, as in OpenID Connect."""

REFUSALS: Final = (AuthFailed, InvalidRequest, ProofTooWeak)
"""The provider works, and does not let this person in."""

T = TypeVar("T")


class SigninMethod(msgspec.Struct, frozen=True, kw_only=True):
    """A sign-in method: an instance that is ready."""

    id: str
    provider: str
    label: str
    kind: Literal["form", "redirect"]
    registration: bool


class SigninGateway:
    """Calls the instances of the kind `signin`, in their failover order."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def methods(self) -> tuple[SigninMethod, ...]:
        """Return the sign-in methods that work now."""
        return tuple(
            SigninMethod(
                id=entry.id,
                provider=entry.provider_id,
                label=entry.label,
                kind=entry.capabilities.flow,
                registration=entry.capabilities.registration,
            )
            for entry in self._registry.failover_order(SIGNIN)
            if entry.state == "ready"
        )

    def redirect_ids(self) -> frozenset[str]:
        """Return the ids of the issuers that work now."""
        return frozenset(method.id for method in self.methods() if method.kind == "redirect")

    def form(self) -> SigninMethod:
        """Return the first form whose credentials the kernel stores. Raises NoProvider where there is none."""
        for method in self.methods():
            if method.kind == "form" and method.registration:
                return method
        raise NoProvider("Signing in with a password is not available just now.", code="sign_in_unavailable")

    async def verify(self, method: SigninMethod, email: str, password: str, stored: str | None) -> Identity | None:
        """Return the identity, or None when the password is wrong; `stored` None stands for an unknown account."""
        request = SigninReturn(fields={"email": email, "password": password}, stored=stored)
        try:
            return await self._call(method.id, lambda instance: instance.provider.complete(request))
        except REFUSALS:
            return None

    def redirect(self, instance_id: str) -> SigninMethod:
        """Return the redirect of this id. Raises NoProvider where there is none that works now."""
        for method in self.methods():
            if method.kind == "redirect" and method.id == instance_id:
                return method
        raise NoProvider("Signing in this way is not available just now.", code="sign_in_unavailable")

    async def begin(self, method: SigninMethod, request: SigninBegin) -> Redirect:
        """Return where to send the browser. Raises NoProvider."""
        try:
            redirect = await self._call(method.id, lambda instance: instance.provider.begin(request))
        except REFUSALS as error:  # at this point there is no user input yet that could be wrong
            raise _broken(method.id) from error
        if misfit(redirect, Redirect) or not redirect.url.startswith(("https://", "http://")):
            raise _broken(method.id)
        return redirect

    async def complete(self, method: SigninMethod, request: SigninReturn) -> Identity:
        """Return the identity that came back. Raises AuthFailed, InvalidRequest, ProofTooWeak and NoProvider."""
        identity = await self._call(method.id, lambda instance: instance.provider.complete(request))
        named = (identity.issuer, identity.subject) if misfit(identity, Identity) is None else ()
        if not named or not all(0 < len(name) <= MAX_NAME and name.isprintable() for name in named):
            raise _broken(method.id)
        return identity

    async def read_logout(self, method: SigninMethod, token: str) -> IssuerLogout:
        """Return the logout that an issuer reports. Raises AuthFailed and NoProvider."""
        try:
            logout = await self._call(method.id, lambda instance: _logout_reader(instance).read_logout(token))
        except (InvalidRequest, ProofTooWeak) as error:
            raise AuthFailed("the report cannot be read") from error
        if misfit(logout, IssuerLogout) or (logout.subject is None and logout.session_id is None):
            raise _broken(method.id)
        return logout

    async def logout_url(self, instance_id: str, identity: Identity) -> str | None:
        """Return where to send a user who signs out, or None. A failure never prevents signing out."""
        try:
            async with asyncio.timeout(FAREWELL_S):
                url = await self._call(instance_id, lambda instance: instance.provider.logout_url(identity))
        except (NoProvider, *REFUSALS, TimeoutError):
            return None
        return url if isinstance(url, str) and url.startswith(("https://", "http://")) else None

    async def enroll(self, password: str) -> str:
        """Return what to store for a new password. Raises InvalidFields for one that the provider does not accept."""
        try:
            return await self._call(self.form().id, lambda instance: instance.provider.enroll(password))
        except InvalidRequest as error:
            raise InvalidFields({"password": POOR_PASSWORD}) from error

    async def _call(
        self, instance_id: str, call: Callable[[Instance[SigninProvider, SigninCapabilities]], Awaitable[T]]
    ) -> T:
        """Call one instance. REFUSALS pass through; any other failure is NoProvider.

        A wrong password is an everyday answer here, so nothing counts against the health of the instance.
        """
        try:
            async with self._registry.lease_instance(instance_id, SIGNIN) as instance, asyncio.timeout(PATIENCE_S):
                return await call(instance)
        except REFUSALS:
            raise
        except (ProviderError, NoProviderAvailable, TimeoutError) as error:
            log.warning("sign-in instance %s: %s", instance_id, type(error).__name__)
            raise _unavailable(getattr(error, "retry_after", None) or 30.0) from error
        except Exception as error:
            log.exception("sign-in instance %s broke its contract", instance_id)
            raise _unavailable() from error


def _unavailable(retry_after: float = 30.0) -> NoProvider:
    return NoProvider("Signing in is not available just now.", code="sign_in_unavailable", retry_after=retry_after)


def _logout_reader(instance: Instance[SigninProvider, SigninCapabilities]) -> LogoutReader:
    """Return the provider as a reader of logouts. Raises AuthFailed for one whose issuer reports none."""
    if not isinstance(instance.provider, LogoutReader):
        raise AuthFailed("the provider takes no logouts")
    return instance.provider


def _broken(instance_id: str) -> NoProvider:
    log.error("sign-in instance %s broke its contract", instance_id)
    return _unavailable()
