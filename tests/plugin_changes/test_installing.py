"""`coverwright plugins install` and `remove`, without a network."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kernel.core.config import PROJECT_ROOT
from tests.plugin_changes.wheels import project, wheel
from tests.product import Product
from tests.support.distributions import run
from tests.support.forked_commands import commands
from tests.support.processes import wait_until

OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0"}
Command = Callable[..., Any]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return project(tmp_path_factory.mktemp("author"))


@pytest.fixture
def own(source: Path, tmp_path: Path) -> Path:
    """A copy of the plugin's project that a test may change."""
    return Path(shutil.copytree(source, tmp_path / "bright-idea"))


@pytest.fixture
def coverwright(tmp_path: Path) -> Command:
    """Return what runs a command on a data folder of its own."""
    (tmp_path / "data").mkdir()

    def command(*arguments: str, **env: str) -> Any:
        words = [sys.executable, "-m", "kernel.cli", "plugins", *arguments]
        return run(words, tmp_path, COVERWRIGHT_DATA=str(tmp_path / "data"), **OFFLINE, **env)

    return command


def listed(coverwright: Command, distribution: str = "bright-idea") -> tuple[str, str] | None:
    """Return version and state of a plugin, or None when it is not installed."""
    records = json.loads(coverwright("list", "--json").stdout)
    return next(((one["version"], one["state"]) for one in records if one["distribution"] == distribution), None)


def left(folder: Path) -> set[str]:
    """Return what stands in the folder of plugins, but for the lock and what is kept for running processes."""
    names = {path.name for path in (folder / "data" / "plugins").iterdir()} - {".lock", ".versions"}
    assert not [name for name in names if name.startswith(".")], names
    return names


def test_a_project_is_installed_replaced_and_removed(coverwright: Command, own: Path, tmp_path: Path) -> None:
    made = coverwright("install", str(own))
    assert made.returncode == 0, made.stderr
    assert "Installed bright-idea 0.1.0: storage:bright-idea." in made.stdout
    assert listed(coverwright) == ("0.1.0", "loaded")
    first = (tmp_path / "data" / "plugins" / "bright-idea").resolve()
    newer = coverwright("install", str(wheel(own, "0.2.0")))
    assert "Installed bright-idea 0.2.0 instead of 0.1.0" in newer.stdout, newer.stderr
    assert listed(coverwright) == ("0.2.0", "loaded")
    assert (first / "bright_idea" / "provider.py").exists(), "processes that run have loaded it"
    gone = coverwright("remove", "Bright_Idea")
    assert gone.returncode == 0 and "Removed bright-idea 0.2.0" in gone.stdout, gone.stderr
    assert (listed(coverwright), left(tmp_path)) == (None, set())
    again = coverwright("remove", "bright-idea")
    assert again.returncode == 1 and "No plugin bright-idea is installed in the data folder" in again.stderr


def test_what_it_needs_is_installed_beside_it_and_what_is_there_is_not(
    coverwright: Command, own: Path, tmp_path: Path
) -> None:
    helper = project(tmp_path / "data", "small-help")
    links = str(wheel(helper, "1.5").parent)
    made = coverwright(
        "install", str(wheel(own, "0.1.0", "small-help>=1", "msgspec", "coverwright-spi>=1")), PIP_FIND_LINKS=links
    )
    assert made.returncode == 0, made.stderr
    assert "with small-help 1.5" in made.stdout
    inside = {path.name for path in (tmp_path / "data" / "plugins" / "bright-idea").iterdir()}
    assert {"bright_idea", "small_help"} <= inside and not {"msgspec", "coverwright_spi"} & inside


@pytest.mark.parametrize(
    ("needs", "words"),
    [
        ("msgspec<0.10", ("msgspec<0.10", "here is msgspec 0.22.0")),
        ("coverwright-spi>=99", ("coverwright-spi>=99", "here is coverwright-spi 1.3.0")),
        ("nobody-has-this", ("nobody-has-this",)),
    ],
)
def test_a_conflict_names_both_versions_and_changes_nothing(
    needs: str, words: tuple[str, ...], coverwright: Command, own: Path, tmp_path: Path
) -> None:
    refused = coverwright("install", str(wheel(own, "0.1.0", needs)))
    assert refused.returncode == 1
    assert all(word in refused.stderr for word in words), refused.stderr
    assert left(tmp_path) == set()


