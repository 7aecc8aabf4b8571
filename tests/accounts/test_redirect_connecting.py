"""A signed-in user links an issuer with their account: only that user, in that browser, at that time."""

import pytest

from tests.accounts.conftest import Clock, OpenSite, Site, cookie
from tests.accounts.issuers import RETURN, START, come_back, leave, open_with, refusal, who
from tests.vendors.evil_issuer import Issuer

pytestmark = pytest.mark.anyio

ADA = "ada@example.com"
OWN_PAGE = {"sec-fetch-site": "same-origin", "sec-fetch-dest": "document"}


@pytest.fixture
async def site(open_site: OpenSite, issuer: Issuer) -> Site:
    return await open_with(open_site, issuer.url)


async def test_who_signs_in_first_can_connect_the_issuer(site: Site, issuer: Issuer) -> None:
    client = await site.register(ADA)
    client.headers.update(OWN_PAGE)
    before = cookie(client)
    answer = await come_back(client, issuer, connect="true", redirect="/gallery")
    assert answer.headers["location"] == "/gallery"
    assert cookie(client) == before
    other = await site.new_client()
    await come_back(other, issuer)
    assert await who(other) == ADA
    trail = await site.rows("SELECT action, object FROM audit WHERE action = 'identity.connect'")
    assert len(trail) == 1 and trail[0]["object"].startswith("user:")


async def test_connecting_twice_is_no_fault(site: Site, issuer: Issuer) -> None:
    client = await site.register("root@example.com")
    client.headers.update(OWN_PAGE)
    for _ in range(2):
        assert refusal(await come_back(client, issuer, connect="true")) is None
    assert len(await site.rows("SELECT id FROM identity")) == 1


async def test_what_belongs_to_one_account_cannot_be_connected_with_another(site: Site, issuer: Issuer) -> None:
    await come_back(await site.new_client(), issuer)
    client = await site.register("bob@example.com")
    client.headers.update(OWN_PAGE)
    assert refusal(await come_back(client, issuer, connect="true")) == "identity_taken"
    assert await who(client) == "bob@example.com"


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site", "sec-fetch-dest": "document"},
        {"sec-fetch-site": "same-origin", "sec-fetch-dest": "iframe"},
        {"referer": "https://evil.example/"},
    ],
)
async def test_another_site_cannot_connect_anything(site: Site, headers: dict[str, str]) -> None:
    client = await site.register(ADA)
    answer = await client.get(START, params={"connect": "true", "redirect": "/gallery"}, headers=headers)
    assert (answer.status_code, answer.headers["location"]) == (303, "/gallery")
    assert await site.rows("SELECT id FROM pending_sign_in") == []


async def test_who_signed_in_long_ago_signs_in_again_before_connecting(site: Site, time: Clock) -> None:
    client = await site.register(ADA)
    time.advance(minutes=16)
    answer = await client.get(START, params={"connect": "true"}, headers=OWN_PAGE)
    assert refusal(answer) == "reauthentication_required"


async def test_who_signed_out_meanwhile_connects_nothing(site: Site, issuer: Issuer) -> None:
    client = await site.register(ADA)
    client.headers.update(OWN_PAGE)
    fields = issuer.visit(await leave(client, connect="true"))
    await client.post("/api/auth/sign-out")
    assert refusal(await client.get(RETURN, params=fields)) == "sign_in_expired"
    assert await site.rows("SELECT id FROM identity") == []
