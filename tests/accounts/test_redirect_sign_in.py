"""Signing in at an issuer's page: who is let in, as which user, and who has to sign in with a password first."""

import asyncio
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import text

from kernel.accounts.auth.signin_gateway import SigninGateway
from kernel.spi import Identity
from tests.accounts.conftest import GOOD_PASSWORD, Clock, OpenSite, Site, cookie, sign_in
from tests.accounts.issuers import RETURN, START, come_back, leave, open_with, refusal, who
from tests.vendors.evil_issuer import DROP, Issuer

pytestmark = pytest.mark.anyio

ADA = "ada@example.com"
OWN_PAGE = {"sec-fetch-site": "same-origin", "sec-fetch-dest": "document"}


@pytest.fixture
async def site(open_site: OpenSite, issuer: Issuer) -> Site:
    return await open_with(open_site, issuer.url)


async def verified(site: Site, email: str = ADA) -> None:
    await site.change_user(email, email_verified=True)


async def test_the_methods_name_the_issuer(site: Site) -> None:
    methods = (await (await site.new_client()).get("/api/auth/methods")).json()
    lantern = {"id": "lantern", "provider": "oidc", "label": "Lantern House", "kind": "redirect", "registration": True}
    assert lantern in methods


async def test_somebody_new_gets_an_account_and_goes_where_they_wanted(site: Site, issuer: Issuer) -> None:
    client = await site.new_client()
    answer = await come_back(client, issuer, redirect="/theme/7?x=1")
    assert answer.headers["location"] == "/theme/7?x=1"
    user = (await client.get("/api/auth/user")).json()
    assert (user["email"], user["emailVerified"], user["hasPassword"]) == (ADA, True, False)
    assert (user["firstName"], user["lastName"], user["isAdmin"]) == ("Ada", "Lovelace", False)
    assert [entry["method"] for entry in (await client.get("/api/account/sessions")).json()] == ["lantern"]
    assert await site.rows("SELECT issuer, subject, instance_id FROM identity") == [
        {"issuer": issuer.url, "subject": "ada", "instance_id": "lantern"}
    ]


async def test_the_same_person_comes_back_to_the_same_account(site: Site, issuer: Issuer) -> None:
    await come_back(await site.new_client(), issuer)
    issuer.person("ada", email="ada@elsewhere.example", email_verified=True)
    client = await site.new_client()
    await come_back(client, issuer)
    assert await who(client) == ADA
    assert len(await site.rows('SELECT id FROM "user"')) == 1


async def test_the_same_subject_of_another_issuer_is_somebody_else(site: Site, issuer: Issuer) -> None:
    await come_back(await site.new_client(), issuer)
    async with site.database.write() as session:
        await session.execute(text("UPDATE identity SET issuer = 'https://other.example'"))
    issuer.person("ada", email="other@example.com", email_verified=True)
    client = await site.new_client()
    await come_back(client, issuer)
    assert await who(client) == "other@example.com"


async def test_an_address_that_both_sides_verified_leads_to_its_account(site: Site, issuer: Issuer) -> None:
    await site.register(ADA)
    await verified(site)
    client = await site.new_client()
    assert (await come_back(client, issuer)).headers["location"] == "/"
    assert await who(client) == ADA
    assert (await client.get("/api/auth/user")).json()["hasPassword"] is True


@pytest.mark.parametrize("said", [False, "true", 1, DROP])
async def test_an_address_the_issuer_has_not_verified_leads_to_nobodys_account(
    site: Site, issuer: Issuer, said: object
) -> None:
    await site.register(ADA)
    await verified(site)
    issuer.claims["email_verified"] = said
    client = await site.new_client()
    answer = await come_back(client, issuer, redirect="/gallery")
    assert answer.headers["location"] == "/sign-in?error=link_required&method=lantern&redirect=%2Fgallery"
    assert await who(client) is None
    assert await site.rows("SELECT id FROM identity") == []


async def test_an_address_we_have_not_verified_leads_to_nobodys_account(site: Site, issuer: Issuer) -> None:
    await site.register(ADA)
    client = await site.new_client()
    assert refusal(await come_back(client, issuer)) == "link_required"
    assert await who(client) is None


async def test_a_signed_in_user_is_not_sent_to_the_issuer(site: Site) -> None:
    client = await site.register(ADA)
    assert await leave(client, redirect="/gallery") == "/gallery"


