"""Signing in with a password, and guessing at one."""

import asyncio
from collections import Counter

import httpx
import pytest

from kernel.accounts.auth.rate_limits import address_key
from tests.accounts.conftest import GOOD_PASSWORD, Clock, OpenSite, Site, cookie, sign_in

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("real_argon2")]

ADA = "ada@example.com"


async def test_the_right_password_signs_in(site: Site) -> None:
    await site.register()
    client = await site.new_client()
    answer = await sign_in(client, "ADA@example.com")
    assert answer.status_code == 200
    assert answer.json()["email"] == ADA
    assert (await client.get("/api/auth/user")).status_code == 200


async def test_an_unknown_account_is_refused_like_a_wrong_password(site: Site) -> None:
    await site.register()
    wrong = await sign_in(await site.new_client(), ADA, "not the password")
    unknown = await sign_in(await site.new_client(), "bob@example.com", "not the password")
    no_address = await sign_in(await site.new_client(), "bob", "not the password")
    for answer in (wrong, unknown, no_address):
        assert answer.status_code == 401
        error = answer.json()["error"]
        assert error["code"] == "invalid_credentials"
        assert error["message"] == "The email address or the password is not right."
        assert set(answer.headers) == set(wrong.headers)
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(("email", "password"), [("admin", "admin"), ("admin@localhost", "admin"), ("root", "root")])
async def test_there_is_no_account_to_begin_with(client: httpx.AsyncClient, email: str, password: str) -> None:
    assert (await sign_in(client, email, password)).status_code == 401


async def test_empty_fields_are_named_together(client: httpx.AsyncClient) -> None:
    answer = await sign_in(client, " ", "")
    assert answer.status_code == 422
    assert set(answer.json()["error"]["fields"]) == {"email", "password"}


async def test_a_body_that_is_not_json_is_refused(client: httpx.AsyncClient) -> None:
    body = '{"email": "ada@example.com", "password": "x"}'
    answer = await client.post("/api/auth/sign-in", content=body, headers={"content-type": "text/plain"})
    assert answer.status_code == 415


async def test_a_session_id_from_outside_is_never_adopted(site: Site) -> None:
    await site.register()
    planted = "A" * 43
    victim = await site.new_client(cookie=f"coverwright={planted}")
    answer = await sign_in(victim, ADA)
    assert answer.status_code == 200
    assert answer.cookies["coverwright"] != planted
    thief = await site.new_client(cookie=f"coverwright={planted}")
    assert (await thief.get("/api/auth/user")).status_code == 401


async def test_each_sign_in_has_a_token_of_its_own_and_ends_the_one_it_replaces(site: Site) -> None:
    client = await site.register()
    first = cookie(client)
    await sign_in(client, ADA)
    assert cookie(client) != first
    old = await site.new_client(cookie=f"coverwright={first}")
    assert (await old.get("/api/auth/user")).status_code == 401
    assert (await client.get("/api/auth/user")).status_code == 200


async def test_another_device_keeps_its_session(site: Site) -> None:
    first = await site.register()
    assert (await sign_in(await site.new_client(), ADA)).status_code == 200
    assert (await first.get("/api/auth/user")).status_code == 200


async def test_only_a_hash_of_the_token_is_stored(site: Site) -> None:
    client = await site.register()
    (row,) = await site.rows("SELECT * FROM session")
    assert cookie(client) not in str(row)


async def test_a_disabled_account_is_revealed_only_with_its_password(site: Site) -> None:
    await site.register()
    await site.change_user(ADA, disabled=True)
    assert (await sign_in(await site.new_client(), ADA, "not the password")).status_code == 401
    answer = await sign_in(await site.new_client(), ADA)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "account_disabled")


async def test_too_many_wrong_passwords_are_refused_for_a_while(site: Site) -> None:
    await site.register()
    client = await site.new_client()
    answers = [await sign_in(client, ADA, f"wrong number {number}") for number in range(20)]
    assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 10
    assert 0 < int(answers[-1].headers["retry-after"]) <= 900
    assert (await sign_in(client, ADA)).status_code == 429


async def test_guesses_at_the_same_time_do_not_slip_through_together(site: Site) -> None:
    await site.register()
    stranger = await site.new_client(ip="192.0.2.9")
    answers = await asyncio.gather(*[sign_in(stranger, ADA, f"wrong number {number}") for number in range(60)])
    assert Counter(answer.status_code for answer in answers) == {401: 10, 429: 50}


