"""Passkeys as the second factor; the signatures are real, made by an authenticator in software."""

import asyncio
import json

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from tests.accounts.conftest import Clock, OpenSite, Site
from tests.accounts.second_factor.conftest import (
    ADA,
    OWN,
    STEP,
    add_app,
    add_passkey,
    error,
    field_codes,
    first_step,
    show,
    signed_in,
)
from tests.support.authenticator import Authenticator

pytestmark = pytest.mark.anyio

REFUSED = {"passkey": "passkey_refused"}


async def options(browser: httpx.AsyncClient) -> str:
    answer = await browser.post(f"{STEP}/passkey-options")
    assert answer.status_code == 200, answer.text
    return str(answer.json()["options"])


async def test_a_passkey_signs_in(site: Site) -> None:
    device, codes = await add_passkey(await site.register())
    assert len(codes) == 10
    browser = await first_step(site)
    assert (await browser.get(STEP)).json() == {"secondStep": ["passkey", "recovery_code"]}
    asked = await options(browser)
    assert json.loads(asked)["rpId"] == "localhost"
    answer = await show(browser, passkey=device.sign(asked))
    assert answer.status_code == 200 and answer.json()["email"] == ADA
    assert (await browser.get(OWN)).json()["passkeys"][0]["lastUsedAt"] is not None


async def test_an_answer_counts_once(site: Site) -> None:
    device, _ = await add_passkey(await site.register())
    first, second = await first_step(site), await first_step(site)
    signed = device.sign(await options(first))
    assert field_codes(await show(second, passkey=signed)) == REFUSED
    assert (await show(first, passkey=signed)).status_code == 200
    third = await first_step(site)
    assert field_codes(await show(third, passkey=signed)) == REFUSED


async def test_a_wrong_answer_uses_the_challenge_up(site: Site) -> None:
    device, _ = await add_passkey(await site.register())
    browser = await first_step(site)
    asked = await options(browser)
    forged = device.sign(asked, key=ec.generate_private_key(ec.SECP256R1()))
    assert field_codes(await show(browser, passkey=forged)) == REFUSED
    assert field_codes(await show(browser, passkey=device.sign(asked))) == REFUSED
    assert (await show(browser, passkey=device.sign(await options(browser)))).status_code == 200


async def test_a_challenge_lives_five_minutes(site: Site, time: Clock) -> None:
    device, _ = await add_passkey(await site.register())
    browser = await first_step(site)
    asked = await options(browser)
    time.advance(minutes=5, seconds=1)
    assert field_codes(await show(browser, passkey=device.sign(asked))) == REFUSED


@pytest.mark.parametrize("lie", ["origin", "site", "absent", "elsewhere", "garbage"])
async def test_only_what_this_site_asked_for_counts(site: Site, lie: str) -> None:
    device, _ = await add_passkey(await site.register())
    browser = await first_step(site)
    asked = await options(browser)
    match lie:
        case "origin":
            device.origin = "http://localhost:8001"
        case "site":
            device.site = "evil.example"
        case "absent":
            device.flags = 0
        case "elsewhere":
            device = Authenticator("http://localhost:8000")
    answer = "{" if lie == "garbage" else device.sign(asked)
    assert field_codes(await show(browser, passkey=answer)) == REFUSED
    assert not await signed_in(browser)


async def test_a_counter_that_does_not_grow_gives_a_copy_away(site: Site) -> None:
    device = Authenticator("http://localhost:8000", count=4)
    await add_passkey(await site.register(), device)
    device.counting = 1
    browser = await first_step(site)
    assert (await show(browser, passkey=device.sign(await options(browser)))).status_code == 200
    copy = await first_step(site)
    device.counting, device.count = 0, 5
    assert field_codes(await show(copy, passkey=device.sign(await options(copy)))) == REFUSED
    device.count = 6
    assert (await show(copy, passkey=device.sign(await options(copy)))).status_code == 200


async def test_of_two_answers_at_once_one_gets_in(site: Site) -> None:
    device, _ = await add_passkey(await site.register())
    browser = await first_step(site)
    signed = device.sign(await options(browser))
    answers = await asyncio.gather(*(show(browser, passkey=signed) for _ in range(3)))
    assert sorted(answer.status_code for answer in answers)[0] == 200
    assert [answer.status_code for answer in answers].count(200) == 1


async def test_an_account_has_several_with_names(site: Site) -> None:
    ada = await site.register()
    await add_passkey(ada, name=" Laptop ")
    phone, _ = await add_passkey(ada, name="Phone")
    listed = (await ada.get(OWN)).json()["passkeys"]
    assert [passkey["name"] for passkey in listed] == ["Laptop", "Phone"]
    path = f"{OWN}/passkeys/{listed[0]['id']}"
    assert (await ada.patch(path, json={"name": "Desk"})).status_code == 204
    assert field_codes(await ada.patch(path, json={"name": "  "})) == {"name": "no_name"}
    ben = await site.register("ben@example.com")
    assert (await ben.patch(path, json={"name": "Mine"})).status_code == 404
    assert (await ben.delete(path)).status_code == 404
    assert (await ada.delete(path)).status_code == 204
    assert [passkey["name"] for passkey in (await ada.get(OWN)).json()["passkeys"]] == ["Phone"]
    browser = await first_step(site)
    assert (await show(browser, passkey=phone.sign(await options(browser)))).status_code == 200


async def test_a_device_is_added_once_and_only_for_its_own_challenge(site: Site) -> None:
    ada = await site.register()
    device, _ = await add_passkey(ada)
    asked = (await ada.post(f"{OWN}/passkeys/options")).json()["options"]
    assert [known["id"] for known in json.loads(asked)["excludeCredentials"]] == [json.loads(device.make(asked))["id"]]
    again = {"name": "Again", "passkey": device.make(asked)}
    assert field_codes(await ada.post(f"{OWN}/passkeys", json=again)) == REFUSED
    other = {"name": "Other", "passkey": Authenticator("http://localhost:8000").make(asked)}
    assert field_codes(await ada.post(f"{OWN}/passkeys", json=other)) == REFUSED


async def test_removing_one_of_two_factors_keeps_the_recovery_codes(site: Site) -> None:
    ada = await site.register()
    _, codes = await add_app(ada)
    await add_passkey(ada)
    assert (await ada.delete(f"{OWN}/app")).status_code == 204
    assert (await ada.get(OWN)).json()["recoveryCodesLeft"] == 10
    assert (await show(await first_step(site), recoveryCode=codes[0])).status_code == 200


@pytest.mark.parametrize("address", ["http://127.0.0.1:8000", "http://covers.example", "https://192.0.2.7"])
async def test_addresses_at_which_browsers_have_no_passkeys(open_site: OpenSite, address: str) -> None:
    site = await open_site(public_url=address)
    ada = await site.register()
    assert (await ada.get(OWN)).json()["passkeysPossible"] is False
    assert error(await ada.post(f"{OWN}/passkeys/options")) == (409, "passkeys_impossible")


async def test_the_site_and_origin_are_those_of_the_public_address(open_site: OpenSite) -> None:
    site = await open_site(public_url="https://covers.example")
    ada = await site.register()
    await add_passkey(ada, Authenticator("https://covers.example"))
    asked = (await ada.post(f"{OWN}/passkeys/options")).json()["options"]
    assert json.loads(asked)["rp"]["id"] == "covers.example"
    other = {"name": "Other", "passkey": Authenticator("https://evil.example").make(asked)}
    assert field_codes(await ada.post(f"{OWN}/passkeys", json=other)) == REFUSED
