"""What pip does for an installation: the wheel of a plugin, what it needs beside the product, and their unpacking."""

import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import Distribution, PathDistribution, distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import msgspec

from kernel.commands.installing.refused import PluginRefused
from kernel.core.process.plugin_folders import canonical, in_data, own_path
from kernel.spi import CONTRACT_VERSIONS, PLUGIN_GROUP

REQUIREMENT: Final = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._-]*(\[[A-Za-z0-9._, -]*\])?\s*([=<>~!][=<>~!,.*+A-Za-z0-9 _-]*)?"
)
CONSTRAINED: Final = re.compile(r"The user requested \(constraint\) (\S+?)==(\S+)")
NOT_OURS: Final = ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER", "PIP_CONSTRAINT", "PIP_REQUIREMENT")
"""Settings of pip that would put things elsewhere; all others are the operator's, such as its index."""

SPI: Final = "coverwright-spi"
SPI_EXTRAS: Final = ("pictures", "buckets", "kit")
LAST_LINES: Final = 12


class PipFailed(PluginRefused):
    """Pip ended with an error; `said` is everything that it wrote."""

    def __init__(self, message: str, said: str) -> None:
        super().__init__(message)
        self.said = said


class Wheel(msgspec.Struct, frozen=True):
    """A built distribution: its file, canonical name and version."""

    file: Path
    name: str
    version: str


class Needed(msgspec.Struct, frozen=True):
    """Something pip would install: how to ask for exactly that."""

    name: str
    version: str
    requirement: str


class Pip:
    """Runs pip with the environment of this process, as if the contracts were installed as a distribution.

    `folder` is for what pip reads and writes. Raises PluginRefused, with what pip says, when it fails.
    """

    def __init__(self, folder: Path, data_dir: Path) -> None:
        if find_spec("pip") is None:
            raise PluginRefused(f"This Python has no pip, which installs plugins: {sys.executable} -m ensurepip")
        self._folder = folder
        self._data_dir = data_dir
        self.environment: dict[str, str] = {canonical(one.name): one.version for one in distributions(path=own_path())}
        contracts = folder / "contracts"
        if SPI not in self.environment:
            self.environment[SPI] = _write_contracts(contracts)
        kept = {name: value for name, value in os.environ.items() if name not in NOT_OURS}
        paths = [str(contracts), *filter(None, [os.environ.get("PYTHONPATH")])]
        self._env = kept | {"PYTHONPATH": os.pathsep.join(paths), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}

    def wheel(self, source: str) -> Wheel:
        """Build or fetch the wheel of a plugin: from a wheel's file, a project's folder or a name with a version."""
        into = self._folder / "wheel"
        self._run("wheel", "--no-deps", "--wheel-dir", str(into), _checked(source))
        (file,) = into.glob("*.whl")
        found = _metadata(file)
        if not any(entry.group == PLUGIN_GROUP for entry in found.entry_points):
            raise PluginRefused(
                f"{found.name} {found.version} is no plugin: it has no entry point in the group `{PLUGIN_GROUP}`."
            )
        return Wheel(file, canonical(found.name), found.version)

    def needs(self, wheel: Wheel) -> list[Needed]:
        """Return what the plugin needs and nobody has. Raises PluginRefused when it does not fit what is there."""
        constraints, report = self._folder / "constraints.txt", self._folder / "report.json"
        installed = self.environment | self._of_other_plugins(wheel.name)
        constraints.write_text("".join(f"{name}=={version}\n" for name, version in sorted(installed.items())))
        try:
            self._run("install", "--dry-run", "--report", str(report), "-c", str(constraints), str(wheel.file))
        except PipFailed as error:
            if conflict := _conflict(error.said):
                raise PluginRefused(
                    f"{wheel.name} {wheel.version} does not fit this Coverwright: {conflict}"
                ) from error
            raise
        return [
            Needed(canonical(item["metadata"]["name"]), item["metadata"]["version"], _requirement(item))
            for item in msgspec.json.decode(report.read_bytes())["install"]
            if canonical(item["metadata"]["name"]) != wheel.name
        ]

    def unpack(self, wheel: Wheel, needed: Sequence[Needed], into: Path) -> None:
        """Install a plugin and what it needs into an empty folder, and nothing else."""
        wanted = [str(wheel.file), *(one.requirement for one in needed)]
        self._run("install", "--no-deps", "--target", str(into), *wanted)

    def _of_other_plugins(self, name: str) -> dict[str, str]:
        folders = [str(folder) for other, folder in in_data(self._data_dir).items() if other != name]
        return {canonical(one.name): one.version for one in distributions(path=folders)} if folders else {}

    def _run(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "pip", *arguments[:1], "--no-input", *arguments[1:]]
        ran = subprocess.run(command, env=self._env, capture_output=True, text=True, check=False, cwd=self._folder)
        if ran.returncode:
            lines = [line for line in (ran.stderr or ran.stdout).splitlines() if line.strip()]
            raise PipFailed("\n".join(["pip could not do it:", *lines[-LAST_LINES:]]), ran.stdout + ran.stderr)


def _checked(source: str) -> str:
    path = Path(source).expanduser()
    if path.is_dir() or path.is_file():
        return str(path.resolve())
    if path.suffix == ".whl" or len(path.parts) > 1:
        raise PluginRefused(f"There is no {source}.")
    if not REQUIREMENT.fullmatch(source):
        raise PluginRefused(f"`{source}` is no wheel, no folder of a project, and no name such as `covers-acme==1.2`.")
    return source


def _metadata(wheel: Path) -> Distribution:
    with zipfile.ZipFile(wheel) as archive:
        (info,) = {name.split("/")[0] for name in archive.namelist() if name.split("/")[0].endswith(".dist-info")}
    return PathDistribution(zipfile.Path(wheel, f"{info}/"))


def _write_contracts(folder: Path) -> str:
    """Write what tells pip that the contracts are here: they are the product's own. Return their version."""
    version = ".".join(map(str, (*max(CONTRACT_VERSIONS.values()), 0)))
    info = folder / f"coverwright_spi-{version}.dist-info"
    info.mkdir(parents=True)
    extras = "".join(f"Provides-Extra: {extra}\n" for extra in SPI_EXTRAS)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {SPI}\nVersion: {version}\n{extras}")
    (info / "INSTALLER").write_text("coverwright\n")
    (info / "RECORD").write_text("")
    return version


def _requirement(item: Mapping[str, Any]) -> str:
    name, version = item["metadata"]["name"], item["metadata"]["version"]
    return f"{name} @ {item['download_info']['url']}" if item.get("is_direct") else f"{name}=={version}"


def _conflict(said: str) -> str:
    """Return in our words which requirements exclude each other, or nothing if it is not that."""
    lines = [line.strip() for line in said.splitlines()]
    asked = [line for line in lines if " depends on " in line]
    here = {found[1]: found[2] for found in map(CONSTRAINED.match, lines) if found}
    if not asked or not here:
        return ""
    return "\n".join(f"  {line}" for line in _conflict_lines(asked, here))


def _conflict_lines(asked: Iterable[str], here: Mapping[str, str]) -> Iterable[str]:
    yield from asked
    for name, version in here.items():
        yield f"here is {name} {version}"
