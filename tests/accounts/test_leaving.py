"""Deleting an account, and exporting its data."""

import io
import json
import zipfile
from collections.abc import AsyncIterator

import httpx
import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.owned_data import AccountData, AllOwnedData, ExportFile, json_file
from kernel.accounts.profile.deletion import AccountDeletionWorker
from kernel.accounts.profile.export import exported
from kernel.core.errors import SignedOut
from kernel.covers.schemas import GenerateCoverIn
from kernel.runtime import open_runtime
from kernel.themes.schemas import ThemeIn
from kernel.themes.service import ThemeService
from tests.accounts.conftest import GOOD_PASSWORD, Clock, Site, sign_in

pytestmark = pytest.mark.anyio

ADA = "ada@example.com"


async def leave(client: httpx.AsyncClient, **body: str) -> httpx.Response:
    given = {"confirm": ADA, "currentPassword": GOOD_PASSWORD} | body
    return await client.request("DELETE", "/api/account", json=given)


async def test_a_deleted_account_is_out_at_once_and_its_address_is_free(site: Site) -> None:
    ada, phone = await site.register(), await site.new_client()
    await sign_in(phone, ADA)
    await site.letters()
    assert (await leave(ada)).status_code == 204
    assert [(await one.get("/api/auth/user")).status_code for one in (ada, phone)] == [401, 401]
    assert (await sign_in(phone, ADA)).status_code == 401
    (letter,) = await site.letters()
    assert (letter.to, letter.subject) == (ADA, "Your account was deleted")
    again = await site.register()
    assert (await again.get("/api/auth/user")).status_code == 200


async def test_a_wrong_confirmation_keeps_the_account(site: Site) -> None:
    ada = await site.register()
    answer = await leave(ada, confirm="bob@example.com", currentPassword="not it")
    assert (answer.status_code, set(answer.json()["error"]["fields"])) == (422, {"confirm", "currentPassword"})
    assert (await ada.get("/api/auth/user")).status_code == 200


async def test_somebody_without_a_password_must_have_signed_in_lately(site: Site, time: Clock) -> None:
    ada = await site.register()
    await site.change_user(ADA, password_hash=None)
    time.advance(minutes=16)
    answer = await ada.request("DELETE", "/api/account", json={"confirm": ADA})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "reauthentication_required")
    time.advance(minutes=-16)
    assert (await ada.request("DELETE", "/api/account", json={"confirm": ADA})).status_code == 204


async def test_the_last_administrator_stays(site: Site) -> None:
    root = await site.admin(ADA)
    answer = await leave(root)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "last_admin")
    await site.admin("other@example.com")
    assert (await leave(root)).status_code == 204


async def test_nothing_is_left_but_a_trail_without_a_person(site: Site) -> None:
    ada = await site.register()
    await ada.patch("/api/account", json={"firstName": "Ada"})
    await leave(ada)
    (row,) = await site.rows('SELECT email, email_norm, first_name, password_hash, disabled FROM "user"')
    assert (row["email"], row["first_name"], row["password_hash"], bool(row["disabled"])) == ("", None, None, True)
    assert "@" not in row["email_norm"]
    await site.letters()
    await AccountDeletionWorker(site.database, AllOwnedData(AccountData(site.database))).remove_all()
    for table in ('"user"', "session", "account_token", "letter"):
        assert await site.rows(f"SELECT id FROM {table}") == []
    trail = await site.rows("SELECT action, ip, object, keys FROM audit ORDER BY id")
    assert [row["action"] for row in trail] == ["user.register", "user.profile", "user.delete"]
    assert {row["ip"] for row in trail} == {""}
    assert "ada" not in str(trail).lower()


async def test_an_export_is_a_zip_of_ones_own_data_only(site: Site) -> None:
    ada = await site.register()
    await site.register("bob@example.com")
    answer = await ada.get("/api/account/export")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip")
    assert answer.headers["content-disposition"].startswith('attachment; filename="export-')
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert archive.testzip() is None
    profile = json.loads(archive.read("profile.json"))
    assert profile["email"] == ADA
    assert len(json.loads(archive.read("sessions.json"))) == 1
    everything = b"".join(archive.read(name) for name in archive.namelist()).lower()
    assert not any(word in everything for word in (b"bob@", b"hash", b"token", b"argon2"))


async def test_exports_are_limited(site: Site) -> None:
    ada = await site.register()
    answers = [(await ada.get("/api/account/export")).status_code for _ in range(6)]
    assert answers == [200] * 5 + [429]


class Cellar:
    """Owned data in a place that is unreachable at first."""

    def __init__(self) -> None:
        self.locked = True
        self.full = True

    async def export(self, user_id: int) -> AsyncIterator[ExportFile]:
        yield ExportFile(name=f"cellar-{user_id}.json", chunks=json_file([]))

    async def remove(self, user_id: int) -> None:
        if self.locked and user_id == 1:
            raise OSError("locked")

    async def left(self, session: AsyncSession, user_id: int) -> bool:
        return self.full and user_id == 1


async def test_what_cannot_be_reached_keeps_its_own_account_waiting_and_no_other(site: Site) -> None:
    ada, bob = await site.register(), await site.register("bob@example.com")
    await leave(ada)
    await leave(bob, confirm="bob@example.com")
    cellar = Cellar()
    leaver = AccountDeletionWorker(site.database, AllOwnedData(AccountData(site.database), cellar))

    async def waiting() -> list[int]:
        return [row["id"] for row in await site.rows('SELECT id FROM "user" ORDER BY id')]

    assert (await leaver.remove_all(), await waiting()) == (False, [1])
    cellar.locked = False
    assert (await leaver.remove_all(), await waiting()) == (True, [1])
    cellar.full = False
    assert (await leaver.remove_all(), await waiting()) == (True, [])


async def test_an_export_has_what_every_part_of_the_product_keeps(site: Site) -> None:
    await site.register()
    parts = exported(AllOwnedData(AccountData(site.database), Cellar()), 1)
    archive = zipfile.ZipFile(io.BytesIO(b"".join([chunk async for chunk in parts])))
    assert archive.namelist() == ["profile.json", "sessions.json", "cellar-1.json"]


async def test_what_was_asked_for_in_the_last_moment_is_not_begun(site: Site) -> None:
    await leave(await site.register())  # a request of the same user was let in just before
    cover, theme = GenerateCoverIn(prompt="a lighthouse"), ThemeIn(name="Sea", style_prompt="calm", colors=("#112233",))
    async with open_runtime(site.config) as runtime:
        for _ in ("marked", "gone"):
            with pytest.raises(SignedOut):
                await runtime.covers.submission.submit(1, cover, is_pro=False, key=None, language="en")
            with pytest.raises(SignedOut):
                async with site.database.write() as session:
                    await ThemeService().create(session, 1, theme)
            await AccountDeletionWorker(site.database, AllOwnedData(AccountData(site.database))).remove_all()
    assert await site.rows('SELECT id FROM "user"') == []
