"""Runs the kit of a distribution in a process of its own, and stores its report."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import msgspec

from kernel.commands.checking.options import LIVE_VARIABLE, CheckOptions
from kernel.core.config import Config
from kernel.providers.administration.kit_reports import FOLDER, kit_report
from kernel.spi import PLUGIN_GROUP

CHECK_LIMIT_S: Final = 900
LIVE_LIMIT_S: Final = 3600
KITS: Final = (b"coverwright_spi.testing", b"kernel.spi.testing")
NEEDED: Final = {"pytest": "pytest", "anyio": "anyio", "hypothesis": "hypothesis", "yaml": "pyyaml", "PIL": "pillow"}
"""Modules that the kit needs, and the distributions that have them."""
CANNOT: Final = 2


def check_plugin(config: Config, name: str, options: CheckOptions | None = None) -> int:
    """Run the conformance kit of a distribution and store its report; return 1 for a broken rule, 2 if it cannot run.

    The distribution's own conformance tests are used; where it ships none, its providers are tested with default
    settings, and rules that this cannot show count as skipped. A live run, and one against a recording, has tests of
    its own, and its report is written only where the options say.
    """
    options = (options or CheckOptions()).absolute()
    found = _checkable(name, options)
    if isinstance(found, str):
        print(found, file=sys.stderr)
        return CANNOT
    offered = [entry.name for entry in found.entry_points if entry.group == PLUGIN_GROUP]
    own_vendor = not (options.live or options.replay)
    tests = sorted(_conformance_tests(found)) if own_vendor else []
    if not own_vendor:
        from kernel.commands.checking.consent import agreed

        if not agreed(config, offered, options):
            return CANNOT
    written = _run(tests, offered, options)
    if written is None:
        return CANNOT
    if own_vendor:
        folder = config.data_dir / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        draft = folder / f".{found.name}.json"
        draft.write_bytes(written)
        draft.replace(folder / f"{found.name}.json")
        assert kit_report(config.data_dir, found.name) is not None
    how = "its own tests" if tests else "default settings, because it ships no conformance tests"
    return _tell(found, written, how if own_vendor else _vendor(options), options)


def _checkable(name: str, options: CheckOptions) -> Distribution | str:
    """Return the distribution, or why it cannot be checked."""
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return f"No distribution `{name}` is installed. `coverwright plugins list` names them."
    if not any(entry.group == PLUGIN_GROUP for entry in found.entry_points):
        return f"`{name}` offers no plugin."
    missing = [package for module, package in NEEDED.items() if find_spec(module) is None]
    if missing:
        return f"The kit needs {' and '.join(missing)}: pip install {' '.join(missing)}"
    return options.problem or found


def _vendor(options: CheckOptions) -> str:
    return "its real vendor" if options.live else f"the recording {options.replay}"


class _Finding(msgspec.Struct, rename="camel"):
    id: str
    provider: str
    outcome: str
    why: str


class _Findings(msgspec.Struct, rename="camel"):
    kit_version: str
    ok: bool
    passed: int
    failed: int
    skipped: int
    failures: list[str]
    waivers: dict[str, str]
    rules: list[_Finding]


def _tell(found: Distribution, written: bytes, how: str, options: CheckOptions) -> int:
    """Print what the report says; return the exit code."""
    report = msgspec.json.decode(written, type=_Findings)
    print(f"{found.name} {found.version}, kit {report.kit_version}, with {how}:")
    print(f"{report.passed} kept, {report.failed} broken, {report.skipped} not applicable")
    for rule in report.failures:
        print(f"broken: {rule}")
    for rule, why in report.waivers.items():
        print(f"waived: {rule}: {why}")
    if options.live or options.replay:
        for why, rules in _left_out(report.rules).items():
            print(f"left out: {', '.join(rules)}: {why}")
    for what, place in (("recording", options.record), ("report", options.report), ("badge", options.badge)):
        if place is not None and place.exists():
            print(f"Wrote the {what} to {place}")
    return int(not report.ok)


def _left_out(rules: list[_Finding]) -> Mapping[str, list[str]]:
    """Return the rules that were not run, by the reason."""
    found: dict[str, list[str]] = {}
    for rule in rules:
        if rule.outcome == "skipped" and rule.id not in found.setdefault(rule.why, []):
            found[rule.why].append(rule.id)
    return found


def _run(tests: list[Path], offered: list[str], asked: CheckOptions) -> bytes | None:
    """Run the kit in a separate process and return the report it wrote; None when there is none."""
    real = asked.live or asked.replay
    limit = LIVE_LIMIT_S if real else CHECK_LIMIT_S
    with tempfile.TemporaryDirectory(prefix="coverwright-kit-") as folder:
        report = asked.report or Path(folder) / "report.json"
        report.unlink(missing_ok=True)
        targets = tests or [Path(__file__).with_name("live.py" if real else "generic.py")]
        options = ["--kit-only", f"--kit-report={report}", "--quiet", "--tb=short", "-p", "no:cacheprovider"]
        options += [f"--kit-badge={asked.badge}"] if asked.badge else []
        options += ["--live"] if asked.live else []
        place = [] if tests else [f"--rootdir={folder}", f"--confcutdir={folder}", "-c", os.devnull]
        told = {LIVE_VARIABLE: msgspec.json.encode(asked, enc_hook=str).decode()} if real else {}
        try:
            ran = subprocess.run(
                [sys.executable, "-m", "pytest", *options, *place, *map(str, targets)],
                env={"HYPOTHESIS_STORAGE_DIRECTORY": folder}
                | os.environ
                | {"COVERWRIGHT_PLUGINS": ",".join(offered), **told},
                cwd=_root_of(tests[0]) if tests else folder,
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            print(f"The kit was not done after {limit} s.", file=sys.stderr)
            return None
        if not report.exists():
            print(f"The kit could not be run: pytest ended with {ran.returncode}.", file=sys.stderr)
            return None
        return report.read_bytes()


def _root_of(test: Path) -> Path:
    """Return the project of a test: the nearest folder with a pyproject.toml, else the test's own."""
    return next((folder for folder in test.parents if (folder / "pyproject.toml").exists()), test.parent)


def _conformance_tests(found: Distribution) -> Iterator[Path]:
    """Return the test files that use the kit: in the installed packages, and beside the sources of an editable one."""
    for file in found.files or ():
        path = Path(str(file.locate()))
        if path.name.startswith("test_") and path.suffix == ".py" and _uses_kit(path):
            yield path
    origin = json.loads(found.read_text("direct_url.json") or "{}")
    if origin.get("dir_info", {}).get("editable"):
        sources = Path(unquote(urlsplit(origin["url"]).path))
        own = (path for path in sources.glob("tests/**/test_*.py") if _root_of(path) == sources)
        yield from filter(_uses_kit, own)


def _uses_kit(path: Path) -> bool:
    try:
        text = path.read_bytes()
        return any(kit in text for kit in KITS)
    except OSError:
        return False
