"""The provider: authorization code with PKCE, state and nonce; the ID token identifies the user."""

import base64
import hashlib
import secrets
import time
from typing import Any, Final
from urllib.parse import quote_plus, urlencode, urlsplit

import httpx
import msgspec

from kernel.spi import (
    AuthFailed,
    CheckReport,
    Identity,
    InvalidRequest,
    IssuerLogout,
    ProofTooWeak,
    ProviderContext,
    Redirect,
    SettingsInvalid,
    SigninBegin,
    SigninCapabilities,
    SigninReturn,
    Unavailable,
    Unsupported,
)
from plugins.oidc_signin.checking import check
from plugins.oidc_signin.discovery import Description, Discovery
from plugins.oidc_signin.fetching import Answer, fetch, fetch_object, read_object
from plugins.oidc_signin.keys import KeySource
from plugins.oidc_signin.settings import OidcSettings, check_settings
from plugins.oidc_signin.tokens import (
    LEEWAY_S,
    MAX_AGE_S,
    is_name,
    used_several_factors,
    verify,
    verify_logout,
    weakness,
)

MAX_CODE: Final = 4096
MAX_NAME: Final = 100

DECLINED: Final = frozenset(
    {"access_denied", "login_required", "interaction_required", "consent_required", "account_selection_required"}
)
"""The user, not the issuer, ended it (RFC 6749 §4.1.2.1, OpenID Connect Core 1.0 §3.1.2.6)."""

TOO_WEAK: Final = "unmet_authentication_requirements"
"""The issuer cannot reach what `acr_values` ask for (OpenID Connect Core Error Code of this name, 1.0)."""

TROUBLE: Final = frozenset({"server_error", "temporarily_unavailable"})


class TokenAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to the exchange of the code. Nothing of it is stored."""

    id_token: str
    access_token: str = ""


class OidcSignin:
    """Signs users in at one issuer."""

    def __init__(self, settings: OidcSettings, context: ProviderContext) -> None:
        self._settings = settings
        self._context = context
        self._discovery = Discovery(self._http, settings.issuer)
        self._keys = KeySource(self._http)

    def _http(self) -> httpx.AsyncClient:
        return self._context.http

    def capabilities(self) -> SigninCapabilities:
        """Return the capabilities: a redirect; new accounts if the settings allow them."""
        return SigninCapabilities(flow="redirect", registration=self._settings.registration)

    async def begin(self, request: SigninBegin) -> Redirect:
        """Return the issuer's page, which is asked for a code that only our verifier redeems."""
        description = await self._discovery.read()
        verifier = secrets.token_urlsafe(48)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        query = {
            "response_type": "code",
            "client_id": self._settings.client_id,
            "redirect_uri": request.return_url,
            "scope": " ".join(dict.fromkeys(("openid", *self._settings.scopes))),
            "state": request.state,
            "nonce": request.nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        if self._settings.prompt != "default":
            query["prompt"] = self._settings.prompt
        if self._settings.max_age is not None:
            query["max_age"] = str(self._settings.max_age)
        if self._settings.acr_values:
            query["acr_values"] = " ".join(self._settings.acr_values)
        memory = {"verifier": verifier, "return_url": request.return_url}
        return Redirect(url=_with_query(description.authorization_endpoint, query), memory=memory)

    async def complete(self, request: SigninReturn) -> Identity:
        """Redeem the code and return the identity in the ID token.

        Raises InvalidRequest when the user declined or the return is malformed, AuthFailed when anything from the
        issuer is not valid, ProofTooWeak when the user has to sign in there again or in another way, and
        SettingsInvalid when the issuer does not know this client.
        """
        fields = request.fields
        if given := fields.get("iss"):
            self._must_be_issuer(given)
        if error := fields.get("error"):
            raise _refusal(error)
        code = fields.get("code", "")
        verifier, return_url = request.memory.get("verifier"), request.memory.get("return_url")
        if not 0 < len(code) <= MAX_CODE or not verifier or not return_url:
            raise InvalidRequest("the issuer sent no code")
        description = await self._discovery.read()
        if description.authorization_response_iss_parameter_supported and not given:
            raise AuthFailed("the issuer did not say who it is")
        answer = await self._redeem(description, code, verifier, return_url)
        claims = await verify(
            answer.id_token,
            keys=self._keys,
            jwks_uri=description.jwks_uri,
            issuer=self._settings.issuer,
            client_id=self._settings.client_id,
            nonce=request.nonce,
        )
        if fault := weakness(claims, self._settings, now=time.time()):
            raise ProofTooWeak(fault)
        if "email" not in claims and description.userinfo_endpoint and answer.access_token:
            claims |= await self._userinfo(description.userinfo_endpoint, answer.access_token, claims["sub"])
        return _identity(self._settings.issuer, claims)

    async def enroll(self, secret: str) -> str:
        """Not supported: passwords belong to the issuer."""
        raise Unsupported("the issuer keeps the passwords")

    async def read_logout(self, token: str) -> IssuerLogout:
        """Return what a logout token says. Raises AuthFailed for one that is not valid."""
        description = await self._discovery.read()
        issuer = self._settings.issuer
        claims = await verify_logout(
            token,
            keys=self._keys,
            jwks_uri=description.jwks_uri,
            issuer=issuer,
            client_id=self._settings.client_id,
        )
        return IssuerLogout(
            issuer=issuer,
            token_id=claims["jti"],
            valid_until=claims["iat"] + MAX_AGE_S + LEEWAY_S,
            subject=claims.get("sub"),
            session_id=claims.get("sid"),
        )

    async def logout_url(self, identity: Identity) -> str | None:
        """Return the issuer's sign-out page, if the settings want it and there is one."""
        if not self._settings.sign_out_there:
            return None
        description = await self._discovery.read()
        if description.end_session_endpoint is None:
            return None
        home = f"{self._context.public_url}/"
        query = {"client_id": self._settings.client_id, "post_logout_redirect_uri": home}
        return _with_query(description.end_session_endpoint, query)

    async def check(self) -> CheckReport:
        """Read the issuer's metadata and keys, and test the client with an invalid code."""
        fresh = OidcSignin(self._settings, self._context)  # cached answers would prove nothing now
        return await check(self._settings, self._context, fresh._discovery, fresh._keys, fresh._offer)

    async def aclose(self) -> None:
        """Release nothing: the client is the kernel's."""

    async def _offer(self, description: Description, code: str, verifier: str, return_url: str) -> Answer:
        """Send a code to the token endpoint and return the answer."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": return_url,
            "code_verifier": verifier,
        }
        headers = {}
        client_id, secret = self._settings.client_id, self._settings.client_secret
        ways = description.token_endpoint_auth_methods_supported
        if secret is not None and ("client_secret_basic" in ways or "client_secret_post" not in ways):
            pair = f"{quote_plus(client_id)}:{quote_plus(secret.reveal())}"  # RFC 6749 §2.3.1 encodes both first
            headers["authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            form["client_id"] = client_id
            if secret is not None:
                form["client_secret"] = secret.reveal()
        return await fetch(self._context.http, "POST", description.token_endpoint, headers=headers, form=form)

    async def _redeem(self, description: Description, code: str, verifier: str, return_url: str) -> TokenAnswer:
        answer = await self._offer(description, code, verifier, return_url)
        found = read_object(answer.body)
        if answer.status == httpx.codes.OK:
            try:
                return msgspec.convert(found, TokenAnswer)
            except msgspec.ValidationError as error:
                raise AuthFailed("the issuer gave no ID token") from error
        match found.get("error"):
            case "invalid_client" | "unauthorized_client":
                field = "client_id" if self._settings.client_secret is None else "client_secret"
                raise SettingsInvalid("the issuer does not accept this client", field=field)
            case "temporarily_unavailable" | "server_error":
                raise Unavailable("the issuer is in trouble", upstream_status=answer.status)
        raise AuthFailed("the issuer does not take the code", upstream_status=answer.status)

    async def _userinfo(self, url: str, access_token: str, subject: str) -> dict[str, Any]:
        """Return the claims of the userinfo endpoint. Raises AuthFailed when they are about another user."""
        found = await fetch_object(self._context.http, url, {"authorization": f"Bearer {access_token}"})
        if found.get("sub") != subject:
            raise AuthFailed("the issuer tells of somebody else")
        return {name: found.get(name) for name in ("email", "email_verified", "name", "given_name", "family_name")}

    def _must_be_issuer(self, given: str) -> None:
        """Raise AuthFailed when another issuer answers than the one that was asked (RFC 9207)."""
        if given != self._settings.issuer:
            raise AuthFailed("the answer comes from another issuer")


def build(settings: OidcSettings, context: ProviderContext) -> OidcSignin:
    """Make the provider. Raises SettingsInvalid."""
    check_settings(settings)
    return OidcSignin(settings, context)


def _refusal(error: str) -> InvalidRequest | ProofTooWeak | Unavailable | AuthFailed:
    if error in DECLINED:
        return InvalidRequest("the person did not sign in there")
    if error == TOO_WEAK:
        return ProofTooWeak("the issuer cannot sign the person in as is asked for")
    if error in TROUBLE:
        return Unavailable("the issuer is in trouble")
    return AuthFailed("the issuer refuses the request")


def _with_query(url: str, query: dict[str, str]) -> str:
    """Append parameters to an address that may already have some."""
    parts = urlsplit(url)
    both = "&".join(part for part in (parts.query, urlencode(query)) if part)
    return parts._replace(query=both, fragment="").geturl()


def _identity(issuer: str, claims: dict[str, Any]) -> Identity:
    """Return the identity in the claims. An address is verified only where the issuer says `true`, not "true" or 1."""
    email = claims.get("email")
    first = _text(claims.get("given_name"))
    last = _text(claims.get("family_name"))
    return Identity(
        issuer=issuer,
        subject=claims["sub"],
        email=email if isinstance(email, str) and email else None,
        email_verified=claims.get("email_verified") is True,
        first_name=first if first or last else _text(claims.get("name")),
        last_name=last,
        session_id=claims["sid"] if is_name(claims.get("sid")) else None,
        multi_factor=used_several_factors(claims.get("amr")),
    )


def _text(value: Any) -> str:
    return value[:MAX_NAME] if isinstance(value, str) else ""
