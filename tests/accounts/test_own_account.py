"""What users do with their own account."""

import httpx
import pytest

from tests.accounts.conftest import GOOD_PASSWORD, Clock, Site, cookie, sign_in

pytestmark = pytest.mark.anyio

ADA = "ada@example.com"
NEW_PASSWORD = "marble otter 17 spoons"


async def change(client: httpx.AsyncClient, current: str | None, new: str = NEW_PASSWORD) -> httpx.Response:
    body = {"newPassword": new} | ({"currentPassword": current} if current is not None else {})
    return await client.post("/api/auth/password", json=body)


async def test_a_new_password_ends_every_other_session(site: Site) -> None:
    client = await site.register()
    before = cookie(client)
    elsewhere = await site.new_client()
    await sign_in(elsewhere, ADA)
    assert (await change(client, GOOD_PASSWORD)).status_code == 200
    assert cookie(client) != before
    assert (await client.get("/api/auth/user")).status_code == 200
    assert (await elsewhere.get("/api/auth/user")).status_code == 401
    replay = await site.new_client(cookie=f"coverwright={before}")
    assert (await replay.get("/api/auth/user")).status_code == 401
    assert (await sign_in(elsewhere, ADA)).status_code == 401
    assert (await sign_in(elsewhere, ADA, NEW_PASSWORD)).status_code == 200


@pytest.mark.parametrize("current", [None, "", "not the password"])
async def test_without_the_current_password_nothing_changes(site: Site, current: str | None) -> None:
    client = await site.register()
    answer = await change(client, current)
    assert answer.status_code == 422
    assert set(answer.json()["error"]["fields"]) == {"currentPassword"}
    assert (await sign_in(await site.new_client(), ADA)).status_code == 200


async def test_a_wrong_and_a_poor_password_are_named_together(site: Site) -> None:
    client = await site.register()
    answer = await change(client, "not the password", "password123")
    error = answer.json()["error"]
    assert set(error["fields"]) == {"currentPassword", "newPassword"}
    assert error["fieldCodes"] == {
        "currentPassword": {"code": "wrong_password"},
        "newPassword": {"code": "easy_password"},
    }


async def test_guessing_the_current_password_is_throttled(site: Site) -> None:
    client = await site.register()
    answers = [await change(client, f"wrong number {number}") for number in range(12)]
    assert [answer.status_code for answer in answers] == [422] * 10 + [429] * 2


async def test_somebody_without_a_password_sets_one_soon_after_signing_in(site: Site, time: Clock) -> None:
    client = await site.register()
    await site.change_user(ADA, password_hash=None)
    time.advance(minutes=16)
    late = await change(client, None)
    assert (late.status_code, late.json()["error"]["code"]) == (403, "reauthentication_required")
    time.advance(minutes=-16)
    assert (await change(client, None)).status_code == 200
    assert (await client.get("/api/auth/user")).json()["hasPassword"] is True


async def test_sessions_are_listed_and_can_be_ended(site: Site) -> None:
    client = await site.register()
    phone = await site.new_client(**{"user-agent": "Phone/1.0"})
    await sign_in(phone, ADA)
    listed = (await client.get("/api/account/sessions")).json()
    assert [(entry["current"], entry["userAgent"] == "Phone/1.0") for entry in listed] == [(False, True), (True, False)]
    assert (await client.delete(f"/api/account/sessions/{listed[0]['id']}")).status_code == 204
    assert (await phone.get("/api/auth/user")).status_code == 401
    assert (await client.get("/api/auth/user")).status_code == 200


async def test_somebody_elses_session_is_not_there(site: Site) -> None:
    ada = await site.register()
    bob = await site.register("bob@example.com")
    (hers,) = (await ada.get("/api/account/sessions")).json()
    for session_id in (hers["id"], 999_999, 2**63, "x"):
        assert (await bob.delete(f"/api/account/sessions/{session_id}")).status_code == 404
    assert (await ada.get("/api/auth/user")).status_code == 200


async def test_only_administrators_read_the_audit_trail_page_by_page(site: Site) -> None:
    user = await site.register()
    admin = await site.admin()
    stranger = await site.new_client()
    assert (await stranger.get("/api/admin/audit")).status_code == 401
    assert (await user.get("/api/admin/audit")).status_code == 403
    first = await admin.get("/api/admin/audit", params={"limit": 2})
    assert [(entry["action"], entry["actorEmail"]) for entry in first.json()] == [
        ("access.refused", ADA),
        ("user.sign_in", "root@example.com"),
    ]
    following = first.headers["link"].split(">")[0].removeprefix("<")
    rest = (await admin.get(following)).json()
    assert [entry["action"] for entry in rest] == ["admin.create", "user.register"]
    registered = await admin.get("/api/admin/audit", params={"action": "user.register"})
    assert [entry["actorEmail"] for entry in registered.json()] == [ADA]
    assert (await admin.get("/api/admin/audit", params={"actorId": 999})).json() == []
    for odd in ({"actorId": 2**63}, {"actorId": "x"}, {"cursor": "x"}, {"limit": 101}, {"limit": "-1"}):
        assert (await admin.get("/api/admin/audit", params=odd)).status_code == 422
    assert (await admin.delete("/api/admin/audit")).status_code == 405


async def test_letters_to_one_new_address_are_limited_whoever_asks_for_them(site: Site) -> None:
    statuses = []
    for name in ("bob", "eve"):
        client = await site.register(f"{name}@example.com")
        for _ in range(4):
            body = {"email": "victim@example.com", "currentPassword": GOOD_PASSWORD}
            statuses.append((await client.post("/api/account/email", json=body)).status_code)
    assert statuses == [202] * 5 + [429] * 3
