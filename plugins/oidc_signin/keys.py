"""The issuer's signing keys, cached for ten minutes; for an unknown key they are read again, at most once a minute."""

import asyncio
import time
import warnings
from collections.abc import Callable
from typing import Any, Final

import httpx
from joserfc.errors import JoseError, SecurityWarning
from joserfc.jwk import ECKey, JWKRegistry, OKPKey, RSAKey

from plugins.oidc_signin.fetching import fetch_object

KEPT_S: Final = 600.0
AGAIN_S: Final = 60.0
MAX_KEYS: Final = 50
MIN_RSA_BITS: Final = 2048
"""NIST SP 800-131A."""

PublicKey = RSAKey | ECKey | OKPKey

FITTING: Final[dict[str, tuple[str, str | None]]] = {
    "RS256": ("RSA", None),
    "PS256": ("RSA", None),
    "ES256": ("EC", "P-256"),
    "EdDSA": ("OKP", "Ed25519"),
}
"""Algorithm → type and curve of its key. No other is accepted, whatever the issuer's metadata or a token says."""


class Key:
    """One public key and its permitted use."""

    def __init__(self, raw: dict[str, Any], key: PublicKey) -> None:
        self.kid: Final = raw.get("kid")
        self.public: Final = key
        self._raw = raw

    def fits(self, algorithm: str) -> bool:
        """Return whether the key may have made a signature of this algorithm."""
        kind, curve = FITTING[algorithm]
        return (
            self._raw["kty"] == kind
            and (curve is None or self._raw.get("crv") == curve)
            and self._raw.get("alg", algorithm) == algorithm
        )


def read_keys(document: dict[str, Any]) -> tuple[Key, ...]:
    """Return the usable signing keys of a key set; secret, weak and invalid keys are left out."""
    listed = document.get("keys")
    found = []
    for raw in listed[:MAX_KEYS] if isinstance(listed, list) else ():
        if isinstance(raw, dict) and raw.get("use", "sig") == "sig" and (key := _import(raw)) is not None:
            found.append(Key(raw, key))
    return tuple(found)


def _import(raw: dict[str, Any]) -> PublicKey | None:
    if raw.get("kty") not in ("RSA", "EC", "OKP"):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SecurityWarning)  # about weak keys, which the next lines leave out
            key = JWKRegistry.import_key(raw)
            if isinstance(key, RSAKey) and key.public_key.key_size < MIN_RSA_BITS:
                return None
    except (JoseError, ValueError, TypeError, KeyError):
        return None
    return key if isinstance(key, RSAKey | ECKey | OKPKey) else None


class KeySource:
    """Finds the key of a signature."""

    def __init__(self, http: Callable[[], httpx.AsyncClient], now: Callable[[], float] = time.monotonic) -> None:
        self._http = http
        self._now = now
        self._lock = asyncio.Lock()
        self._keys: tuple[Key, ...] = ()
        self._url = ""
        self._fetched_at = float("-inf")
        self._searched_at = float("-inf")

    async def all(self, url: str) -> tuple[Key, ...]:
        """Return the keys at an address, at most ten minutes old. Raises Unavailable and similar errors."""
        async with self._lock:
            if url != self._url or self._now() >= self._fetched_at + KEPT_S:
                await self._fetch(url)
            return self._keys

    async def find(self, url: str, kid: str | None, algorithm: str) -> PublicKey | None:
        """Return the key that a token names, or the only one that fits when it names none; None when there is none."""
        found = _choose(await self.all(url), kid, algorithm)
        if found is not None:
            return found
        async with self._lock:
            if self._now() < self._searched_at + AGAIN_S:
                return _choose(self._keys, kid, algorithm)
            self._searched_at = self._now()
            await self._fetch(url)
            return _choose(self._keys, kid, algorithm)

    async def _fetch(self, url: str) -> None:
        self._keys = read_keys(await fetch_object(self._http(), url))
        self._url, self._fetched_at = url, self._now()


def _choose(keys: tuple[Key, ...], kid: str | None, algorithm: str) -> PublicKey | None:
    fitting = [key for key in keys if key.fits(algorithm) and (kid is None or key.kid == kid)]
    return fitting[0].public if len(fitting) == 1 else None
