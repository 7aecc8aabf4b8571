"""A return that does not match the pending sign-in signs no user in and writes nothing."""

from collections.abc import Awaitable, Callable
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from sqlalchemy import text

from kernel.accounts.provider_usage import count_identities
from kernel.spi import AuthFailed, Identity, InvalidRequest, Redirect
from tests.accounts.conftest import Clock, OpenSite, Site
from tests.accounts.issuers import RETURN, START, come_back, leave, open_with, refusal, who
from tests.vendors.evil_issuer import LIES, Issuer

pytestmark = pytest.mark.anyio

FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture
async def site(open_site: OpenSite, issuer: Issuer) -> Site:
    return await open_with(open_site, issuer.url)


async def nothing_happened(site: Site, client: httpx.AsyncClient) -> None:
    assert await who(client) is None
    for table in ('"user"', "identity", "session", "pending_sign_in"):
        assert await site.rows(f"SELECT id FROM {table}") == [], table


@pytest.mark.parametrize("lie", LIES)
async def test_a_forged_sign_in_creates_no_session(site: Site, issuer: Issuer, lie: str) -> None:
    for name in ("email", "email_verified"):
        issuer.claims.pop(name)  # so that userinfo is requested
    LIES[lie](issuer)
    client = await site.new_client()
    answer = await client.get(START)
    if refusal(answer) is None:
        answer = await client.get(RETURN, params=issuer.visit(answer.headers["location"]))
    assert refusal(answer) in ("sign_in_failed", "sign_in_unavailable")
    assert "set-cookie" not in answer.headers
    await nothing_happened(site, client)


async def test_a_return_is_used_once(site: Site, issuer: Issuer) -> None:
    client = await site.new_client()
    fields = issuer.visit(await leave(client))
    trip = client.cookies["coverwright_tx"]
    assert refusal(await client.get(RETURN, params=fields)) is None
    thief = await site.new_client(cookie=f"coverwright_tx={trip}")
    assert refusal(await thief.get(RETURN, params=fields)) == "sign_in_expired"
    assert await who(thief) is None


async def test_the_return_of_one_browser_is_worth_nothing_in_another(site: Site, issuer: Issuer) -> None:
    attacker, victim = await site.new_client(), await site.new_client()
    fields = issuer.visit(await leave(attacker))
    await leave(victim)
    assert refusal(await victim.get(RETURN, params=fields)) == "sign_in_expired"
    assert await who(victim) is None
    assert refusal(await (await site.new_client()).get(RETURN, params=fields)) == "sign_in_expired"


async def test_a_code_put_into_another_browsers_return_is_refused(site: Site, issuer: Issuer) -> None:
    attacker, victim = await site.new_client(), await site.new_client()
    theirs, ours = issuer.visit(await leave(attacker)), issuer.visit(await leave(victim))
    answer = await victim.get(RETURN, params={**ours, "code": theirs["code"]})
    assert refusal(answer) == "sign_in_failed"
    await nothing_left_but(site, 1, victim)


async def nothing_left_but(site: Site, pending: int, client: httpx.AsyncClient) -> None:
    assert await who(client) is None
    assert len(await site.rows("SELECT id FROM pending_sign_in")) == pending
    assert await site.rows("SELECT id FROM session") == []


@pytest.mark.parametrize("state", [None, "", "made-up", "é", "a" * 5000])
async def test_a_state_that_we_did_not_give_is_refused(site: Site, issuer: Issuer, state: str | None) -> None:
    client = await site.new_client()
    fields = issuer.visit(await leave(client))
    del fields["state"]
    answer = await client.get(RETURN, params={**fields, **({} if state is None else {"state": state})})
    assert refusal(answer) == "sign_in_expired"
    await nothing_left_but(site, 1, client)


async def test_a_parameter_that_comes_twice_counts_as_none(site: Site, issuer: Issuer) -> None:
    client = await site.new_client()
    fields = issuer.visit(await leave(client))
    answer = await client.get(RETURN, params=[*fields.items(), ("code", "other")])
    assert refusal(answer) == "sign_in_denied"


