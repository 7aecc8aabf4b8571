"""The last administrator under concurrent changes, and the cost of a list of users."""

import asyncio

import httpx
import pytest
from sqlalchemy import func, insert, select

from kernel.accounts.admin.user_filter import UserFilter
from kernel.accounts.admin.users_service import UserAdminService
from kernel.accounts.auth.sessions import Peer
from kernel.accounts.models import User
from kernel.accounts.profile.deletion import AccountDeletionService
from kernel.accounts.schemas import PersonIn
from kernel.accounts.user_summary import PlainUserSummaries
from kernel.core import clock
from kernel.core.data.database import Database
from kernel.core.errors import Absent, Conflict
from tests.accounts.conftest import Site, sign_in
from tests.support.statements import statements

pytestmark = pytest.mark.anyio

ROOT = "root@example.com"
PEER = Peer(ip="127.0.0.1", user_agent="", token=None, device=None, language=None, spoken="en")


async def users(client: httpx.AsyncClient) -> dict[str, int]:
    return {user["email"]: user["id"] for user in (await client.get("/api/admin/users")).json()}


async def test_the_last_administrator_can_be_neither_demoted_nor_deleted(site: Site) -> None:
    root = await site.admin(ROOT)
    own = (await users(root))[ROOT]
    for answer in (
        await root.patch(f"/api/admin/users/{own}", json={"isAdmin": False}),
        await root.delete(f"/api/admin/users/by-email/{ROOT}"),
    ):
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (409, "last_admin")
        assert error["message"] == "The last administrator cannot be removed."
    assert (await root.get("/api/admin/probe")).status_code == 200
    await site.admin("other@example.com")
    assert (await root.patch(f"/api/admin/users/{own}", json={"isAdmin": False})).status_code == 200
    assert (await root.get("/api/admin/probe")).status_code == 403


async def test_rights_end_in_the_sessions_that_run(site: Site) -> None:
    root, second = await site.admin(ROOT), await site.admin("second@example.com")
    phone = await site.new_client()
    await sign_in(phone, "second@example.com")
    ids = await users(root)
    await root.patch(f"/api/admin/users/{ids['second@example.com']}", json={"isAdmin": False})
    for device in (second, phone):
        assert (await device.get("/api/admin/probe")).status_code == 403
        assert (await device.get("/api/auth/user")).json()["isAdmin"] is False


async def test_whoever_is_deleted_gets_a_last_letter(site: Site) -> None:
    root = await site.admin(ROOT)
    ada = await site.register()
    await site.letters()
    answer = await root.delete("/api/admin/users/by-email/ada@example.com")
    assert answer.json() == {"deletedUser": {"email": "ada@example.com"}}
    (letter,) = await site.letters()
    assert (letter.to, letter.subject) == ("ada@example.com", "Your account was deleted")
    assert (await ada.get("/api/auth/user")).status_code == 401
    assert list(await users(root)) == [ROOT]


async def people(database: Database, count: int, *, admins: bool = False) -> list[int]:
    rows = [
        {
            "email": f"{number}@example.com",
            "email_norm": f"{number}@example.com",
            "email_verified": True,
            "is_admin": admins,
            "disabled": False,
            "created_at": clock.now(),
        }
        for number in range(count)
    ]
    async with database.write() as session:
        await session.execute(insert(User), rows)
        return list((await session.execute(select(User.id).order_by(User.id))).scalars())


async def admins_left(database: Database) -> int:
    async with database.read() as connection:
        return int((await connection.execute(select(func.count()).where(User.is_admin))).scalar_one())


@pytest.mark.parametrize("way", ["demoted", "deleted", "either"])
async def test_one_administrator_is_left_when_all_remove_each_other_at_once(database: Database, way: str) -> None:
    ids = await people(database, 6, admins=True)
    service, leaving = UserAdminService(database, PlainUserSummaries()), AccountDeletionService(database, None)  # type: ignore[arg-type]

    def removal(place: int) -> object:
        victim = (place + 1) % len(ids)
        if way == "deleted" or (way == "either" and place % 2):
            return leaving.delete_by_email(ids[place], f"{victim}@example.com", PEER)
        return service.change(ids[place], ids[victim], PersonIn(is_admin=False), PEER)

    ends = await asyncio.gather(*(removal(place) for place in range(len(ids))), return_exceptions=True)  # type: ignore[call-overload]
    assert await admins_left(database) == 1
    assert [type(end) for end in ends if end is not None and isinstance(end, Exception)] == [Conflict]


