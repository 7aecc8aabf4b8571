"""The first administrator."""

import asyncio
import stat
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from kernel.accounts.admin.admins import create_admin, promote, reset_password
from kernel.accounts.admin.setup import prepare_setup
from kernel.accounts.last_admin import ensure_not_last_admin
from kernel.core.config import ConfigError
from kernel.core.errors import Absent, Conflict, InvalidFields
from tests.accounts.conftest import GOOD_PASSWORD, Clock, OpenSite, Site, sign_in

pytestmark = pytest.mark.anyio

ROOT = "root@example.com"


async def prepared(site: Site) -> str:
    link = await prepare_setup(site.database, site.config, site.registry, env={})
    assert link is not None
    return urlsplit(link).fragment.removeprefix("token=")


async def claim(
    client: httpx.AsyncClient, token: str, email: str = ROOT, password: str = GOOD_PASSWORD
) -> httpx.Response:
    return await client.post("/api/setup", json={"token": token, "email": email, "password": password})


async def test_the_link_makes_an_administrator_and_signs_them_in(site: Site, client: httpx.AsyncClient) -> None:
    link = await prepare_setup(site.database, site.config, site.registry, env={})
    assert link is not None and link.startswith("http://localhost:8000/setup#token=")
    answer = await claim(client, urlsplit(link).fragment.removeprefix("token="))
    assert answer.status_code == 200
    assert answer.json()["isAdmin"] is True
    assert (await client.get("/api/admin/probe")).status_code == 200


async def test_the_token_waits_in_a_private_file_and_only_there(site: Site, client: httpx.AsyncClient) -> None:
    token = await prepared(site)
    path = site.config.data_dir / "setup-token"
    assert path.read_text().strip() == token
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert token not in str(await site.rows("SELECT * FROM setup_state"))
    await claim(client, token)
    assert not path.exists()


async def test_the_first_to_register_is_no_administrator(site: Site) -> None:
    client = await site.register()
    assert (await client.get("/api/auth/user")).json()["isAdmin"] is False


async def test_wrong_used_and_expired_tokens_are_refused_alike(site: Site, time: Clock) -> None:
    token = await prepared(site)
    time.advance(hours=24, seconds=1)
    expired = await claim(await site.new_client(), token)
    token = await prepared(site)
    wrong = await claim(await site.new_client(), "x" * 43)
    empty = await claim(await site.new_client(), "")
    assert (await claim(await site.new_client(), token)).status_code == 200
    used = await claim(await site.new_client(), token, "second@example.com")
    for answer in (expired, wrong, empty, used):
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers
        error = answer.json()["error"]
        assert {**error, "requestId": ""} == {**wrong.json()["error"], "requestId": ""}
    assert len(await site.rows('SELECT id FROM "user" WHERE is_admin')) == 1


async def test_thirty_claims_at_the_same_time_make_one_administrator(site: Site) -> None:
    token = await prepared(site)
    clients = [await site.new_client(ip=f"192.0.2.{number}") for number in range(30)]
    answers = await asyncio.gather(
        *[claim(client, token, f"admin{number}@example.com") for number, client in enumerate(clients)]
    )
    assert Counter(answer.status_code for answer in answers) == {200: 1, 403: 29}
    assert len(await site.rows('SELECT id FROM "user"')) == 1


async def test_guessing_the_token_is_throttled(site: Site, client: httpx.AsyncClient) -> None:
    await prepared(site)
    answers = [await claim(client, f"{number:043}") for number in range(32)]
    assert [answer.status_code for answer in answers] == [403] * 30 + [429] * 2


async def test_a_poor_password_does_not_use_the_token_up(site: Site, client: httpx.AsyncClient) -> None:
    token = await prepared(site)
    answer = await claim(client, token, "root@", "password123")
    assert answer.status_code == 422
    assert set(answer.json()["error"]["fields"]) == {"email", "password"}
    assert (await claim(client, token)).status_code == 200


async def test_a_visitor_learns_nothing_about_fields(site: Site, client: httpx.AsyncClient) -> None:
    await prepared(site)
    assert (await claim(client, "x" * 43, "root@", "short")).status_code == 403


async def test_a_used_token_stays_used_when_the_administrator_is_gone(site: Site, client: httpx.AsyncClient) -> None:
    token = await prepared(site)
    await claim(client, token)
    await site.change_user(ROOT, is_admin=False)
    assert (await claim(await site.new_client(), token, "other@example.com")).status_code == 403


async def test_each_start_makes_a_new_token(site: Site) -> None:
    first, second = await prepared(site), await prepared(site)
    assert (await claim(await site.new_client(), first)).status_code == 403
    assert (await claim(await site.new_client(), second)).status_code == 200


