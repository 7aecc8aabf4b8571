"""`coverwright plugins list` and `check`: lists installed plugins and runs their conformance kit."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import msgspec

from kernel.core.config import Config
from kernel.providers import PluginRecord, load_plugins
from kernel.providers.administration.kit_reports import FOLDER, kit_report
from kernel.providers.administration.schemas import KitOut, PluginOut
from kernel.spi import PLUGIN_GROUP

CHECK_LIMIT_S: Final = 900
KITS: Final = (b"coverwright_spi.testing", b"kernel.spi.testing")
CANNOT: Final = 2


def list_plugins(config: Config, *, as_json: bool) -> int:
    """Print one line for each plugin, or all of them as JSON; return 1 when one is broken."""
    records = load_plugins(os.environ).records
    reports = [kit_report(config.data_dir, record.distribution) for record in records]
    if as_json:
        listed = [
            PluginOut(**{**msgspec.structs.asdict(record), "providers": list(record.providers)}, kit=report)
            for record, report in zip(records, reports, strict=True)
        ]
        print(msgspec.json.format(msgspec.json.encode(listed)).decode())
    else:
        for record, report in zip(records, reports, strict=True):
            print(_line(record, report))
    return int(any(record.state == "broken" for record in records))


def _line(record: PluginRecord, report: KitOut | None) -> str:
    kit = "kit -" if report is None else "kit ok" if report.ok else f"kit {report.failed} failed"
    source = f"{record.distribution or '-'} {record.version or '-'}"
    providers = ", ".join(record.providers) or "-"
    line = f"{record.name:<18} {source:<22} {record.state:<12} {record.load_ms:6.0f} ms  {kit:<12} {providers}"
    return f"{line}  {record.reason}" if record.reason else line


def check_plugin(config: Config, name: str) -> int:
    """Run the conformance kit of a distribution and store its report; return 1 for a broken rule, 2 if it cannot run.

    The distribution's own conformance tests are used; where it ships none, its providers are tested with default
    settings, and rules that this cannot show count as skipped.
    """
    try:
        found = distribution(name)
    except PackageNotFoundError:
        print(f"No distribution `{name}` is installed. `coverwright plugins list` names them.", file=sys.stderr)
        return CANNOT
    offered = [entry.name for entry in found.entry_points if entry.group == PLUGIN_GROUP]
    if not offered:
        print(f"`{name}` offers no plugin.", file=sys.stderr)
        return CANNOT
    if find_spec("pytest") is None or find_spec("anyio") is None:
        print("The kit needs pytest and anyio: pip install pytest anyio", file=sys.stderr)
        return CANNOT
    tests = sorted(_conformance_tests(found))
    written = _run(tests, offered)
    if written is None:
        return CANNOT
    folder = config.data_dir / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f".{found.name}.json"
    draft.write_bytes(written)
    draft.replace(folder / f"{found.name}.json")
    report = kit_report(config.data_dir, found.name)
    assert report is not None
    how = "its own tests" if tests else "default settings, because it ships no conformance tests"
    print(f"{found.name} {found.version}, kit {report.kit_version}, with {how}:")
    print(f"{report.passed} kept, {report.failed} broken, {report.skipped} not applicable")
    for rule in report.failures:
        print(f"broken: {rule}")
    for rule, why in report.waivers.items():
        print(f"waived: {rule}: {why}")
    return int(not report.ok)


def _run(tests: list[Path], offered: list[str]) -> bytes | None:
    """Run the kit in a separate process and return the report it wrote; None when there is none."""
    with tempfile.TemporaryDirectory(prefix="coverwright-kit-") as folder:
        report = Path(folder) / "report.json"
        targets = tests or [Path(__file__).with_name("plugin_generic.py")]
        options = ["--kit-only", f"--kit-report={report}", "--quiet", "--tb=short", "-p", "no:cacheprovider"]
        place = [] if tests else [f"--rootdir={folder}", f"--confcutdir={folder}", "-c", os.devnull]
        try:
            ran = subprocess.run(
                [sys.executable, "-m", "pytest", *options, *place, *map(str, targets)],
                env={**os.environ, "COVERWRIGHT_PLUGINS": ",".join(offered)},
                cwd=_root_of(tests[0]) if tests else folder,
                timeout=CHECK_LIMIT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            print(f"The kit was not done after {CHECK_LIMIT_S} s.", file=sys.stderr)
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
