"""Signing in with a mailed link: off at first, used once, by the owner of the mailbox, beside the second factor."""

import re

import httpx
import pytest

from tests.accounts.conftest import GOOD_PASSWORD, Clock, OpenSite, Site, sign_in
from tests.accounts.second_factor.conftest import ADA, add_app, audited, error, show, signed_in

pytestmark = pytest.mark.anyio

POLICY = "/api/admin/sign-in-policy"
EXPIRED = (403, "link_expired")
OFF = (403, "email_link_off")


async def switch(root: httpx.AsyncClient, on: bool = True) -> None:
    answer = await root.put(POLICY, json={"emailLinks": on})
    assert (answer.status_code, answer.json()["emailLinks"]) == (200, on)


@pytest.fixture
async def root(site: Site) -> httpx.AsyncClient:
    """The administrator of a site where links sign people in."""
    root = await site.admin()
    await switch(root)
    return root


@pytest.fixture
async def site(open_site: OpenSite, site_database_url: str) -> Site:
    return await open_site(COVERWRIGHT_DATABASE_URL=site_database_url)


async def confirmed(site: Site, email: str = ADA) -> httpx.AsyncClient:
    """Return somebody whose address is verified, and whose first email has been sent."""
    client = await site.register(email)
    await site.change_user(email, email_verified=True)
    await site.letters()
    return client


async def request(client: httpx.AsyncClient, email: str = ADA) -> httpx.Response:
    return await client.post("/api/auth/email-link", json={"email": email})


async def use(client: httpx.AsyncClient, token: str) -> httpx.Response:
    return await client.post("/api/auth/email-link/sign-in", json={"token": token})


async def methods(client: httpx.AsyncClient) -> list[str]:
    return [method["kind"] for method in (await client.get("/api/auth/methods")).json()]


async def test_it_is_off_until_an_administrator_switches_it_on(site: Site) -> None:
    root, visitor = await site.admin(), await site.new_client()
    await confirmed(site)
    assert await methods(visitor) == ["form"]
    assert error(await request(visitor)) == OFF
    await switch(root)
    assert await methods(visitor) == ["form", "email_link"]
    assert (await request(visitor)).status_code == 202
    token = await site.link()
    await switch(root, on=False)
    assert await methods(visitor) == ["form"]
    assert error(await use(visitor, token)) == OFF
    assert not await signed_in(visitor)
    await switch(root)
    assert (await use(visitor, token)).status_code == 200, "a link that was refused is not used up"


@pytest.mark.usefixtures("root")
async def test_the_holder_of_the_link_is_signed_in_and_told_of_the_device(site: Site) -> None:
    at_home, browser = await confirmed(site), await site.new_client()
    assert (await request(browser)).status_code == 202
    (letter,) = await site.letters()
    assert (letter.to, letter.subject) == (ADA, "Your sign-in link")
    assert "/email-link#token=" in letter.text and "half hour" in letter.text
    answer = await use(browser, letter.text.split("#token=")[1].split()[0])
    assert (answer.status_code, answer.json()["email"]) == (200, ADA)
    assert await signed_in(browser) and await signed_in(at_home), "other sessions stay"
    assert (await sign_in(await site.new_client(), ADA, GOOD_PASSWORD)).status_code == 200, "so does the password"
    subjects = {letter.subject for letter in await site.letters()}
    assert subjects == {"New sign-in to your account"}
    rows = await site.rows("SELECT method FROM session ORDER BY id")
    assert "email_link" in [row["method"] for row in rows]
    assert (await audited(site, "user.sign_in"))[-1] == "ok"


@pytest.mark.usefixtures("root")
async def test_a_link_works_once_and_for_half_an_hour(site: Site, time: Clock) -> None:
    await confirmed(site)
    browser = await site.new_client()
    await request(browser)
    late = await site.link()
    time.advance(minutes=30)
    assert error(await use(browser, late)) == EXPIRED
    await request(browser)
    token = await site.link()
    time.advance(minutes=29)
    assert (await use(browser, token)).status_code == 200
    for gone in (token, late, "x" * 43):
        assert error(await use(await site.new_client(), gone)) == EXPIRED


