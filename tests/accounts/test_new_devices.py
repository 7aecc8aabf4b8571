"""A sign-in on a device that is new to an account is reported to the account's address."""

import httpx
import pytest

from kernel.core.text.user_agent import browser_and_system
from kernel.spi import EmailMessage
from tests.accounts.conftest import GOOD_PASSWORD, OpenSite, Site, sign_in
from tests.accounts.issuers import come_back, open_with
from tests.vendors.evil_issuer import Issuer

pytestmark = pytest.mark.anyio

ADA, BEN = "ada@example.com", "ben@example.com"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
SUBJECT = "New sign-in to your account"


@pytest.fixture
async def site(open_site: OpenSite, site_database_url: str) -> Site:
    return await open_site(COVERWRIGHT_DATABASE_URL=site_database_url)


async def reports(site: Site) -> list[EmailMessage]:
    return [letter for letter in await site.letters() if letter.subject == SUBJECT]


async def stranger(site: Site, user_agent: str = FIREFOX) -> httpx.AsyncClient:
    return await site.new_client(ip="192.0.2.7", **{"user-agent": user_agent})


async def test_the_owner_learns_of_a_sign_in_on_a_new_device(site: Site) -> None:
    await site.register(ADA)
    assert await reports(site) == []
    assert (await sign_in(await stranger(site), ADA)).status_code == 200
    (letter,) = await reports(site)
    assert letter.to == ADA
    assert "Device: Firefox on Linux" in letter.text and "192.0.2.7" in letter.text and " UTC" in letter.text
    assert f"{site.config.public_url}/account" in letter.text


async def test_a_device_is_reported_once(site: Site) -> None:
    await site.register(ADA)
    device = await stranger(site)
    await sign_in(device, ADA)
    assert len(await reports(site)) == 1
    await device.post("/api/auth/sign-out")
    await sign_in(device, ADA)
    assert await reports(site) == []


async def test_a_browser_that_two_people_share_is_new_to_neither(site: Site) -> None:
    shared = await site.register(ADA)
    answer = await shared.post("/api/auth/register", json={"email": BEN, "password": GOOD_PASSWORD})
    assert answer.status_code == 201
    for email in (ADA, BEN, ADA):
        assert (await sign_in(shared, email)).status_code == 200
    assert await reports(site) == []


async def test_the_first_sign_in_of_an_account_is_no_news(site: Site) -> None:
    await site.admin(ADA)
    assert await reports(site) == []
    await sign_in(await stranger(site), ADA)
    assert len(await reports(site)) == 1


async def test_a_wrong_password_is_not_reported(site: Site) -> None:
    await site.register(ADA)
    assert (await sign_in(await stranger(site), ADA, "not the password")).status_code == 401
    assert await reports(site) == []


async def test_nobody_can_flood_a_mailbox_with_sign_ins(site: Site) -> None:
    await site.register(ADA)
    for _ in range(8):
        assert (await sign_in(await stranger(site), ADA)).status_code == 200
    assert len(await reports(site)) == 5


async def test_a_browser_cannot_put_words_into_the_email(site: Site) -> None:
    await site.register(ADA)
    await sign_in(await stranger(site, "Visit https://evil.example Firefox/1 {{name}}"), ADA)
    (letter,) = await reports(site)
    assert "Device: Firefox\n" in letter.text and "evil" not in letter.text + (letter.html or "")


async def test_an_email_in_the_language_of_the_owner(site: Site) -> None:
    await site.register(ADA)
    await site.change_user(ADA, language="de")
    await sign_in(await stranger(site), ADA)
    assert "Neue Anmeldung bei Ihrem Konto" in [letter.subject for letter in await site.letters()]


async def test_a_new_device_that_comes_from_an_issuer_is_reported(open_site: OpenSite, issuer: Issuer) -> None:
    site = await open_with(open_site, issuer.url)
    device = await stranger(site)
    await come_back(device, issuer)
    assert await reports(site) == []
    await device.post("/api/auth/sign-out")
    await come_back(device, issuer)
    assert await reports(site) == []
    await come_back(await stranger(site), issuer)
    assert [letter.to for letter in await reports(site)] == [ADA]


@pytest.mark.parametrize(
    ("user_agent", "expected"),
    [
        (FIREFOX, ("Firefox", "Linux")),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0 Safari/537.36 Edg/142.0", ("Edge", "Windows")),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1", ("Safari", "iPhone")),
        ("Mozilla/5.0 (Linux; Android 15) Chrome/142.0 Mobile Safari/537.36", ("Chrome", "Android")),
        ("curl/8.5.0", ("", "")),
    ],
)
def test_the_names_of_browsers_and_systems(user_agent: str, expected: tuple[str, str]) -> None:
    assert browser_and_system(user_agent) == expected
