"""Tests of OpenID Connect: the contract, and that only what an issuer proves is trusted."""

import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import msgspec
import pytest

from kernel.spi import (
    AuthFailed,
    Identity,
    InvalidRequest,
    ProofTooWeak,
    ProviderError,
    ProviderSpec,
    Secret,
    Settings,
    SettingsInvalid,
    SigninBegin,
    SigninReturn,
    Unavailable,
)
from kernel.spi.testing import FakeContext, SigninContract
from plugins.oidc_signin.keys import AGAIN_S, KEPT_S, KeySource
from plugins.oidc_signin.provider import OidcSignin, build
from plugins.oidc_signin.settings import OidcSettings
from tests.plugins.specs import spec_of
from tests.vendors.evil_issuer import ALGORITHMS, CLIENT_ID, CLIENT_SECRET, DROP, KID, LIES, Issuer, new_key, public

RETURN = "https://covers.example/api/auth/kit/return"
SETTINGS = OidcSettings(issuer="https://issuer.example", client_id=CLIENT_ID, client_secret=Secret(CLIENT_SECRET))


class TestConformance(SigninContract):
    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return spec_of("plugins.oidc_signin", "signin", "oidc")

    @pytest.fixture
    def settings(self) -> Settings:
        return SETTINGS

    @pytest.fixture
    def upstream(self) -> httpx.MockTransport:
        return httpx.MockTransport(Issuer())

    @pytest.fixture
    def broken(self) -> Mapping[str, Settings]:
        replace = msgspec.structs.replace
        return {
            "issuer": replace(SETTINGS, issuer="https://issuer.example/"),
            "client_secret": replace(SETTINGS, client_secret=Secret("wrong")),
            "client_id": replace(SETTINGS, client_id="somebody-else", client_secret=None),
        }

    @pytest.fixture
    def faults(self) -> Mapping[str, Any]:
        return {
            "server_error": httpx.Response(502, text="Bad gateway"),
            "garbage": httpx.Response(200, html="<html>"),
            "rate_limit": httpx.Response(429, headers={"retry-after": "7"}),
        }


@pytest.fixture
def issuer() -> Issuer:
    issuer = Issuer()
    issuer.person("ada", email="ada@example.com", email_verified=True, given_name="Ada", family_name="Lovelace")
    return issuer


Build = Callable[..., OidcSignin]


@pytest.fixture
async def made(tmp_path: Path, issuer: Issuer) -> AsyncIterator[Build]:
    context = FakeContext(tmp_path, httpx.MockTransport(issuer))
    yield lambda **changes: build(msgspec.structs.replace(SETTINGS, **changes), context)
    await context.http.aclose()


async def come_back(provider: OidcSignin, issuer: Issuer, **changed: Any) -> Identity:
    """Sign in at the issuer and return the provider's identity of the user."""
    departure = await provider.begin(SigninBegin(return_url=RETURN, state="the-state", nonce="the-nonce"))
    fields = {**issuer.visit(departure.url), **changed}
    return await provider.complete(SigninReturn(fields=fields, memory=departure.memory, nonce="the-nonce"))


pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("algorithm", ALGORITHMS)
async def test_a_person_comes_back_with_a_name(made: Build, issuer: Issuer, algorithm: str) -> None:
    issuer.algorithm = algorithm
    assert await come_back(made(), issuer) == Identity(
        issuer="https://issuer.example",
        subject="ada",
        email="ada@example.com",
        email_verified=True,
        first_name="Ada",
        last_name="Lovelace",
    )


async def test_the_way_there_is_bound_to_this_sign_in(made: Build) -> None:
    begin = SigninBegin(return_url=RETURN, state="the-state", nonce="the-nonce")
    one, two = await made(prompt="login").begin(begin), await made(scopes=("email",)).begin(begin)
    query = {name: values[0] for name, values in parse_qs(urlsplit(one.url).query).items()}
    assert one.url.startswith("https://issuer.example/authorize?tenant=1&")
    assert query["code_challenge_method"] == "S256" and len(query["code_challenge"]) == 43
    assert (query["redirect_uri"], query["state"], query["nonce"]) == (RETURN, "the-state", "the-nonce")
    assert (query["scope"], query["prompt"]) == ("openid email profile", "login")
    assert "scope=openid+email&" in two.url and "prompt" not in two.url
    assert one.memory["verifier"] != two.memory["verifier"]
    assert one.memory["verifier"] not in one.url


async def test_the_issuer_is_asked_for_the_strength_that_the_settings_demand(made: Build) -> None:
    begin = SigninBegin(return_url=RETURN, state="s", nonce="n")
    plain = await made(required_amr=("mfa",)).begin(begin)
    assert "max_age" not in plain.url and "acr_values" not in plain.url
    strict = await made(max_age=0, acr_values=("gold", "silver")).begin(begin)
    query = {name: values[0] for name, values in parse_qs(urlsplit(strict.url).query).items()}
    assert (query["max_age"], query["acr_values"]) == ("0", "gold silver")


