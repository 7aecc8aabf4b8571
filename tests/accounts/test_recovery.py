"""The forgotten password: a link by email, used once, by the owner of the mailbox."""

import httpx
import pytest
from sqlalchemy import text

from kernel.core import clock
from kernel.spi import ascii_address
from tests.accounts.conftest import GOOD_PASSWORD, Clock, Site, cookie, sign_in, token_in

pytestmark = pytest.mark.anyio

ADA = "ada@example.com"
NEW_PASSWORD = "marble otter 17 spoons"


async def forgot(client: httpx.AsyncClient, email: str = ADA, **headers: str) -> httpx.Response:
    return await client.post("/api/auth/forgot", json={"email": email}, headers=headers)


async def reset(client: httpx.AsyncClient, token: str, password: str = NEW_PASSWORD) -> httpx.Response:
    return await client.post("/api/auth/reset", json={"token": token, "password": password})


async def registered(site: Site) -> httpx.AsyncClient:
    """Return Ada, whose first email has been sent."""
    ada = await site.register()
    await site.letters()
    return ada


async def test_the_holder_of_the_link_chooses_a_password_and_is_signed_in(site: Site) -> None:
    before = await registered(site)
    stranger = await site.new_client()
    assert (await forgot(stranger)).status_code == 202
    (letter,) = await site.letters()
    assert (letter.to, letter.subject) == (ADA, "Choose a new password")
    assert letter.text.splitlines()[-2:-1] == ["-- "] and letter.html is not None
    token = letter.text.split("#token=")[1].split()[0]
    answer = await reset(stranger, token)
    assert (answer.status_code, answer.json()["email"], answer.json()["emailVerified"]) == (200, ADA, True)
    assert (await stranger.get("/api/auth/user")).status_code == 200
    assert (await before.get("/api/auth/user")).status_code == 401
    assert (await sign_in(await site.new_client(), ADA, GOOD_PASSWORD)).status_code == 401
    assert (await sign_in(await site.new_client(), ADA, NEW_PASSWORD)).status_code == 200
    notices = [(letter.to, letter.subject) for letter in await site.letters()]
    assert notices == [(ADA, "Your password was changed"), (ADA, "New sign-in to your account")]


async def test_a_link_works_once_and_for_an_hour_as_its_letter_says(site: Site, time: Clock) -> None:
    client = await registered(site)
    await forgot(client)
    (letter,) = await site.letters()
    assert "within the next hour" in letter.text
    token = token_in(letter)
    time.advance(hours=1)
    late = await reset(client, token)
    assert (late.status_code, late.json()["error"]["code"]) == (403, "link_expired")
    await forgot(client)
    token = await site.link()
    time.advance(minutes=59)
    assert (await reset(client, token)).status_code == 200
    again, made_up = await reset(client, token), await reset(client, "x" * 43)
    assert (again.status_code, again.json()["error"]["code"]) == (403, "link_expired")
    assert again.json()["error"]["message"] == made_up.json()["error"]["message"]


async def test_only_the_newest_link_counts(site: Site) -> None:
    client = await registered(site)
    await forgot(client)
    first = await site.link()
    await forgot(client)
    second = await site.link()
    assert (await reset(client, first)).status_code == 403
    assert (await reset(client, second)).status_code == 200


async def test_a_poor_password_does_not_use_the_link_up(site: Site) -> None:
    client = await registered(site)
    await forgot(client)
    token = await site.link()
    for poor in ("short", "password123", ADA):
        answer = await reset(client, token, poor)
        assert (answer.status_code, set(answer.json()["error"]["fields"])) == (422, {"password"})
    assert (await reset(client, token)).status_code == 200


