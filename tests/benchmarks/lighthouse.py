"""Lighthouse on the two first pages, on the mid-range phone that it simulates."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import msgspec

from kernel.core.config import PROJECT_ROOT
from tests.benchmarks.bench import Bench, cookie_of
from tests.benchmarks.figures import Figure, Section

PROGRAM: Final = PROJECT_ROOT / "node_modules" / ".bin" / "lighthouse"
CHROMIUM: Final = "/usr/bin/chromium"
"""The browser of the browser tests, unless $CHROMIUM names another."""
BROWSER_OPTIONS: Final = "--headless=new --no-sandbox --disable-gpu --disable-background-networking"
CATEGORIES: Final = {
    "performance": "performance",
    "accessibility": "accessibility",
    "best-practices": "best practices",
    "seo": "search engines",
}
TIMES: Final = {
    "first-contentful-paint": "first words",
    "largest-contentful-paint": "largest part",
    "total-blocking-time": "blocked for",
}
SHIFT: Final = "cumulative-layout-shift"
AIM: Final = 95.0
LONGEST_S: Final = 180


class Category(msgspec.Struct, frozen=True):
    """A category's score from 0 to 1; None when Lighthouse has none."""

    score: float | None


class Audit(msgspec.Struct, frozen=True, rename="camel"):
    """One measurement; times in milliseconds."""

    numeric_value: float = 0.0


class Environment(msgspec.Struct, frozen=True, rename="camel"):
    """How fast the machine was during the run: about 1500 for a good desktop."""

    benchmark_index: float


class Report(msgspec.Struct, frozen=True):
    """The used part of a report."""

    categories: dict[str, Category]
    audits: dict[str, Audit]
    environment: Environment


def lighthouse(bench: Bench) -> Section:
    """Load the landing page as a visitor and the home screen as a user, each once with an empty cache."""
    browser = os.environ.get("CHROMIUM", CHROMIUM)
    if not PROGRAM.exists() or shutil.which(browser) is None:
        return Section(title="Lighthouse", conditions=f"left out: {PROGRAM.name} and {browser} are needed", figures=[])
    product = bench.product()
    address = f"http://127.0.0.1:{product.port}/"
    reports = {
        "landing": _report(address, {}, browser),
        "home": _report(address, {"Cookie": cookie_of(product.user())}, browser),
    }
    speeds = ", ".join(f"{report.environment.benchmark_index:,.0f}" for report in reports.values())
    return Section(
        title="Lighthouse",
        conditions=f"mobile profile, simulated slow 4G and a quarter of this processor; benchmark index {speeds}",
        figures=[figure for page, report in reports.items() for figure in _figures(page, report)],
    )


def _report(address: str, headers: dict[str, str], browser: str) -> Report:
    ended = subprocess.run(
        [
            PROGRAM,
            address,
            "--quiet",
            "--output=json",
            f"--only-categories={','.join(CATEGORIES)}",
            f"--chrome-flags={BROWSER_OPTIONS}",
            f"--extra-headers={msgspec.json.encode(headers).decode()}",
        ],
        env={**os.environ, "CHROME_PATH": str(Path(browser))},
        capture_output=True,
        check=True,
        timeout=LONGEST_S,
    )
    return msgspec.json.decode(ended.stdout, type=Report)


def _figures(page: str, report: Report) -> list[Figure]:
    scores = [
        Figure(what=f"{page}: {name}", value=100 * (report.categories[key].score or 0), unit="of 100", at_least=AIM)
        for key, name in CATEGORIES.items()
    ]
    times = [
        Figure(what=f"{page}: {name}", value=report.audits[key].numeric_value / 1000, unit="s")
        for key, name in TIMES.items()
    ]
    shift = Figure(what=f"{page}: layout shift", value=report.audits[SHIFT].numeric_value, unit="")
    return [*scores, *times, shift]