async def test_an_administrator_made_elsewhere_closes_the_link(site: Site, client: httpx.AsyncClient) -> None:
    token = await prepared(site)
    await create_admin(site.database, site.registry, ROOT, GOOD_PASSWORD)
    assert (await claim(client, token, "other@example.com")).status_code == 403
    assert await prepare_setup(site.database, site.config, site.registry, env={}) is None
    assert not (site.config.data_dir / "setup-token").exists()


async def test_whoever_took_the_operators_address_loses_it(site: Site, client: httpx.AsyncClient) -> None:
    squatter = await site.register(ROOT, "squatter sits 42 here")
    assert (await claim(client, await prepared(site))).status_code == 200
    assert (await squatter.get("/api/auth/user")).status_code == 401
    assert (await sign_in(await site.new_client(), ROOT, "squatter sits 42 here")).status_code == 401


async def test_the_environment_makes_the_administrator_once(site: Site, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text(GOOD_PASSWORD + "\n")
    env = {"COVERWRIGHT_ADMIN_EMAIL": ROOT, "COVERWRIGHT_ADMIN_PASSWORD_FILE": str(secret)}
    for _ in range(2):
        assert await prepare_setup(site.database, site.config, site.registry, env=env) is None
    assert (await sign_in(await site.new_client(), ROOT)).json()["isAdmin"] is True
    await reset_password(site.database, site.registry, ROOT, "marble otter 17 spoons")
    await prepare_setup(site.database, site.config, site.registry, env=env)
    assert (await sign_in(await site.new_client(), ROOT)).status_code == 401


@pytest.mark.parametrize(
    ("env", "named"),
    [
        ({"COVERWRIGHT_ADMIN_EMAIL": ROOT}, "COVERWRIGHT_ADMIN_PASSWORD"),
        ({"COVERWRIGHT_ADMIN_PASSWORD": GOOD_PASSWORD}, "COVERWRIGHT_ADMIN_EMAIL"),
        ({"COVERWRIGHT_ADMIN_EMAIL": ROOT, "COVERWRIGHT_ADMIN_PASSWORD": "password"}, "COVERWRIGHT_ADMIN_PASSWORD"),
        ({"COVERWRIGHT_ADMIN_EMAIL": "root", "COVERWRIGHT_ADMIN_PASSWORD": GOOD_PASSWORD}, "COVERWRIGHT_ADMIN_EMAIL"),
    ],
)
async def test_a_bad_pair_of_variables_is_named(site: Site, env: dict[str, str], named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        await prepare_setup(site.database, site.config, site.registry, env=env)
    assert await site.rows('SELECT id FROM "user"') == []


async def test_an_administrator_by_password_needs_a_form(open_site: OpenSite) -> None:
    site = await open_site(toml="[routes]\nsignin = []")
    env = {"COVERWRIGHT_ADMIN_EMAIL": ROOT, "COVERWRIGHT_ADMIN_PASSWORD": GOOD_PASSWORD}
    with pytest.raises(ConfigError, match="routes"):
        await prepare_setup(site.database, site.config, site.registry, env=env)


async def test_two_launchers_at_once_leave_one_good_link(site: Site) -> None:
    tokens = await asyncio.gather(*[prepared(site) for _ in range(4)])
    codes = [(await claim(await site.new_client(), token)).status_code for token in tokens]
    assert sorted(codes) == [200, 403, 403, 403]


async def test_the_command_line_makes_and_promotes_administrators(site: Site) -> None:
    client = await site.register()
    await promote(site.database, "ADA@example.com")
    assert (await client.get("/api/auth/user")).json()["isAdmin"] is True
    with pytest.raises(Absent):
        await promote(site.database, "nobody@example.com")
    with pytest.raises(InvalidFields) as refused:
        await create_admin(site.database, site.registry, "x", "y")
    assert set(refused.value.fields) == {"email", "password"}


async def test_the_last_administrator_stays(site: Site) -> None:
    first = await create_admin(site.database, site.registry, ROOT, GOOD_PASSWORD)
    async with site.database.write() as session:
        with pytest.raises(Conflict) as refused:
            await ensure_not_last_admin(session, first)
    assert refused.value.code == "last_admin"
    second = await create_admin(site.database, site.registry, "two@example.com", GOOD_PASSWORD)
    async with site.database.write() as session:
        await ensure_not_last_admin(session, first)
    await site.change_user("two@example.com", disabled=True)
    async with site.database.write() as session:
        await ensure_not_last_admin(session, second)
        with pytest.raises(Conflict):
            await ensure_not_last_admin(session, first)


async def test_a_set_up_in_a_closed_house_is_refused(open_site: OpenSite) -> None:
    site = await open_site(toml="[routes]\nsignin = []")
    token = await prepared(site)
    assert (await claim(await site.new_client(), token)).status_code == 503
