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
    SigninCapabilities,
    SigninProvider,
    SigninReturn,
)

log = logging.getLogger(__name__)

PATIENCE_S: Final = 20.0
"""A sign-in that takes longer has failed; a queue of password hashes is shorter than that."""

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
            retry_after = getattr(error, "retry_after", None) or 30.0
            raise NoProvider(
                "Signing in is not available just now.", code="sign_in_unavailable", retry_after=retry_after
            ) from error
        except Exception as error:
            log.exception("sign-in instance %s broke its contract", instance_id)
            raise NoProvider(
                "Signing in is not available just now.", code="sign_in_unavailable", retry_after=30.0
            ) from error
