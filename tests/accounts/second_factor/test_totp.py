"""An authenticator app as the second factor."""

import asyncio
import time as wall
from urllib.parse import unquote

import pyotp
import pytest

from tests.accounts.conftest import Clock, Site, sign_in
from tests.accounts.second_factor.conftest import (
    ADA,
    OWN,
    add_app,
    audited,
    error,
    field_codes,
    first_step,
    show,
    signed_in,
)

pytestmark = pytest.mark.anyio

RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"  # RFC 6238, appendix B: "12345678901234567890"
RFC_VECTORS = [(59, "287082"), (1111111109, "081804"), (1111111111, "050471"), (1234567890, "005924")]
RFC_VECTORS += [(2000000000, "279037"), (20000000000, "353130")]


@pytest.mark.parametrize(("at", "code"), RFC_VECTORS)
async def test_the_codes_are_those_of_the_standard(
    site: Site, time: Clock, monkeypatch: pytest.MonkeyPatch, at: int, code: str
) -> None:
    monkeypatch.setattr(pyotp, "random_base32", lambda: RFC_SECRET)
    time.advance(seconds=at - wall.time() + 0.5)
    ada = await site.register()
    await ada.post(f"{OWN}/app")
    wrong = await ada.post(f"{OWN}/app/confirm", json={"code": code[::-1]})
    assert field_codes(wrong) == {"code": "wrong_code"}
    assert (await ada.post(f"{OWN}/app/confirm", json={"code": code})).status_code == 200


async def test_setting_up_shows_the_secret_and_a_picture_of_it(site: Site) -> None:
    ada = await site.register()
    setup = (await ada.post(f"{OWN}/app")).json()
    assert len(setup["secret"]) == 32
    assert setup["qrCode"].startswith("data:image/svg+xml") and "<svg" in unquote(setup["qrCode"])
    shown = (await ada.get(OWN)).json()
    assert shown == {"app": None, "passkeys": [], "passkeysPossible": True, "recoveryCodesLeft": 0}
    assert (await ada.get("/api/auth/user")).json()["hasSecondFactor"] is False


async def test_the_secret_is_stored_encrypted_for_its_user(site: Site) -> None:
    ada = await site.register()
    secret = (await ada.post(f"{OWN}/app")).json()["secret"]
    (row,) = await site.rows("SELECT sealed FROM totp")
    assert secret not in row["sealed"] and row["sealed"].startswith("v1.")


async def test_beginning_again_replaces_a_secret_that_was_not_confirmed(site: Site) -> None:
    ada = await site.register()
    first = (await ada.post(f"{OWN}/app")).json()["secret"]
    app, _ = await add_app(ada)
    assert pyotp.TOTP(first).at(0) != app._codes.at(0)
    assert error(await ada.post(f"{OWN}/app")) == (409, "app_present")


async def test_a_code_signs_in_once(site: Site, time: Clock) -> None:
    app, _ = await add_app(await site.register())
    time.advance(seconds=60)
    code, browser = app.code(), await first_step(site)
    assert not await signed_in(browser)
    answer = await show(browser, code=f" {code[:3]} {code[3:]} ")
    assert answer.status_code == 200 and answer.json()["email"] == ADA
    assert await signed_in(browser)
    again = await first_step(site)
    assert field_codes(await show(again, code=code)) == {"code": "wrong_code"}
    assert not await signed_in(again)
    time.advance(seconds=60)
    assert (await show(again, code=app.code())).status_code == 200


async def test_a_code_that_set_the_app_up_does_not_sign_in(site: Site, time: Clock) -> None:
    time.advance(seconds=30 - wall.time() % 30 + 1)  # the code of now is that of the next request, too
    app, _ = await add_app(await site.register())
    assert field_codes(await show(await first_step(site), code=app.code())) == {"code": "wrong_code"}


@pytest.mark.parametrize(("steps", "status"), [(-3, 422), (-1, 200), (0, 200), (1, 200), (3, 422)])
async def test_clocks_may_differ_by_one_step(site: Site, time: Clock, steps: int, status: int) -> None:
    app, _ = await add_app(await site.register())
    time.advance(minutes=10)
    time.advance(seconds=30 - wall.time() % 30 + 5)  # well within a step: both sides mean the same one
    assert (await show(await first_step(site), code=app.code(steps_ahead=steps))).status_code == status


async def test_of_two_requests_with_one_code_one_gets_in(site: Site, time: Clock) -> None:
    app, _ = await add_app(await site.register())
    time.advance(minutes=2)
    code, browsers = app.code(), [await first_step(site) for _ in range(4)]
    answers = await asyncio.gather(*(show(browser, code=code) for browser in browsers))
    assert sorted(answer.status_code for answer in answers) == [200, 422, 422, 422]


async def test_guessing_is_throttled_wherever_it_comes_from(site: Site, time: Clock) -> None:
    ada = await site.register()
    app, _ = await add_app(ada)
    await ada.post("/api/auth/sign-out")
    time.advance(minutes=2)
    answers = []
    for number in range(12):
        browser = await first_step(site, ip=f"192.0.2.{number + 1}")
        answers.append(await show(browser, code=f"{number:06}"))
    assert [answer.status_code for answer in answers] == [422] * 10 + [429] * 2
    assert answers[-1].headers["retry-after"]
    assert error(await show(browser, code=app.code())) == (429, "rate_limited")
    outcomes = await audited(site, "user.sign_in")
    assert outcomes.count("wrong_second_factor") == 10
    assert (await sign_in(ada, ADA)).json() == {"secondStep": ["totp", "recovery_code"]}
    assert (await show(ada, code=app.code())).status_code == 200  # on a device that the account knows


async def test_removing_the_last_one_ends_it_all(site: Site, time: Clock) -> None:
    ada = await site.register()
    await add_app(ada)
    assert (await ada.get("/api/auth/user")).json()["hasSecondFactor"] is True
    assert (await ada.delete(f"{OWN}/app")).status_code == 204
    assert (await ada.delete(f"{OWN}/app")).status_code == 404
    assert await site.rows("SELECT id FROM recovery_code") == []
    assert (await ada.get("/api/auth/user")).json()["hasSecondFactor"] is False
    browser = await site.new_client()
    answer = await browser.post("/api/auth/sign-in", json={"email": ADA, "password": "amber kettle 41 violin"})
    assert answer.json()["email"] == ADA
    subjects = [letter.subject for letter in await site.letters()]
    assert {"A second factor was added", "A second factor was removed"} <= set(subjects)
    assert await audited(site, "user.add_second_factor") == await audited(site, "user.remove_second_factor") == ["ok"]


async def test_changes_need_a_recent_sign_in(site: Site, time: Clock) -> None:
    ada = await site.register()
    await add_app(ada)
    time.advance(minutes=16)
    for method, path in (
        ("POST", f"{OWN}/app"),
        ("POST", f"{OWN}/app/confirm"),
        ("DELETE", f"{OWN}/app"),
        ("POST", f"{OWN}/passkeys/options"),
        ("POST", f"{OWN}/passkeys"),
        ("DELETE", f"{OWN}/passkeys/1"),
        ("POST", f"{OWN}/recovery-codes"),
    ):
        assert error(await ada.request(method, path, json={})) == (403, "reauthentication_required"), path
    assert (await ada.get(OWN)).status_code == 200