async def test_a_sign_in_expires_after_ten_minutes(site: Site, issuer: Issuer, time: Clock) -> None:
    client = await site.new_client()
    fields = issuer.visit(await leave(client))
    time.advance(minutes=10)
    assert refusal(await client.get(RETURN, params=fields)) == "sign_in_expired"


async def test_what_was_remembered_under_another_key_is_forgotten(site: Site, issuer: Issuer) -> None:
    client = await site.new_client()
    fields = issuer.visit(await leave(client))
    async with site.database.write() as session:
        await session.execute(text("UPDATE pending_sign_in SET sealed = 'v1.00000000.AAAA'"))
    assert refusal(await client.get(RETURN, params=fields)) == "sign_in_expired"
    await nothing_happened(site, client)


async def test_the_return_of_one_instance_is_not_taken_at_another(site: Site, issuer: Issuer) -> None:
    client = await site.new_client()
    fields = issuer.visit(await leave(client))
    assert refusal(await client.get("/api/auth/second/return", params=fields)) == "sign_in_expired"
    assert await who(client) is None


async def test_who_declines_is_told_so_and_can_try_again(site: Site, issuer: Issuer) -> None:
    client = await site.new_client()
    state = issuer.visit(await leave(client, redirect="/gallery"))["state"]
    answer = await client.get(RETURN, params={"error": "access_denied", "state": state, "iss": issuer.url})
    assert answer.headers["location"] == "/sign-in?error=sign_in_denied&method=lantern&redirect=%2Fgallery"
    assert refusal(await come_back(client, issuer)) is None


async def test_two_tabs_of_one_browser_do_not_disturb_each_other(site: Site, issuer: Issuer) -> None:
    client = await site.new_client()
    one, two = issuer.visit(await leave(client)), issuer.visit(await leave(client, redirect="/gallery"))
    trip = client.cookies["coverwright_tx"]
    assert (await client.get(RETURN, params=two)).headers["location"] == "/gallery"
    client.cookies.set("coverwright_tx", trip)
    assert refusal(await client.get(RETURN, params=one)) is None


@pytest.mark.parametrize("name", ["nowhere", "password", "%2e%2e", "%00", "a" * 3000, "é"])
async def test_what_is_no_redirect_is_not_available(site: Site, name: str) -> None:
    client = await site.new_client()
    assert refusal(await client.get(f"/api/auth/{name}/start")) == "sign_in_unavailable"
    assert refusal(await client.get(f"/api/auth/{name}/return?code=x&state=y")) == "sign_in_expired"


async def test_an_issuer_that_is_away_is_said_to_be(site: Site, issuer: Issuer) -> None:
    client = await site.new_client()
    fields = issuer.visit(await leave(client))
    issuer.described["token_endpoint"] = 7
    issuer.forge = lambda claims: 1 / 0  # type: ignore[return-value]  # hangs up
    assert refusal(await client.get(RETURN, params=fields)) == "sign_in_unavailable"
    await nothing_happened(site, client)


def answering(result: object) -> Callable[[object], Awaitable[object]]:
    async def answer(_request: object) -> object:
        if isinstance(result, Exception):
            raise result
        return result

    return answer


@pytest.mark.parametrize(
    "result",
    [AuthFailed("no"), InvalidRequest("no"), ValueError("no"), None, Redirect(url="javascript:alert(1)")],
    ids=repr,
)
async def test_a_provider_that_fails_to_begin_does_not_redirect(
    site: Site, monkeypatch: pytest.MonkeyPatch, result: object
) -> None:
    instance = site.registry.instance("lantern")
    assert instance is not None
    monkeypatch.setattr(instance.provider, "begin", answering(result))
    client = await site.new_client()
    assert refusal(await client.get(START)) == "sign_in_unavailable"
    await nothing_happened(site, client)


