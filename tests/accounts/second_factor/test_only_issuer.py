"""Administrators who sign in through the issuer and nowhere else."""

import httpx
import pytest

from kernel.accounts.admin.admins import promote
from kernel.accounts.invariants import INVARIANTS
from kernel.accounts.models import SignInPolicy, UserIdentity
from kernel.accounts.provider_usage import is_admin_signin
from kernel.accounts.second_factor.policy import switch_off
from tests.accounts.conftest import GOOD_PASSWORD, OpenSite, Site, sign_in
from tests.accounts.issuers import RETURN, leave, open_with, who
from tests.accounts.second_factor.conftest import ADA, add_app, audited, error, show
from tests.vendors.evil_issuer import Issuer

pytestmark = pytest.mark.anyio

POLICY = "/api/admin/sign-in-policy"
REFUSED = (403, "issuer_required")


@pytest.fixture
async def site(open_site: OpenSite, issuer: Issuer) -> Site:
    return await open_with(open_site, issuer.url)


async def through_issuer(site: Site, issuer: Issuer) -> httpx.AsyncClient:
    browser = await site.new_client()
    await browser.get(RETURN, params=issuer.visit(await leave(browser)))
    return browser


async def linked_admin(site: Site, issuer: Issuer) -> httpx.AsyncClient:
    """Return Ada, who has a password, is an administrator and has connected the issuer."""
    ada = await through_issuer(site, issuer)
    await ada.post("/api/auth/password", json={"newPassword": GOOD_PASSWORD})
    await promote(site.database, ADA)
    return ada


async def only_issuer(client: httpx.AsyncClient, on: bool = True) -> httpx.Response:
    return await client.put(POLICY, json={"adminsOnlyIssuer": on})


async def test_only_one_who_is_connected_can_ask_it_of_all(site: Site, issuer: Issuer) -> None:
    root = await site.admin()
    assert error(await only_issuer(root)) == (409, "no_issuer")
    ada = await linked_admin(site, issuer)
    expected = {"adminsNeedSecondFactor": False, "adminsOnlyIssuer": True, "emailLinks": False}
    assert (await only_issuer(ada)).json() == expected
    assert (await ada.get(POLICY)).json() == expected


async def test_administrators_sessions_that_began_with_a_password_end(site: Site, issuer: Issuer) -> None:
    root = await site.admin()
    ada = await linked_admin(site, issuer)
    ben = await site.register("ben@example.com")
    with_password, elsewhere = await site.new_client(), await through_issuer(site, issuer)
    await sign_in(with_password, ADA)
    await only_issuer(ada)
    assert [await who(browser) for browser in (root, with_password)] == [None, None]
    assert [await who(browser) for browser in (ada, elsewhere, ben)] == [ADA, ADA, "ben@example.com"]


async def test_who_asks_it_of_all_keeps_their_own_session(site: Site, issuer: Issuer) -> None:
    await linked_admin(site, issuer)
    ada = await site.new_client()
    await sign_in(ada, ADA)
    await only_issuer(ada)
    assert await who(ada) == ADA


async def test_a_connection_with_an_issuer_out_of_use_is_not_enough(open_site: OpenSite, issuer: Issuer) -> None:
    site = await open_with(open_site, issuer.url, route='["password"]')
    root = await site.admin()
    (row,) = await site.rows('SELECT id FROM "user"')
    async with site.database.write() as session:
        session.add(UserIdentity(user_id=row["id"], issuer=issuer.url, subject="root", instance_id="lantern"))
    assert error(await only_issuer(root)) == (409, "no_issuer")


