"""How soon a change of the failover order is live in all processes, and the memory cost of a thousand swaps."""

import asyncio
import gc
import tempfile
import time
from pathlib import Path
from typing import Final

import httpx

from kernel.providers import IMAGE, Caller, Declaration, Registry, load_plugins
from kernel.spi import ImageResult
from kernel.spi.testing import FakeControl
from tests.benchmarks.bench import Bench
from tests.benchmarks.calling import ENV, REQUEST, configured
from tests.benchmarks.figures import Figure, Section, median
from tests.running_product import RunningProduct

CHANGES: Final = 20
PROBES: Final = 12
"""New connections that must all use the new order: with two web processes, one lags unseen in 1 of 2,048."""
AIM_S: Final = 2.0
SWAPS: Final = 1000
WARM_UP: Final = 200
FLAT_MB: Final = 2.0
"""Growth from the allocator, not from anything kept per swap: 2 kB each."""


def swapping(bench: Bench) -> Section:
    """Swap over the REST interface, then a thousand times inside one process."""
    product = bench.pair()
    times = _latencies(product)
    growth = asyncio.run(_growth())
    return Section(
        title="Swapping providers",
        conditions=f"{bench.database}, 2 web processes and 2 workers; time from sending the change until {PROBES} "
        f"fresh connections in a row are answered by the new route, {CHANGES} changes; memory inside one process",
        figures=[
            Figure(what="live in every web process, p50", value=median(times), unit="s", at_most=AIM_S),
            Figure(what="live in every web process, worst", value=max(times), unit="s", at_most=AIM_S),
            Figure(
                what=f"memory after {SWAPS} swaps, each with a call",
                value=growth,
                unit="MB more",
                at_most=FLAT_MB,
                note=f"resident, against {WARM_UP} swaps",
            ),
        ],
    )


def _latencies(product: RunningProduct) -> list[float]:
    admin, times = product.admin(), []
    for number in range(CHANGES):
        name = ("spare", "stub")[number % 2]
        began = time.perf_counter()
        answer = admin.put("/api/admin/routes/image", json={"instances": [name]})
        assert answer.status_code == 200, answer.text
        streak = 0
        while streak < PROBES:
            with httpx.Client(base_url=product.url) as client:
                shown = client.get("/api/capabilities").json()["image"]["provider"]
            streak = streak + 1 if shown == name.title() else 0
            assert time.perf_counter() - began < 10 * AIM_S, f"{name} is not live"
        times.append(time.perf_counter() - began)
    return times


async def _growth() -> float:
    """Return by how many MB the process grows in SWAPS swaps, each of which builds a new instance and calls it."""
    with tempfile.TemporaryDirectory(prefix="cw-bench-") as folder:
        registry = Registry.from_config(configured(Path(folder)), load_plugins(ENV), {})
        caller, control = Caller(registry, None), FakeControl()

        async def swap(number: int) -> None:
            changed = Declaration(
                id="stub", kind="image", provider="stub", label="Stub", settings={"deadline_s": 10.0 + number}
            )
            registry.publish(registry.build_snapshot([changed], {"image": ("stub",)}))
            await caller.call(
                IMAGE,
                lambda chosen: chosen.provider.generate(REQUEST, control),
                name="generate",
                result_type=ImageResult,
                repeatable=True,
            )

        for number in range(WARM_UP):
            await swap(number)
        before = _resident_mb()
        for number in range(WARM_UP, WARM_UP + SWAPS):
            await swap(number)
        after = _resident_mb()
        await caller.aclose()
        await registry.aclose()
        return after - before


def _resident_mb() -> float:
    gc.collect()
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024 / 1e6
    raise ProcessLookupError
