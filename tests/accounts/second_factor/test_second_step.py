"""Between the first step of a sign-in and the session: what waits, for whom, and for how long."""

import asyncio

import httpx
import pytest

from tests.accounts.conftest import GOOD_PASSWORD, Clock, OpenSite, Site, cookie, sign_in
from tests.accounts.issuers import RETURN, leave, open_with
from tests.accounts.second_factor.conftest import (
    ADA,
    OWN,
    ROOT,
    STEP,
    App,
    add_app,
    add_passkey,
    audited,
    error,
    field_codes,
    first_step,
    show,
    signed_in,
)
from tests.vendors.evil_issuer import Issuer

pytestmark = pytest.mark.anyio

EXPIRED = (403, "sign_in_expired")


async def with_app(site: Site, time: Clock, email: str = ADA) -> App:
    """Register somebody with an app whose code of now is not used up."""
    app, _ = await add_app(await site.register(email))
    time.advance(minutes=2)
    return app


async def test_the_right_password_alone_opens_nothing(site: Site, time: Clock) -> None:
    await with_app(site, time)
    sessions = await site.rows("SELECT id FROM session")
    browser = await first_step(site)
    assert not await signed_in(browser) and await site.rows("SELECT id FROM session") == sessions
    assert "coverwright" not in browser.cookies and "coverwright-step" in browser.cookies
    assert (await browser.get(STEP)).json() == {"secondStep": ["totp", "recovery_code"]}
    assert (await audited(site, "user.sign_in"))[-1] == "second_factor_needed"


async def test_a_wrong_password_does_not_tell_of_the_second_factor(site: Site, time: Clock) -> None:
    await with_app(site, time)
    answer = await sign_in(await site.new_client(), ADA, "not the password")
    assert error(answer) == (401, "invalid_credentials")
    assert "coverwright-step" not in answer.cookies


async def test_it_is_used_once(site: Site, time: Clock) -> None:
    app = await with_app(site, time)
    browser = await first_step(site)
    token = browser.cookies["coverwright-step"]
    assert (await show(browser, code=app.code())).status_code == 200
    assert "coverwright-step" not in browser.cookies
    time.advance(minutes=1)
    thief = await site.new_client(cookie=f"coverwright-step={token}")
    assert error(await show(thief, code=app.code())) == EXPIRED


async def test_of_two_completions_at_once_one_gets_in(site: Site, time: Clock) -> None:
    _, codes = await add_app(await site.register())
    browser = await first_step(site)
    answers = await asyncio.gather(*(show(browser, recoveryCode=code) for code in codes[:4]))
    assert [answer.status_code for answer in answers].count(200) == 1
    assert {answer.status_code for answer in answers} == {200, 403}
    left = await site.rows("SELECT id FROM recovery_code WHERE used_at IS NULL")
    assert len(left) == 9  # those that came too late are not used up


async def test_it_lasts_ten_minutes(site: Site, time: Clock) -> None:
    app = await with_app(site, time)
    browser = await first_step(site)
    time.advance(minutes=10, seconds=1)
    assert error(await browser.get(STEP)) == EXPIRED
    assert error(await show(browser, code=app.code())) == EXPIRED
    assert error(await browser.post(f"{STEP}/passkey-options")) == EXPIRED


async def test_another_browser_cannot_complete_it(site: Site, time: Clock) -> None:
    app = await with_app(site, time)
    await first_step(site)
    other = await site.new_client()
    assert error(await show(other, code=app.code())) == EXPIRED
    bens = await with_app(site, time, "ben@example.com")
    assert field_codes(await show(await first_step(site), code=bens.code())) == {"code": "wrong_code"}


@pytest.mark.parametrize("body", [{}, {"code": " "}, {"code": "123456", "recoveryCode": "abcd"}])
async def test_exactly_one_proof_is_taken(site: Site, time: Clock, body: dict[str, str]) -> None:
    await with_app(site, time)
    assert error(await show(await first_step(site), **body)) == (422, "invalid_fields")


@pytest.mark.parametrize("end", ["password", "suspended", "removed"])
async def test_what_ends_sessions_ends_it_too(site: Site, time: Clock, end: str) -> None:
    root = await site.admin()
    ada = await site.register()
    app, _ = await add_app(ada)
    browser = await first_step(site)
    (row,) = await site.rows('SELECT id FROM "user" WHERE email = :email', email=ADA)
    match end:
        case "password":
            body = {"currentPassword": GOOD_PASSWORD, "newPassword": "another kettle 42 cello"}
            assert (await ada.post("/api/auth/password", json=body)).status_code == 200
        case "suspended":
            assert (await root.patch(f"/api/admin/users/{row['id']}", json={"disabled": True})).status_code == 200
        case _:
            assert (await root.delete(f"/api/admin/users/{row['id']}/second-factor")).status_code == 204
    time.advance(minutes=1)
    assert error(await show(browser, code=app.code())) == EXPIRED


async def test_a_new_password_by_email_does_not_replace_it(site: Site, time: Clock) -> None:
    app = await with_app(site, time)
    await site.letters()
    browser = await site.new_client()
    await browser.post("/api/auth/forgot", json={"email": ADA})
    answer = await browser.post(
        "/api/auth/reset", json={"token": await site.link(), "password": "another kettle 42 cello"}
    )
    assert answer.status_code == 200 and answer.json() == {"secondStep": ["totp", "recovery_code"]}
    assert not await signed_in(browser)
    assert (await site.rows("SELECT id FROM session")) == []
    assert (await show(browser, code=app.code())).status_code == 200
    assert await signed_in(browser)


async def test_a_new_device_is_reported_when_it_is_in(site: Site, time: Clock) -> None:
    app = await with_app(site, time)
    await site.letters()
    browser = await first_step(site)
    assert await site.letters() == []
    await show(browser, code=app.code())
    assert [letter.subject for letter in await site.letters()] == ["New sign-in to your account"]