@pytest.mark.usefixtures("root")
async def test_links_of_other_kinds_do_not_sign_in(site: Site) -> None:
    ada, browser = await site.register(), await site.new_client()
    confirmation = await site.link()
    assert error(await use(browser, confirmation)) == EXPIRED
    await ada.post("/api/account/email/confirm", json={"token": confirmation})
    await site.letters()
    await request(browser)
    token = await site.link()
    reset = await browser.post("/api/auth/reset", json={"token": token, "password": "marble otter 17 spoons"})
    assert error(reset) == EXPIRED
    assert error(await browser.post("/api/account/email/confirm", json={"token": token})) == EXPIRED


@pytest.mark.usefixtures("root")
async def test_nobody_learns_whether_an_address_has_an_account(site: Site) -> None:
    await confirmed(site)
    browser = await site.new_client()
    answers = [await request(browser, email) for email in (ADA, "nobody@example.com")]
    assert {(answer.status_code, answer.content) for answer in answers} == {(202, answers[0].content)}
    assert [letter.to for letter in await site.letters()] == [ADA]
    bad = await request(browser, "not an address")
    assert (bad.status_code, set(bad.json()["error"]["fields"])) == (422, {"email"})


@pytest.mark.usefixtures("root")
async def test_one_who_made_an_account_with_somebody_elses_address_is_locked_out(site: Site) -> None:
    """The owner of the mailbox chooses a password first: whoever made the account knows the one that it has."""
    thief, owner = await site.register(), await site.new_client()
    await site.letters()
    await request(owner)
    (letter,) = await site.letters()
    assert letter.subject == "Your sign-in link"
    (token,) = re.findall(r"/reset#token=([\w-]{43})&unconfirmed$", letter.text, re.MULTILINE)
    assert error(await use(owner, token)) == EXPIRED
    reset = await owner.post("/api/auth/reset", json={"token": token, "password": "marble otter 17 spoons"})
    assert (reset.status_code, reset.json()["emailVerified"]) == (200, True)
    assert await signed_in(owner) and not await signed_in(thief)
    assert (await sign_in(thief, ADA, GOOD_PASSWORD)).status_code == 401


@pytest.mark.usefixtures("root")
async def test_the_second_factor_is_still_asked_for(site: Site, time: Clock) -> None:
    app, _ = await add_app(await confirmed(site))
    await site.letters()
    browser = await site.new_client()
    await request(browser)
    answer = await use(browser, await site.link())
    assert (answer.status_code, answer.json()) == (200, {"secondStep": ["totp", "recovery_code"]})
    assert not await signed_in(browser)
    time.advance(minutes=1)
    assert (await show(browser, code=app.code())).status_code == 200
    assert await signed_in(browser)


async def test_a_suspended_account_stays_closed(site: Site, root: httpx.AsyncClient) -> None:
    await confirmed(site)
    browser = await site.new_client()
    await request(browser)
    token = await site.link()
    (row,) = await site.rows('SELECT id FROM "user" WHERE email = :email', email=ADA)
    assert (await root.patch(f"/api/admin/users/{row['id']}", json={"disabled": True})).status_code == 200
    assert (await use(browser, token)).status_code == 403
    await request(browser)
    assert await site.letters() == []
    assert not await signed_in(browser)


@pytest.mark.usefixtures("root")
async def test_links_to_an_address_end_when_the_account_has_another(site: Site) -> None:
    ada, browser = await confirmed(site), await site.new_client()
    await request(browser)
    token = await site.link()
    body = {"email": "ada@elsewhere.example", "currentPassword": GOOD_PASSWORD}
    assert (await ada.post("/api/account/email", json=body)).status_code == 202
    change = await site.link()
    assert (await ada.post("/api/account/email/confirm", json={"token": change})).status_code == 204
    assert error(await use(browser, token)) == EXPIRED