async def test_a_disabled_user_stays_outside(site: Site, issuer: Issuer) -> None:
    await come_back(await site.new_client(), issuer)
    await site.change_user(ADA, disabled=True)
    client = await site.new_client()
    assert refusal(await come_back(client, issuer)) == "account_disabled"
    assert await who(client) is None


async def test_a_disabled_account_is_not_connected_by_its_address(site: Site, issuer: Issuer) -> None:
    await site.register(ADA)
    await site.change_user(ADA, disabled=True, email_verified=True)
    assert refusal(await come_back(await site.new_client(), issuer)) == "account_disabled"
    assert await site.rows("SELECT id FROM identity") == []


@pytest.mark.parametrize("email", [DROP, "", "no address", "ada@example.com\x00", 7])
async def test_an_account_needs_an_address(site: Site, issuer: Issuer, email: object) -> None:
    issuer.person("ada", email=email, email_verified=True)
    assert refusal(await come_back(await site.new_client(), issuer)) == "email_missing"
    assert await site.rows('SELECT id FROM "user"') == []


async def test_names_are_kept_only_when_they_could_have_been_typed(site: Site, issuer: Issuer) -> None:
    issuer.claims |= {"given_name": "A\u202eda", "family_name": "  Love\u00a0lace  "}
    client = await site.new_client()
    await come_back(client, issuer)
    user = (await client.get("/api/auth/user")).json()
    assert (user["firstName"], user["lastName"]) == (None, "Love lace")


async def test_where_registration_is_closed_only_known_people_get_in(open_site: OpenSite, issuer: Issuer) -> None:
    site = await open_with(open_site, issuer.url, registration=False)
    assert refusal(await come_back(await site.new_client(), issuer)) == "registration_closed"
    assert await site.rows('SELECT id FROM "user"') == []


async def test_an_issuer_may_be_for_known_people_only(open_site: OpenSite, issuer: Issuer) -> None:
    site = await open_with(open_site, issuer.url, more="registration = false")
    assert refusal(await come_back(await site.new_client(), issuer)) == "registration_closed"
    await site.register(ADA)
    await verified(site)
    assert refusal(await come_back(await site.new_client(), issuer)) is None


async def test_two_returns_of_one_new_person_make_one_account(site: Site, issuer: Issuer) -> None:
    clients = [await site.new_client() for _ in range(6)]
    fields = [issuer.visit(await leave(client)) for client in clients]
    answers = await asyncio.gather(
        *(client.get(RETURN, params=each) for client, each in zip(clients, fields, strict=True))
    )
    assert [refusal(answer) for answer in answers] == [None] * 6
    assert [await who(client) for client in clients] == [ADA] * 6
    assert len(await site.rows("SELECT id FROM identity")) == 1


async def test_signing_in_as_another_user_ends_the_earlier_session(site: Site, issuer: Issuer) -> None:
    client = await site.new_client()
    fields = issuer.visit(await leave(client))
    await client.post("/api/auth/register", json={"email": "bob@example.com", "password": GOOD_PASSWORD})
    bob = cookie(client)
    await client.get(RETURN, params=fields)
    assert await who(client) == ADA
    assert await who(await site.new_client(cookie=f"coverwright={bob}")) is None


async def test_one_redirect_alone_is_the_way_to_sign_in(open_site: OpenSite, issuer: Issuer) -> None:
    site = await open_with(open_site, issuer.url, route='["lantern"]')
    client = await site.new_client()
    answer = await client.get("/api/login", params={"redirect": "/gallery"})
    assert answer.headers["location"] == "/api/auth/lantern/start?redirect=%2Fgallery"
    there = (await client.get(answer.headers["location"])).headers["location"]
    assert (await client.get(RETURN, params=issuer.visit(there))).headers["location"] == "/gallery"


@pytest.mark.parametrize("target", ["//evil.example", "https://evil.example", "/api/logout", "/%09/evil.example"])
async def test_nobody_is_sent_to_another_site_afterwards(site: Site, issuer: Issuer, target: str) -> None:
    assert (await come_back(await site.new_client(), issuer, redirect=target)).headers["location"] == "/"


