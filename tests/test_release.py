"""A release has one version, and a make target for each thing that is published with it."""

import json
import re
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]


def test_both_halves_have_one_version() -> None:
    python = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    web, lock = (json.loads((ROOT / name).read_text()) for name in ("package.json", "package-lock.json"))
    assert [web["version"], lock["version"], lock["packages"][""]["version"]] == [python] * 3


def test_the_readme_names_every_target_of_a_release() -> None:
    targets = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert targets is not None and {"sbom", "audit"} <= set(targets[1].split())
    readme = (ROOT / "README.md").read_text()
    assert all(f"make {target}" in readme for target in ("sbom", "audit"))
