"""Everything except the API: the shell of the interface, its files, and the headers of every response."""

import html
import re
from urllib.robotparser import RobotFileParser

import httpx
import pytest

from kernel.core.config import PROJECT_ROOT
from tests.person import fault
from tests.product import Product

LANGUAGES = ("en", "es", "fr", "de", "ja", "zh", "it", "pt", "ru", "ko", "ar", "hi")


@pytest.fixture
def site(shared_product: Product) -> httpx.Client:
    """An anonymous client; the database does not matter here."""
    return shared_product.visitor()


ROUTES = PROJECT_ROOT / "web" / "src" / "routes" / "_site"
ADMIN_PAGES = tuple(
    str(file.relative_to(ROUTES / "admin").with_suffix(""))
    .removesuffix("/index")
    .replace("_.", "/")
    .replace("$id", "7")
    .replace("$name", "acme")
    for file in sorted((ROUTES / "admin").rglob("?*.tsx"))
    if file.parent != ROUTES / "admin" or file.stem not in ("index", "route", "$provider")
)
SCREENS = (
    *(
        f"/{file.stem.replace('.', '/').replace('$id', '7')}"
        for file in sorted(ROUTES.glob("*.tsx"))
        if file.stem not in ("index", "route", "terms", "privacy", "contact")
    ),
    "/",
    "/fr/",
    "/ar/gallery",
)


@pytest.mark.parametrize("path", SCREENS)
def test_addresses_with_a_screen_answer_with_the_shell(site: httpx.Client, path: str) -> None:
    answer = site.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert '<div id="root"' in answer.text and "<!--app-head-->" not in answer.text


@pytest.mark.parametrize(
    "path", ["/admin", "/de/admin/stub-pay/", *(f"/admin/{page}" for page in (*ADMIN_PAGES, "stub-pay"))]
)
def test_pages_of_administrators_are_there_for_everybody_who_is_signed_in(
    site: httpx.Client, shared_product: Product, path: str
) -> None:
    reader, admin = shared_product.user(), shared_product.admin()
    assert [who.get(path).status_code for who in (site, reader, admin)] == [404, 200, 200]


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/fr/nowhere",
        "/gallery/7/8",
        "/.git/config",
        "/.env",
        "/admin.php",
        "/admin/no",
        "/admin/stripe",
        "/admin/stub-pay/7",
        "/subscribe/7",
        "/theme",
        "/theme/x",
    ],
)
def test_addresses_without_a_screen_are_not_found(site: httpx.Client, shared_product: Product, path: str) -> None:
    assert [who.get(path).status_code for who in (site, shared_product.user())] == [404, 404]


def test_the_head_is_written_by_the_server_for_each_language(site: httpx.Client) -> None:
    page = site.get("/ar/").text
    assert re.search(r'<html[^>]*lang="ar"[^>]*dir="rtl"', page)
    alternates = re.findall(r'<link rel="alternate" hreflang="([^"]+)"', page)
    assert sorted(alternates) == sorted([*LANGUAGES, "x-default"])
    assert len(re.findall(r'<link rel="canonical"', page)) == 1
    assert re.search(r'<html[^>]*lang="en"[^>]*dir="ltr"', site.get("/en/").text)


def hinted(page: str) -> list[str]:
    after_the_entry = page.split('<script type="module"')[1]
    return re.findall(r'<link rel="modulepreload" crossorigin href="(/assets/[^"]+)">', after_the_entry)


def test_a_page_names_what_its_screen_will_ask_for(site: httpx.Client, shared_product: Product) -> None:
    landing = hinted(site.get("/").text)
    assert any("/landing-" in address for address in landing) and not any("/-home-" in address for address in landing)
    home = hinted(shared_product.user().get("/").text)
    assert any("/-home-" in address for address in home) and not any("/landing-" in address for address in home)
    frame = hinted(site.get("/sign-in").text)
    assert any("/route-" in address for address in frame) and set(frame) < set(landing) & set(home)
    assert any("/_site-" in address for address in {*landing} & {*home} - {*frame})
    gallery = hinted(shared_product.user().get("/gallery").text)
    assert any("/gallery-" in address for address in gallery)
    for address in {*landing, *home}:
        assert site.get(address).status_code == 200