STRICT: dict[str, Any] = {"max_age": 600, "acr_values": ("gold", "silver"), "required_amr": ("mfa", "pwd")}


def strong() -> dict[str, Any]:
    return {"auth_time": int(time.time()) - 600, "acr": "silver", "amr": ["pwd", "otp", "mfa"]}


async def test_a_sign_in_as_strong_as_demanded_is_taken(made: Build, issuer: Issuer) -> None:
    issuer.claims |= strong()
    assert (await come_back(made(**STRICT), issuer)).subject == "ada"


@pytest.mark.parametrize(
    "changed",
    [
        {"auth_time": DROP},
        {"auth_time": 1_000_000_000},
        {"auth_time": 9_000_000_000},
        {"auth_time": "now"},
        {"acr": DROP},
        {"acr": "bronze"},
        {"acr": ["gold"]},
        {"amr": DROP},
        {"amr": ["pwd"]},
        {"amr": "mfa pwd"},
        {"amr": [["mfa"], {}]},
    ],
)
async def test_a_sign_in_weaker_than_demanded_is_refused(made: Build, issuer: Issuer, changed: dict[str, Any]) -> None:
    issuer.claims |= strong() | changed
    with pytest.raises(ProofTooWeak):
        await come_back(made(**STRICT), issuer)


async def test_an_issuer_that_cannot_sign_in_as_strongly_says_so(made: Build, issuer: Issuer) -> None:
    with pytest.raises(ProofTooWeak):
        await come_back(made(), issuer, error="unmet_authentication_requirements")


@pytest.mark.parametrize("lie", LIES)
async def test_a_forged_token_is_refused(made: Build, issuer: Issuer, lie: str) -> None:
    for name in ("email", "email_verified"):  # userinfo is requested
        issuer.claims.pop(name)
    LIES[lie](issuer)
    with pytest.raises((AuthFailed, SettingsInvalid)):
        await come_back(made(), issuer)


async def test_an_authorization_code_works_once(made: Build, issuer: Issuer) -> None:
    provider = made()
    departure = await provider.begin(SigninBegin(return_url=RETURN, state="s", nonce="n"))
    again = SigninReturn(fields=issuer.visit(departure.url), memory=departure.memory, nonce="n")
    await provider.complete(again)
    with pytest.raises(AuthFailed):
        await provider.complete(again)


async def test_a_code_of_another_browser_is_worth_nothing(made: Build, issuer: Issuer) -> None:
    provider = made()
    theirs = await provider.begin(SigninBegin(return_url=RETURN, state="s", nonce="theirs"))
    ours = await provider.begin(SigninBegin(return_url=RETURN, state="s", nonce="ours"))
    fields = issuer.visit(theirs.url)
    with pytest.raises(AuthFailed):
        await provider.complete(SigninReturn(fields=fields, memory=ours.memory, nonce="ours"))


@pytest.mark.parametrize("said", [False, "true", 1, None, DROP])
async def test_an_address_is_verified_only_by_a_plain_true(made: Build, issuer: Issuer, said: object) -> None:
    issuer.claims["email_verified"] = said
    identity = await come_back(made(), issuer)
    assert (identity.email, identity.email_verified) == ("ada@example.com", False)


async def test_what_the_token_leaves_out_is_asked_for(made: Build, issuer: Issuer) -> None:
    issuer.claims = {"sub": "ada", "email_verified": True}
    issuer.told = {"email": "new@example.com", "name": "Ada L."}
    identity = await come_back(made(), issuer)
    assert (identity.email, identity.email_verified, identity.first_name) == ("new@example.com", False, "Ada L.")


async def test_a_list_of_audiences_is_fine_when_it_was_made_for_us(made: Build, issuer: Issuer) -> None:
    issuer.claims |= {"aud": [CLIENT_ID, "https://api.example"], "azp": CLIENT_ID}
    assert (await come_back(made(), issuer)).subject == "ada"


async def test_headers_that_mean_nothing_to_us_do_no_harm(made: Build, issuer: Issuer) -> None:
    issuer.header = {"typ": "JWT", "x-trace": "a" * 500}
    assert (await come_back(made(), issuer)).subject == "ada"


@pytest.mark.parametrize(
    ("error", "becomes"),
    [
        ("access_denied", InvalidRequest),
        ("login_required", InvalidRequest),
        ("temporarily_unavailable", Unavailable),
        ("unauthorized_client", AuthFailed),
        ("<script>", AuthFailed),
    ],
)
async def test_what_the_issuer_says_instead_of_a_code(
    made: Build, issuer: Issuer, error: str, becomes: type[ProviderError]
) -> None:
    with pytest.raises(becomes) as caught:
        await come_back(made(), issuer, error=error)
    assert error not in caught.value.detail


