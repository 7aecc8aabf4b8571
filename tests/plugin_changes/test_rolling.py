"""A site takes up a plugin while people use it: nobody has stopped anything, and nobody saw an error."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.person import Person
from tests.plugin_changes.wheels import project
from tests.running_product import RunningProduct
from tests.support.distributions import run
from tests.support.load import Load
from tests.support.processes import wait_until

OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0"}
RINGS = Path(__file__).parents[1] / "outside_plugin" / "rings"
COVER_EACH_S = 3.0
"""More are refused, as too many tries."""

pytestmark = pytest.mark.fault


@pytest.fixture
def site() -> Iterator[RunningProduct]:
    product = RunningProduct(in_flight=30, env={"COVERWRIGHT_DRAIN_S": "20"}).start()
    yield product
    product.close()


def command(site: RunningProduct, *arguments: str) -> None:
    """Run a command as an administrator does beside the running site."""
    words = [sys.executable, "-m", "kernel.cli", *arguments]
    done = run(words, site.folder, **(site.env | OFFLINE))
    assert done.returncode == 0, done.stdout + done.stderr


def restart(site: RunningProduct, admin: Person) -> dict[str, Any]:
    """Ask for a restart, and return how it ended."""
    assert admin.post("/api/admin/restart").status_code == 202

    def ended() -> dict[str, Any] | None:
        hosts: list[dict[str, Any]] = admin.get("/api/admin/restart").json()["hosts"]
        return next((host for host in hosts if host["state"] != "running"), None)

    return wait_until(ended, "the end of the restart", 120)


def test_a_plugin_is_installed_and_used_without_a_stop(site: RunningProduct) -> None:
    admin = site.admin()
    before = site.pids()
    assert admin.get("/api/admin/restart").json()["needed"] is False
    site.stub.does("slow:1")
    answers = Counter[int]()

    def visit() -> None:
        with httpx.Client(base_url=f"http://127.0.0.1:{site.port}", timeout=30) as visitor:
            answers[visitor.get("/api/branding").status_code] += 1

    people = [site.user() for _ in range(4)]
    with Load(people, visit=visit, cover_each_s=COVER_EACH_S) as load:
        command(site, "plugins", "install", str(RINGS))
        wait_until(lambda: admin.get("/api/admin/restart").json()["needed"], "the need to restart", 30)
        (change,) = admin.get("/api/admin/restart").json()["changes"]
        assert change == {"distribution": "coverwright-rings", "loaded": None, "installed": "0.3.0"}
        wait_until(lambda: "restart_needed" in admin.get("/api/admin/system").json()["warnings"], "the warning", 30)
        ended = restart(site, admin)
        assert (ended["state"], ended["done"], ended["of"]) == ("done", 2, 2), ended
        load.has_made(3)
    # a connection on which no request has arrived when its process ends is closed, and a browser opens another one
    closed = [failure for failure in load.failures if failure.startswith("RemoteProtocolError")]
    assert load.failures == closed and len(closed) <= 2
    assert answers.keys() == {200} and answers[200] > 20, answers
    after = site.pids()
    assert after.keys() == before.keys() and after["valkey"] == before["valkey"]
    assert after["web"] != before["web"] and after["worker-1"] != before["worker-1"]
    wait_until(lambda: not admin.get("/api/admin/restart").json()["needed"], "the end of the need", 30)
    draft = {"kind": "image", "provider": "rings", "settings": {"rings": 5}}
    checked = admin.post("/api/admin/instances/check", json=draft).json()
    made = admin.post("/api/admin/instances", json=draft | {"label": "Rings", "checkToken": checked["checkToken"]})
    assert made.status_code == 201, made.text
    assert admin.put("/api/admin/routes/image", json={"instances": [made.json()["id"]]}).status_code == 200
    person = site.user()
    status = person.finished(person.generate())
    assert (status["status"], str(status["provider"]).lower()) == ("completed", "rings"), status
    assert site.doctor() == ""


def test_one_that_does_not_load_leaves_the_old_processes(site: RunningProduct, tmp_path: Path) -> None:
    admin = site.admin()
    command(site, "plugins", "install", str(project(tmp_path)))
    (package,) = (site.data / "plugins").glob("bright-idea/bright_idea/__init__.py")
    package.write_text("import clay_that_nobody_has\n")
    before = site.pids()
    ended = restart(site, admin)
    assert (ended["state"], ended["done"]) == ("failed", 0), ended
    assert "bright_idea" in ended["error"] and "clay_that_nobody_has" in ended["error"]
    assert site.pids() == before
    assert site.visitor().get("/api/branding").status_code == 200
