"""`coverwright plugins new` and `check`, and what the kit reports."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from kernel.cli import KINDS, main
from kernel.spi import Kind
from tests.support.distributions import install, run

Refused = Callable[..., tuple[int | str | None, str]]

PYTEST = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]

BROKEN = """
import pytest
from careless_things import CARELESS
from kernel.spi.testing import SigninContract


class TestConformance(SigninContract):
    @pytest.fixture
    def spec(self):
        return CARELESS

    @pytest.fixture
    def broken(self):
        return {}

    waivers = {"SET_05": "the label is shown nowhere"}

    async def test_SIGN_05_poor_passwords_are_refused_at_their_field(self, provider):
        assert provider

    def test_something_of_its_own(self):
        assert False


def test_no_rule():
    assert False
"""

CARELESS = """
from kernel.spi import ProviderSpec, Settings, hookimpl
from tests.kit.careless_signins import TakesPoorPasswords


class NoSettings(Settings, frozen=True, kw_only=True):
    pass


CARELESS = ProviderSpec(
    kind="signin", id="careless", label="Careless", summary=" ", contract=(1, 0), settings=NoSettings,
    build=TakesPoorPasswords, offline=True,
)


@hookimpl
def register_signin_providers():
    return [CARELESS]
"""

PYPROJECT = """
[project]
name = "careless-things"
version = "1.0"
[project.entry-points."coverwright.plugins"]
careless_things = "careless_things"
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[tool.hatch.build.targets.wheel]
include = ["careless_things.py"{tests}]
"""


def coverwright(folder: Path, *arguments: str, **env: str) -> Any:
    return run([sys.executable, "-m", "kernel.cli", *arguments], folder, COVERWRIGHT_DATA=str(folder / "data"), **env)


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Refused:
    """Run a command that ends before it does anything; return exit code and words. Needs no process of its own."""
    monkeypatch.setenv("COVERWRIGHT_DATA", str(tmp_path / "data"))

    def ended(*arguments: str) -> tuple[int | str | None, str]:
        with pytest.raises(SystemExit) as exit:
            main(arguments)
        return exit.value.code, capsys.readouterr().err

    return ended


def careless(folder: Path, *, with_tests: bool) -> Path:
    """Install a distribution that breaks rules, with or without its tests in the wheel; return where."""
    project = folder / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text(PYPROJECT.format(tests=', "test_careless_things.py"' if with_tests else ""))
    (project / "careless_things.py").write_text(CARELESS)
    (project / "test_careless_things.py").write_text(BROKEN)
    return install(project, folder)


@pytest.mark.parametrize("kind", get_args(Kind))
def test_a_new_plugin_passes_the_kit_as_it_is_written(kind: str, tmp_path: Path) -> None:
    made = coverwright(tmp_path, "plugins", "new", "bright-idea", "--kind", kind, "--into", str(tmp_path))
    assert made.returncode == 0, made.stderr
    project = tmp_path / "bright-idea"
    files = {str(path.relative_to(project)) for path in project.rglob("*") if path.is_file()}
    source = {f"src/bright_idea/{name}.py" for name in ("__init__", "settings", "provider", "errors")}
    assert {"pyproject.toml", "README.md", "tests/test_conformance.py", *source} <= files
    assert not any("acme" in (project / file).read_text().lower() for file in files)
    ran = run([*PYTEST, f"--kit-report={tmp_path / 'report'}"], project)
    assert ran.returncode == 0, ran.stdout
    assert json.loads((tmp_path / "report").read_text())["ok"]


def test_a_new_plugin_is_found_and_checked_once_it_is_installed(tmp_path: Path) -> None:
    coverwright(tmp_path, "plugins", "new", "bright-idea", "--kind", "storage", "--into", str(tmp_path))
    site = install(tmp_path / "bright-idea", tmp_path / "installed")
    checked = coverwright(tmp_path, "plugins", "check", "bright-idea", PYTHONPATH=str(site))
    assert checked.returncode == 0, checked.stdout + checked.stderr
    listed = coverwright(tmp_path, "plugins", "list", PYTHONPATH=str(site)).stdout
    assert any("storage:bright-idea" in line and "kit ok" in line for line in listed.splitlines()), listed


@pytest.mark.parametrize("name", ["A", "x", "-a", "a--b", "ä", "a/b", "../b", "json", "kernel", "a" * 40])
def test_a_name_that_cannot_be_a_module_is_refused(name: str, refused: Refused, tmp_path: Path) -> None:
    code, words = refused("plugins", "new", "--kind", "image", "--into", str(tmp_path), "--", name)
    assert code == 2, words
    assert [path.name for path in tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("stripe", "payment", "The plugin `stripe_payments` offers the payment provider `stripe`."),
        ("openai", "image", "The plugin `openai_images` offers the image provider `openai`."),
        ("openai", "email", "`openai` is the name of another Python module."),
        ("atelier", "email", "There is a plugin `atelier`."),
        ("class", "image", "`class` is a word of the Python language."),
        ("json", "image", "`json` is the name of another Python module."),
    ],
)
def test_a_name_that_is_taken_is_refused_with_the_reason(
    name: str, kind: str, words: str, refused: Refused, tmp_path: Path
) -> None:
    said = refused("plugins", "new", name, "--kind", kind, "--into", str(tmp_path))
    assert said == (2, f"{words} Please choose another name.\n")
    assert not (tmp_path / name).exists()


def test_what_is_there_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    assert coverwright(tmp_path, "plugins", "new", "mine", "--kind", "image", "--into", str(tmp_path)).returncode == 1
    assert list((tmp_path / "mine").iterdir()) == []


def test_broken_rules_are_named_and_kept(tmp_path: Path) -> None:
    site = careless(tmp_path, with_tests=True)
    checked = coverwright(tmp_path, "plugins", "check", "careless-things", PYTHONPATH=path_with(site))
    assert checked.returncode == 1, checked.stdout + checked.stderr
    report = json.loads((tmp_path / "data" / "kit" / "careless-things.json").read_text())
    assert (report["ok"], report["failed"], report["failures"]) == (False, 1, ["SIGN_04"])
    assert report["waivers"] == {"SET_05": "the label is shown nowhere"}
    assert "waived: SET_05: the label is shown nowhere" in checked.stdout
    assert report["skipped"] > 5, "rules that do not apply, and the one that the author overrode"
    listed = coverwright(tmp_path, "plugins", "list", PYTHONPATH=path_with(site)).stdout
    assert any("careless" in line and "kit 1 failed" in line for line in listed.splitlines()), listed


def test_without_tests_of_its_own_a_distribution_is_tried_with_default_settings(tmp_path: Path) -> None:
    site = careless(tmp_path, with_tests=False)
    checked = coverwright(tmp_path, "plugins", "check", "careless-things", PYTHONPATH=path_with(site))
    assert checked.returncode == 1, checked.stdout + checked.stderr
    report = json.loads((tmp_path / "data" / "kit" / "careless-things.json").read_text())
    assert report["failures"] == ["SET_05", "SIGN_04", "SIGN_05"]


def test_what_needs_its_vendor_counts_as_skipped_without_tests(tmp_path: Path) -> None:
    coverwright(tmp_path, "plugins", "new", "bright-idea", "--kind", "image", "--into", str(tmp_path))
    site = install(tmp_path / "bright-idea", tmp_path / "installed")
    checked = coverwright(tmp_path, "plugins", "check", "bright-idea", PYTHONPATH=str(site))
    assert checked.returncode == 0, checked.stdout + checked.stderr
    report = json.loads((tmp_path / "data" / "kit" / "bright-idea.json").read_text())
    assert report["failed"] == 0 and report["skipped"] > report["passed"] > 5


@pytest.mark.parametrize(("name", "sentence"), [("nobody-has-this", "No distribution"), ("pluggy", "offers no plugin")])
def test_what_cannot_be_checked_is_said(name: str, sentence: str, refused: Refused) -> None:
    code, words = refused("plugins", "check", name)
    assert code == 2
    assert sentence in words


def test_other_suites_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "test_other.py").write_text(
        "import socket, sys\n"
        "class TestX:\n"
        "    def test_IMG_01_of_somebody_else(self):\n"
        "        assert 'kernel.spi' not in sys.modules and 'kernel.core' not in sys.modules\n"
        "        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:\n"
        "            wire.connect(('192.0.2.1', 9))\n"
    )
    ran = run([*PYTEST, f"--kit-report={tmp_path / 'report'}"], tmp_path)
    assert ran.returncode == 0, ran.stdout
    report = json.loads((tmp_path / "report").read_text())
    assert (report["ok"], report["passed"], report["failed"]) == (False, 0, 0), "nothing of the kit was run"


def test_the_running_product_never_loads_the_kit(tmp_path: Path) -> None:
    source = "import sys, kernel.app, kernel.worker, kernel.commands.run, kernel.commands.plugins, kernel.cli\n"
    source += "print([name for name in sys.modules if name.startswith(('pytest', '_pytest', 'kernel.spi.testing'))])"
    ran = run([sys.executable, "-c", source], tmp_path)
    assert ran.stdout.strip() == "[]", ran.stdout + ran.stderr


def test_the_command_knows_every_kind() -> None:
    assert get_args(Kind) == KINDS


def path_with(site: Path) -> str:
    """Return a PYTHONPATH with the faulty providers of these tests."""
    return f"{site}:{Path(__file__).parents[2]}"
