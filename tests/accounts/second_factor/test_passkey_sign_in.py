"""A passkey as the only thing somebody shows."""

import asyncio
import json

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from kernel.accounts.models import SignInPolicy
from tests.accounts.conftest import Clock, OpenSite, Site
from tests.accounts.second_factor.conftest import ADA, add_passkey, audited, error, field_codes, signed_in
from tests.support.authenticator import PRESENT

pytestmark = pytest.mark.anyio

PASSKEY = "/api/auth/passkey"
REFUSED = {"passkey": "passkey_refused"}
EXPIRED = (403, "sign_in_expired")


async def options(browser: httpx.AsyncClient) -> str:
    answer = await browser.post(f"{PASSKEY}/options")
    assert answer.status_code == 200, answer.text
    return str(answer.json()["options"])


async def enter(browser: httpx.AsyncClient, signed: str) -> httpx.Response:
    return await browser.post(PASSKEY, json={"passkey": signed})


async def test_it_signs_in_without_address_and_password(site: Site) -> None:
    device, _ = await add_passkey(await site.register())
    browser = await site.new_client()
    asked = await options(browser)
    assert json.loads(asked)["userVerification"] == "required"
    assert not json.loads(asked).get("allowCredentials")
    answer = await enter(browser, device.sign(asked))
    assert answer.status_code == 200 and answer.json()["email"] == ADA
    assert await signed_in(browser) and "coverwright-passkey" not in browser.cookies
    sessions = (await browser.get("/api/account/sessions")).json()
    assert [session["method"] for session in sessions if session["current"]] == ["passkey"]


async def test_a_device_that_did_not_verify_its_user_is_not_enough(site: Site) -> None:
    device, _ = await add_passkey(await site.register())
    device.flags = PRESENT
    browser = await site.new_client()
    assert field_codes(await enter(browser, device.sign(await options(browser)))) == REFUSED
    assert not await signed_in(browser)
    assert (await audited(site, "user.sign_in"))[-1] == "wrong_second_factor"


async def test_an_answer_is_that_of_one_browser_and_counts_once(site: Site) -> None:
    device, _ = await add_passkey(await site.register())
    first, second = await site.new_client(), await site.new_client()
    signed = device.sign(await options(first))
    assert error(await enter(second, signed)) == EXPIRED
    await options(second)
    assert field_codes(await enter(second, signed)) == REFUSED
    answers = await asyncio.gather(*(enter(first, signed) for _ in range(3)))
    assert [answer.status_code for answer in answers].count(200) == 1
    assert error(await enter(first, signed)) == EXPIRED


async def test_a_challenge_lives_five_minutes(site: Site, time: Clock) -> None:
    device, _ = await add_passkey(await site.register())
    browser = await site.new_client()
    asked = await options(browser)
    time.advance(minutes=5, seconds=1)
    assert error(await enter(browser, device.sign(asked))) == EXPIRED


@pytest.mark.parametrize("lie", ["signature", "user", "origin", "garbage"])
async def test_only_the_passkey_of_the_user_it_names_counts(site: Site, lie: str) -> None:
    device, _ = await add_passkey(await site.register())
    ben, _ = await add_passkey(await site.register("ben@example.com"))
    browser = await site.new_client()
    asked = await options(browser)
    key = ec.generate_private_key(ec.SECP256R1()) if lie == "signature" else None
    if lie == "user":
        device.user = ben.user
    if lie == "origin":
        device.origin = "https://evil.example"
    answer = "[]" if lie == "garbage" else device.sign(asked, key=key)
    assert field_codes(await enter(browser, answer)) == REFUSED
    assert not await signed_in(browser)


async def test_a_suspended_user_stays_out(site: Site) -> None:
    device, _ = await add_passkey(await site.register())
    await site.change_user(ADA, disabled=True)
    browser = await site.new_client()
    assert error(await enter(browser, device.sign(await options(browser)))) == (403, "account_disabled")
    assert (await audited(site, "user.sign_in"))[-1] == "account_disabled"


async def test_administrators_who_need_an_issuer_stay_out(site: Site) -> None:
    device, _ = await add_passkey(await site.admin())
    async with site.database.write() as session:
        session.add(SignInPolicy(id=1, admins_only_issuer=True))
    browser = await site.new_client()
    assert error(await enter(browser, device.sign(await options(browser)))) == (403, "issuer_required")
    assert await site.rows("SELECT id FROM session WHERE method = 'passkey'") == []


async def test_beginning_is_limited_per_address(open_site: OpenSite) -> None:
    site = await open_site(toml="[accounts]\nsign_in_failures_per_address = 3")
    browser = await site.new_client()
    answers = [await browser.post(f"{PASSKEY}/options") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]


async def test_an_address_without_passkeys_says_so(open_site: OpenSite) -> None:
    site = await open_site(public_url="http://127.0.0.1:8000")
    browser = await site.new_client()
    assert error(await browser.post(f"{PASSKEY}/options")) == (409, "passkeys_impossible")
