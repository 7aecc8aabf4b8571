"""A site on every database, and the steps of people with a second factor."""

from typing import Any, Final

import httpx
import pyotp
import pytest

from kernel.core import clock
from tests.accounts.conftest import OpenSite, Site, sign_in
from tests.support.authenticator import Authenticator

ADA: Final = "ada@example.com"
ROOT: Final = "root@example.com"
OWN: Final = "/api/account/second-factor"
STEP: Final = "/api/auth/second-factor"
STEP_S: Final = 30


@pytest.fixture
async def site(open_site: OpenSite, site_database_url: str) -> Site:
    return await open_site(COVERWRIGHT_DATABASE_URL=site_database_url)


class App:
    """The authenticator app of somebody."""

    def __init__(self, secret: str) -> None:
        self._codes = pyotp.TOTP(secret)

    def code(self, *, steps_ahead: int = 0) -> str:
        return self._codes.at(int(clock.now_unix()) + steps_ahead * STEP_S)


async def add_app(client: httpx.AsyncClient) -> tuple[App, list[str]]:
    """Set up an app; return it and the recovery codes. Its code of now is used up."""
    begun = await client.post(f"{OWN}/app")
    assert begun.status_code == 200, begun.text
    app = App(begun.json()["secret"])
    confirmed = await client.post(f"{OWN}/app/confirm", json={"code": app.code()})
    assert confirmed.status_code == 200, confirmed.text
    return app, confirmed.json()["recoveryCodes"]


async def add_passkey(
    client: httpx.AsyncClient, device: Authenticator | None = None, name: str = "Laptop"
) -> tuple[Authenticator, list[str]]:
    """Add a passkey; return its device and the recovery codes."""
    device = device or Authenticator("http://localhost:8000")
    options = await client.post(f"{OWN}/passkeys/options")
    assert options.status_code == 200, options.text
    added = await client.post(f"{OWN}/passkeys", json={"name": name, "passkey": device.make(options.json()["options"])})
    assert added.status_code == 201, added.text
    return device, added.json()["recoveryCodes"]


async def first_step(site: Site, email: str = ADA, **headers: str) -> httpx.AsyncClient:
    """Return a browser that has shown the right password and has to show the second factor."""
    browser = await site.new_client(**headers)
    answer = await sign_in(browser, email)
    assert answer.status_code == 200 and "secondStep" in answer.json(), answer.text
    return browser


async def show(client: httpx.AsyncClient, **proof: str) -> httpx.Response:
    return await client.post(STEP, json=proof)


async def signed_in(client: httpx.AsyncClient) -> bool:
    return (await client.get("/api/auth/user")).status_code == 200


def error(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def field_codes(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code == 422, answer.text
    return {name: about["code"] for name, about in answer.json()["error"]["fieldCodes"].items()}


async def audited(site: Site, action: str) -> list[str]:
    rows = await site.rows("SELECT outcome FROM audit WHERE action = :action ORDER BY id", action=action)
    return [row["outcome"] for row in rows]