def test_the_words_of_the_page_are_fetched_in_its_language(site: httpx.Client) -> None:
    assert 'crossorigin href="/locales/ja/translation.json">' in site.get("/ja/").text
    assert site.get("/locales/ja/translation.json").status_code == 200


def fetched(page: str) -> list[str]:
    return re.findall(r'<link rel="preload" as="fetch" crossorigin="use-credentials" href="([^"]+)">', page)


def test_only_a_page_with_a_session_asks_whose_it_is(site: httpx.Client, shared_product: Product) -> None:
    for path in ("/", "/fr/", "/sign-in"):
        visited = site.get(path).text
        assert 'data-session="none">' in visited and "/api/auth/user" not in fetched(visited)
    home = shared_product.user().get("/").text
    assert "data-session" not in home and "/api/auth/user" in fetched(home)


def test_the_home_screen_asks_for_what_its_generator_begins_with(site: httpx.Client, shared_product: Product) -> None:
    reader = shared_product.user()
    answers = {"/api/generator-settings", "/api/capabilities", "/api/themes"}
    assert all(reader.get(path).status_code == 200 for path in answers)
    for path in ("/", "/de/", "/gallery"):
        assert answers <= set(fetched(reader.get(path).text))
    for page in (reader.get("/account"), site.get("/")):
        assert not answers & set(fetched(page.text))


def test_crawlers_may_fetch_what_the_page_asks_for(site: httpx.Client) -> None:
    rules = RobotFileParser()
    rules.parse(site.get("/robots.txt").text.splitlines())
    asked = fetched(site.get("/").text)
    assert asked and all(rules.can_fetch("Googlebot", f"http://localhost{path}") for path in asked)


def root_of(page: str) -> str:
    return page.split('<div id="root">')[1].split("</body>")[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_words_come_with_the_page(site: httpx.Client, shared_product: Product, language: str) -> None:
    words = site.get(f"/locales/{language}/translation.json").json()
    landing = root_of(site.get(f"/{language}/").text)
    assert words["landing"]["title"] in html.unescape(landing) and words["common"]["loading"] in landing
    home = root_of(shared_product.user().get(f"/{language}").text)
    assert words["generator"]["heading"] in html.unescape(home) and words["common"]["loading"] in home


def test_a_wheel_turns_where_no_words_are_known_before_the_scripts_run(site: httpx.Client) -> None:
    assert "Loading..." in root_of(site.get("/sign-in").text)
    assert "first-screen" not in root_of(site.get("/").text)


def test_no_script_of_the_interface_runs_before_the_first_paint(site: httpx.Client) -> None:
    before, rest = site.get("/").text.split('<template id="interface">')
    waiting, after = rest.split("</template>")
    assert re.findall(r'<script[^>]*src="([^"]+)"', before + after) == ["/boot.js"]
    assert "modulepreload" not in before + after and "stylesheet" in before
    assert len(re.findall(r'<script type="module"[^>]* src="/assets/', waiting)) == 1


def test_the_shell_comes_compressed_to_who_can_read_it(site: httpx.Client) -> None:
    packed, plain = (site.get("/", headers={"accept-encoding": encoding}) for encoding in ("gzip", "identity"))
    assert packed.headers["content-encoding"] == "gzip" and "accept-encoding" in packed.headers["vary"]
    assert packed.text == plain.text
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) / 2


def test_the_shell_cannot_be_written_into_by_its_address(site: httpx.Client) -> None:
    page = site.get('/"><script>alert(1)</script>').text
    assert "<script>alert" not in page


