"""An OpenID Connect issuer that answers correctly until a test makes it lie."""

import base64
import hashlib
import json
import secrets
import time
import warnings
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final
from urllib.parse import parse_qs, parse_qsl, unquote_plus, urlsplit

import httpx
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from joserfc import jws
from joserfc.errors import SecurityWarning
from joserfc.jwk import ECKey, OKPKey, RSAKey

CLIENT_ID: Final = "coverwright"
CLIENT_SECRET: Final = "a secret: with + and / in it"
KID: Final = "key-1"
ALGORITHMS: Final = ("RS256", "PS256", "ES256", "EdDSA")
DROP: Final = object()
"""Stands for a claim or field that is left out."""

Key = RSAKey | ECKey | OKPKey


@lru_cache
def new_key(algorithm: str = "RS256", which: int = 0) -> Key:
    """Return a key pair for an algorithm, the same one for the same number; making one takes long."""
    parameters: Any = {"kid": KID}
    match algorithm:
        case "RS256" | "PS256":
            return RSAKey.generate_key(2048, parameters)
        case "ES256":
            return ECKey.generate_key("P-256", parameters)
    return OKPKey.generate_key("Ed25519", parameters)


def encode(part: Any) -> str:
    """Return a part of a token."""
    raw = part if isinstance(part, bytes) else json.dumps(part).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class Issuer:
    """Answers like an issuer; also a handler for `httpx.MockTransport` and `Loopback`.

    A visitor of the address that `begin` returned is the person of `claims`, see `visit`. `claims`, `described`,
    `told` (userinfo) and `returned` change the answers; `forge` makes the whole ID token.
    """

    def __init__(self, url: str = "https://issuer.example", *, client_secret: str | None = CLIENT_SECRET) -> None:
        self.url = url
        self.client_secret = client_secret
        self.algorithm = "RS256"
        self.claims: dict[str, Any] = {}
        self.described: dict[str, Any] = {}
        self.told: dict[str, Any] = {}
        self.returned: dict[str, Any] = {}
        self.header: dict[str, Any] = {}
        self.published: list[dict[str, Any]] | None = None
        self.forge: Callable[[dict[str, Any]], str] = self.sign
        self.asked: list[str] = []
        self._codes: dict[str, dict[str, str]] = {}

    def person(self, subject: str = "ada", **claims: Any) -> None:
        """Set who signs in from now on."""
        self.claims = {"sub": subject, **claims}
        self.told = dict(self.claims)

    def visit(self, address: str) -> dict[str, str]:
        """Do what a user does at the issuer's page; return the parameters of the return."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        code = secrets.token_urlsafe(16)
        self._codes[code] = query
        fields = {"code": code, "state": query["state"], "iss": self.url, **self.returned}
        return {name: value for name, value in fields.items() if value is not DROP}

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path = urlsplit(str(request.url)).path
        self.asked.append(path)
        match request.method, path:
            case "GET", "/.well-known/openid-configuration":
                return httpx.Response(200, json=_without_dropped(self._description() | self.described))
            case "GET", "/jwks":
                return httpx.Response(200, json={"keys": self._published()})
            case "POST", "/token":
                return self._token(request)
            case "GET", "/me":
                if request.headers.get("authorization") != "Bearer opaque":
                    return httpx.Response(401, json={"error": "invalid_token"})
                return httpx.Response(200, json=_without_dropped({"sub": "ada"} | self.told))
        return httpx.Response(404, json={"error": "not_found"})

    def sign(self, claims: dict[str, Any], key: Key | None = None) -> str:
        """Return a signed token."""
        header = _without_dropped({"alg": self.algorithm, "kid": KID, **self.header})
        registry = jws.JWSRegistry(algorithms=list(ALGORITHMS), strict_check_header=False)
        payload = json.dumps(claims).encode()
        with _quiet():
            return jws.serialize_compact(header, payload, key or new_key(self.algorithm), registry=registry)

    def _description(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize?tenant=1",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/jwks",
            "userinfo_endpoint": f"{self.url}/me",
            "end_session_endpoint": f"{self.url}/end",
            "id_token_signing_alg_values_supported": ["none", "HS256", *ALGORITHMS],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
        }

    def _published(self) -> list[dict[str, Any]]:
        if self.published is not None:
            return self.published
        return [public(new_key(self.algorithm), self.algorithm)]

    def _token(self, request: httpx.Request) -> httpx.Response:
        form = dict(parse_qsl(request.content.decode()))
        if not self._is_client(request, form):
            return httpx.Response(401, json={"error": "invalid_client"})
        asked = self._codes.pop(form.get("code", ""), None)
        if asked is None or form.get("redirect_uri") != asked["redirect_uri"] or not _redeems(form, asked):
            return httpx.Response(400, json={"error": "invalid_grant", "error_description": "no such code"})
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": CLIENT_ID,
            "sub": "ada",
            "exp": now + 300,
            "iat": now,
            "nonce": asked["nonce"],
            **self.claims,
        }
        token = self.forge(_without_dropped(claims))
        return httpx.Response(200, json={"access_token": "opaque", "token_type": "Bearer", "id_token": token})

    def _is_client(self, request: httpx.Request, form: Mapping[str, str]) -> bool:
        given = request.headers.get("authorization", "")
        if not given.startswith("Basic "):
            return form.get("client_id") == CLIENT_ID and form.get("client_secret") == self.client_secret
        client_id, _, secret = base64.b64decode(given.removeprefix("Basic ")).decode().partition(":")
        return unquote_plus(client_id) == CLIENT_ID and unquote_plus(secret) == self.client_secret


def public(key: Key, algorithm: str, **more: Any) -> dict[str, Any]:
    """Return the public half as an issuer publishes it."""
    return {**key.as_dict(private=False), "kid": KID, "use": "sig", "alg": algorithm, **more}


def _redeems(form: Mapping[str, str], asked: Mapping[str, str]) -> bool:
    digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
    return asked.get("code_challenge_method") == "S256" and asked.get("code_challenge") == encode(digest)


def _without_dropped(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not DROP}


def _quiet() -> Any:
    """Suppress the warning about the name `EdDSA`, which issuers still use."""
    return warnings.catch_warnings(action="ignore", category=SecurityWarning)


def _claims(**changed: Any) -> Callable[[Issuer], None]:
    return lambda issuer: issuer.claims.update(changed)


def _forged(forge: Callable[[Issuer, dict[str, Any]], str]) -> Callable[[Issuer], None]:
    def lie(issuer: Issuer) -> None:
        issuer.forge = lambda claims: forge(issuer, claims)

    return lie


def _unsigned(_issuer: Issuer, claims: dict[str, Any]) -> str:
    return f"{encode({'alg': 'none', 'kid': KID})}.{encode(claims)}."


def _mac_with_public_key(issuer: Issuer, claims: dict[str, Any]) -> str:
    """Sign with a MAC whose key is public: the issuer's public key as a file."""
    head = f"{encode({'alg': 'HS256', 'kid': KID})}.{encode(claims)}"
    mac = HMAC(new_key(issuer.algorithm).as_pem(private=False), SHA256())
    mac.update(head.encode())
    return f"{head}.{encode(mac.finalize())}"