@pytest.mark.parametrize(
    "result",
    [
        ValueError("no"),
        None,
        Identity(issuer="", subject="ada"),
        Identity(issuer="i", subject=""),
        Identity(issuer="i", subject="a\x00"),
        Identity(issuer="i", subject="a" * 256),
        Identity(issuer="i", subject=7),  # type: ignore[arg-type]
    ],
    ids=repr,
)
async def test_an_empty_identity_creates_no_session(
    site: Site, issuer: Issuer, monkeypatch: pytest.MonkeyPatch, result: object
) -> None:
    instance = site.registry.instance("lantern")
    assert instance is not None
    client = await site.new_client()
    fields = issuer.visit(await leave(client))
    monkeypatch.setattr(instance.provider, "complete", answering(result))
    assert refusal(await client.get(RETURN, params=fields)) == "sign_in_unavailable"
    await nothing_happened(site, client)


async def test_a_form_posted_by_the_issuers_page_becomes_a_navigation(site: Site, issuer: Issuer) -> None:
    client = await site.new_client()
    fields = issuer.visit(await leave(client))
    cross_site = {"origin": issuer.url, "sec-fetch-site": "cross-site", **FORM}
    bare = await site.new_client()  # a form of another site sends no Lax cookie
    bounced = await bare.post(RETURN, data=fields, headers=cross_site)
    assert bounced.status_code == 303 and "set-cookie" not in bounced.headers
    there = urlsplit(bounced.headers["location"])
    assert (there.netloc, there.path) == ("", RETURN)
    assert {name: values[0] for name, values in parse_qs(there.query).items()} == fields
    assert refusal(await client.get(bounced.headers["location"])) is None
    assert await who(client) == "ada@example.com"


async def test_a_form_of_another_site_does_nothing_by_itself(site: Site, issuer: Issuer) -> None:
    client = await site.new_client()
    fields = issuer.visit(await leave(client))
    await client.post(RETURN, data=fields)
    assert await who(client) is None
    assert len(await site.rows("SELECT id FROM pending_sign_in")) == 1


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{}", "application/json", 415),
        (b"a=1", "text/plain", 415),
        (b"", "multipart/form-data; boundary=x", 415),
        (b"code=" + b"a" * 9000, FORM["content-type"], 413),
        (b"&".join(b"a=1" for _ in range(30)), FORM["content-type"], 400),
        (b"code=\xff", FORM["content-type"], 400),
        (b"code=%ff", FORM["content-type"], 400),
        (b"", FORM["content-type"], 303),
    ],
)
async def test_a_malformed_form_is_refused(site: Site, body: bytes, kind: str, status: int) -> None:
    answer = await (await site.new_client()).post(RETURN, content=body, headers={"content-type": kind})
    assert answer.status_code == status


@pytest.mark.parametrize("raw", ["code=%ff&state=%00", "state=%ED%A0%80", "=&&&=", "state[]=x", "a=" + "b" * 7000])
async def test_a_malformed_return_is_refused(site: Site, raw: str) -> None:
    client = await site.new_client()
    await leave(client)
    assert refusal(await client.get(f"{RETURN}?{raw}")) == "sign_in_expired"


async def test_people_are_counted_by_the_instance_they_came_through(site: Site, issuer: Issuer) -> None:
    await come_back(await site.new_client(), issuer)
    async with site.database.read() as connection:
        assert [await count_identities(connection, name) for name in ("lantern", "second", "password")] == [1, 0, 0]
    client = await site.new_client()
    fields = issuer.visit(await leave(client, start="/api/auth/second/start"))
    await client.get("/api/auth/second/return", params=fields)
    async with site.database.read() as connection:
        assert [await count_identities(connection, name) for name in ("lantern", "second")] == [0, 1]


async def test_a_sign_in_weaker_than_the_site_demands_is_refused_with_the_reason(
    open_site: OpenSite, issuer: Issuer
) -> None:
    site = await open_with(open_site, issuer.url, more='required_amr = ["mfa"]')
    client = await site.new_client()
    issuer.claims["amr"] = ["pwd"]
    assert refusal(await come_back(client, issuer)) == "sign_in_too_weak"
    assert await who(client) is None
    issuer.claims["amr"] = ["pwd", "mfa"]
    await come_back(client, issuer)
    assert await who(client) == "ada@example.com"
