"""The page *System* and `coverwright status`: one state, read from what is there."""

import json
from datetime import datetime
from uuid import uuid4

import pytest

from tests.person import Person
from tests.product import Product
from tests.support.processes import wait_until


@pytest.fixture
def admin(product: Product) -> Person:
    return product.user(admin=True)


def _roles(admin: Person) -> set[str]:
    return {one["role"] for one in admin.get("/api/admin/system").json()["processes"] if not one["lost"]}


def test_the_state_is_that_of_the_database_the_queue_the_disk_and_the_workers(product: Product, admin: Person) -> None:
    wait_until(lambda: admin.get("/api/admin/system").json()["sweeps"]["jobsAt"], "a sweep")
    wait_until(lambda: _roles(admin) == {"web", "worker"}, "a beat of each after a test that moved the clock")
    state = admin.get("/api/admin/system").json()
    database = state["database"]
    assert database["kind"] == ("postgresql" if "postgresql" in product.sqlalchemy_url else "sqlite")
    assert database["revision"] == database["newestRevision"] != ""
    assert database["bytes"] > 100_000 and database["version"]
    assert state["queue"]["version"] and state["queue"]["bytes"] > 0 and state["queue"]["rings"] >= 0
    assert 0 < state["disk"]["free"] <= state["disk"]["total"]
    assert {one["role"] for one in state["processes"]} == {"web", "worker"}
    assert not {"schema", "queue_away", "no_worker", "versions_differ", "clocks_differ"} & set(state["warnings"])


def test_a_backup_is_told_with_its_size_and_place(product: Product, admin: Person) -> None:
    before = admin.get("/api/admin/system").json()["backup"]
    assert (before["scheduledTo"], before["missed"]) == (None, 0)
    place = product.folder / f"saved-{uuid4().hex[:8]}"
    made = product.command("backup", str(place))
    assert made.returncode == 0, made.stderr
    backup = admin.get("/api/admin/system").json()["backup"]
    assert (backup["place"], backup["error"]) == (str(place), None)
    assert backup["bytes"] > 0 and datetime.fromisoformat(backup["at"]) <= product.now()


def test_the_command_says_the_same(product: Product, admin: Person) -> None:
    admin.post("/api/admin/job-kinds/backup/pause")
    try:
        told = product.command("status")
        assert told.returncode == 1, told.stdout + told.stderr
        assert "WARNING    jobs or services are paused" in told.stdout
        for name in ("version", "database", "queue", "disk", "jobs", "sweeps", "backup", "worker", "web"):
            assert f"\n{name} " in f"\n{told.stdout}"
        state = json.loads(product.command("status", "--json").stdout)
        page = admin.get("/api/admin/system").json()
        assert state.keys() == page.keys()
        assert (state["database"]["revision"], state["jobs"]["paused"]) == (page["database"]["revision"], ["backup"])
    finally:
        admin.post("/api/admin/job-kinds/backup/resume")
