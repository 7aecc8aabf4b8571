"""Signing in at a real, third-party issuer."""

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.accounts.conftest import ORIGIN, OpenSite, Site
from tests.accounts.issuers import RETURN, leave, open_with, refusal, who
from tests.vendors.real_issuer import running, visit

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running(f"{ORIGIN}{RETURN}", f"{ORIGIN}/") as address:
        yield address


@pytest.fixture
async def site(open_site: OpenSite, address: str) -> Site:
    return await open_with(open_site, address)


async def come_back(client: httpx.AsyncClient, name: str) -> httpx.Response:
    return await client.get(visit(await leave(client, redirect="/gallery"), name, back_at=ORIGIN))


async def test_a_person_signs_in_there_and_is_signed_in_here(site: Site, address: str) -> None:
    client = await site.new_client()
    assert (await come_back(client, "ada")).headers["location"] == "/gallery"
    user = (await client.get("/api/auth/user")).json()
    assert (user["email"], user["emailVerified"], user["firstName"]) == ("ada@example.com", True, "ada")
    assert await site.rows("SELECT issuer, subject FROM identity") == [{"issuer": address, "subject": "ada"}]


async def test_an_unverified_address_opens_no_account(site: Site) -> None:
    await come_back(await site.new_client(), "ada")
    client = await site.new_client()
    assert refusal(await come_back(client, "unverified-ada")) == "link_required"
    assert await who(client) is None


async def test_an_authorization_code_works_once(site: Site) -> None:
    attacker = await site.new_client()
    back = visit(await leave(attacker), "ada", back_at=ORIGIN)
    assert refusal(await attacker.get(back)) is None
    victim = await site.new_client()
    state = parse_qs(urlsplit(await leave(victim)).query)["state"][0]
    replayed = {name: values[0] for name, values in parse_qs(urlsplit(back).query).items()} | {"state": state}
    assert refusal(await victim.get(RETURN, params=replayed)) == "sign_in_failed"
    assert await who(victim) is None


async def test_the_check_passes_and_a_wrong_secret_does_not(open_site: OpenSite, address: str) -> None:
    for secret, fails_at in (("a secret: with + and / in it", []), ("wrong", ["client_secret"])):
        site = await open_with(open_site, address, secret=secret)
        instance = site.registry.instance("lantern")
        assert instance is not None
        report = await instance.provider.check()
        assert [step.field for step in report.steps if step.status == "fail"] == fails_at, report
