"""The pytest plugin of the conformance kit: `--live`, `--kit-only` and `--kit-report`.

It is installed with Coverwright, and as `coverwright_kit` with `coverwright-spi`. Every pytest in such an environment
loads it, so it imports nothing of either and changes no test outside the kit.
"""

import json
import re
import sys
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

KIT_VERSION: Final = "1.1"
KITS: Final = ("kernel.spi.testing", "coverwright_spi.testing")
"""The kit by both its names. In the product they are the same modules, and the first is the one that classes know."""
RULE: Final = re.compile(r"test_([A-Z]+_\d\d)_")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the kit's options."""
    group = parser.getgroup("coverwright", "Coverwright's conformance kit")
    group.addoption("--live", action="store_true", help="let conformance tests reach other machines")
    group.addoption("--kit-only", action="store_true", help="run the rules of the kit and nothing else")
    group.addoption("--kit-report", metavar="FILE", help="write what the rules found, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    """Record results where a report is wanted; a worker of pytest-xdist leaves that to its controller."""
    if config.getoption("--kit-report") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Report(Path(config.getoption("--kit-report"))), "coverwright-kit-report")


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

    def __init__(self, path: Path) -> None:
        self._path = path
        self._outcomes: dict[str, str] = {}
        self._rules: dict[str, str] = {}
        self._waivers: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record how a phase of a rule's test ended; the worst result counts."""
        properties: dict[str, Any] = dict(report.user_properties)
        if "rule" not in properties:
            return
        self._rules[report.nodeid] = properties["rule"]
        if "waiver" in properties:
            self._waivers[properties["rule"]] = properties["waiver"]
        known = self._outcomes.get(report.nodeid)
        if report.failed:
            self._outcomes[report.nodeid] = "failed"
        elif known != "failed" and (report.skipped or "waived" in properties):
            self._outcomes[report.nodeid] = "skipped"
        elif known is None:
            self._outcomes[report.nodeid] = "passed"

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Write the report. It is a failure when nothing passed, or when the tests could not be collected."""
        counts = {name: list(self._outcomes.values()).count(name) for name in ("passed", "failed", "skipped")}
        failures = {self._rules[test] for test, outcome in self._outcomes.items() if outcome == "failed"}
        ran = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        report = {
            "kitVersion": KIT_VERSION,
            "ok": ran and counts["passed"] > 0 and counts["failed"] == 0,
            **counts,
            "checkedAt": datetime.now(UTC).isoformat(timespec="seconds"),
            "failures": sorted(failures),
            "waivers": dict(sorted(self._waivers.items())),
        }
        self._path.write_text(json.dumps(report, indent=2) + "\n")