async def test_nobody_learns_whether_an_address_has_an_account(site: Site) -> None:
    client = await registered(site)
    answers = [await forgot(client, email) for email in (ADA, "nobody@example.com")]
    assert [answer.status_code for answer in answers] == [202, 202]
    assert answers[0].content == answers[1].content
    rows = await site.rows("SELECT kind, address, user_id FROM letter ORDER BY id")
    assert [(row["kind"], row["user_id"]) for row in rows] == [("reset", None), ("reset", None)]
    assert [letter.to for letter in await site.letters()] == [ADA]
    assert await site.rows("SELECT id FROM letter") == []


async def test_no_table_ever_holds_a_link(site: Site) -> None:
    client = await registered(site)
    await forgot(client)
    token = await site.link()
    (row,) = await site.rows("SELECT token_hash, purpose FROM account_token WHERE purpose = 'reset'")
    assert token not in str(row)


async def test_a_mailbox_is_not_filled_through_us(site: Site) -> None:
    client = await registered(site)
    answers = [await forgot(await site.new_client(ip=f"10.0.{number}.1")) for number in range(8)]
    assert {answer.status_code for answer in answers} == {202}
    assert len(await site.letters()) == 5
    places = [await forgot(client, f"p{number}@example.com") for number in range(31)]
    assert (places[-1].status_code, "retry-after" in places[-1].headers) == (429, True)


async def test_what_is_no_address_is_named(client: httpx.AsyncClient) -> None:
    answer = await forgot(client, "ada")
    assert (answer.status_code, set(answer.json()["error"]["fields"])) == (422, {"email"})


async def test_a_disabled_account_gets_no_link_and_an_old_one_does_not_open_it(site: Site) -> None:
    client = await registered(site)
    await forgot(client)
    token = await site.link()
    await site.change_user(ADA, disabled=True)
    assert (await reset(client, token)).status_code == 403
    await forgot(client)
    assert await site.letters() == []


async def test_what_was_connected_before_the_address_was_verified_does_not_survive(site: Site, time: Clock) -> None:
    await registered(site)
    connect = "INSERT INTO identity (user_id, issuer, subject, instance_id, created_at) VALUES (1, 'i', :s, 'oidc', :t)"
    client = await site.new_client()

    async def connected(subject: str) -> None:
        async with site.database.write() as session:
            await session.execute(text(connect), {"s": subject, "t": clock.now().isoformat(sep=" ")[:26]})

    async def subjects() -> list[str]:
        return [row["subject"] for row in await site.rows("SELECT subject FROM identity ORDER BY id")]

    await connected("early")
    await forgot(client)
    time.advance(seconds=2)
    assert (await reset(client, await site.link())).status_code == 200
    assert await subjects() == []
    await site.letters()
    time.advance(seconds=2)
    await connected("later")
    await forgot(client)
    assert (await reset(client, await site.link(), "copper 9 lantern moss")).status_code == 200
    assert await subjects() == ["later"]


async def test_changing_the_password_ends_links_that_are_out(site: Site) -> None:
    client = await registered(site)
    await forgot(client)
    token = await site.link()
    body = {"currentPassword": GOOD_PASSWORD, "newPassword": NEW_PASSWORD}
    assert (await client.post("/api/auth/password", json=body)).status_code == 200
    assert (await reset(client, token, "copper 9 lantern moss")).status_code == 403


async def test_a_reset_starts_a_new_session(site: Site) -> None:
    client = await registered(site)
    before = cookie(client)
    await forgot(client)
    await reset(client, await site.link())
    assert cookie(client) != before
    replay = await site.new_client(cookie=f"coverwright={before}")
    assert (await replay.get("/api/auth/user")).status_code == 401


async def test_a_link_goes_to_the_domain_that_is_shown_and_to_no_other(site: Site) -> None:
    await site.register("anna@straße.example")
    await site.letters()
    stranger = await site.new_client()
    await forgot(stranger, "anna@strasse.example")
    assert await site.letters() == [], "another domain"
    await forgot(stranger, "ANNA@STRAßE.example")
    (letter,) = await site.letters()
    assert letter.to == "anna@straße.example", "the stored address, not the typed one"
    assert ascii_address(letter.to) == "anna@xn--strae-oqa.example"
