"""Wheels of plugins, built without a network."""

import json
import re
import sys
from pathlib import Path

from tests.support.distributions import build_wheel, run


def project(folder: Path, name: str = "bright-idea", kind: str = "storage") -> Path:
    """Write a new plugin as `coverwright plugins new` does; return its folder."""
    made = run([sys.executable, "-m", "kernel.cli", "plugins", "new", name, "--kind", kind, "--into", "."], folder)
    assert made.returncode == 0, made.stderr
    return folder / name


def wheel(project: Path, version: str = "0.1.0", *needs: str) -> Path:
    """Build the wheel of a plugin, with another version, or with other requirements; return its file."""
    file = project / "pyproject.toml"
    text = re.sub(r'^version = ".*"', f'version = "{version}"', file.read_text(), flags=re.MULTILINE)
    if needs:
        text = re.sub(
            r"^dependencies = \[.*?\]", f"dependencies = {json.dumps(needs)}", text, flags=re.MULTILINE | re.DOTALL
        )
    file.write_text(text)
    return build_wheel(project, project.parent / f"wheels-{version}")
