"""Writes that another site makes in the user's name."""

import pytest

from kernel.accounts.auth.csrf import origin_of
from tests.accounts.conftest import GOOD_PASSWORD, ORIGIN, OpenSite, Site, cookie

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "none"},
        {"sec-fetch-site": "same-origin", "origin": ORIGIN},
        {"origin": ORIGIN},
        {"origin": "http://127.0.0.1:8000", "host": "127.0.0.1:8000"},
    ],
)
async def test_our_own_pages_and_scripts_may_write(site: Site, headers: dict[str, str]) -> None:
    client = await site.register()
    assert (await client.post("/api/probe", headers=headers)).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "origin": "https://evil.example"},
        {"sec-fetch-site": "cross-site", "origin": ORIGIN},
        {"sec-fetch-site": "same-site", "origin": ORIGIN},
        {"origin": ORIGIN.replace("http://", "https://")},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": "http://["},
        {"origin": "http://localhost:8001"},
        {"origin": "https://localhost.evil.example:8000"},
        {"origin": "http://localhost:8000.evil.example"},
    ],
)
async def test_requests_from_other_sites_are_refused(site: Site, headers: dict[str, str]) -> None:
    client = await site.register()
    answer = await client.post("/api/probe", headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "cross_site")
    for method, path in (("POST", "/api/auth/sign-out"), ("POST", "/api/logout"), ("POST", "/api/set-language")):
        refused = await client.request(method, path, headers=headers, json={"language": "de"})
        assert refused.status_code == 403
    assert (await client.get("/api/auth/user")).json()["language"] is None


async def test_reading_from_elsewhere_is_no_write(site: Site) -> None:
    client = await site.register()
    answer = await client.get("/api/auth/user", headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 200
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("path", ["/api/auth/sign-out", "/api/logout", "/api/auth/sign-in", "/api/auth/register"])
async def test_a_form_of_another_site_changes_no_cookie_although_the_browser_keeps_it_back(
    site: Site, path: str
) -> None:
    await site.register()
    stranger = await site.new_client(origin="https://evil.example")
    answer = await stranger.post(path, json={"email": "ada@example.com", "password": GOOD_PASSWORD})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "cross_site")
    assert "set-cookie" not in answer.headers and "clear-site-data" not in answer.headers


@pytest.mark.parametrize("path", ["/api/auth/sign-out", "/api/logout"])
async def test_a_cookie_that_was_not_sent_is_not_cleared(site: Site, path: str) -> None:
    stranger = await site.new_client()
    answer = await stranger.post(path)
    assert answer.status_code == 204 and "set-cookie" not in answer.headers
    assert "set-cookie" not in (await stranger.get("/api/logout")).headers
    client = await site.register()
    assert "Max-Age=0" in (await client.post(path)).headers["set-cookie"]


async def test_a_handler_can_be_exempt(site: Site) -> None:
    client = await site.register()
    assert (await client.post("/api/hook", headers={"origin": "https://evil.example"})).status_code == 200


async def test_the_public_address_counts_behind_a_proxy(open_site: OpenSite) -> None:
    site = await open_site(public_url="https://covers.example")
    client = await site.register()
    inside = await site.new_client(cookie=f"__Host-coverwright={cookie(client)}", host="127.0.0.1:8000")
    assert (await inside.post("/api/probe", headers={"origin": "https://covers.example"})).status_code == 200
    assert (await inside.post("/api/probe", headers={"origin": "https://other.example"})).status_code == 403


def test_an_origin_is_written_as_browsers_write_it() -> None:
    assert origin_of("https://Covers.Example:443/x") == "https://covers.example"
    assert origin_of("http://[::1]:8000") == "http://[::1]:8000"
    assert origin_of("http://covers.example:80") == "http://covers.example"
