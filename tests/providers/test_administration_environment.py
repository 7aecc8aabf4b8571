"""Settings that come from the environment win, are shown locked, and their secrets go nowhere else."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.person import fault
from tests.product import Product

SECRET = "sk-from-the-environment-1"


@pytest.fixture(scope="module")
def locked() -> Iterator[Product]:
    """A product whose operator set two settings of an instance that is still to be made, and a secret of one there."""
    product = Product(
        env={
            "COVERWRIGHT_INSTANCE_LOCKED_REFERENCES": "7",
            "COVERWRIGHT_INSTANCE_LOCKED_API_KEY": SECRET,
            "COVERWRIGHT_INSTANCE_SPARE_API_KEY": SECRET,
        }
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