async def test_a_password_of_an_administrator_opens_nothing(site: Site, issuer: Issuer) -> None:
    ada = await linked_admin(site, issuer)
    ben = await site.register("ben@example.com")
    assert (await sign_in(await site.new_client(), ADA)).status_code == 200
    await only_issuer(ada)
    browser = await site.new_client()
    assert error(await sign_in(browser, ADA)) == REFUSED
    assert error(await sign_in(browser, ADA, "not the password")) == (401, "invalid_credentials")
    assert await who(browser) is None
    assert (await audited(site, "user.sign_in"))[-2:] == ["issuer_required", "wrong_credentials"]
    assert await who(await through_issuer(site, issuer)) == ADA
    assert await who(ben) == "ben@example.com"
    assert (await sign_in(browser, "ben@example.com")).status_code == 200


async def test_it_is_not_reset_either(site: Site, issuer: Issuer) -> None:
    ada = await linked_admin(site, issuer)
    await site.letters()
    stranger = await site.new_client()
    await stranger.post("/api/auth/forgot", json={"email": ADA})
    token = await site.link()
    await only_issuer(ada)
    answer = await stranger.post("/api/auth/reset", json={"token": token, "password": "another kettle 42 cello"})
    assert error(answer) == REFUSED
    assert (await stranger.post("/api/auth/forgot", json={"email": ADA})).status_code == 202
    assert await site.letters() == []


async def test_a_sign_in_that_waits_for_its_second_step_is_not_completed(site: Site, issuer: Issuer) -> None:
    ada = await linked_admin(site, issuer)
    _, codes = await add_app(ada)
    browser = await site.new_client()
    assert "secondStep" in (await sign_in(browser, ADA)).json()
    await only_issuer(ada)
    assert error(await show(browser, recoveryCode=codes[0])) == (403, "sign_in_expired")
    away = await through_issuer(site, issuer)
    assert (await show(away, recoveryCode=codes[0])).status_code == 200


async def test_the_last_connection_and_the_last_connected_administrator_stay(site: Site, issuer: Issuer) -> None:
    ada = await linked_admin(site, issuer)
    await site.admin()
    await only_issuer(ada)
    (connection,) = (await ada.get("/api/account/sign-ins")).json()
    assert error(await ada.delete(f"/api/account/sign-ins/{connection['id']}")) == (409, "last_way_in")
    me = (await ada.get("/api/auth/user")).json()["id"]
    assert error(await ada.patch(f"/api/admin/users/{me}", json={"isAdmin": False})) == (409, "last_admin")
    await only_issuer(ada, False)
    assert (await ada.delete(f"/api/account/sign-ins/{connection['id']}")).status_code == 204
    assert (await ada.patch(f"/api/admin/users/{me}", json={"isAdmin": False})).status_code == 200


async def test_a_form_no_longer_counts_as_an_administrators_way_in(site: Site, issuer: Issuer) -> None:
    ada = await linked_admin(site, issuer)
    form, lantern = site.registry.instance("password"), site.registry.instance("lantern")
    assert form is not None and lantern is not None

    async def ways() -> list[bool]:
        async with site.database.read() as connection:
            return [await is_admin_signin(connection, instance) for instance in (form, lantern)]

    assert await ways() == [True, True]
    await only_issuer(ada)
    assert await ways() == [False, True]


async def test_the_shell_allows_passwords_again(site: Site, issuer: Issuer) -> None:
    await only_issuer(await linked_admin(site, issuer))
    await switch_off(site.database, "admins_only_issuer")
    assert (await sign_in(await site.new_client(), ADA)).status_code == 200
    assert await audited(site, "sign_in_policy.change") == ["ok", "ok"]


async def test_the_doctor_notices_that_nobody_can_sign_in(open_site: OpenSite, site_database_url: str) -> None:
    site = await open_site(COVERWRIGHT_DATABASE_URL=site_database_url)
    await site.admin()
    async with site.database.write() as session:
        session.add(SignInPolicy(id=1, admins_only_issuer=True))
    async with site.database.read() as connection:
        broken = [promise for promise, check in INVARIANTS.items() if await check(connection)]
    assert broken == ["where administrators need an issuer, one of them can sign in there"]
