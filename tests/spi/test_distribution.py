"""`coverwright-spi`: the contracts as a distribution of their own, and as the kernel's modules where a plugin runs."""

import sys
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path
from typing import get_args

import pytest
from packaging.requirements import Requirement

from kernel.spi import CONTRACT_VERSIONS, Kind
from tests.support.distributions import SPI, authors_python, build_spi, mypy, run

SMALL_MB = 12

SAME = """
import kernel, importlib, pkgutil, sys
from coverwright_spi.testing.images import ImageContract as outside
import coverwright_spi, kernel.spi
from kernel.spi.testing.images import ImageContract as inside
assert coverwright_spi is kernel.spi and outside is inside
for _, name, _ in pkgutil.walk_packages(kernel.spi.__path__, "kernel.spi."):
    other = importlib.import_module(name.replace("kernel.spi", "coverwright_spi"))
    assert other is sys.modules[name] and other.__spec__.name == name, name
"""


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_spi(tmp_path_factory.mktemp("spi"))


@pytest.fixture(scope="module")
def author(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return authors_python(tmp_path_factory.mktemp("author"), wheels, "kit")


def test_it_holds_the_contracts_the_kit_and_nothing_else(wheels: Path) -> None:
    (wheel,) = wheels.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    sources = SPI.parents[1] / "kernel" / "spi"
    own = {f"coverwright_spi/{path.relative_to(sources)}" for path in sources.rglob("*.py")}
    assert names == own | {"coverwright_spi/py.typed", "coverwright_spi/CHANGELOG.md", "coverwright_kit.py"}


def test_its_version_is_that_of_the_contracts() -> None:
    version = tomllib.loads((SPI / "pyproject.toml").read_text())["project"]["version"]
    assert tuple(map(int, version.split(".")[:2])) == max(CONTRACT_VERSIONS.values())


def test_an_author_installs_little(wheels: Path, tmp_path: Path) -> None:
    python = authors_python(tmp_path, wheels, "")
    (site,) = tmp_path.glob("lib/python*/site-packages")
    installed = (path.resolve() for path in site.iterdir())
    files = (file for top in installed for file in (top.rglob("*") if top.is_dir() else [top]) if file.is_file())
    assert sum(file.stat().st_size for file in files if file.suffix != ".pyc") < SMALL_MB * 1_000_000
    imported = run([str(python), "-c", "import coverwright_spi; print(coverwright_spi.__name__)"], tmp_path)
    assert imported.stdout == "coverwright_spi\n", imported.stderr


def test_its_metadata_name_few_needs(wheels: Path) -> None:
    (wheel,) = wheels.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (place,) = (name for name in archive.namelist() if name.endswith("METADATA"))
        needs = message_from_string(archive.read(place).decode()).get_all("Requires-Dist") or []
    always = {need.name for need in map(Requirement, needs) if need.marker is None}
    assert always == {"msgspec", "pluggy", "httpx", "idna"}


@pytest.mark.parametrize("kind", get_args(Kind))
def test_a_new_plugin_needs_nothing_but_this(kind: str, author: Path, tmp_path: Path) -> None:
    new = [sys.executable, "-m", "kernel.cli", "plugins", "new", "bright-idea", "--kind", kind, "--into", str(tmp_path)]
    made = run(new, tmp_path, COVERWRIGHT_DATA=str(tmp_path / "data"))
    assert made.returncode == 0, made.stderr
    project = tmp_path / "bright-idea"
    checked = mypy(author, project)
    assert checked.returncode == 0, checked.stdout
    ran = run([str(author), "-m", "pytest", "-p", "no:cacheprovider", "--kit-report=report.json"], project)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert '"ok": true' in (project / "report.json").read_text()


def test_in_the_product_it_is_the_kernels_own_modules(tmp_path: Path) -> None:
    ran = run([sys.executable, "-c", SAME], tmp_path)
    assert ran.returncode == 0, ran.stderr


def test_where_both_are_installed_the_kernels_modules_count(wheels: Path, tmp_path: Path) -> None:
    (wheel,) = wheels.glob("*.whl")
    ran = run([sys.executable, "-c", SAME], tmp_path, PYTHONPATH=str(wheel))
    assert ran.returncode == 0, ran.stderr


def test_two_sets_of_contracts_in_one_process_are_refused(wheels: Path, tmp_path: Path) -> None:
    (wheel,) = wheels.glob("*.whl")
    ran = run([sys.executable, "-c", "import coverwright_spi, kernel"], tmp_path, PYTHONPATH=str(wheel))
    assert "import `kernel` first" in ran.stderr


def test_what_is_not_there_is_missing_by_its_own_name(tmp_path: Path) -> None:
    ran = run([sys.executable, "-c", "import kernel, coverwright_spi.nothing"], tmp_path)
    assert "No module named 'coverwright_spi.nothing'" in ran.stderr
