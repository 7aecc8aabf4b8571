"""A proof of who is there, within a session that goes on."""

import httpx
import pytest

from tests.accounts.conftest import GOOD_PASSWORD, Clock, Site, cookie, sign_in

pytestmark = pytest.mark.anyio

ADA = "ada@example.com"
ROOT = "root@example.com"


async def reauthenticate(client: httpx.AsyncClient, password: str = GOOD_PASSWORD) -> httpx.Response:
    return await client.post("/api/auth/reauthenticate", json={"password": password})


async def suspend(site: Site, admin: httpx.AsyncClient, suspended: bool) -> httpx.Response:
    (ada,) = await site.rows('SELECT id FROM "user" WHERE email = :email', email=ADA)
    return await admin.patch(f"/api/admin/users/{ada['id']}", json={"disabled": suspended})


async def proofs(site: Site) -> list[str]:
    rows = await site.rows("SELECT outcome FROM audit WHERE action = 'user.reauthenticate' ORDER BY id")
    return [row["outcome"] for row in rows]


async def test_rights_need_a_sign_in_of_the_last_fifteen_minutes(site: Site, time: Clock) -> None:
    await site.register()
    root = await site.admin()
    time.advance(minutes=14)
    assert (await suspend(site, root, True)).status_code == 200
    time.advance(minutes=2)
    refused = await suspend(site, root, False)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "reauthentication_required")
    assert await site.rows('SELECT id FROM "user" WHERE disabled AND email = :email', email=ADA)


async def test_the_password_renews_this_session_and_no_other(site: Site, time: Clock) -> None:
    await site.register()
    root, elsewhere = await site.admin(), await site.new_client()
    await sign_in(elsewhere, ROOT)
    token = cookie(root)
    time.advance(minutes=16)
    assert (await reauthenticate(root)).status_code == 204
    assert cookie(root) == token
    assert (await suspend(site, root, True)).status_code == 200
    assert (await suspend(site, elsewhere, False)).status_code == 403
    assert await proofs(site) == ["ok"]
    time.advance(minutes=16)
    assert (await suspend(site, root, False)).status_code == 403


async def test_a_wrong_password_renews_nothing_and_is_kept(site: Site, time: Clock) -> None:
    await site.register()
    root = await site.admin()
    time.advance(minutes=16)
    for wrong in ("", "not the password"):
        answer = await reauthenticate(root, wrong)
        assert answer.status_code == 422
        assert answer.json()["error"]["fieldCodes"] == {"password": {"code": "wrong_password"}}
    assert (await suspend(site, root, True)).status_code == 403
    assert await proofs(site) == ["wrong_credentials"] * 2


async def test_guessing_is_throttled_as_at_the_sign_in(site: Site) -> None:
    root = await site.admin()
    answers = [await reauthenticate(root, f"wrong number {number}") for number in range(12)]
    assert [answer.status_code for answer in answers] == [422] * 10 + [429] * 2


async def test_another_site_cannot_ask_for_it(site: Site) -> None:
    root = await site.admin()
    root.headers["sec-fetch-site"] = "cross-site"
    assert (await reauthenticate(root)).json()["error"]["code"] == "cross_site"


async def test_who_has_no_password_signs_in_again(site: Site, time: Clock) -> None:
    await site.register()
    root = await site.admin()
    await site.change_user(ROOT, password_hash=None)
    assert (await suspend(site, root, True)).status_code == 200
    time.advance(minutes=10)
    assert (await reauthenticate(root)).status_code == 422
    time.advance(minutes=6)
    assert (await suspend(site, root, False)).status_code == 403
