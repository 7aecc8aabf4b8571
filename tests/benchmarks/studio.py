"""How quickly the studio follows: layouts over HTTP, and keys until they are seen in a browser."""

import asyncio
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any, Final

import msgspec

from kernel.core.config import PROJECT_ROOT
from tests.benchmarks.bench import Bench, cookie_of
from tests.benchmarks.client import connected
from tests.benchmarks.figures import Figure, Section, median, percentile
from tests.benchmarks.lighthouse import CHROMIUM
from tests.person import Person

LAYOUTS: Final = 200
WIDTH: Final = 1800
HEIGHT: Final = 2700
LAYOUT_P50_MS: Final = 40.0
LAYOUT_P95_MS: Final = 120.0
KEY_P95_MS: Final = 150.0
PROGRAM: Final = Path(__file__).with_name("keystrokes.mjs")
LONGEST_S: Final = 180


def studio(bench: Bench) -> Section:
    """Lay out titles that were not laid out before, one after the other; then type one in a browser."""
    product = bench.product()
    person = product.user()
    cover = person.cover(title="Saltmarsh", author="Ines Okafor")
    lettering = _lettered(person, cover["id"])
    asyncio.run(_layouts(product.port, cookie_of(person), lettering, WARM_UP))
    quiet = asyncio.run(_layouts(product.port, cookie_of(person), lettering, range(LAYOUTS)))
    figures = [
        Figure(what="layout over HTTP, p50", value=median(quiet), unit="ms", at_most=LAYOUT_P50_MS),
        Figure(what="layout over HTTP, p95", value=percentile(quiet, 0.95), unit="ms", at_most=LAYOUT_P95_MS),
    ]
    browser = os.environ.get("CHROMIUM", CHROMIUM)
    if shutil.which(browser) and shutil.which("node"):
        keys = _keys(product.port, f"/cover/{cover['id']}/edit", cookie_of(person), browser)
        figures += [
            Figure(what="key to outline in Chromium, p50", value=median(keys), unit="ms"),
            Figure(what="key to outline in Chromium, p95", value=percentile(keys, 0.95), unit="ms", at_most=KEY_P95_MS),
        ]
    return Section(
        title="The studio follows",
        conditions=f"{bench.database}, {LAYOUTS} layouts of {WIDTH}×{HEIGHT}, each of a title of its own; a key is "
        "seen when the browser shows the outline that it changed",
        figures=figures,
    )


WARM_UP: Final = range(LAYOUTS, LAYOUTS + 20)


def _lettered(person: Person, cover_id: int) -> dict[str, Any]:
    """Have our press set the words of a cover, and return the lettering."""
    address = f"/api/covers/{cover_id}/lettering"
    lettering: dict[str, Any] = person.post(f"{address}/suggestion", json={}).json()
    saved = person.put(address, json={"version": 1, "lettering": lettering})
    assert saved.status_code == 200, saved.text
    return lettering


async def _layouts(port: int, cookie: str, lettering: dict[str, Any], numbers: range) -> list[float]:
    """Return milliseconds from the request to the whole response."""
    times: list[float] = []
    async with connected(port, cookie) as client:
        for number in numbers:
            blocks = [
                block | {"text": f"The Garden of {number} Moons" if block["role"] == "title" else f"Clara {number}"}
                for block in lettering["blocks"]
            ]
            body = {"lettering": lettering | {"blocks": blocks}, "width": WIDTH, "height": HEIGHT}
            began = time.perf_counter()
            await client.post("/api/lettering/layout", body)
            times.append((time.perf_counter() - began) * 1000)
    return times


def _keys(port: int, path: str, cookie: str, browser: str) -> list[float]:
    """Return milliseconds from each key to the outline that shows it."""
    ended = subprocess.run(
        ["node", PROGRAM, f"http://127.0.0.1:{port}", path, cookie, browser],
        stdout=subprocess.PIPE,
        cwd=PROJECT_ROOT,
        timeout=LONGEST_S,
        check=True,
    )
    return msgspec.json.decode(ended.stdout, type=list[float])