async def test_an_account_is_deleted_once_whoever_asks(database: Database) -> None:
    await people(database, 2)
    leaving = AccountDeletionService(database, None)  # type: ignore[arg-type]
    asked = (leaving.delete_by_email(1, "0@example.com", PEER) for _ in range(5))
    ends = await asyncio.gather(*asked, return_exceptions=True)
    assert sorted(type(end).__name__ for end in ends) == ["Absent"] * 4 + ["DeletedAccount"]
    with pytest.raises(Absent):
        await leaving.delete_by_email(1, "0@example.com", PEER)


async def test_a_hundred_users_take_as_many_statements_as_one(database: Database) -> None:
    await people(database, 120)
    service = UserAdminService(database, PlainUserSummaries())
    with statements() as one:
        assert len(await service.page(UserFilter(limit=1))) == 1
    with statements() as hundred:
        assert len(await service.page(UserFilter(limit=100))) == 100
    assert len(one) == len(hundred) == 1
    with statements() as searched:
        assert len(await service.page(UserFilter(limit=100, search="EXAMPLE"))) == 100
    assert len(searched) <= 3, "with a look into the index"


async def test_a_suspended_user_is_out_at_once_and_stays_out_until_reinstated(site: Site) -> None:
    root, ada = await site.admin(ROOT), await site.register()
    await site.letters()
    stranger = await site.new_client()
    await stranger.post("/api/auth/forgot", json={"email": "ada@example.com"})
    token = await site.link()
    path = f"/api/admin/users/{(await users(root))['ada@example.com']}"
    answer = await root.patch(path, json={"disabled": True})
    assert (answer.status_code, answer.json()["disabled"]) == (200, True)
    assert (await ada.get("/api/auth/user")).status_code == 401
    assert await site.rows('SELECT 1 FROM session s JOIN "user" u ON u.id = s.user_id WHERE u.disabled') == []
    link = await stranger.post("/api/auth/reset", json={"token": token, "password": "marble otter 17 spoons"})
    assert (link.status_code, link.json()["error"]["code"]) == (403, "link_expired")
    await stranger.post("/api/auth/forgot", json={"email": "ada@example.com"})
    assert await site.letters() == []
    refused = await sign_in(stranger, "ada@example.com")
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "account_disabled")
    assert (await sign_in(stranger, "ada@example.com", "wrong")).status_code == 401
    assert (await root.patch(path, json={"disabled": False})).json()["disabled"] is False
    assert (await ada.get("/api/auth/user")).status_code == 401, "the old session has ended"
    assert (await sign_in(stranger, "ada@example.com")).status_code == 200
    trail = await site.rows("SELECT keys FROM audit WHERE action = 'user.change' ORDER BY id")
    assert ["disabled" in str(row["keys"]) for row in trail] == [True, True]


async def test_the_last_administrator_cannot_be_suspended(site: Site) -> None:
    root = await site.admin(ROOT)
    answer = await root.patch(f"/api/admin/users/{(await users(root))[ROOT]}", json={"disabled": True})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "last_admin")


async def test_an_administrator_ends_all_sessions_of_a_user_and_all_but_one_of_their_own(site: Site) -> None:
    root, ada, phone = await site.admin(ROOT), await site.register(), await site.new_client()
    await sign_in(phone, ROOT)
    ids = await users(root)
    for address in (ROOT, "ada@example.com"):
        assert (await root.delete(f"/api/admin/users/{ids[address]}/sessions")).status_code == 204
    assert (await ada.get("/api/auth/user")).status_code == 401
    assert (await phone.get("/api/auth/user")).status_code == 401
    assert (await root.get("/api/auth/user")).status_code == 200
    assert (await sign_in(ada, "ada@example.com")).status_code == 200
    assert (await root.delete("/api/admin/users/999999/sessions")).status_code == 404
    assert len(await site.rows("SELECT 1 FROM audit WHERE action = 'user.end_sessions'")) == 2
