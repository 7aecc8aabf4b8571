"""The issuer's metadata (OpenID Connect Discovery 1.0)."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

import httpx
import msgspec

from kernel.spi import SettingsInvalid, Unavailable
from plugins.oidc_signin.fetching import fetch_object
from plugins.oidc_signin.settings import is_safe_address

KEPT_S: Final = 3600.0
"""An issuer may change its addresses; the metadata is read at most once an hour."""


class Description(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of the metadata that a sign-in needs. Unknown parts are skipped."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    end_session_endpoint: str | None = None
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)
    code_challenge_methods_supported: tuple[str, ...] = ()
    authorization_response_iss_parameter_supported: bool = False

    def addresses(self) -> tuple[str, ...]:
        """Return every address to which something would be sent."""
        required = (self.authorization_endpoint, self.token_endpoint, self.jwks_uri)
        return (*required, *(url for url in (self.userinfo_endpoint, self.end_session_endpoint) if url))


class Discovery:
    """Reads the metadata on first use and caches it."""

    def __init__(
        self, http: Callable[[], httpx.AsyncClient], issuer: str, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._http = http
        self._issuer = issuer
        self._now = now
        self._lock = asyncio.Lock()
        self._kept: Description | None = None
        self._until = 0.0

    async def read(self) -> Description:
        """Return the metadata. Raises SettingsInvalid when it is another issuer's, Unavailable and similar errors."""
        async with self._lock:
            if self._kept is None or self._now() >= self._until:
                self._kept = await self._fetch()
                self._until = self._now() + KEPT_S
            return self._kept

    async def _fetch(self) -> Description:
        found = await fetch_object(self._http(), f"{self._issuer.rstrip('/')}/.well-known/openid-configuration")
        try:
            description = msgspec.convert(found, Description)
        except msgspec.ValidationError as error:
            raise Unavailable(f"the issuer's description is not complete: {error}") from error
        if description.issuer != self._issuer:
            raise SettingsInvalid(f"the issuer calls itself {description.issuer[:200]}", field="issuer")
        if not all(is_safe_address(url) for url in description.addresses()):
            raise SettingsInvalid("the issuer names addresses that do not begin with https://", field="issuer")
        return description
