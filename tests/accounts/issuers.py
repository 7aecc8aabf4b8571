"""A site whose users sign in through an issuer on this machine, and the steps of their browsers."""

from typing import Final
from urllib.parse import parse_qs, urlsplit

import httpx

from tests.accounts.conftest import OpenSite, Site
from tests.vendors.evil_issuer import CLIENT_ID, CLIENT_SECRET, Issuer

LANTERN: Final = """
[[instances]]
id = "password"
kind = "signin"
provider = "password"
label = "Email and password"
settings = {{}}

[[instances]]
id = "lantern"
kind = "signin"
provider = "oidc"
label = "Lantern House"
settings = {{ issuer = "{issuer}", client_id = "{client_id}", client_secret = "{secret}", {more} }}

[[instances]]
id = "second"
kind = "signin"
provider = "oidc"
label = "Second"
settings = {{ issuer = "{issuer}", client_id = "{client_id}", client_secret = "{secret}" }}

[routes]
signin = {route}
image = []
storage = []
payment = []
email = []

[accounts]
registration = {registration}
sign_in_failures_per_address = {failures}
registrations_per_address = {registrations}
"""

START: Final = "/api/auth/lantern/start"
RETURN: Final = "/api/auth/lantern/return"


async def open_with(
    open_site: OpenSite,
    issuer: str,
    *,
    more: str = "registration = true",
    route: str = '["password", "lantern", "second"]',
    registration: bool = True,
    failures: int = 30,
    registrations: int = 100,
    public_url: str = "http://localhost:8000",
    client_id: str = CLIENT_ID,
    secret: str = CLIENT_SECRET,
) -> Site:
    """Open a site with the instances `password`, `lantern` and `second` (the same issuer again)."""
    toml = LANTERN.format(
        issuer=issuer,
        client_id=client_id,
        secret=secret,
        more=more,
        route=route,
        registration=str(registration).lower(),
        failures=failures,
        registrations=registrations,
    )
    listening = urlsplit(issuer).netloc
    return await open_site(public_url=public_url, toml=toml, COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES=listening)


async def leave(client: httpx.AsyncClient, *, start: str = START, **query: str) -> str:
    """Start a sign-in and return where the browser is sent."""
    answer = await client.get(start, params=query)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


async def come_back(client: httpx.AsyncClient, issuer: Issuer, **query: str) -> httpx.Response:
    """Start, sign in at the issuer and return the site's response to the returning browser."""
    fields = issuer.visit(await leave(client, **query))
    return await client.get(RETURN, params=fields)


def refusal(answer: httpx.Response) -> str | None:
    """Return the error code with which the browser was sent to /sign-in, or None."""
    assert answer.status_code == 303, answer.text
    to = urlsplit(answer.headers["location"])
    return parse_qs(to.query).get("error", [""])[0] if to.path == "/sign-in" else None


async def who(client: httpx.AsyncClient) -> str | None:
    """Return the user of a browser's session, or None."""
    answer = await client.get("/api/auth/user")
    return answer.json()["email"] if answer.status_code == 200 else None