async def test_another_site_cannot_send_it(site: Site, time: Clock) -> None:
    app = await with_app(site, time)
    browser = await first_step(site, **{"sec-fetch-site": "same-origin"})
    browser.headers["sec-fetch-site"] = "cross-site"
    assert error(await show(browser, code=app.code())) == (403, "cross_site")


async def connected(open_site: OpenSite, issuer: Issuer) -> tuple[Site, App]:
    """Open a site where Ada signs in at the issuer and has an app."""
    site = await open_with(open_site, issuer.url)
    ada = await site.new_client()
    await ada.get(RETURN, params=issuer.visit(await leave(ada)))
    app, _ = await add_app(ada)
    return site, app


async def test_an_issuer_that_says_nothing_of_factors_is_followed_by_ours(
    open_site: OpenSite, issuer: Issuer, time: Clock
) -> None:
    site, app = await connected(open_site, issuer)
    time.advance(minutes=2)
    browser = await site.new_client()
    answer = await browser.get(RETURN, params=issuer.visit(await leave(browser, redirect="/gallery?dense=1")))
    assert answer.status_code == 303
    assert answer.headers["location"] == "/sign-in?step=second-factor&redirect=%2Fgallery%3Fdense%3D1"
    assert not await signed_in(browser)
    assert (await show(browser, code=app.code())).status_code == 200
    assert await signed_in(browser)


@pytest.mark.parametrize(
    ("amr", "enough"),
    [(["mfa"], True), (["pwd", "otp"], True), (["hwk", "face"], True), (["pwd"], False), (["otp", "sms"], False)],
)
async def test_an_issuer_that_used_several_factors_is_enough(
    open_site: OpenSite, issuer: Issuer, amr: list[str], enough: bool
) -> None:
    site, _ = await connected(open_site, issuer)
    issuer.claims["amr"] = amr
    browser = await site.new_client()
    answer = await browser.get(RETURN, params=issuer.visit(await leave(browser)))
    assert answer.headers["location"] == ("/" if enough else "/sign-in?step=second-factor")
    assert await signed_in(browser) is enough


async def suspend(site: Site, root: httpx.AsyncClient) -> httpx.Response:
    (ada,) = await site.rows('SELECT id FROM "user" WHERE email = :email', email=ADA)
    return await root.patch(f"/api/admin/users/{ada['id']}", json={"disabled": True})


async def reauthenticate(client: httpx.AsyncClient, **proof: str) -> httpx.Response:
    return await client.post("/api/auth/reauthenticate", json=proof)


async def test_a_stale_session_is_renewed_by_the_second_factor_and_not_by_the_password(site: Site, time: Clock) -> None:
    await site.register()
    root = await site.admin()
    app, _ = await add_app(root)
    token = cookie(root)
    time.advance(minutes=16)
    assert error(await suspend(site, root)) == (403, "reauthentication_required")
    assert field_codes(await reauthenticate(root, password=GOOD_PASSWORD)) == {"code": "no_code"}
    assert field_codes(await reauthenticate(root, code="000000")) == {"code": "wrong_code"}
    assert error(await suspend(site, root)) == (403, "reauthentication_required")
    assert (await reauthenticate(root, code=app.code())).status_code == 204
    assert cookie(root) == token
    assert (await suspend(site, root)).status_code == 200
    assert await audited(site, "user.reauthenticate") == ["wrong_second_factor", "ok"]


async def test_a_passkey_renews_a_session_for_its_own_challenge(site: Site, time: Clock) -> None:
    root = await site.admin()
    device, codes = await add_passkey(root)
    time.advance(minutes=16)
    asked = (await root.post("/api/auth/reauthenticate/passkey-options")).json()["options"]
    elsewhere = await first_step(site, ROOT)
    assert field_codes(await show(elsewhere, passkey=device.sign(asked))) == {"passkey": "passkey_refused"}
    assert (await reauthenticate(root, passkey=device.sign(asked))).status_code == 204
    assert (await root.post(f"{OWN}/recovery-codes")).status_code == 200
    time.advance(minutes=16)
    assert field_codes(await reauthenticate(root, recoveryCode=codes[0])) == {"recoveryCode": "wrong_code"}


async def test_who_has_no_password_renews_with_the_second_factor(site: Site, time: Clock) -> None:
    ada = await site.register()
    app, _ = await add_app(ada)
    await site.change_user(ADA, password_hash=None)
    time.advance(minutes=16)
    assert error(await ada.request("DELETE", "/api/account", json={"confirm": ADA})) == (
        403,
        "reauthentication_required",
    )
    assert (await reauthenticate(ada, code=app.code())).status_code == 204
    assert (await ada.request("DELETE", "/api/account", json={"confirm": ADA})).status_code == 204


async def test_the_password_alone_changes_neither_address_nor_password_nor_ends_the_account(
    site: Site, time: Clock
) -> None:
    ada = await site.register()
    app, _ = await add_app(ada)
    time.advance(minutes=16)
    calls = [
        ("POST", "/api/auth/password", {"currentPassword": GOOD_PASSWORD, "newPassword": "another kettle 42 cello"}),
        ("POST", "/api/account/email", {"currentPassword": GOOD_PASSWORD, "email": "new@example.com"}),
        ("DELETE", "/api/account", {"currentPassword": GOOD_PASSWORD, "confirm": ADA}),
    ]
    for method, path, body in calls:
        assert error(await ada.request(method, path, json=body)) == (403, "reauthentication_required"), path
    assert (await reauthenticate(ada, code=app.code())).status_code == 204
    assert (await ada.request(*calls[1][:2], json=calls[1][2])).status_code == 202
