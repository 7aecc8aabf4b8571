"""An issuer reports that a person has signed out there: the sessions that it started end."""

import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.accounts.conftest import OpenSite, Site
from tests.accounts.issuers import come_back, open_with, who
from tests.vendors.evil_issuer import CLIENT_ID, DROP, KID, Issuer, encode, new_key

pytestmark = pytest.mark.anyio

ADA = "ada@example.com"
ADDRESS = "/api/auth/lantern/backchannel-logout"
EVENT = "http://schemas.openid.net/event/backchannel-logout"
FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture
async def site(open_site: OpenSite, issuer: Issuer, site_database_url: str) -> Site:
    async def on_database(**options: Any) -> Site:
        return await open_site(COVERWRIGHT_DATABASE_URL=site_database_url, **options)

    return await open_with(on_database, issuer.url)


def claims(issuer: Issuer, **changed: Any) -> dict[str, Any]:
    now = int(time.time())
    said = {"iss": issuer.url, "aud": CLIENT_ID, "iat": now, "exp": now + 120, "jti": "report-1", "sub": "ada"}
    said |= {"events": {EVENT: {}}} | changed
    return {name: value for name, value in said.items() if value is not DROP}


async def report(site: Site, token: str) -> httpx.Response:
    return await (await site.new_client()).post(ADDRESS, data={"logout_token": token})


async def arrive(site: Site, issuer: Issuer, sid: Any = DROP) -> httpx.AsyncClient:
    issuer.claims["sid"] = sid
    client = await site.new_client()
    await come_back(client, issuer)
    assert await who(client) is not None
    return client


async def test_a_person_who_signs_out_there_is_signed_out_here(site: Site, issuer: Issuer) -> None:
    one, two = await arrive(site, issuer, "s1"), await arrive(site, issuer)
    issuer.person("ben", email="ben@example.com", email_verified=True)
    ben = await arrive(site, issuer)
    answer = await report(site, issuer.sign(claims(issuer)))
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert [await who(client) for client in (one, two, ben)] == [None, None, "ben@example.com"]
    outcomes = await site.rows("SELECT outcome FROM audit WHERE action = 'user.sign_out'")
    assert outcomes == [{"outcome": "issuer_logout"}]


@pytest.mark.parametrize("subject", ["ada", DROP])
async def test_one_session_there_ends_what_it_started(site: Site, issuer: Issuer, subject: Any) -> None:
    one, two = await arrive(site, issuer, "s1"), await arrive(site, issuer, "s2")
    assert (await report(site, issuer.sign(claims(issuer, sub=subject, sid="s1")))).status_code == 200
    assert [await who(client) for client in (one, two)] == [None, ADA]


async def test_a_session_of_another_person_or_way_stays(site: Site, issuer: Issuer) -> None:
    by_password = await site.register("eve@example.com")
    ada = await arrive(site, issuer, "s1")
    assert (await report(site, issuer.sign(claims(issuer, sub="ben", sid="s1")))).status_code == 200
    assert (await report(site, issuer.sign(claims(issuer, sub="nobody", jti="report-2")))).status_code == 200
    assert [await who(client) for client in (ada, by_password)] == [ADA, "eve@example.com"]


async def test_a_report_counts_once(site: Site, issuer: Issuer) -> None:
    token = issuer.sign(claims(issuer))
    assert (await report(site, token)).status_code == 200
    ada = await arrive(site, issuer)
    again = await report(site, token)
    assert (again.status_code, again.headers["cache-control"]) == (400, "no-store")
    assert await who(ada) == ADA


def _unsigned(issuer: Issuer) -> str:
    return f"{encode({'alg': 'none', 'kid': KID})}.{encode(claims(issuer))}."


def _said(**changed: Any) -> Callable[[Issuer], str]:
    return lambda issuer: issuer.sign(claims(issuer, **changed))


LIES: dict[str, Callable[[Issuer], str]] = {
    "unsigned": _unsigned,
    "foreign key": lambda issuer: issuer.sign(claims(issuer), new_key("RS256", 1)),
    "no token": lambda issuer: "no.token",
    "other issuer": _said(iss="https://other.example"),
    "other audience": _said(aud="somebody-else"),
    "audiences without us": _said(aud=["a", "b"]),
    "an ID token": _said(nonce="n"),
    "no event": _said(events=DROP),
    "another event": _said(events={"urn:other": {}}),
    "event a text": _said(events={EVENT: "yes"}),
    "events a list": _said(events=[EVENT]),
    "expired": _said(exp=1_000_000_000),
    "exp missing": _said(exp=DROP),
    "old": _said(iat=1_000_000_000),
    "to come": _said(iat=9_000_000_000, exp=9_000_000_100),
    "iat missing": _said(iat=DROP),
    "jti missing": _said(jti=DROP),
    "jti a number": _said(jti=7),
    "names nobody": _said(sub=DROP),
    "sub empty": _said(sub=""),
    "sid a list": _said(sid=["s1"]),
    "sid unprintable": _said(sid="s\x001"),
}


async def test_a_forged_report_ends_nothing(site: Site, issuer: Issuer) -> None:
    ada = await arrive(site, issuer, "s1")
    for name, lie in LIES.items():
        answer = await report(site, lie(issuer))
        assert (answer.status_code, answer.headers["cache-control"]) == (400, "no-store"), name
    assert await who(ada) == ADA
    assert await site.rows("SELECT token_hash FROM used_logout") == []


async def test_only_a_form_with_one_token_for_an_instance_is_read(site: Site, issuer: Issuer) -> None:
    client, token = await site.new_client(), issuer.sign(claims(issuer))
    for address in ("/api/auth/password/backchannel-logout", "/api/auth/nowhere/backchannel-logout"):
        assert (await client.post(address, data={"logout_token": token})).status_code == 400
    assert (await client.post(ADDRESS, data={"token": token})).status_code == 400
    twice = f"logout_token={token}&logout_token={token}"
    assert (await client.post(ADDRESS, content=twice, headers=FORM)).status_code == 400
    assert (await client.post(ADDRESS, json={"logout_token": token})).status_code == 415


async def test_a_password_session_of_the_person_stays(site: Site, issuer: Issuer) -> None:
    by_password = await site.register(ADA)
    await site.change_user(ADA, email_verified=True)
    ada = await arrive(site, issuer)
    assert (await report(site, issuer.sign(claims(issuer)))).status_code == 200
    assert [await who(client) for client in (ada, by_password)] == [None, ADA]