def test_files_of_the_interface_are_kept_for_ever_and_come_compressed(site: httpx.Client) -> None:
    script = re.search(r'src="(/assets/[^"]+\.js)"', site.get("/").text)
    assert script is not None
    answer = site.get(script.group(1), headers={"accept-encoding": "gzip"})
    assert answer.status_code == 200 and answer.headers["content-encoding"] == "gzip"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    again = site.get(script.group(1), headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304
    assert site.get("/assets/absent.js").status_code == 404


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/nope", "/api/covers/x/y/z", "/api/../api/nope", "/API/user"])
def test_unknown_calls_never_answer_with_the_shell(site: httpx.Client, path: str) -> None:
    answer = site.get(path)
    assert answer.status_code == 404
    if path.startswith("/api"):
        assert fault(answer)["code"] == "not_found"


@pytest.mark.parametrize(
    "path", ["/", "/nowhere", "/api/plan-limits", "/api/nope", "/api/covers", "/healthz", "/favicon.svg", "/metrics"]
)
def test_every_answer_carries_the_protecting_headers(site: httpx.Client, path: str) -> None:
    headers = site.get(path).headers
    policy = headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy and "object-src 'none'" in policy and "base-uri 'none'" in policy
    assert "unsafe-inline" not in policy and "unsafe-eval" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "strict-origin-when-cross-origin"
    assert headers["x-frame-options"] == "DENY"
    assert "strict-transport-security" not in headers, "this site is reached over plain http"
    assert re.fullmatch(r"[0-9a-f-]{36}", headers["x-request-id"])
    assert "access-control-allow-origin" not in headers


def test_the_policy_fits_the_page(site: httpx.Client) -> None:
    page = site.get("/").text
    assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*type=\"application/ld\+json\")[^>]*>", page), (
        "no inline script"
    )
    assert not re.search(r"<style|\sstyle=|\son\w+=", page), "no inline style or handler"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "localhost.evil.example", "[::2]", "[::1", "127.0.0.1:abc", "a b", ""]
)
def test_a_host_we_do_not_know_is_refused(site: httpx.Client, host: str) -> None:
    answer = site.get("/api/plan-limits", headers={"host": host})
    assert answer.status_code == 400 and "x-request-id" in answer.headers


def test_forged_forwarding_headers_change_nothing(site: httpx.Client) -> None:
    forged = {
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "https",
        "x-forwarded-for": "10.0.0.1",
        "x-real-ip": "10.0.0.1",
        "x-user-id": "1",
        "x-http-method-override": "DELETE",
    }
    answer = site.get("/api/auth/user", headers=forged)
    assert answer.status_code == 401
    assert "evil.example" not in site.get("/", headers=forged).text


def test_other_origins_get_no_permission_to_read(site: httpx.Client) -> None:
    asked = {"origin": "https://evil.example", "access-control-request-method": "POST"}
    answer = site.options("/api/generate-cover", headers=asked)
    assert "access-control-allow-origin" not in answer.headers
    assert "access-control-allow-origin" not in site.get("/api/plan-limits", headers=asked).headers


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "PROPFIND"])
def test_methods_nobody_uses_are_refused(site: httpx.Client, method: str) -> None:
    assert site.request(method, "/api/covers").status_code in (400, 405)


def test_readiness_and_liveness(site: httpx.Client) -> None:
    assert site.get("/healthz").json()["status"] == "ok"
    assert site.get("/readyz").json() == {"status": "ready", "degraded": []}


def test_metrics_are_for_this_machine(site: httpx.Client) -> None:
    site.get("/api/plan-limits")
    answer = site.get("/metrics")
    assert answer.status_code == 200 and 'route="/api/plan-limits"' in answer.text
    assert site.get("/metrics", headers={"x-forwarded-for": "10.0.0.1"}).status_code == 404


def test_responses_are_compressed_for_clients_that_accept_it(site: httpx.Client) -> None:
    assert site.get("/", headers={"accept-encoding": "identity"}).headers.get("content-encoding") is None
