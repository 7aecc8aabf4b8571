"""The provider `password` through its contract."""

import asyncio
import statistics
import time as wall
from collections.abc import AsyncIterator

import pytest

from kernel.core.config import load_config
from kernel.providers.instances.context import ProviderBuildContext
from kernel.spi import AuthFailed, InvalidRequest, SigninBegin, SigninReturn, Unavailable, Unsupported
from plugins.password_signin import register_signin_providers
from plugins.password_signin.guessable import common_passwords
from plugins.password_signin.provider import PasswordSettings, PasswordSignin

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("real_argon2")]

SECRET = "amber kettle 41 violin"


@pytest.fixture
async def provider() -> AsyncIterator[PasswordSignin]:
    (spec,) = register_signin_providers()
    built = spec.build(
        PasswordSettings(),
        ProviderBuildContext(load_config({"COVERWRIGHT_PUBLIC_URL": "https://inkwell.example"}), "p"),
    )
    assert isinstance(built, PasswordSignin)
    yield built
    await built.aclose()


def attempt(password: str, stored: str | None, email: str = "ada@example.com") -> SigninReturn:
    return SigninReturn(fields={"email": email, "password": password}, stored=stored)


async def test_an_enrolled_password_and_only_that_is_accepted(provider: PasswordSignin) -> None:
    stored = await provider.enroll(SECRET)
    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    identity = await provider.complete(attempt(SECRET, stored))
    assert (identity.subject, identity.email_verified, identity.credential) == ("ada@example.com", False, None)
    for wrong in (SECRET + " ", SECRET.upper(), SECRET[:-1], "x" * 10_000):
        with pytest.raises(AuthFailed):
            await provider.complete(attempt(wrong, stored))


async def test_the_same_password_has_a_hash_of_its_own_each_time(provider: PasswordSignin) -> None:
    assert await provider.enroll(SECRET) != await provider.enroll(SECRET)


async def test_keyboards_that_compose_accents_differently_type_the_same_password(provider: PasswordSignin) -> None:
    stored = await provider.enroll("café au lait 41")
    assert await provider.complete(attempt("cafe\u0301 au lait 41", stored))


async def test_an_unknown_account_takes_as_long_as_a_wrong_password(provider: PasswordSignin) -> None:
    stored = await provider.enroll(SECRET)
    spent: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(12):
        for known in (True, False):
            started = wall.process_time()
            with pytest.raises(AuthFailed):
                await provider.complete(attempt("not it", stored if known else None))
            spent[known].append(wall.process_time() - started)
    ratio = statistics.median(spent[False]) / statistics.median(spent[True])
    assert 0.7 < ratio < 1.4


async def test_a_malformed_form_names_the_field(provider: PasswordSignin) -> None:
    for fields, named in (({"email": "ada@example.com"}, "password"), ({"password": SECRET}, "email")):
        with pytest.raises(InvalidRequest) as refused:
            await provider.complete(SigninReturn(fields=fields))
        assert refused.value.field == named


@pytest.mark.parametrize(
    "poor", ["short", "x" * 129, "letmein123", "Dr4gon2024!", "inkwell2024", "abcabcabc", "98765432"]
)
async def test_a_poor_password_is_not_enrolled(provider: PasswordSignin, poor: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        await provider.enroll(poor)
    assert refused.value.field == "password"
    assert poor not in str(refused.value)


async def test_password_sign_in_offers_no_redirect(provider: PasswordSignin) -> None:
    assert provider.capabilities().flow == "form"
    with pytest.raises(Unsupported):
        await provider.begin(SigninBegin(return_url="https://inkwell.example", state="s", nonce="n"))


async def test_the_check_hashes_and_verifies(provider: PasswordSignin) -> None:
    report = await provider.check()
    assert report.ok
    assert len(report.steps) == 3


async def test_concurrent_hashes_wait_in_line(provider: PasswordSignin) -> None:
    stored = await provider.enroll(SECRET)
    identities = await asyncio.gather(*[provider.complete(attempt(SECRET, stored)) for _ in range(20)])
    assert {identity.subject for identity in identities} == {"ada@example.com"}


async def test_a_closed_instance_is_unavailable_and_can_be_closed_again(provider: PasswordSignin) -> None:
    await provider.aclose()
    await provider.aclose()
    with pytest.raises(Unavailable):
        await provider.enroll(SECRET)


def test_the_list_holds_the_well_known_ones() -> None:
    listed = common_passwords()
    assert len(listed) > 1_000
    assert {"123456", "password", "qwerty", "iloveyou", "dragon"} <= listed
    assert all(word == word.lower() for word in listed)
