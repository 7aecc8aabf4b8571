"""A third-party distribution, built, installed beside Coverwright and used: no line of Coverwright knows it."""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.person import Person
from tests.running_product import RunningProduct
from tests.support.distributions import authors_python, build_spi, install, mypy, run
from tests.support.load import Load

RINGS = Path(__file__).parent / "rings"
COVERS_EACH = 4


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rings")
    project = Path(shutil.copytree(RINGS, folder / "project"))
    return install(project, folder)


@pytest.fixture(scope="module")
def equipped(site: Path) -> Iterator[RunningProduct]:
    """The product with the outside plugin installed."""
    product = RunningProduct(fresh=True, env={"PYTHONPATH": str(site)}, in_flight=30).start()
    yield product
    product.close()


def coverwright(site: Path, data: Path, *arguments: str) -> Any:
    return run([sys.executable, "-m", "kernel.cli", *arguments], data, PYTHONPATH=str(site), COVERWRIGHT_DATA=str(data))


@pytest.fixture(scope="module")
def author(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of the plugin's author, who has coverwright-spi with its kit, and no Coverwright."""
    folder = tmp_path_factory.mktemp("author")
    return authors_python(folder / "venv", build_spi(folder / "dist"), "kit")


def test_its_author_needs_no_coverwright(author: Path, site: Path, tmp_path: Path) -> None:
    assert "No module named 'kernel'" in run([str(author), "-c", "import kernel"], tmp_path).stderr
    checked = mypy(author, Path(shutil.copytree(RINGS, tmp_path / "rings")))  # here it would be in our package `tests`
    assert checked.returncode == 0, checked.stdout
    report = tmp_path / "report.json"
    command = [str(author), "-m", "pytest", "-p", "no:cacheprovider", f"--kit-report={report}"]
    ran = run(command, RINGS, PYTHONPATH=str(site), PYTHONDONTWRITEBYTECODE="1")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    found = json.loads(report.read_text())
    assert found["ok"] and found["passed"] > 25 and found["failures"] == []


def test_it_passes_the_kit_with_its_own_tests(site: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--kit-report={report}"]
    ran = run(command, RINGS, PYTHONPATH=str(site), PYTHONDONTWRITEBYTECODE="1")
    assert ran.returncode == 0, ran.stdout
    found = json.loads(report.read_text())
    assert (found["ok"], found["failed"], found["failures"]) == (True, 0, [])


def test_a_wheel_without_tests_is_checked_with_default_settings(site: Path, tmp_path: Path) -> None:
    checked = coverwright(site, tmp_path, "plugins", "check", "coverwright-rings")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    listed = json.loads(coverwright(site, tmp_path, "plugins", "list", "--json").stdout)
    rings = next(record for record in listed if record["name"] == "rings")
    assert (rings["distribution"], rings["version"], rings["state"]) == ("coverwright-rings", "0.3.0", "loaded")
    assert rings["providers"] == ["image:rings"]
    assert rings["kit"]["ok"] and rings["kit"]["passed"] > 25 and rings["kit"]["failures"] == []


def test_administrators_see_it(equipped: RunningProduct) -> None:
    plugins = equipped.admin().get("/api/admin/plugins").json()
    rings = next(record for record in plugins if record["name"] == "rings")
    assert (rings["state"], rings["version"], rings["providers"]) == ("loaded", "0.3.0", ["image:rings"])
    providers = equipped.admin().get("/api/admin/providers").json()
    form = next(entry["schema"] for entry in providers if entry["id"] == "rings")
    assert form["properties"]["rings"]["title"] == "Rings"


def test_it_is_switched_to_and_back_while_covers_are_made(equipped: RunningProduct) -> None:
    admin = equipped.admin()
    draft = {"kind": "image", "provider": "rings", "settings": {"rings": 5}}
    checked = admin.post("/api/admin/instances/check", json=draft).json()
    assert checked["ok"], checked
    made = admin.post(
        "/api/admin/instances",
        json=draft | {"label": "Our rings", "checkToken": checked["checkToken"], "addToRoute": False},
    )
    assert made.status_code == 201, made.text
    people = [equipped.user() for _ in range(3)]
    equipped.stub.does("slow:0.1")
    with Load(people) as load:
        load.has_made(COVERS_EACH)
        switch(admin, [made.json()["id"]])
        load.has_made(COVERS_EACH, by="rings")
        switch(admin, ["stub", "spare"])
        load.has_made(COVERS_EACH, by="stub")
    assert load.failures == []
    assert equipped.doctor() == ""


def test_its_page_is_shown_and_asks_it(equipped: RunningProduct) -> None:
    admin = equipped.admin()
    rings = next(entry for entry in admin.get("/api/admin/providers").json() if entry["id"] == "rings")
    (page,) = rings["pages"]
    frame = admin.get(page["frame"], params={"language": "de"})
    assert frame.status_code == 200 and "customElements.define('rings-palettes'" in frame.text
    assert "Startwert" in frame.text and "connect-src 'none'" in frame.headers["content-security-policy"]
    draft = {"kind": "image", "provider": "rings", "settings": {"rings": 3}, "id": "shown", "label": "Shown"}
    assert admin.post("/api/admin/instances", json=draft | {"force": True, "addToRoute": False}).status_code == 201
    calls = "/api/admin/instances/shown/components/palettes/calls"
    asked = admin.post(f"{calls}/palettes", json={"argument": {"seed": 7}})
    assert asked.status_code == 200 and asked.json()["answer"]["rings"] == 3
    assert len(asked.json()["answer"]["colors"]) == 3


def switch(admin: Person, route: list[str]) -> None:
    assert admin.put("/api/admin/routes/image", json={"instances": route}).status_code == 200
