"""Any malformed request is answered with a 4xx in the one envelope: a 5xx is a bug."""

import json
import random
from collections.abc import Iterator
from uuid import UUID

import pytest
from litestar.handlers import HTTPRouteHandler

from kernel.core.web.access import route_table
from tests.person import Person, fault
from tests.product import Product
from tests.support.applications import described

NIL = str(UUID(int=0))
BODIES = {
    "nothing": b"",
    "no json": b"{not json",
    "half": b'{"prompt": "a',
    "after the end": b'{} {"prompt": "a"}',
    "bad utf-8": b'{"prompt": "\xff\xfe"}',
    "lone surrogate": b'{"prompt": "\\ud800"}',
    "nul": b'{"prompt": "a\\u0000b"}',
    "raw nul": b'{"prompt": "a\x00b"}',
    "deep": b"[" * 200_000,
    "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "list": b"[]",
    "number": b"1e400",
    "huge integer": b'{"themeId": ' + b"9" * 5000 + b"}",
    "text": b'"prompt"',
    "null": b"null",
    "keys twice": b'{"prompt": 1, "prompt": 2}',
    "prototype": b'{"__proto__": {"isAdmin": true}}',
    "many keys": json.dumps({f"k{number}": number for number in range(20_000)}).encode(),
}


def writes() -> Iterator[tuple[str, str]]:
    """Yield method and path of every call that takes a JSON body."""
    for method, path, _, handler in route_table(described()):
        if isinstance(handler, HTTPRouteHandler) and handler.parsed_data_field is not None:
            yield method, path


WRITES = sorted(set(writes()))


@pytest.mark.parametrize("what", BODIES)
def test_bodies_that_are_none_are_refused_by_every_call(shared_product: Product, what: str) -> None:
    admin = shared_product.user(admin=True)
    headers = {"content-type": "application/json"}
    for method, path in WRITES:
        address = path.replace("{generation_id}", NIL).replace("{key}", "standard_prompt")
        answer = admin.request(method, _filled(address), content=BODIES[what], headers=headers)
        assert 400 <= answer.status_code < 500, (method, path, answer.status_code, answer.text)
        assert answer.status_code not in (401, 403, 405), (method, path)
        fault(answer)


def test_bodies_of_another_type_are_refused_by_every_call(shared_product: Product) -> None:
    admin = shared_product.user(admin=True)  # whose uploads of this minute no other test has counted
    for method, path in WRITES:
        for kind in ("text/plain", "application/x-www-form-urlencoded", "text/json", ""):
            address = _filled(path.replace("{key}", "standard_prompt"))
            answer = admin.request(method, address, content=b"{}", headers={"content-type": kind})
            assert answer.status_code == 415, (method, path, kind, answer.status_code)
            assert fault(answer)["code"] == "wrong_type"


def _filled(path: str) -> str:
    """Fill a path with values of the right shape."""
    path = path.replace("{generation_id}", NIL).replace("{draft_id}", NIL)
    return "/".join("9007199254740991" if part.startswith("{") else part for part in path.split("/"))


