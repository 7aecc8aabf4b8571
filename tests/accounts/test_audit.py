"""The audit trail."""

import httpx
import msgspec
import pytest

from kernel.accounts.admin.audit_service import AuditService
from kernel.accounts.admin.setup import prepare_setup
from tests.accounts.conftest import GOOD_PASSWORD, Clock, Site, sign_in

pytestmark = pytest.mark.anyio

ADA = "ada@example.com"


async def trail(site: Site) -> list[tuple[str, str, bool, str]]:
    rows = await site.rows("SELECT action, outcome, actor_id, object, ip FROM audit ORDER BY id")
    return [(row["action"], row["outcome"], row["actor_id"] is not None, row["ip"]) for row in rows]


async def test_coming_and_going_is_kept(site: Site) -> None:
    client = await site.register()
    await client.post("/api/auth/sign-out")
    await sign_in(client, ADA, "wrong")
    await sign_in(client, "bob@example.com", "wrong")
    await sign_in(client, ADA)
    assert await trail(site) == [
        ("user.register", "ok", True, "127.0.0.1"),
        ("user.sign_out", "ok", True, "127.0.0.1"),
        ("user.sign_in", "wrong_credentials", False, "127.0.0.1"),
        ("user.sign_in", "wrong_credentials", False, "127.0.0.1"),
        ("user.sign_in", "ok", True, "127.0.0.1"),
    ]


async def test_the_claim_of_the_first_administrator_is_kept(site: Site, client: httpx.AsyncClient) -> None:
    link = await prepare_setup(site.database, site.config, site.registry, env={})
    assert link is not None
    for token in ("x" * 43, link.partition("token=")[2]):
        await client.post("/api/setup", json={"token": token, "email": "root@example.com", "password": GOOD_PASSWORD})
    assert [row[:3] for row in await trail(site)] == [("admin.setup", "refused", False), ("admin.setup", "ok", True)]


async def test_the_audit_log_keeps_no_typed_values(site: Site) -> None:
    await site.register()
    await sign_in(await site.new_client(), "my secret in the wrong field", "a secret in the right field")
    assert "secret" not in str(await site.rows("SELECT * FROM audit"))
    assert ADA not in str(await site.rows("SELECT * FROM audit"))


async def test_a_refused_registration_leaves_no_trace(site: Site) -> None:
    await site.register()
    stranger = await site.new_client()
    answer = await stranger.post("/api/auth/register", json={"email": ADA, "password": GOOD_PASSWORD})
    assert answer.status_code == 409
    assert len(await trail(site)) == 1


async def accesses(site: Site) -> list[tuple[str, str, str]]:
    query = "SELECT action, outcome, object FROM audit WHERE action IN ('user.list', 'access.refused')"
    rows = await site.rows(f"{query} ORDER BY id")
    return [(row["action"], row["outcome"], row["object"]) for row in rows]


async def test_reading_personal_data_of_others_is_kept_and_once_in_a_while_for_the_same(
    site: Site, time: Clock
) -> None:
    root = await site.admin()
    for search in ("ada", "bob"):
        assert (await root.get(f"/api/admin/users?search={search}")).status_code == 200
    assert await accesses(site) == [("user.list", "ok", "users")]
    time.advance(minutes=10)
    await root.get("/api/admin/users")
    assert len(await accesses(site)) == 2
    assert "ada" not in str(await site.rows("SELECT * FROM audit WHERE action = 'user.list'"))


async def test_who_is_refused_at_an_administrators_address_is_kept_and_a_flood_fills_nothing(site: Site) -> None:
    ada = await site.register()
    for number in range(30):
        assert (await ada.get("/api/admin/users")).status_code == 403
        assert (await ada.patch(f"/api/admin/users/{number + 1}", json={"isAdmin": True})).status_code == 403
    assert await accesses(site) == [
        ("access.refused", "forbidden", "GET /api/admin/users"),
        ("access.refused", "forbidden", "PATCH /api/admin/users/{user_id}"),
    ]
    (row,) = await site.rows("SELECT DISTINCT actor_id, ip FROM audit WHERE action = 'access.refused'")
    assert row["actor_id"] is not None and row["ip"] == "127.0.0.1"
    assert (await (await site.new_client()).get("/api/admin/users")).status_code == 401
    assert len(await accesses(site)) == 2


async def test_entries_are_deleted_when_their_time_is_over(site: Site, time: Clock) -> None:
    await site.register()
    time.advance(days=40)
    client = await site.new_client()
    await sign_in(client, ADA)
    kept = AuditService(msgspec.structs.replace(site.config.accounts, audit_days=0), site.database, {})
    assert await kept.clean() is False
    assert len(await trail(site)) == 2
    month = AuditService(msgspec.structs.replace(site.config.accounts, audit_days=30), site.database, {})
    assert await month.clean() is False
    assert [row[0] for row in await trail(site)] == ["user.sign_in"]
