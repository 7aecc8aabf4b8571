"""Creating an account."""

import asyncio
from typing import Any

import httpx
import pytest

from tests.accounts.conftest import GOOD_PASSWORD, OpenSite, Site, sign_in

pytestmark = pytest.mark.anyio


async def register(client: httpx.AsyncClient, **body: object) -> httpx.Response:
    return await client.post("/api/auth/register", json={"email": "ada@example.com", "password": GOOD_PASSWORD, **body})


async def test_a_new_account_is_signed_in_at_once(client: httpx.AsyncClient) -> None:
    made = await register(client, firstName="Ada", lastName="Lovelace")
    assert made.status_code == 201
    user = (await client.get("/api/auth/user")).json()
    assert user == made.json()
    assert (user["firstName"], user["lastName"], user["email"]) == ("Ada", "Lovelace", "ada@example.com")


async def test_the_user_object_has_every_specified_field(client: httpx.AsyncClient) -> None:
    user = (await register(client)).json()
    assert isinstance(user["id"], int)
    assert user["createdAt"].endswith("Z")
    expected: dict[str, object] = {
        "profileImageUrl": None,
        "isAdmin": False,
        "isPro": False,
        "paymentCustomerId": None,
        "generationsThisMonth": 0,
        "emailMarketingEnabled": True,
        "subscription": None,
        "invoices": [],
    }
    assert expected.items() <= user.items()


async def test_the_user_object_holds_no_secret(client: httpx.AsyncClient) -> None:
    made = await register(client)
    assert "$argon2" not in made.text
    assert not [key for key in made.json() if any(word in key.lower() for word in ("hash", "token", "credential"))]


async def test_the_override_of_an_administrator_makes_pro(site: Site) -> None:
    client = await site.register()
    await site.change_user("ada@example.com", pro_override=True)
    assert (await client.get("/api/auth/user")).json()["isPro"] is True


async def test_nobody_signed_out_is_told_who_they_are(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/auth/user")
    assert answer.status_code == 401
    assert answer.json()["error"]["code"] == "unauthorized"
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("email", ["ada@example.com", "ADA@example.com", " Ada@EXAMPLE.com "])
async def test_a_taken_address_is_refused(site: Site, email: str) -> None:
    await site.register("ada@example.com")
    answer = await register(await site.new_client(), email=email)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "email_taken")


async def test_one_address_registered_at_the_same_time_makes_one_account(site: Site) -> None:
    answers = await asyncio.gather(*[register(await site.new_client()) for _ in range(8)])
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
    assert len(await site.rows('SELECT id FROM "user"')) == 1


async def test_all_bad_fields_are_named_at_once(client: httpx.AsyncClient) -> None:
    answer = await register(client, email="ada", password="short", firstName="x" * 101, lastName="a\r\nBcc: b@c.de")
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert set(error["fields"]) == {"email", "password", "firstName", "lastName"}
    assert error["fieldCodes"] == {
        "email": {"code": "bad_email"},
        "password": {"code": "too_short", "values": {"count": 8}},
        "firstName": {"code": "too_long", "values": {"count": 100}},
        "lastName": {"code": "unseen_characters"},
    }


async def test_a_common_password_and_a_bad_address_are_named_together(client: httpx.AsyncClient) -> None:
    answer = await register(client, email="ada@", password="password123")
    assert set(answer.json()["error"]["fields"]) == {"email", "password"}


@pytest.mark.parametrize("body", [{}, {"email": 1, "password": None}, {"email": ["a@b.de"], "password": {}}])
async def test_missing_and_mistyped_fields_are_named(client: httpx.AsyncClient, body: dict[str, Any]) -> None:
    answer = await client.post("/api/auth/register", json=body)
    assert answer.status_code == 422
    assert set(answer.json()["error"]["fields"]) == {"email", "password"}


@pytest.mark.parametrize(
    "extra", [{"isAdmin": True}, {"id": 1}, {"emailVerified": True}, {"is_admin": True}, {"proOverride": True}]
)
async def test_nobody_registers_with_more_rights(site: Site, client: httpx.AsyncClient, extra: dict[str, Any]) -> None:
    assert (await register(client, **extra)).status_code == 422
    assert await site.rows('SELECT id FROM "user"') == []


@pytest.mark.parametrize(
    "password",
    ["1234567", "password123", "Password123!", "qwertyuiop", "12345678", "aaaaaaaa", "coverwright1", "ada@example.com"],
)
async def test_a_password_that_is_guessed_first_is_refused(client: httpx.AsyncClient, password: str) -> None:
    answer = await register(client, password=password)
    assert answer.status_code == 422
    assert set(answer.json()["error"]["fields"]) == {"password"}


