"""What administrators need, what they can do for others, and the way back from the shell."""

import io
import json
import zipfile

import httpx
import pytest
from sqlalchemy import text

from kernel.accounts.admin.admins import create_admin, remove_second_factors
from kernel.accounts.invariants import INVARIANTS
from kernel.accounts.second_factor.policy import switch_off
from tests.accounts.conftest import GOOD_PASSWORD, Clock, Site, sign_in
from tests.accounts.second_factor.conftest import ADA, OWN, ROOT, add_app, add_passkey, audited, error

pytestmark = pytest.mark.anyio

POLICY = "/api/admin/sign-in-policy"
OFF = {"adminsNeedSecondFactor": False, "adminsOnlyIssuer": False, "emailLinks": False}


async def needed(root: httpx.AsyncClient, on: bool) -> httpx.Response:
    return await root.put(POLICY, json={"adminsNeedSecondFactor": on})


async def id_of(site: Site, email: str) -> int:
    (row,) = await site.rows('SELECT id FROM "user" WHERE email = :email', email=email)
    return int(row["id"])


async def test_only_one_who_has_a_second_factor_can_ask_it_of_all(site: Site) -> None:
    root = await site.admin()
    assert (await root.get(POLICY)).json() == OFF
    assert error(await needed(root, True)) == (409, "no_second_factor")
    assert (await needed(root, False)).status_code == 200
    await add_app(root)
    assert (await needed(root, True)).json() == {**OFF, "adminsNeedSecondFactor": True}
    assert (await root.get(POLICY)).json() == {**OFF, "adminsNeedSecondFactor": True}
    assert await audited(site, "sign_in_policy.change") == ["ok", "ok"]


async def test_who_has_none_can_use_the_site_but_not_administer_it(site: Site) -> None:
    root, second = await site.admin(), await site.admin("second@example.com")
    await add_app(root)
    assert (await second.get("/api/admin/probe")).status_code == 200
    await needed(root, True)
    for answer in (await second.get("/api/admin/probe"), await needed(second, False)):
        assert error(answer) == (403, "second_factor_missing")
    assert error(await second.get("/api/admin/users")) == (403, "second_factor_missing")
    assert (await second.post("/api/probe")).status_code == 200
    me = (await second.get("/api/auth/user")).json()
    assert (me["isAdmin"], me["hasSecondFactor"], me["lacksRequiredFactor"]) == (True, False, True)
    await add_app(second)
    assert (await second.get("/api/admin/probe")).status_code == 200
    assert (await second.get("/api/auth/user")).json()["lacksRequiredFactor"] is False
    assert (await root.get("/api/admin/probe")).status_code == 200


async def test_others_are_refused_as_before(site: Site) -> None:
    root, ada = await site.admin(), await site.register()
    await add_app(root)
    await needed(root, True)
    assert error(await ada.get("/api/admin/probe")) == (403, "forbidden")
    assert (await ada.get("/api/auth/user")).json()["lacksRequiredFactor"] is False


async def test_what_is_refused_is_not_in_the_trail_as_read(site: Site) -> None:
    root, second = await site.admin(), await site.admin("second@example.com")
    await add_app(root)
    await needed(root, True)
    await second.get("/api/admin/users")
    assert await audited(site, "user.list") == []
    await root.get("/api/admin/users")
    assert await audited(site, "user.list") == ["ok"]


async def test_setting_it_needs_a_recent_sign_in(site: Site, time: Clock) -> None:
    root = await site.admin()
    time.advance(minutes=16)
    assert error(await needed(root, False)) == (403, "reauthentication_required")


async def test_the_shell_switches_it_off(site: Site) -> None:
    root, second = await site.admin(), await site.admin("second@example.com")
    await add_app(root)
    await needed(root, True)
    await switch_off(site.database, "admins_need_second_factor")
    assert (await second.get("/api/admin/probe")).status_code == 200
    assert await audited(site, "sign_in_policy.change") == ["ok", "ok"]


