"""Recovery codes stand in for a second factor that was lost."""

import asyncio

import pytest

from tests.accounts.conftest import Clock, Site
from tests.accounts.second_factor.conftest import (
    OWN,
    add_app,
    add_passkey,
    audited,
    error,
    field_codes,
    first_step,
    show,
    signed_in,
)

pytestmark = pytest.mark.anyio


async def test_ten_are_shown_once_and_stored_as_hashes(site: Site) -> None:
    ada = await site.register()
    _, codes = await add_app(ada)
    assert len(set(codes)) == 10
    stored = await site.rows("SELECT code_hash FROM recovery_code")
    assert len(stored) == 10 and not any(code in str(stored) for code in codes)
    assert (await ada.get(OWN)).json()["recoveryCodesLeft"] == 10
    _, more = await add_passkey(ada)
    assert more == []


async def test_each_signs_in_once_and_its_owner_learns_of_it(site: Site) -> None:
    ada = await site.register()
    _, codes = await add_app(ada)
    await site.letters()
    browser = await first_step(site)
    typed = codes[0].upper().replace("-", " ")
    assert (await show(browser, recoveryCode=typed)).status_code == 200
    assert await signed_in(browser)
    assert (await browser.get(OWN)).json()["recoveryCodesLeft"] == 9
    assert "A recovery code was used" in [letter.subject for letter in await site.letters()]
    assert await audited(site, "user.use_recovery_code") == ["ok"]
    again = await first_step(site)
    assert field_codes(await show(again, recoveryCode=codes[0])) == {"recoveryCode": "wrong_code"}
    assert (await show(again, recoveryCode=codes[1])).status_code == 200


async def test_of_two_requests_with_one_code_one_gets_in(site: Site) -> None:
    _, codes = await add_app(await site.register())
    browsers = [await first_step(site) for _ in range(4)]
    answers = await asyncio.gather(*(show(browser, recoveryCode=codes[3]) for browser in browsers))
    assert sorted(answer.status_code for answer in answers) == [200, 422, 422, 422]
    assert await audited(site, "user.use_recovery_code") == ["ok"]


async def test_new_ones_replace_the_old_ones(site: Site) -> None:
    ada = await site.register()
    assert error(await ada.post(f"{OWN}/recovery-codes")) == (409, "no_second_factor")
    _, old = await add_app(ada)
    answer = await ada.post(f"{OWN}/recovery-codes")
    new = answer.json()["recoveryCodes"]
    assert len(set(new)) == 10 and not set(new) & set(old)
    browser = await first_step(site)
    assert field_codes(await show(browser, recoveryCode=old[0])) == {"recoveryCode": "wrong_code"}
    assert (await show(browser, recoveryCode=new[0])).status_code == 200


async def test_nobody_elses_work(site: Site, time: Clock) -> None:
    await add_app(await site.register())
    _, bens = await add_app(await site.register("ben@example.com"))
    browser = await first_step(site)
    assert field_codes(await show(browser, recoveryCode=bens[0])) == {"recoveryCode": "wrong_code"}
    time.advance(minutes=5)
    assert (await show(await first_step(site, "ben@example.com"), recoveryCode=bens[0])).status_code == 200
