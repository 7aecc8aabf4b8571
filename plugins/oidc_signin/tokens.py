"""ID tokens: signature first, then every claim (OpenID Connect Core 1.0 §3.1.3.7)."""

import hmac
import time
import warnings
from typing import Any, Final

import msgspec
from joserfc import jws
from joserfc.errors import JoseError, SecurityWarning

from kernel.spi import AuthFailed
from plugins.oidc_signin.keys import FITTING, KeySource
from plugins.oidc_signin.settings import OidcSettings

MAX_CHARS: Final = 64 * 1024
LEEWAY_S: Final = 60.0
"""Maximum difference between the issuer's clock and ours."""

MAX_AGE_S: Final = 600.0
"""The token was made for the code that was just redeemed; an old one was made for another sign-in."""

LOGOUT_EVENT: Final = "http://schemas.openid.net/event/backchannel-logout"

FACTORS: Final = (
    frozenset({"pwd", "pin", "kba"}),
    frozenset({"otp", "hwk", "swk", "sc", "sms", "tel", "pop"}),
    frozenset({"face", "fpt", "iris", "retina", "vbm"}),
)
"""Methods that show what somebody knows, has, and is (RFC 8176 §2)."""

MAX_TIME: Final = 2.0**53
MAX_SUBJECT: Final = 255
"""ASCII characters, OpenID Connect Core 1.0 §2."""


class _Registry(jws.JWSRegistry):
    """Accepts additional headers from issuers; unknown ones are ignored."""

    max_header_length = 4096
    max_payload_length = MAX_CHARS


_REGISTRY: Final = _Registry(algorithms=list(FITTING), strict_check_header=False)


async def verify(
    token: str, *, keys: KeySource, jwks_uri: str, issuer: str, client_id: str, nonce: str
) -> dict[str, Any]:
    """Return the claims of an ID token from the issuer, for this client, for this sign-in, that is valid now.

    Raises AuthFailed for any other. The key comes from the issuer's key set only, never from the token.
    """
    claims = await _signed_claims(token, keys, jwks_uri)
    if fault := claim_fault(claims, issuer=issuer, client_id=client_id, nonce=nonce, now=time.time()):
        raise AuthFailed(f"the ID token's {fault}")
    return claims


async def verify_logout(token: str, *, keys: KeySource, jwks_uri: str, issuer: str, client_id: str) -> dict[str, Any]:
    """Return the claims of a logout token from the issuer, for this client, that is valid now.

    Raises AuthFailed for any other (OpenID Connect Back-Channel Logout 1.0 §2.6).
    """
    claims = await _signed_claims(token, keys, jwks_uri)
    if fault := logout_fault(claims, issuer=issuer, client_id=client_id, now=time.time()):
        raise AuthFailed(f"the logout token's {fault}")
    return claims


async def _signed_claims(token: str, keys: KeySource, jwks_uri: str) -> dict[str, Any]:
    """Return what a token says that the issuer has signed. Raises AuthFailed."""
    if len(token) > MAX_CHARS:
        raise AuthFailed("the token is too long")
    try:
        header = jws.extract_compact(token.encode(), registry=_REGISTRY).protected
    except (JoseError, ValueError, TypeError, RecursionError) as error:
        raise AuthFailed("the token cannot be read") from error
    algorithm, kid = header.get("alg"), header.get("kid")
    if not isinstance(algorithm, str) or algorithm not in FITTING or not isinstance(kid, str | None):
        raise AuthFailed("the token is signed with an algorithm we do not take")
    if "crit" in header or "b64" in header:
        raise AuthFailed("the token demands what we do not do")
    key = await keys.find(jwks_uri, kid, algorithm)
    if key is None:
        raise AuthFailed("the token is signed with a key that is not the issuer's")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SecurityWarning)  # about the name `EdDSA`, which issuers still use
            payload = jws.deserialize_compact(token, key, registry=_REGISTRY).payload
        claims = msgspec.json.decode(payload)
    except (JoseError, msgspec.DecodeError, ValueError, TypeError, RecursionError) as error:
        raise AuthFailed("the token's signature is not the issuer's") from error
    if not isinstance(claims, dict):
        raise AuthFailed("the token holds no claims")
    return claims


