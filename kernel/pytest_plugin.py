"""The pytest plugin of the conformance kit: `--live`, `--kit-only`, `--kit-report` and `--kit-badge`.

It is installed with Coverwright, and as `coverwright_kit` with `coverwright-spi`. Every pytest in such an environment
loads it, so it imports nothing of either and changes no test outside the kit.
"""

import json
import platform
import re
import sys
from collections.abc import Generator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

import pytest

KIT_VERSION: Final = "1.2"
KITS: Final = ("kernel.spi.testing", "coverwright_spi.testing")
"""The kit by both its names. In the product they are the same modules, and the first is the one that classes know."""
RULE: Final = re.compile(r"test_([A-Z]+_\d\d)_")
WHY_CHARS: Final = 500
KEPT, BROKEN, NOT_RUN = "#2e7d32", "#c62828", "#616161"
LETTER_PX: Final = 6.4
"""Mean width of a letter at 11 px; the badge's words are set to exactly this width."""
BADGE: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{label}: {value}">'
    '<rect width="{width}" height="20" rx="3" fill="#424242"/>'
    '<path d="M{left} 0h{bend}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{bend}z" fill="{color}"/>'
    '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
    '<text x="{middle}" y="14" textLength="{words}" lengthAdjust="spacingAndGlyphs">{label}</text>'
    '<text x="{center}" y="14" textLength="{figures}" lengthAdjust="spacingAndGlyphs">{value}</text>'
    "</g></svg>\n"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the kit's options."""
    group = parser.getgroup("coverwright", "Coverwright's conformance kit")
    group.addoption("--live", action="store_true", help="let conformance tests reach other machines")
    group.addoption("--kit-only", action="store_true", help="run the rules of the kit and nothing else")
    group.addoption("--kit-report", metavar="FILE", help="write what the rules found, as JSON")
    group.addoption("--kit-badge", metavar="FILE", help="draw how many rules are kept, as SVG")


def pytest_configure(config: pytest.Config) -> None:
    """Record results where a report is wanted; a worker of pytest-xdist leaves that to its controller."""
    report, badge = config.getoption("--kit-report"), config.getoption("--kit-badge")
    if (report or badge) and not hasattr(config, "workerinput"):
        recorder = _Report(Path(report) if report else None, Path(badge) if badge else None)
        config.pluginmanager.register(recorder, "coverwright-kit-report")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests that check no rule, when only rules are wanted."""
    if config.getoption("--kit-only"):
        rest = [item for item in items if _rule(item) is None]
        config.hook.pytest_deselected(items=rest)
        items[:] = [item for item in items if _rule(item) is not None]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Name the rule in the report of its test; under pytest-xdist only reports reach the controller, which counts."""
    report = yield
    if (rule := _rule(item)) is not None:
        report.user_properties.append(("rule", rule))
        if not getattr(item, "function", item).__module__.startswith(KITS):
            report.user_properties.append(("waived", "the author overrode the rule"))
    return report


def _rule(item: pytest.Item) -> str | None:
    """Return the id of the kit's rule that a test checks, or None."""
    kind = getattr(item, "cls", None)
    name = RULE.match(item.name)
    if kind is None or name is None:
        return None
    contracts = (getattr(sys.modules.get(f"{kit}.contract"), "ProviderContract", None) for kit in KITS)
    return name[1] if issubclass(kind, tuple(filter(None, contracts))) else None


class _Report:
    """Counts rules: each as failed, passed, or not applicable by declaration."""

    def __init__(self, path: Path | None, badge: Path | None) -> None:
        self._path = path
        self._badge = badge
        self._tests: dict[str, dict[str, Any]] = {}
        self._waivers: dict[str, str] = {}
        self._contracts: set[str] = set()
        self._modules: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record how a phase of a rule's test ended; the worst result counts."""
        properties: dict[str, Any] = dict(report.user_properties)
        if "rule" not in properties:
            return
        name = report.nodeid.rpartition("::")[2]
        test = self._tests.setdefault(
            report.nodeid,
            {
                "id": properties["rule"],
                "title": _sentence(name),
                "provider": "",
                "outcome": "",
                "why": "",
                "seconds": 0.0,
            },
        )
        test["seconds"] = round(test["seconds"] + report.duration, 3)
        test["provider"] = properties.get("provider", test["provider"])
        self._contracts |= {properties["contract"]} if "contract" in properties else set()
        self._modules |= {properties["module"]} if "module" in properties else set()
        if "waiver" in properties:
            self._waivers[properties["rule"]] = properties["waiver"]
        if report.failed:
            test |= {"outcome": "failed", "why": _reason(report)}
        elif test["outcome"] != "failed" and (report.skipped or "waived" in properties):
            test |= {"outcome": "skipped", "why": properties.get("waived") or _reason(report) or test["why"]}
        elif not test["outcome"]:
            test["outcome"] = "passed"

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Write the report. It is a failure when nothing passed, or when the tests could not be collected."""
        tests = list(self._tests.values())
        counts = {name: sum(test["outcome"] == name for test in tests) for name in ("passed", "failed", "skipped")}
        failures = {test["id"] for test in tests if test["outcome"] == "failed"}
        ran = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        report = {
            "kitVersion": KIT_VERSION,
            "ok": ran and counts["passed"] > 0 and counts["failed"] == 0,
            **counts,
            "checkedAt": datetime.now(UTC).isoformat(timespec="seconds"),
            "failures": sorted(failures),
            "waivers": dict(sorted(self._waivers.items())),
            "contracts": sorted(self._contracts),
            "versions": {"python": platform.python_version(), **_versions(self._modules)},
            "rules": sorted(tests, key=lambda test: (test["provider"], test["id"])),
        }
        if self._path is not None:
            self._path.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", "utf-8")
        if self._badge is not None:
            kept = {test["id"] for test in tests if test["outcome"] == "passed"} - failures
            self._badge.write_text(
                _badge(sorted(self._contracts), len(kept), len(kept | failures), report["ok"]), "utf-8"
            )


def _sentence(test: str) -> str:
    """Return what a rule says, from the name of its test."""
    words = RULE.sub("", test.partition("[")[0], count=1).replace("_", " ")
    return f"{words[:1].upper()}{words[1:]}"


def _reason(report: pytest.TestReport) -> str:
    """Return why a test failed or was skipped, in one line."""
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2].removeprefix("Skipped: ")[:WHY_CHARS]
    crash = getattr(report.longrepr, "reprcrash", None)
    return str(getattr(crash, "message", "")).partition("\n")[0][:WHY_CHARS]


def _versions(modules: set[str]) -> dict[str, str]:
    """Return the versions of the contracts and of the distributions that the providers are from."""
    tops = {module.partition(".")[0] for module in modules}
    names = {name for top, found in packages_distributions().items() if top in tops for name in found}
    found: dict[str, str] = {}
    for name in sorted({"coverwright", "coverwright-spi"} | names):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _badge(contracts: list[str], kept: int, applied: int, ok: bool) -> str:
    """Return the badge, drawn here: which contract, and how many of the rules that apply are kept."""
    label = f"contract {', '.join(contracts)}" if contracts else "contract"
    value = f"{kept} of {applied}" if applied else "not run"
    words, figures = round(len(label) * LETTER_PX), round(len(value) * LETTER_PX)
    left, right = words + 12, figures + 12
    return BADGE.format(
        width=left + right,
        left=left,
        bend=right - 3,
        middle=left / 2,
        center=left + right / 2,
        words=words,
        figures=figures,
        label=escape(label),
        value=escape(value),
        color=(KEPT if ok else BROKEN) if applied else NOT_RUN,
    )