@pytest.mark.parametrize("size", [16 * 1024 * 1024, 40 * 1024 * 1024])
def test_a_body_that_is_too_large_is_refused(shared_product: Product, size: int) -> None:
    ada = shared_product.user()
    headers = {"content-type": "application/json"}
    answer = ada.post("/api/generate-cover", content=b" " * size, headers=headers)
    assert answer.status_code == 413 and fault(answer)["code"] == "too_large"

    def chunks() -> Iterator[bytes]:
        yield from (b" " * 1024 * 1024 for _ in range(size // (1024 * 1024)))

    assert ada.post("/api/generate-cover", content=chunks(), headers=headers).status_code == 413
    assert ada.get("/api/covers").status_code == 200


@pytest.mark.parametrize(
    "query",
    [
        "limit=1&limit=2",
        "limit[]=1",
        "limit=%00",
        "limit=1%00",
        "search=%00%01%ff",
        "search=%ED%A0%80",
        "sort[]=newest",
        "starred=true&starred=false",
        "cursor=%00",
        "cursor=" + "A" * 200,
        "%FF%FE=1",
        "=&&==&",
        "search=" + "%F0%9F%98%80" * 25,
        "theme=1e3",
    ],
)
def test_odd_query_strings_are_answered(product: Product, ada: Person, query: str) -> None:
    answer = ada.get(f"/api/covers?{query}")
    assert answer.status_code in (200, 400, 422), answer.text
    if answer.status_code != 200:
        fault(answer)


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])
def test_random_addresses_are_answered(shared_product: Product, method: str) -> None:
    ada = shared_product.user()
    chance = random.Random(method)
    parts = [
        "api",
        "covers",
        "admin",
        "themes",
        "..",
        ".",
        "%2e%2e",
        "%00",
        "1",
        "-1",
        "é",
        "%ff",
        "a" * 300,
        "",
        "{x}",
    ]
    for _ in range(60):
        path = "/" + "/".join(chance.choices(parts, k=chance.randint(1, 5)))
        answer = ada.request(method, path)
        assert answer.status_code < 500, (method, path, answer.status_code)


def test_invalid_session_cookies_are_signed_out(product: Product) -> None:
    for value in ("x", "x" * 43, "%00" * 20, '"quoted"', "a" * 5000, "' OR 1=1--"):
        stranger = product.visitor(cookie=f"coverwright={value}; ;;=; coverwright-device=x.y.z")
        assert stranger.get("/api/auth/user").status_code == 401
        assert stranger.get("/api/plan-limits").status_code == 200


LINES = [
    ("POST", "/api/generate-cover", "title", {}),
    ("POST", "/api/generate-cover", "author", {}),
    ("POST", "/api/generate-cover", "genre", {}),
    ("PATCH", "/api/covers/1", "title", {}),
    ("POST", "/api/themes", "name", {"stylePrompt": "linocut"}),
    ("PATCH", "/api/themes/1", "name", {}),
    ("POST", "/api/themes/from-cover", "themeName", {"coverId": 1}),
    ("PUT", "/api/admin/settings/stats_authors", "textValue", {}),
    ("POST", "/api/admin/carousel", "title", {}),
    ("POST", "/api/admin/carousel", "genre", {}),
    ("POST", "/api/admin/seo/keywords", "keyword", {"language": "en"}),
    ("POST", "/api/admin/instances", "label", {"provider": "disk.folder", "settings": {}}),
    ("POST", "/api/admin/email/marketing", "subject", {"htmlBody": "<p>Hello</p>"}),
]
"""Calls with a field of one line, and the rest of a body in which only that field is wrong."""


@pytest.mark.parametrize("mark", ["\r\n", "\n", "\t", "\x07", "\x7f", "\x85", "\u2028", "\u2029"])
def test_a_field_of_one_line_takes_no_line_break_and_no_control_character(shared_product: Product, mark: str) -> None:
    admin = shared_product.admin()
    for method, path, name, rest in LINES:
        for text in (f"a{mark}Bcc: b", f"a{mark}"):
            answer = admin.request(method, path, json={**rest, name: text})
            assert answer.status_code == 422, (method, path, answer.text)
            assert fault(answer)["fieldCodes"][name]["code"] == "unseen_characters", (path, answer.text)


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/api/admin/audit?actorId=0&from=2&to=x", {"actorId", "from", "to"}),
        ("/api/admin/users?from=2&limit=0", {"from", "limit"}),
        ("/api/admin/usage?from=x", {"from"}),
        ("/api/admin/figures?from=x&to=y", {"from", "to"}),
        ("/api/depiction/elements?instanceId=" + "x" * 100, {"instanceId"}),
    ],
)
def test_what_is_wrong_is_said_under_the_name_that_was_sent(admin: Person, path: str, names: set[str]) -> None:
    answer = admin.get(path)
    assert answer.status_code == 422, answer.text
    assert names <= set(fault(answer)["fields"])
