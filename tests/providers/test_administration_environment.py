"""Settings from the environment take precedence, are shown locked, and their secrets are sent to no other address."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.local_product import LocalProduct
from tests.person import fault
from tests.product import Product
from tests.support.databases import Databases

SECRET = "sk-from-the-environment-1"

DECLARED = f"""
[[instances]]
id = "declared"
kind = "image"
provider = "stub"
label = "Declared"
settings = {{ api_key = "{SECRET}" }}
"""
ELSEWHERE = "https://elsewhere.example"


@pytest.fixture(scope="module")
def locked(databases: Databases) -> Iterator[Product]:
    """A product whose operator set two settings of a future instance in the environment, and a secret of one there."""
    product = LocalProduct(
        databases,
        "sqlite",
        env={
            "COVERWRIGHT_INSTANCE_LOCKED_REFERENCES": "7",
            "COVERWRIGHT_INSTANCE_LOCKED_API_KEY": SECRET,
            "COVERWRIGHT_INSTANCE_SPARE_API_KEY": SECRET,
            "OPENAI_API_KEY": SECRET,
        },
        settings=DECLARED,
    )
    yield product.start()
    product.close()


def make(product: Product, **settings: Any) -> Any:
    body = {"id": "locked", "kind": "image", "provider": "stub", "label": "Locked", "settings": settings, "force": True}
    return product.admin().post("/api/admin/instances", json=body)


def test_a_field_from_the_environment_is_shown_with_its_variable_and_cannot_be_written(locked: Product) -> None:
    refused = make(locked, references=1, api_key="mine")
    assert set(fault(refused)["fields"]) == {"references", "api_key"}
    assert "COVERWRIGHT_INSTANCE_LOCKED_REFERENCES" in fault(refused)["fields"]["references"]
    made = make(locked, concurrency=3)
    assert made.status_code == 201 and SECRET not in made.text
    shown = made.json()
    assert shown["settings"]["references"] == 7 and shown["capabilities"]["referenceImages"] == 7
    assert shown["sources"]["references"] == "COVERWRIGHT_INSTANCE_LOCKED_REFERENCES"
    assert shown["secrets"]["api_key"]["source"] == "COVERWRIGHT_INSTANCE_LOCKED_API_KEY"
    assert shown["secrets"]["api_key"]["updatedAt"] is None
    for value in (2, None):
        body = {"settings": {"references": value}, "force": True}
        answer = locked.admin().patch("/api/admin/instances/locked", json=body)
        assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"references"}


def test_a_secret_from_the_environment_is_sent_to_no_other_address(locked: Product) -> None:
    elsewhere = {"settings": {"base_url": "https://elsewhere.example"}}
    answer = locked.admin().patch("/api/admin/instances/spare", json=elsewhere | {"force": True})
    assert answer.status_code == 422
    assert "COVERWRIGHT_INSTANCE_SPARE_BASE_URL" in fault(answer)["fields"]["base_url"]
    draft = {"id": "spare", "kind": "image", "provider": "stub"} | elsewhere
    report = locked.admin().post("/api/admin/instances/check", json=draft).json()
    assert (report["ok"], report["steps"], list(report["problems"])) == (False, [], ["base_url"])


def test_an_address_of_ones_own_never_gets_the_vendors_variable(locked: Product) -> None:
    """Neither at once, nor when the own key is removed later, nor when another instance is removed."""
    admin = locked.admin()

    def make_openai(name: str, **settings: Any) -> Any:
        body = {"id": name, "kind": "image", "provider": "openai", "label": name, "settings": settings}
        return admin.post("/api/admin/instances", json=body | {"force": True, "addToRoute": False})

    def change(name: str, **settings: Any) -> Any:
        return admin.patch(f"/api/admin/instances/{name}", json={"settings": settings, "force": True})

    first = make_openai("first").json()
    assert first["sources"]["api_key"] == "OPENAI_API_KEY" and first["state"] == "ready"
    assert change("first", base_url=ELSEWHERE).json()["secrets"]["api_key"]["set"] is False
    moved = change("first", base_url=ELSEWHERE, api_key="mine").json()
    assert moved["sources"]["api_key"] == "stored"
    assert change("first", api_key=None).json()["secrets"]["api_key"]["set"] is False
    assert make_openai("second", base_url=ELSEWHERE).status_code == 201
    assert admin.delete("/api/admin/instances/first").status_code == 204
    assert admin.get("/api/admin/instances/second").json()["secrets"]["api_key"]["set"] is False
    assert change("second", base_url=None).json()["sources"]["api_key"] == "OPENAI_API_KEY"
    assert admin.delete("/api/admin/instances/second").status_code == 204


def test_an_address_of_ones_own_never_gets_the_key_of_the_file(locked: Product) -> None:
    def change(**settings: Any) -> Any:
        return locked.admin().patch("/api/admin/instances/declared", json={"settings": settings, "force": True})

    assert set(fault(change(base_url=ELSEWHERE))["fields"]) == {"api_key"}
    assert change(base_url=ELSEWHERE, api_key="mine").status_code == 200
    assert set(fault(change(api_key=None))["fields"]) == {"api_key"}
    back = change(base_url=None, api_key=None)
    assert back.status_code == 200 and back.json()["sources"]["api_key"] == "file"


def test_a_check_is_good_only_where_the_same_settings_would_be_in_force(locked: Product) -> None:
    draft = {"kind": "image", "provider": "stub", "settings": {"concurrency": 3}}
    token = locked.admin().post("/api/admin/instances/check", json=draft).json()["checkToken"]
    locked.admin().delete("/api/admin/instances/locked")
    body = draft | {"label": "Locked", "checkToken": token, "addToRoute": False}
    refused = locked.admin().post("/api/admin/instances", json=body | {"id": "locked"})
    assert refused.status_code == 409 and fault(refused)["code"] == "check_required"
    assert locked.admin().post("/api/admin/instances", json=body | {"id": "unlocked"}).status_code == 201


def test_the_shell_lists_and_checks_instances(locked: Product) -> None:
    listed = locked.command("instances", "list")
    assert listed.returncode == 0, listed.stdout + listed.stderr
    assert "api_key: COVERWRIGHT_INSTANCE_SPARE_API_KEY" in listed.stdout and SECRET not in listed.stdout
    checked = locked.command("instances", "check")
    assert checked.returncode == 0 and "password: good" in checked.stdout, checked.stdout + checked.stderr
    body = {"settings": {"sizes": ["big"]}, "force": True}
    locked.admin().patch("/api/admin/instances/stub", json=body)
    assert locked.command("instances", "list").returncode == 1
    bad = locked.command("instances", "check", "stub")
    assert bad.returncode == 1 and "Sizes look like" in bad.stdout
    assert locked.command("instances", "check", "nobody").returncode == 1
