"""Distributions as strangers make them: built into a wheel and installed into a folder, without a network."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path


def install(project: Path, into: Path) -> Path:
    """Build the wheel of a project and unpack it into a folder that can stand on PYTHONPATH; return that folder."""
    wheels = into / "wheels"
    built = run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels)], project)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = wheels.glob("*.whl")
    site = into / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)  # nothing else belongs to installing a wheel of pure Python without scripts
    return site


def run(command: list[str], folder: Path, **env: str) -> "subprocess.CompletedProcess[str]":
    """Run a command in a folder, with additions to the environment, and return what became of it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COVERWRIGHT_", "PYTEST_"))}
    return subprocess.run(command, cwd=folder, env=kept | env, capture_output=True, text=True, timeout=300, check=False)