@pytest.mark.parametrize(
    "password", ["x7Qp2mZr" * 8, "four words with spaces", "🐙🦑 sea 🐚🌊🪸", "пароль из слов", "k" + "é~" * 63]
)
async def test_any_composition_is_a_password(site: Site, password: str) -> None:
    await site.register(password=password)
    assert (await sign_in(await site.new_client(), "ada@example.com", password)).status_code == 200


async def test_case_and_spaces_of_a_password_count(site: Site) -> None:
    await site.register(password="Amber kettle 41 ")
    for wrong in ("amber kettle 41 ", "Amber kettle 41", " Amber kettle 41 "):
        assert (await sign_in(await site.new_client(), "ada@example.com", wrong)).status_code == 401
    assert (await sign_in(await site.new_client(), "ada@example.com", "Amber kettle 41 ")).status_code == 200


async def test_a_password_of_more_than_128_characters_is_refused(client: httpx.AsyncClient) -> None:
    assert (await register(client, password="ab c" * 33)).status_code == 422


@pytest.mark.parametrize(
    "email",
    [
        "ada",
        "@example.com",
        "ada@example",
        "ada@-example.com",
        "ada@exa mple.com",
        "a..b@example.com",
        "ada@example.com\r\nBcc: x@y.de",
        "ada\u2028@example.com",
        "ada\u202e@example.com",
        "<ada@example.com>",
        "ada@127.0.0.1",
        "a" * 65 + "@example.com",
        "ada@" + "a" * 250 + ".com",
    ],
)
async def test_what_is_no_address_is_refused(client: httpx.AsyncClient, email: str) -> None:
    answer = await register(client, email=email)
    assert answer.status_code == 422
    assert set(answer.json()["error"]["fields"]) == {"email"}


@pytest.mark.parametrize("email", ["a.b+c@sub.example.co", "jürgen@bücher.example", "o'neil@example.com"])
async def test_unusual_addresses_are_addresses(site: Site, email: str) -> None:
    client = await site.register(email)
    assert (await client.get("/api/auth/user")).json()["email"] == email


async def test_a_domain_is_the_same_in_both_its_spellings(site: Site) -> None:
    await site.register("ada@bücher.example")
    assert (await sign_in(await site.new_client(), "ada@xn--bcher-kva.example")).status_code == 200


@pytest.mark.parametrize("path", ["/api/auth/sign-in", "/api/auth/register", "/api/setup", "/api/set-language"])
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"email": "\\ud800@example.com", "password": "\\ud800abcdefgh"}',
        b'{"unknown": 1, "language": "\\ud800"}',
        b'{"email": "\\u0000@example.com", "password": "amber kettle"}',
        b'{"email": ' + b"[" * 100_000,
        b'{"email": "' + b"a" * 200_000 + b'", "password": "' + b"b" * 200_000 + b'"}',
    ],
    ids=range(10),
)
async def test_a_broken_body_is_the_senders_fault(client: httpx.AsyncClient, path: str, body: bytes) -> None:
    answer = await client.post(path, content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert set(answer.json()) == {"error"}


async def test_an_address_may_make_only_so_many_accounts(open_site: OpenSite) -> None:
    site = await open_site(toml="[accounts]\nregistrations_per_address = 2")
    client = await site.new_client()
    for number in range(2):
        assert (await register(client, email=f"a{number}@example.com")).status_code == 201
    refused = await register(client, email="a2@example.com")
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) > 0
    elsewhere = await site.new_client(ip="192.0.2.7")
    assert (await register(elsewhere, email="a2@example.com")).status_code == 201


async def test_slips_in_the_form_do_not_count_as_accounts(open_site: OpenSite) -> None:
    site = await open_site(toml="[accounts]\nregistrations_per_address = 1")
    client = await site.new_client()
    for _ in range(3):
        assert (await register(client, password="short")).status_code == 422
    assert (await register(client)).status_code == 201


async def test_registration_can_be_closed(open_site: OpenSite) -> None:
    site = await open_site(toml="[accounts]\nregistration = false")
    client = await site.new_client()
    answer = await register(client)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "registration_closed")
    assert [method["registration"] for method in (await client.get("/api/auth/methods")).json()] == [False]


async def test_the_methods_are_those_that_are_enabled(client: httpx.AsyncClient) -> None:
    assert (await client.get("/api/auth/methods")).json() == [
        {
            "id": "password",
            "provider": "password",
            "label": "Email and password",
            "kind": "form",
            "registration": True,
        }
    ]


async def test_without_a_form_nobody_can_register(open_site: OpenSite) -> None:
    site = await open_site(toml="[routes]\nsignin = []")
    client = await site.new_client()
    assert (await client.get("/api/auth/methods")).json() == []
    answer = await register(client)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "sign_in_unavailable")