def test_one_that_does_not_load_leaves_the_old_one(coverwright: Command, own: Path, tmp_path: Path) -> None:
    assert coverwright("install", str(own)).returncode == 0
    (own / "src" / "bright_idea" / "__init__.py").write_text("import clay_that_nobody_has\n")
    refused = coverwright("install", str(wheel(own, "0.2.0")))
    assert refused.returncode == 1 and "No module named 'clay_that_nobody_has'" in refused.stderr, refused.stderr
    assert (listed(coverwright), left(tmp_path)) == (("0.1.0", "loaded"), {"bright-idea"})


def test_what_is_no_plugin_is_refused(coverwright: Command, own: Path, tmp_path: Path) -> None:
    text = (own / "pyproject.toml").read_text().replace("coverwright.plugins", "something.else")
    (own / "pyproject.toml").write_text(text)
    assert "is no plugin" in coverwright("install", str(own)).stderr
    assert "There is no ./x.whl" in coverwright("install", "./x.whl").stderr
    assert "is no wheel" in coverwright("install", "a b;c").stderr
    assert left(tmp_path) == set()


INSTANCE = """
[[instances]]
id = "shelf"
kind = "storage"
provider = "bright-idea"
label = "Shelf"
settings = {}
"""


@pytest.mark.fault
@pytest.mark.parametrize("at", ["constraints.txt", "site"])
def test_a_kill_in_the_middle_leaves_what_was_there(at: str, coverwright: Command, own: Path, tmp_path: Path) -> None:
    assert coverwright("install", str(own)).returncode == 0
    newer = wheel(own, "0.2.0")
    env = {**os.environ, **OFFLINE, "COVERWRIGHT_DATA": str(tmp_path / "data")}
    command = [sys.executable, "-m", "kernel.cli", "plugins", "install", str(newer)]
    plugins = tmp_path / "data" / "plugins"
    running = subprocess.Popen(command, env=env, start_new_session=True, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: list(plugins.glob(f".new-*/{at}")), "the middle of an installation", 60)
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    assert list(plugins.glob(".new-*")), "it was too late"
    assert listed(coverwright) == ("0.1.0", "loaded")
    assert coverwright("install", str(newer)).returncode == 0
    assert (listed(coverwright), left(tmp_path)) == (("0.2.0", "loaded"), {"bright-idea"})


def test_one_that_an_instance_needs_is_not_removed(coverwright: Command, own: Path, tmp_path: Path) -> None:
    assert coverwright("install", str(own)).returncode == 0
    site = tmp_path / "site.toml"
    site.write_text((PROJECT_ROOT / "config" / "default.toml").read_text() + INSTANCE)
    refused = coverwright("remove", "bright-idea", COVERWRIGHT_CONFIG=str(site))
    assert refused.returncode == 1, refused.stdout
    assert "shelf (storage, Shelf): delete it in the configuration file" in refused.stderr, refused.stderr
    assert listed(coverwright) == ("0.1.0", "loaded")


def test_both_are_in_the_audit_trail(own: Path, product: Product) -> None:
    admin = product.user(admin=True)
    made = commands().run("plugins", "install", str(own), env=product.env | OFFLINE, timeout=120)
    assert made.returncode == 0, made.stderr
    assert product.command("plugins", "remove", "bright-idea").returncode == 0
    newest = admin.get("/api/admin/audit?area=plugin").json()[:2]
    entries = [admin.get(f"/api/admin/audit/{one['id']}").json() for one in newest]
    assert [(one["entry"]["action"], one["entry"]["object"], one["before"], one["after"]) for one in entries] == [
        ("plugin.remove", "plugin:bright-idea", {"version": "0.1.0"}, {"version": None}),
        ("plugin.install", "plugin:bright-idea", {"version": None}, {"version": "0.1.0"}),
    ]
