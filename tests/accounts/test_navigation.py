"""/api/login and /api/logout as browsers meet them."""

from urllib.parse import quote, urljoin, urlsplit

import httpx
import pytest

from kernel.accounts.auth.oauth.safe_redirect import safe_path
from tests.accounts.conftest import ORIGIN, Site

pytestmark = pytest.mark.anyio

HOSTILE = [
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\t//evil.example",
    "https:evil.example",
    "https://evil.example",
    "http:/evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "evil.example",
    "%2f%2fevil.example",
    "/%2fevil.example",
    "/%2f/evil.example",
    "/%5cevil.example",
    "/%09/evil.example",
    "/%252fevil.example",
    "/%25252fevil.example",
    "/ok\r\nSet-Cookie: x=1",
    "/ok%0d%0aSet-Cookie:x=1",
    "/.//evil.example",
    "/x/..//evil.example",
    "/../api/logout",
    "/x/%2e%2e/api/logout",
    "/api/logout",
    "/API/logout",
    "/api",
    "/%61pi/logout",
    "/a//b",
    "/\u2028evil",
    "/\u202eevil",
    "/\u200b/evil.example",
    "/\x00",
    "/ok%00",
    "/" + "a" * 3000,
    "/%ff%fe//x",
    " /gallery",
    "",
]


@pytest.mark.parametrize("target", HOSTILE)
async def test_a_hostile_redirect_target_leads_home(site: Site, target: str) -> None:
    client = await site.register()
    answer = await client.get("/api/login", params={"redirect": target})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "raw", ["/%09/evil.example", "%2f%2fevil.example", "/ok%0d%0aSet-Cookie:x", "%ff", "%ED%A0%80"]
)
async def test_a_hostile_query_string_leads_home(site: Site, raw: str) -> None:
    client = await site.register()
    answer = await client.get(f"/api/login?redirect={raw}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


@pytest.mark.parametrize(
    "target", ["/", "/gallery", "/theme/7", "/subscribe?plan=pro&from=/gallery", "/gallery#top", "/fr/gallery/"]
)
async def test_a_page_of_ours_is_where_a_signed_in_user_goes(site: Site, target: str) -> None:
    client = await site.register()
    answer = await client.get("/api/login", params={"redirect": target})
    assert (answer.status_code, answer.headers["location"]) == (303, target)


def test_a_path_in_any_script_stays_on_this_site() -> None:
    location = safe_path("/suche/bücher?q=книга")
    assert location.isascii()
    assert urlsplit(urljoin(ORIGIN, location)).netloc == "localhost:8000"


async def test_signed_out_the_way_leads_to_the_sign_in_page(client: httpx.AsyncClient) -> None:
    assert (await client.get("/api/login")).headers["location"] == "/sign-in"
    answer = await client.get("/api/login", params={"redirect": "/theme/7?x=1"})
    assert (answer.status_code, answer.headers["location"]) == (
        303,
        "/sign-in?redirect=" + quote("/theme/7?x=1", safe=""),
    )
    assert (await client.get("/api/login", params={"redirect": "//evil.example"})).headers["location"] == "/sign-in"
    assert answer.headers["cache-control"] == "no-store"


async def test_a_repeated_parameter_is_no_way_around(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/login?redirect=/gallery&redirect=//evil.example")
    assert answer.status_code in (303, 422)
    assert "evil" not in answer.headers.get("location", "")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"sec-fetch-site": "same-origin", "sec-fetch-dest": "document", "sec-fetch-mode": "navigate"},
        {"sec-fetch-site": "none", "sec-fetch-dest": "document"},
        {"referer": f"{ORIGIN}/gallery"},
    ],
)
async def test_a_navigation_of_our_own_signs_out(site: Site, headers: dict[str, str]) -> None:
    client = await site.register()
    answer = await client.get("/api/logout", headers=headers)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert (await client.get("/api/auth/user")).status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site", "sec-fetch-dest": "document"},
        {"sec-fetch-site": "same-site", "sec-fetch-dest": "document"},
        {"sec-fetch-site": "cross-site", "sec-fetch-dest": "image"},
        {"sec-fetch-site": "same-origin", "sec-fetch-dest": "image"},
        {"sec-fetch-site": "same-origin", "sec-fetch-dest": "iframe"},
        {"sec-fetch-site": "same-origin", "sec-fetch-dest": "document", "sec-purpose": "prefetch;prerender"},
        {"referer": "https://evil.example/"},
        {"referer": "http://["},
    ],
)
async def test_nothing_else_signs_out_by_navigation(site: Site, headers: dict[str, str]) -> None:
    client = await site.register()
    answer = await client.get("/api/logout", headers=headers)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "clear-site-data" not in answer.headers
    assert (await client.get("/api/auth/user")).status_code == 200