async def test_cookies_are_as_safe_as_the_address_allows(open_site: OpenSite, issuer: Issuer) -> None:
    site = await open_with(open_site, issuer.url, public_url="https://covers.example")
    client = await site.new_client()
    answer = await client.get(START)
    (trip,) = answer.headers.get_list("set-cookie")
    assert trip.startswith("__Host-coverwright_tx=")
    for part in ("HttpOnly", "Secure", "SameSite=lax", "Path=/", "Max-Age=600"):
        assert part.lower() in trip.lower()
    assert "domain" not in trip.lower()
    asked = parse_qs(urlsplit(answer.headers["location"]).query)
    assert asked["redirect_uri"] == ["https://covers.example/api/auth/lantern/return"]
    answer = await client.get(RETURN, params=issuer.visit(answer.headers["location"]))
    assert any(line.startswith("__Host-coverwright=") for line in answer.headers.get_list("set-cookie"))
    assert answer.headers["cache-control"] == "no-store"


async def test_nothing_of_a_sign_in_lies_open_in_the_database(site: Site, issuer: Issuer) -> None:
    client = await site.new_client()
    there = await leave(client, redirect="/gallery")
    state = parse_qs(urlsplit(there).query)["state"][0]
    nonce = parse_qs(urlsplit(there).query)["nonce"][0]
    (row,) = await site.rows("SELECT * FROM pending_sign_in")
    for secret in (state, nonce, client.cookies["coverwright_tx"], "/gallery", "verifier"):
        assert secret not in str(row)


async def test_sign_ins_that_nobody_finished_are_dropped(site: Site, time: Clock) -> None:
    for _ in range(3):
        await leave(await site.new_client())
    time.advance(minutes=11)
    await leave(await site.new_client())
    assert len(await site.rows("SELECT id FROM pending_sign_in")) == 1


async def test_who_came_from_an_issuer_signs_out_there_too_where_the_operator_wants_it(
    open_site: OpenSite, issuer: Issuer
) -> None:
    site = await open_with(open_site, issuer.url, more="sign_out_there = true")
    client = await site.new_client()
    await come_back(client, issuer)
    answer = await client.get("/api/logout", headers=OWN_PAGE)
    assert answer.headers["location"].startswith(f"{issuer.url}/end?")
    assert await who(client) is None
    bob = await site.register("bob@example.com")
    assert (await bob.get("/api/logout", headers=OWN_PAGE)).headers["location"] == "/"


async def test_signing_out_does_not_depend_on_the_issuer(open_site: OpenSite, issuer: Issuer) -> None:
    site = await open_with(open_site, issuer.url, more="sign_out_there = true")
    ada = Identity(issuer=issuer.url, subject="ada")
    issuer.described["issuer"] = "https://other.example"
    assert await SigninGateway(site.registry).logout_url("lantern", ada) is None
    assert await SigninGateway(site.registry).logout_url("gone", ada) is None
    issuer.described.clear()
    assert await SigninGateway(site.registry).logout_url("lantern", ada) is not None


async def test_the_trail_tells_who_came_in_and_who_did_not(site: Site, issuer: Issuer) -> None:
    await come_back(await site.new_client(), issuer)
    issuer.person("eve", email=ADA, email_verified=False)
    await come_back(await site.new_client(), issuer)
    trail = await site.rows("SELECT action, object, outcome FROM audit ORDER BY id")
    assert [(row["action"], row["outcome"]) for row in trail] == [
        ("user.register", "ok"),
        ("user.sign_in", "ok"),
        ("user.sign_in", "link_required"),
    ]
    assert trail[-1]["object"] == "instance:lantern"


async def test_departures_without_return_are_limited_and_returns_are_not(open_site: OpenSite, issuer: Issuer) -> None:
    site = await open_with(open_site, issuer.url, failures=3)
    for _ in range(5):
        assert refusal(await come_back(await site.new_client(), issuer)) is None
    for _ in range(3):
        await leave(await site.new_client())
    assert refusal(await (await site.new_client()).get(START)) == "rate_limited"
    assert (await (await site.new_client(ip="127.0.0.2")).get(START)).headers["location"].startswith(issuer.url)


async def test_new_accounts_are_limited_as_they_are_by_form(open_site: OpenSite, issuer: Issuer) -> None:
    site = await open_with(open_site, issuer.url, registrations=2)
    got = []
    for number in range(3):
        issuer.person(f"p{number}", email=f"p{number}@example.com", email_verified=True)
        got.append(refusal(await come_back(await site.new_client(), issuer)))
    assert got == [None, None, "rate_limited"]


async def test_the_password_still_works_beside_it(site: Site, issuer: Issuer) -> None:
    await site.register(ADA)
    assert (await sign_in(await site.new_client(), ADA)).status_code == 200
