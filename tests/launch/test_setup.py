"""Setting up from a fresh clone: what is locked, and the messages when a machine lacks something."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from kernel.core.config import PROJECT_ROOT

SCRIPTS = PROJECT_ROOT / ".ci"


def program(folder: Path, name: str, body: str) -> None:
    """Put a shell program into a folder."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def run(script: str, path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a set-up script on a machine that has only the programs in a folder."""
    return subprocess.run(
        ["/bin/sh", SCRIPTS / script, *arguments], env={"PATH": str(path)}, capture_output=True, text=True, cwd=path
    )


def test_every_dependency_is_locked_in_a_version_that_fits() -> None:
    project = tomllib.loads((PROJECT_ROOT / "pyproject.toml").read_text())
    wanted = [Requirement(text) for text in project["project"]["dependencies"] + project["dependency-groups"]["dev"]]
    lock = (PROJECT_ROOT / "requirements.lock").read_text()
    locked = dict(re.findall(r"^([a-z0-9._-]+)==([^ ;]+)", lock, re.MULTILINE))
    unfit = [str(one) for one in wanted if not one.specifier.contains(locked.get(canonicalize_name(one.name), "0"))]
    assert len(wanted) > 20
    assert unfit == []


def test_everything_locked_carries_a_hash() -> None:
    entries = re.split(r"\n(?=[a-z0-9])", (PROJECT_ROOT / "requirements.lock").read_text().strip())
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_a_python_that_fits_is_found_among_older_ones(tmp_path: Path) -> None:
    program(tmp_path, "python3", "exit 1")
    program(tmp_path, "python3.12", 'case "$2" in *executable*) echo /opt/python3.12;; esac')
    assert run("python.sh", tmp_path).stdout == "/opt/python3.12\n"


@pytest.mark.parametrize(
    ("script", "programs", "words"),
    [
        ("python.sh", {}, "Python 3.11 or newer is needed."),
        ("python.sh", {"python3": "exit 1"}, "Python 3.11 or newer is needed; python3 is older."),
        ("python.sh", {"python3": 'case "$2" in *ensurepip*) exit 1;; esac'}, "apt-get install python3-venv"),
        ("node.sh", {}, "Node 20.19 or newer with npm is needed."),
        ("node.sh", {"npm": "", "node": 'case "$1" in -e) exit 1;; *) echo v18.0.0;; esac'}, "this is v18.0.0"),
    ],
)
def test_what_is_missing_is_said_in_one_line(tmp_path: Path, script: str, programs: dict[str, str], words: str) -> None:
    for name, body in programs.items():
        program(tmp_path, name, body)
    done = run(script, tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_packages_of_the_system_are_named_when_they_cannot_be_installed(tmp_path: Path) -> None:
    program(tmp_path, "id", "echo 1000")
    done = run("debian.sh", tmp_path, "Drawing covers", "libegl1", "libgl1")
    assert done.returncode == 1
    assert done.stderr == (
        "Drawing covers needs packages that are missing here. Debian, Ubuntu: sudo apt-get install -y libegl1 libgl1\n"
    )


def test_packages_of_the_system_are_installed_by_root_without_questions(tmp_path: Path) -> None:
    program(tmp_path, "id", "echo 0")
    program(tmp_path, "apt-get", f'echo "$DEBIAN_FRONTEND $*" >> {tmp_path}/calls')
    assert run("debian.sh", tmp_path, "Drawing covers", "libegl1").returncode == 0
    assert (tmp_path / "calls").read_text().splitlines() == [
        "noninteractive update -qq",
        "noninteractive install -y -qq --no-install-recommends libegl1",
    ]


def test_make_describes_no_step_that_is_not_there() -> None:
    makefile = (PROJECT_ROOT / "Makefile").read_text()
    scripts = set(re.findall(r"\.ci/([a-z]+\.sh)", makefile))
    assert scripts <= {path.name for path in SCRIPTS.iterdir() if os.access(path, os.X_OK)}
    assert scripts
