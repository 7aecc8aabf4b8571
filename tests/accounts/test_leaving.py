"""The end of an account, and taking one's data along."""

import io
import json
import zipfile

import httpx
import pytest

from kernel.accounts.belongings import Belongings, OwnData
from kernel.accounts.leaving import Leaver
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


async def test_a_slip_keeps_the_account(site: Site) -> None:
    ada = await site.register()
    answer = await leave(ada, confirm="bob@example.com", currentPassword="not it")
    assert (answer.status_code, set(answer.json()["error"]["fields"])) == (422, {"confirm", "currentPassword"})
    assert (await ada.get("/api/auth/user")).status_code == 200


async def test_somebody_without_a_password_must_have_signed_in_lately(site: Site, time: Clock) -> None:
    ada = await site.register()
    await site.change_user(ADA, password_hash=None)
    time.advance(minutes=16)
    answer = await ada.request("DELETE", "/api/account", json={"confirm": ADA})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "reauth_required")
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
    await Leaver(site.database, Belongings(OwnData(site.database))).remove_all()
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