@pytest.mark.parametrize("ways", [["client_secret_basic", "client_secret_post"], ["client_secret_post"], DROP])
async def test_the_client_proves_itself_as_the_issuer_wishes(made: Build, issuer: Issuer, ways: object) -> None:
    issuer.described["token_endpoint_auth_methods_supported"] = ways
    assert (await come_back(made(), issuer)).subject == "ada"


async def test_a_public_client_needs_no_secret(made: Build, issuer: Issuer) -> None:
    issuer.client_secret = None
    assert (await come_back(made(client_secret=None), issuer)).subject == "ada"


async def test_an_unknown_client_is_reported_to_the_operator(made: Build, issuer: Issuer) -> None:
    with pytest.raises(SettingsInvalid) as caught:
        await come_back(made(client_secret=Secret("wrong")), issuer)
    assert caught.value.field == "client_secret"


async def test_description_and_keys_are_read_once(made: Build, issuer: Issuer) -> None:
    provider = made()
    for _ in range(3):
        await come_back(provider, issuer)
    assert issuer.asked.count("/.well-known/openid-configuration") == 1
    assert issuer.asked.count("/jwks") == 1


async def test_a_new_key_is_found_at_once_and_an_unknown_one_is_not_looked_for_again(issuer: Issuer) -> None:
    now = 1000.0
    async with httpx.AsyncClient(transport=httpx.MockTransport(issuer)) as http:
        keys = KeySource(lambda: http, lambda: now)
        find: Callable[[str], Awaitable[Any]] = lambda kid: keys.find("https://issuer.example/jwks", kid, "RS256")  # noqa: E731
        assert await find(KID) is not None
        issuer.published = [public(new_key(), "RS256", kid="key-2")]
        assert await find("key-2") is not None
        for _ in range(5):
            assert await find("made-up") is None
        assert issuer.asked.count("/jwks") == 2
        now += AGAIN_S
        assert await find("made-up") is None
        assert issuer.asked.count("/jwks") == 3
        now += KEPT_S
        assert await find("key-2") is not None
        assert issuer.asked.count("/jwks") == 4


@pytest.mark.parametrize(
    "described",
    [
        {"token_endpoint": "http://issuer.example/token"},
        {"jwks_uri": "http://169.254.169.254/keys"},
        {"authorization_endpoint": "javascript:alert(1)"},
    ],
)
async def test_addresses_that_others_could_listen_to_are_refused(
    made: Build, issuer: Issuer, described: dict[str, str]
) -> None:
    issuer.described = described
    with pytest.raises(SettingsInvalid):
        await come_back(made(), issuer)


@pytest.mark.parametrize(
    "address", ["http://issuer.example", "ftp://issuer.example", "https://i.example/.well-known/openid-configuration"]
)
async def test_an_issuer_must_be_a_valid_url(made: Build, address: str) -> None:
    with pytest.raises(SettingsInvalid):
        made(issuer=address)


async def test_an_answer_without_end_is_cut_off(made: Build, issuer: Issuer) -> None:
    issuer.published = [{"kty": "RSA", "n": "A" * 600_000}]
    with pytest.raises(Unavailable):
        await come_back(made(), issuer)


async def test_the_issuers_logout_url_is_given_when_it_is_asked_for(made: Build, issuer: Issuer) -> None:
    somebody = Identity(issuer=issuer.url, subject="ada")
    assert await made().logout_url(somebody) is None
    url = await made(sign_out_there=True).logout_url(somebody)
    assert url is not None and url.startswith("https://issuer.example/end?client_id=coverwright&")
    assert "post_logout_redirect_uri=https%3A%2F%2Fcovers.example%2F" in url
    issuer.described["end_session_endpoint"] = DROP
    assert await made(sign_out_there=True).logout_url(somebody) is None


async def test_the_check_says_what_to_tell_the_issuer(made: Build) -> None:
    report = await made().check()
    assert report.ok
    assert RETURN in next(step.detail for step in report.steps if step.name == "Redirect address")


async def test_the_check_finds_keys_that_are_of_no_use(made: Build, issuer: Issuer) -> None:
    issuer.published = []
    report = await made().check()
    assert [step.field for step in report.steps if step.status == "fail"] == ["issuer"]


async def test_nothing_secret_is_told(made: Build, issuer: Issuer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    departure = await made().begin(SigninBegin(return_url=RETURN, state="s", nonce="n"))
    fields = issuer.visit(departure.url)
    await made().complete(SigninReturn(fields=fields, memory=departure.memory, nonce="n"))
    for secret in (CLIENT_SECRET, fields["code"], departure.memory["verifier"], "opaque"):
        assert secret not in caplog.text
