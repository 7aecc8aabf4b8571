"""Who may call what: every route of the application, for every role, as listed in matrix.toml."""

import re
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from kernel.core.web.access import route_table
from tests.person import Person, fault
from tests.product import PASSWORD, Product
from tests.support.applications import described

MATRIX: Final = tomllib.loads(Path(__file__).with_name("matrix.toml").read_text())
ROUTES: Final[dict[str, list[int]]] = MATRIX["routes"]
BODIES: Final[dict[str, dict[str, Any]]] = MATRIX["bodies"]
FIXED: Final[dict[str, str]] = MATRIX["parameters"]
RECENT_SIGN_IN: Final[list[str]] = MATRIX["recent_sign_in"]


def test_the_matrix_names_every_route_and_no_other() -> None:
    assert sorted(ROUTES) == sorted(f"{method} {path}" for method, path, _, _ in route_table(described()))
    assert set(BODIES) <= set(ROUTES)


def test_administration_is_for_administrators() -> None:
    open_to_all = {"GET /api/admin/selected-price"}
    for route, (anonymous, owner, other, _) in ROUTES.items():
        if "/api/admin/" in route and route not in open_to_all:
            assert (anonymous, owner, other) == (401, 403, 403), route


def test_the_matrix_names_every_route_that_needs_a_recent_sign_in() -> None:
    marked = [
        f"{method} {path}" for method, path, _, handler in route_table(described()) if handler.opt.get("recent_sign_in")
    ]
    assert sorted(RECENT_SIGN_IN) == sorted(marked)


def test_a_stale_session_is_refused_until_its_user_repeats_the_password(shared_product: Product) -> None:
    admin, somebody = shared_product.user(admin=True), shared_product.user()
    with shared_product.later(seconds=15 * 60 + 60):
        for route in RECENT_SIGN_IN:
            method, template = route.split(" ")
            path = template.format(**FIXED, user_id=somebody.id)
            answer = admin.request(method, path, json=BODIES.get(route, {}))
            assert (answer.status_code, fault(answer)["code"]) == (403, "reauthentication_required"), route
        assert somebody.get("/api/auth/user").status_code == 200
        assert admin.get("/api/admin/users").status_code == 200
        assert admin.post("/api/auth/reauthenticate", json={"password": PASSWORD}).status_code == 204
        change = admin.patch(f"/api/admin/users/{somebody.id}", json={"isAdmin": True})
        assert (change.status_code, change.json()["isAdmin"]) == (200, True)


@pytest.mark.parametrize("route", sorted(ROUTES))
def test_each_role_gets_what_the_matrix_says(shared_product: Product, route: str) -> None:
    owner, other, admin = shared_product.user(), shared_product.user(), shared_product.admin()
    method, template = route.split(" ")
    names = re.findall(r"{(\w+)}", template)
    # what is done to a user may end their sessions, and all of these have a call to make
    objects = shared_product.user() if "user_id" in names else owner
    path = template.format(**{name: FIXED.get(name) or _belonging(objects, name) for name in names})
    body = {"json": BODIES.get(route, {})} if method in ("POST", "PUT", "PATCH") else {}
    roles = {"anonymous": shared_product.visitor(), "other": other, "admin": admin, "owner": owner}
    got = {}
    for role, person in roles.items():  # the owner comes last: calls of the others must not have changed anything
        with person.stream(method, path, **body) as answer:
            got[role] = answer.status_code
    assert [got[role] for role in ("anonymous", "owner", "other", "admin")] == ROUTES[route]


def _belonging(owner: Person, name: str) -> str:
    """Make an object of the owner's, and return its id."""
    match name:
        case "cover_id":
            return str(owner.cover()["id"])
        case "generation_id":
            generation_id = owner.generate()
            owner.finished(generation_id)
            return generation_id
        case "archive_id":
            archive = owner.post("/api/archives", json={"coverIds": [owner.cover()["id"]]}).json()
            return str(owner.packed(archive["id"])["id"])
        case "book_id":
            return str(owner.post("/api/books", json={"coverId": owner.cover()["id"]}).json()["id"])
        case "pack_id":
            book_id = owner.post("/api/books", json={"coverId": owner.cover()["id"]}).json()["id"]
            pack = owner.post(f"/api/books/{book_id}/pack", json={}).json()
            return str(owner.pack_made(pack["id"])["id"])
        case "theme_id":
            return str(owner.post("/api/themes", json={"name": "n", "stylePrompt": "s"}).json()["id"])
        case "invoice_id":
            owner.subscribe()
            return str(owner.get("/api/subscription").json()["invoices"][0]["id"])
        case "user_id":
            return str(owner.id)
        case "session_id":
            return str(owner.get("/api/account/sessions").json()[0]["id"])
        case _:
            raise AssertionError(f"matrix.toml must fix the parameter {name}")


@pytest.mark.parametrize(
    "path",
    ["/api/admin/settings/", "/api/ADMIN/settings", "/api/x/../admin/settings", "/api//admin/settings", "/api/admin"],
)
def test_administration_paths_cannot_be_reached_by_other_spellings(shared_product: Product, path: str) -> None:
    for person in (shared_product.visitor(), shared_product.user()):
        for method in ("GET", "HEAD", "POST"):
            headers = {"x-http-method-override": "GET", "x-original-url": "/api/admin/settings"}
            answer = person.request(method, path, headers=headers)
            assert answer.status_code in (401, 403, 404, 405), (method, path, answer.status_code)
            assert "promptTemplate" not in answer.text
