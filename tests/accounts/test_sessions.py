"""Sessions: how long they last, what ends them, how many statements they need."""

import asyncio

import httpx
import pytest

from kernel.accounts.admin.admins import promote, reset_password
from tests.accounts.conftest import Clock, OpenSite, Site, cookie, sign_in
from tests.support.statements import statements

pytestmark = pytest.mark.anyio

ADA = "ada@example.com"


async def status(client: httpx.AsyncClient) -> int:
    return (await client.get("/api/auth/user")).status_code


@pytest.mark.parametrize(
    "method,path", [("POST", "/api/auth/sign-out"), ("POST", "/api/logout"), ("GET", "/api/logout")]
)
async def test_after_signing_out_the_token_is_worth_nothing(site: Site, method: str, path: str) -> None:
    client = await site.register()
    token = cookie(client)
    answer = await client.request(method, path)
    assert answer.status_code in (204, 303)
    assert answer.headers["clear-site-data"] == '"cache"'
    assert "coverwright" not in client.cookies
    replay = await site.new_client(cookie=f"coverwright={token}")
    assert await status(replay) == 401


async def test_signing_out_twice_is_fine(client: httpx.AsyncClient) -> None:
    assert (await client.post("/api/auth/sign-out")).status_code == 204


async def test_a_request_in_flight_does_not_bring_a_session_back(site: Site, time: Clock) -> None:
    client = await site.register()
    token = cookie(client)
    time.advance(minutes=5)
    in_flight = asyncio.create_task(client.get("/api/slow"))
    await site.gate.entered.wait()
    assert (await client.post("/api/auth/sign-out")).status_code == 204
    site.gate.leave.set()
    assert (await in_flight).status_code == 200
    replay = await site.new_client(cookie=f"coverwright={token}")
    assert await status(replay) == 401
    assert await site.rows("SELECT id FROM session") == []


async def test_a_session_ends_when_it_is_idle_for_too_long(site: Site, time: Clock) -> None:
    client = await site.register()
    time.advance(days=13, hours=23)
    assert await status(client) == 200
    time.advance(days=13, hours=23)
    assert await status(client) == 200
    time.advance(days=14, seconds=1)
    assert await status(client) == 401


async def test_a_session_ends_however_much_it_is_used(site: Site, time: Clock) -> None:
    client = await site.register()
    for _ in range(29):
        time.advance(days=1)
        assert await status(client) == 200
    time.advance(days=1, seconds=1)
    assert await status(client) == 401


async def test_sessions_of_administrators_are_shorter(site: Site, time: Clock) -> None:
    idle = await site.admin()
    time.advance(hours=8, seconds=1)
    assert await status(idle) == 401
    used = await site.new_client()
    await sign_in(used, "root@example.com")
    for _ in range(3):
        time.advance(hours=7, minutes=50)
        assert await status(used) == 200
    time.advance(minutes=31)
    assert await status(used) == 401


async def test_a_promotion_shortens_the_running_session(site: Site, time: Clock) -> None:
    client = await site.register()
    time.advance(hours=9)
    await promote(site.database, ADA)
    assert await status(client) == 401


async def test_a_disabled_user_is_signed_out_at_once(site: Site) -> None:
    client = await site.register()
    await site.change_user(ADA, disabled=True)
    assert await status(client) == 401


async def test_a_deleted_user_is_signed_out_at_once(site: Site) -> None:
    client = await site.register()
    async with site.database.write() as session:
        await (await session.connection()).exec_driver_sql('DELETE FROM "user"')
    assert await status(client) == 401


async def test_rights_follow_the_role_of_the_moment(site: Site) -> None:
    admin = await site.admin()
    assert (await admin.get("/api/admin/probe")).status_code == 200
    await site.change_user("root@example.com", is_admin=False)
    assert (await admin.get("/api/admin/probe")).status_code == 403
    stranger = await site.new_client()
    assert (await stranger.get("/api/admin/probe")).status_code == 401


async def test_a_new_password_from_the_command_line_ends_all_sessions(site: Site) -> None:
    client = await site.register()
    await reset_password(site.database, site.registry, ADA, "marble otter 17 spoons")
    assert await status(client) == 401
    assert (await sign_in(await site.new_client(), ADA, "marble otter 17 spoons")).status_code == 200


async def test_being_seen_is_noted_at_most_once_a_minute(site: Site, time: Clock) -> None:
    client = await site.register()
    time.advance(seconds=50)
    with statements() as soon:
        await status(client)
    assert not [text for text in soon if text.startswith("UPDATE")]
    time.advance(seconds=11)
    with statements() as later:
        await status(client)
        await status(client)
    updates = [text for text in later if text.startswith("UPDATE session")]
    assert len(updates) == 1


async def test_a_request_costs_one_query(site: Site) -> None:
    client = await site.register()
    with statements() as made:
        assert await status(client) == 200
    assert len(made) == 1


async def test_without_a_cookie_or_outside_the_api_there_is_no_query(site: Site) -> None:
    client = await site.register()
    stranger = await site.new_client()
    malformed = await site.new_client(cookie="coverwright=%00%ff; coverwright=short")
    with statements() as made:
        assert await status(stranger) == 401
        assert await status(malformed) == 401
        assert (await client.get("/page")).status_code == 200
    assert made == []


async def test_the_cookie_on_http_is_plain_and_hidden_from_scripts(site: Site) -> None:
    await site.register()
    answer = await sign_in(await site.new_client(), ADA)
    headers = answer.headers.get_list("set-cookie")
    assert len(headers) == 2
    for line in headers:
        name, attributes = line.split("=", 1)[0], {part.strip().lower() for part in line.split(";")[1:]}
        assert name in ("coverwright", "coverwright-device")
        assert {"httponly", "path=/", "samesite=lax"} <= attributes
        assert "secure" not in attributes
        assert not [part for part in attributes if part.startswith("domain")]


async def test_the_cookie_on_https_is_bound_to_the_host(open_site: OpenSite) -> None:
    site = await open_site(public_url="https://covers.example")
    client = await site.register()
    answer = await sign_in(client, ADA)
    for line in answer.headers.get_list("set-cookie"):
        assert line.startswith("__Host-coverwright")
        attributes = {part.strip().lower() for part in line.split(";")[1:]}
        assert {"secure", "httponly", "path=/", "samesite=lax"} <= attributes
    assert await status(client) == 200
    plain = await site.new_client(cookie=f"coverwright={cookie(client)}")
    assert await status(plain) == 401


async def test_outlived_sessions_are_swept_at_the_next_sign_in(site: Site, time: Clock) -> None:
    await site.register()
    time.advance(days=31)
    await sign_in(await site.new_client(), ADA)
    assert len(await site.rows("SELECT id FROM session")) == 1