def _embedded_key(issuer: Issuer, claims: dict[str, Any]) -> str:
    own = new_key("RS256", 1)
    issuer.header = {"jwk": own.as_dict(private=False), "kid": "brought-along"}
    return issuer.sign(claims, own)


def _tampered(issuer: Issuer, claims: dict[str, Any]) -> str:
    head, _, signature = issuer.sign(claims).split(".")
    return f"{head}.{encode({**claims, 'sub': 'root'})}.{signature}"


def _critical(issuer: Issuer, claims: dict[str, Any]) -> str:
    header = {"alg": "RS256", "kid": KID, "crit": ["exp"], "exp": 1}
    head = f"{encode(header)}.{encode(claims)}"
    return f"{head}.{issuer.sign(claims).rpartition('.')[2]}"


def _other_issuers_metadata(issuer: Issuer) -> None:
    issuer.described["issuer"] = "https://other.example"


LIES: Final[Mapping[str, Callable[[Issuer], None]]] = {
    "iss of another issuer": _claims(iss="https://other.example"),
    "iss with a slash": lambda issuer: issuer.claims.update(iss=f"{issuer.url}/"),
    "iss missing": _claims(iss=DROP),
    "aud of another client": _claims(aud="somebody-else"),
    "aud list without us": _claims(aud=["a", "b"], azp=CLIENT_ID),
    "aud list without azp": _claims(aud=[CLIENT_ID, "somebody-else"]),
    "aud missing": _claims(aud=DROP),
    "azp of another client": _claims(azp="somebody-else"),
    "exp over": lambda issuer: issuer.claims.update(exp=int(time.time()) - 3600),
    "exp missing": _claims(exp=DROP),
    "exp a text": _claims(exp="9999999999"),
    "exp true": _claims(exp=True),
    "exp beyond all numbers": _claims(exp=10**400),
    "iat long ago": lambda issuer: issuer.claims.update(iat=int(time.time()) - 86_400),
    "iat to come": lambda issuer: issuer.claims.update(iat=int(time.time()) + 3600),
    "iat missing": _claims(iat=DROP),
    "nbf to come": lambda issuer: issuer.claims.update(nbf=int(time.time()) + 3600),
    "nonce of another sign-in": _claims(nonce="another"),
    "nonce missing": _claims(nonce=DROP),
    "nonce empty": _claims(nonce=""),
    "sub missing": _claims(sub=DROP),
    "sub empty": _claims(sub=""),
    "sub a number": _claims(sub=7),
    "sub too long": _claims(sub="a" * 256),
    "unsigned": _forged(_unsigned),
    "MAC with the public key": _forged(_mac_with_public_key),
    "foreign key of the same name": _forged(lambda issuer, claims: issuer.sign(claims, new_key("RS256", 1))),
    "key brought along": _forged(_embedded_key),
    "tampered": _forged(_tampered),
    "critical header": _forged(_critical),
    "no token at all": _forged(lambda issuer, claims: "no.token"),
    "claims that are a list": _forged(lambda issuer, claims: issuer.sign([])),  # type: ignore[arg-type]
    "algorithm a list": _forged(lambda issuer, claims: f"{encode({'alg': []})}.{encode(claims)}.AAAA"),
    "userinfo of somebody else": lambda issuer: issuer.told.update(sub="eve"),
    "userinfo of nobody": lambda issuer: issuer.told.update(sub=DROP),
    "answer in another issuer's name": lambda issuer: issuer.returned.update(iss="https://other.example"),
    "answer in nobody's name": lambda issuer: issuer.returned.update(iss=DROP),
    "description of another issuer": _other_issuers_metadata,
    "a made-up code": lambda issuer: issuer.returned.update(code="made-up"),
    "published key is a secret": lambda issuer: setattr(
        issuer, "published", [{"kty": "oct", "k": encode(b"x" * 32), "kid": KID}]
    ),
    "published key is for something else": lambda issuer: setattr(
        issuer, "published", [public(new_key(), "RS256", use="enc")]
    ),
    "published key is for another algorithm": lambda issuer: setattr(issuer, "published", [public(new_key(), "PS256")]),
}
"""What an issuer, or an attacker in its place, may try."""
