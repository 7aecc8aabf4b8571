"""The front desk: which ways to sign in there are, and what the chosen provider says. Knows no vendor by name."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, Literal, TypeVar

import msgspec

from kernel.accounts.fields import POOR_PASSWORD
from kernel.core.errors import InvalidFields, NoProvider
from kernel.providers import SIGNIN, Instance, NoProviderAvailable, Registry
from kernel.spi import (
    AuthFailed,
    Identity,
    InvalidRequest,
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
"""Somebody who signs out is not kept waiting for a provider."""

MAX_NAME: Final = 255
"""Characters of an issuer or subject; OpenID Connect allows no longer ones."""

T = TypeVar("T")


class Method(msgspec.Struct, frozen=True, kw_only=True):
    """A way to sign in: an instance that is ready."""

    id: str
    provider: str
    label: str
    kind: Literal["form", "redirect"]
    registration: bool


class Desk:
    """Asks the instances of the kind `signin`, in the order of their route."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def methods(self) -> tuple[Method, ...]:
        """Return the ways to sign in that work now."""
        return tuple(
            Method(
                id=entry.id,
                provider=entry.provider_id,
                label=entry.label,
                kind=entry.capabilities.flow,
                registration=entry.capabilities.registration,
            )
            for entry in self._registry.route(SIGNIN)
            if entry.state == "ready"
        )

    def form(self) -> Method:
        """Return the first form whose credentials we keep. Raises NoProvider where there is none."""
        for method in self.methods():
            if method.kind == "form" and method.registration:
                return method
        raise NoProvider("Signing in with a password is not available just now.", code="sign_in_unavailable")

    async def verify(self, method: Method, email: str, password: str, stored: str | None) -> Identity | None:
        """Return who it is, or None when the password is wrong; `stored` None stands for an unknown account."""
        request = SigninReturn(fields={"email": email, "password": password}, stored=stored)
        try:
            return await self._ask(method.id, lambda instance: instance.provider.complete(request))
        except (AuthFailed, InvalidRequest):
            return None

    def redirect(self, instance_id: str) -> Method:
        """Return the redirect of this id. Raises NoProvider where there is none that works now."""
        for method in self.methods():
            if method.kind == "redirect" and method.id == instance_id:
                return method
        raise NoProvider("Signing in this way is not available just now.", code="sign_in_unavailable")

    async def begin(self, method: Method, request: SigninBegin) -> Redirect:
        """Return where to send the browser. Raises NoProvider."""
        try:
            redirect = await self._ask(method.id, lambda instance: instance.provider.begin(request))
        except (AuthFailed, InvalidRequest) as error:  # nobody has said anything yet that could be wrong
            raise _broken(method.id) from error
        if misfit(redirect, Redirect) or not redirect.url.startswith(("https://", "http://")):
            raise _broken(method.id)
        return redirect

    async def complete(self, method: Method, request: SigninReturn) -> Identity:
        """Return who came back. Raises AuthFailed, InvalidRequest and NoProvider."""
        identity = await self._ask(method.id, lambda instance: instance.provider.complete(request))
        named = (identity.issuer, identity.subject) if misfit(identity, Identity) is None else ()
        if not named or not all(0 < len(name) <= MAX_NAME and name.isprintable() for name in named):
            raise _broken(method.id)
        return identity

    async def farewell(self, instance_id: str, identity: Identity) -> str | None:
        """Return where to send somebody who signs out, or None. It never stops anybody from signing out."""
        try:
            async with asyncio.timeout(FAREWELL_S):
                url = await self._ask(instance_id, lambda instance: instance.provider.logout_url(identity))
        except (NoProvider, AuthFailed, InvalidRequest, TimeoutError):
            return None
        return url if isinstance(url, str) and url.startswith(("https://", "http://")) else None

    async def enroll(self, password: str) -> str:
        """Return what to keep for a new password. Raises InvalidFields for one that the provider does not take."""
        try:
            return await self._ask(self.form().id, lambda instance: instance.provider.enroll(password))
        except InvalidRequest as error:
            raise InvalidFields({"password": POOR_PASSWORD}) from error

    async def _ask(
        self, instance_id: str, call: Callable[[Instance[SigninProvider, SigninCapabilities]], Awaitable[T]]
    ) -> T:
        """Ask one instance. AuthFailed and InvalidRequest pass through; whatever else goes wrong is NoProvider.

        A wrong password is an everyday answer here, so nothing counts against the health of the instance.
        """
        try:
            async with self._registry.lease_instance(instance_id, SIGNIN) as instance, asyncio.timeout(PATIENCE_S):
                return await call(instance)
        except (AuthFailed, InvalidRequest):
            raise
        except (ProviderError, NoProviderAvailable, TimeoutError) as error:
            log.warning("sign-in instance %s: %s", instance_id, type(error).__name__)
            raise _unavailable(getattr(error, "retry_after", None) or 30.0) from error
        except Exception as error:
            log.exception("sign-in instance %s broke its contract", instance_id)
            raise _unavailable() from error


def _unavailable(retry_after: float = 30.0) -> NoProvider:
    return NoProvider("Signing in is not available just now.", code="sign_in_unavailable", retry_after=retry_after)


def _broken(instance_id: str) -> NoProvider:
    log.error("sign-in instance %s broke its contract", instance_id)
    return _unavailable()