async def test_the_owner_gets_in_from_a_known_device_while_strangers_guess(site: Site) -> None:
    owner = await site.register()
    stranger = await site.new_client()
    for number in range(12):
        await sign_in(stranger, ADA, f"wrong number {number}")
    await owner.post("/api/auth/sign-out")
    assert (await sign_in(owner, ADA)).status_code == 200


async def test_a_known_device_may_not_guess_for_ever_either(site: Site) -> None:
    owner = await site.register()
    answers = [await sign_in(owner, ADA, f"wrong number {number}") for number in range(12)]
    assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 2


async def test_the_device_of_one_account_is_no_help_with_another(site: Site) -> None:
    mallory = await site.register("mallory@example.com")
    await site.register(ADA)
    stranger = await site.new_client()
    for number in range(10):
        await sign_in(stranger, ADA, f"wrong number {number}")
    assert (await sign_in(mallory, ADA, "wrong number 10")).status_code == 429


async def test_a_forged_device_is_a_stranger(site: Site) -> None:
    owner = await site.register()
    ids = await site.rows('SELECT id FROM "user"')
    stranger = await site.new_client()
    for number in range(10):
        await sign_in(stranger, ADA, f"wrong number {number}")
    genuine = owner.cookies["coverwright-device"]
    name = genuine.split(".")[2]
    for forged in (
        genuine[:-1] + ("0" if genuine[-1] != "0" else "1"),
        f"{ids[0]['id']}.9999999999.{name}.x",
        "...",
        "é",
    ):
        forger = await site.new_client(cookie=f"coverwright-device={forged}".encode("latin-1"))
        assert (await sign_in(forger, ADA)).status_code == 429


async def test_one_address_may_not_try_many_accounts(site: Site) -> None:
    client = await site.new_client()
    answers = [await sign_in(client, f"user{number}@example.com", "wrong number") for number in range(32)]
    assert [answer.status_code for answer in answers] == [401] * 30 + [429] * 2
    elsewhere = await site.new_client(ip="192.0.2.8")
    assert (await sign_in(elsewhere, "user99@example.com", "wrong number")).status_code == 401


async def test_forged_forwarding_headers_do_not_make_another_address(site: Site) -> None:
    answers = []
    for number in range(32):
        client = await site.new_client(**{"x-forwarded-for": f"192.0.2.{number}", "x-real-ip": f"192.0.2.{number}"})
        answers.append(await sign_in(client, f"user{number}@example.com", "wrong number"))
    assert [answer.status_code for answer in answers][-2:] == [429, 429]


async def test_successes_are_not_counted(open_site: OpenSite) -> None:
    site = await open_site(toml="[accounts]\nsign_in_failures_per_account = 2\nsign_in_failures_per_address = 3")
    await site.register()
    for _ in range(5):
        assert (await sign_in(await site.new_client(), ADA)).status_code == 200


def test_an_ipv6_customer_is_one_address() -> None:
    assert address_key("2001:db8:1:2::1") == address_key("2001:db8:1:2:ffff::9") != address_key("2001:db8:1:3::1")
    assert address_key("::ffff:192.0.2.1") == address_key("192.0.2.1") != address_key("192.0.2.2")
    assert address_key("fe80::1%eth0") == address_key("fe80::2")
    assert address_key("") == address_key("nonsense")


async def test_a_hash_of_older_parameters_is_renewed(site: Site, time: Clock) -> None:
    from argon2 import PasswordHasher

    await site.register()
    old = PasswordHasher(time_cost=1, memory_cost=8 * 1024, parallelism=1).hash(GOOD_PASSWORD)
    await site.change_user(ADA, password_hash=old)
    assert (await sign_in(await site.new_client(), ADA)).status_code == 200
    (row,) = await site.rows('SELECT password_hash FROM "user"')
    assert "m=19456,t=2,p=1" in row["password_hash"]
    assert (await sign_in(await site.new_client(), ADA)).status_code == 200


async def test_an_unreadable_password_hash_never_matches(site: Site) -> None:
    await site.register()
    await site.change_user(ADA, password_hash="not a hash")
    assert (await sign_in(await site.new_client(), ADA)).status_code == 401