def claim_fault(claims: dict[str, Any], *, issuer: str, client_id: str, nonce: str, now: float) -> str | None:
    """Return which claim is invalid, or None; times in seconds since 1970."""
    if claims.get("iss") != issuer:
        return "iss is another issuer"
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    if client_id not in audiences:
        return "aud is somebody else"
    if len(audiences) > 1 and "azp" not in claims:
        return "azp is missing"
    if claims.get("azp", client_id) != client_id:
        return "azp is somebody else"
    if fault := _time_fault(claims, now):
        return fault
    if "nbf" in claims and ((begins := _time(claims["nbf"])) is None or begins > now + LEEWAY_S):
        return "nbf is not over"
    given = claims.get("nonce")
    if not nonce or not isinstance(given, str) or not hmac.compare_digest(given.encode(), nonce.encode()):
        return "nonce is another sign-in's"
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT:
        return "sub names nobody"
    return None


def logout_fault(claims: dict[str, Any], *, issuer: str, client_id: str, now: float) -> str | None:
    """Return which claim of a logout token is invalid, or None; `now` in seconds since 1970."""
    if claims.get("iss") != issuer:
        return "iss is another issuer"
    audience = claims.get("aud")
    if client_id not in (audience if isinstance(audience, list) else [audience]):
        return "aud is somebody else"
    if fault := _time_fault(claims, now):
        return fault
    events = claims.get("events")
    if not isinstance(events, dict) or not isinstance(events.get(LOGOUT_EVENT), dict):
        return "events hold no logout"
    if "nonce" in claims:
        return "nonce makes it an ID token"
    named = [claims[name] for name in ("sub", "sid") if name in claims]
    if not named or not all(map(is_name, (claims.get("jti"), *named))):
        return "jti, sub or sid names nothing"
    return None


def is_name(value: Any) -> bool:
    """Return whether a claim can be stored as a name."""
    return isinstance(value, str) and 0 < len(value) <= MAX_SUBJECT and value.isprintable()


def _time_fault(claims: dict[str, Any], now: float) -> str | None:
    expires, issued = _time(claims.get("exp")), _time(claims.get("iat"))
    if expires is None or expires <= now - LEEWAY_S:
        return "exp is over"
    if issued is None or not now - MAX_AGE_S - LEEWAY_S <= issued <= now + LEEWAY_S:
        return "iat is not now"
    return None


def weakness(claims: dict[str, Any], settings: OidcSettings, *, now: float) -> str | None:
    """Return what the sign-in behind valid claims lacks, or None; `now` in seconds since 1970.

    A claim that the issuer leaves out counts as not fulfilled: asking alone proves nothing.
    """
    if settings.max_age is not None:
        at = _time(claims.get("auth_time"))
        if at is None or not now - settings.max_age - LEEWAY_S <= at <= now + LEEWAY_S:
            return "the sign-in is older than max_age"
    if settings.acr_values and claims.get("acr") not in settings.acr_values:
        return "the sign-in has none of the acr_values"
    methods = claims.get("amr")
    if not set(settings.required_amr) <= {name for name in _items(methods) if isinstance(name, str)}:
        return "the sign-in lacks a required amr"
    return None


def used_several_factors(methods: Any) -> bool:
    """Return whether an `amr` claim says that more than one factor was used: `mfa`, or methods of two kinds."""
    named = {name for name in _items(methods) if isinstance(name, str)}
    return "mfa" in named or sum(bool(named & kind) for kind in FACTORS) > 1


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _time(value: Any) -> float | None:
    """Return a time as a number, None for anything else."""
    fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < MAX_TIME
    return float(value) if fits else None
