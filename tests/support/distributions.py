"""Distributions as strangers make them: built into a wheel and installed into a folder, without a network."""

import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

from kernel.core.config import PROJECT_ROOT

SPI: Final = PROJECT_ROOT / "config" / "spi"


def install(project: Path, into: Path) -> Path:
    """Build the wheel of a project and unpack it into a folder that can stand on PYTHONPATH; return that folder."""
    site = into / "site"
    with zipfile.ZipFile(build_wheel(project, into / "wheels")) as archive:
        archive.extractall(site)  # nothing else belongs to installing a wheel of pure Python without scripts
    return site


def build_wheel(project: Path, into: Path) -> Path:
    """Build the wheel of a project, the only one in its folder; return its file."""
    built = run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(into)], project)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = into.glob("*.whl")
    return wheel


def build_spi(into: Path) -> Path:
    """Build coverwright-spi as `make spi` does, the wheel from the sdist; return the folder with both."""
    built = run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(into)], SPI)
    assert built.returncode == 0, built.stdout + built.stderr
    (sdist,) = into.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(into, filter="data")
    build_wheel(into / sdist.name.removesuffix(".tar.gz"), into)
    return into


def authors_python(folder: Path, wheels: Path, extra: str) -> Path:
    """Make the environment of an author who has installed `coverwright-spi[extra]`; return its Python.

    It has what that needs and nothing else. The packages are those of this environment, so that no network is needed.
    """
    made = run([sys.executable, "-m", "venv", "--without-pip", str(folder)], PROJECT_ROOT)
    assert made.returncode == 0, made.stderr
    (site,) = folder.glob("lib/python*/site-packages")
    (wheel,) = wheels.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    (info,) = site.glob("*.dist-info")
    for needed in _needed(PathDistribution(info), {"", extra}, set()):
        for top in {file.parts[0] for file in needed.files or () if file.parts[0] not in ("..", "__pycache__")}:
            (site / top).symlink_to(Path(str(needed.locate_file(top))))
    return folder / "bin" / "python"


def _needed(of: Distribution, extras: set[str], known: set[str]) -> Iterable[Distribution]:
    """Return each distribution that one needs with these extras, directly or not."""
    for requirement in map(Requirement, of.requires or ()):
        wanted = requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in extras)
        name = requirement.name
        if not wanted or name in known:
            continue
        if name == of.name:
            yield from _needed(of, requirement.extras, known)
        else:
            known.add(name)
            found = distribution(name)
            yield found
            yield from _needed(found, {"", *requirement.extras}, known)


def mypy(python: Path, project: Path, *files: str) -> "subprocess.CompletedProcess[str]":
    """Check a project, or files of it, strictly against what is installed beside this Python."""
    checker = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(python), "--cache-dir", os.devnull]
    return run([*checker, *files], project)


def run(command: list[str], folder: Path, **env: str) -> "subprocess.CompletedProcess[str]":
    """Run a command in a folder, with additions to the environment, and return what became of it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COVERWRIGHT_", "PYTEST_"))}
    return subprocess.run(command, cwd=folder, env=kept | env, capture_output=True, text=True, timeout=300, check=False)