async def test_the_shell_removes_the_second_factors_of_one_person(site: Site) -> None:
    await add_app(await site.register())
    await add_passkey(await site.register("ben@example.com"))
    await site.letters()
    await remove_second_factors(site.database, ADA)
    assert (await sign_in(await site.new_client(), ADA)).json()["email"] == ADA
    assert "secondStep" in (await sign_in(await site.new_client(), "ben@example.com")).json()
    assert "A second factor was removed" in [letter.subject for letter in await site.letters()]
    assert await audited(site, "user.remove_second_factors") == ["ok"]


async def test_an_administrator_removes_them_for_somebody(site: Site, time: Clock) -> None:
    root, ada = await site.admin(), await site.register()
    await add_app(ada)
    await site.letters()
    path = f"/api/admin/users/{await id_of(site, ADA)}/second-factor"
    shown = {person["email"]: person["hasSecondFactor"] for person in (await root.get("/api/admin/users")).json()}
    assert shown == {ADA: True, ROOT: False}
    assert (await root.delete(path)).status_code == 204
    assert (await root.delete(path)).status_code == 204
    assert [letter.to for letter in await site.letters()] == [ADA]
    assert await audited(site, "user.remove_second_factors") == ["ok"]
    assert (await ada.get(OWN)).json()["app"] is None
    assert (await root.delete("/api/admin/users/999999/second-factor")).status_code == 404
    time.advance(minutes=16)
    assert error(await root.delete(path)) == (403, "reauthentication_required")


async def test_taking_an_account_over_takes_its_second_factors_away(site: Site) -> None:
    await add_app(await site.register(ROOT))
    await create_admin(site.database, site.registry, ROOT, GOOD_PASSWORD)
    assert (await sign_in(await site.new_client(), ROOT)).json()["isAdmin"] is True


async def test_an_export_says_when_and_never_how(site: Site) -> None:
    ada = await site.register()
    app, codes = await add_app(ada)
    await add_passkey(ada, name="Laptop")
    archive = zipfile.ZipFile(io.BytesIO((await ada.get("/api/account/export")).content))
    factors = json.loads(archive.read("profile.json"))["second_factors"]
    assert [passkey["name"] for passkey in factors["passkeys"]] == ["Laptop"]
    assert len(factors["authenticator_app"]) == 1 and len(factors["recovery_codes"]) == 10
    (row,) = await site.rows("SELECT sealed, public_key FROM totp, passkey")
    everything = json.dumps(factors)
    assert not any(secret in everything for secret in (*codes, app._codes.secret, row["sealed"], row["public_key"]))


async def test_a_deleted_account_keeps_none(site: Site) -> None:
    ada = await site.register()
    await add_app(ada)
    await add_passkey(ada)
    await ada.post(f"{OWN}/passkeys/options")
    body = {"confirm": ADA, "currentPassword": GOOD_PASSWORD}
    assert (await ada.request("DELETE", "/api/account", json=body)).status_code == 204
    for table in ("totp", "passkey", "recovery_code", "held_sign_in", "passkey_challenge"):
        assert await site.rows(f"SELECT id FROM {table}") == [], table


async def broken(site: Site) -> list[str]:
    """Return the promises of accounts that the stored data breaks."""
    async with site.database.read() as connection:
        return [promise for promise, check in INVARIANTS.items() if await check(connection)]


async def test_the_doctor_notices_what_does_not_belong_together(site: Site) -> None:
    ada = await site.register()
    await add_app(ada)
    assert await broken(site) == []
    async with site.database.write() as session:
        await session.execute(text("DELETE FROM recovery_code"))
    assert await broken(site) == ["recovery codes belong to a second factor, and each one has them"]
    async with site.database.write() as session:
        marked = "UPDATE \"user\" SET leaving_at = created_at, disabled = :yes, email = '', password_hash = NULL"
        await session.execute(text(marked), {"yes": True})
    assert "a deleted account keeps no second factor" in await broken(site)
