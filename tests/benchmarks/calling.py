"""The overhead of the caller over a provider's own time."""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import msgspec

from kernel.core.config import Config, InstanceConfig, RoutesConfig, load_config
from kernel.core.data.database import Database, open_database
from kernel.migrations.upgrade import migrate
from kernel.providers import IMAGE, Caller, Registry, load_plugins
from kernel.spi import Brief, ImageRequest, ImageResult, Size
from kernel.spi.testing import FakeControl
from tests.benchmarks.bench import Bench
from tests.benchmarks.figures import Figure, Section, median, percentile

CALLS: Final = 2000
WARM_UP: Final = 100
AIM_MS: Final = 0.5
ENV: Final = {
    "COVERWRIGHT_ENV": "test",
    "COVERWRIGHT_PLUGINS": "stub_image",
    "COVERWRIGHT_EXTRA_PLUGINS": "tests.stub_image",
}
REQUEST: Final = ImageRequest(prompt="a lighthouse", size=Size(32, 48), brief=Brief(description="a lighthouse"))


def calling(bench: Bench) -> Section:
    """Call a provider that answers at once, directly and through the caller, one call after the other."""
    direct, bare, noted = asyncio.run(_measure())
    return Section(
        title="Overhead of the caller",
        conditions=f"SQLite, {CALLS} calls one after the other of a provider that draws 32×48 pixels; medians of "
        "the whole call, the three ways taking turns",
        figures=[
            Figure(what="the provider alone", value=median(direct), unit="ms", note=_p99(direct)),
            Figure(
                what="the caller adds", value=median(bare) - median(direct), unit="ms", at_most=AIM_MS, note=_p99(bare)
            ),
            Figure(
                what="the caller and the stored attempt add",
                value=median(noted) - median(direct),
                unit="ms",
                note=f"{_p99(noted)}; a commit of its own, as calls that end together share one",
            ),
        ],
    )


def _p99(values: list[float]) -> str:
    return f"p99 of the call {percentile(values, 0.99):.2f} ms"


async def _measure() -> tuple[list[float], list[float], list[float]]:
    with tempfile.TemporaryDirectory(prefix="cw-bench-") as folder:
        config = configured(Path(folder))
        await migrate(config)
        database = open_database(config)
        registry = Registry.from_config(config, load_plugins(ENV), {})
        try:
            return await _take_turns(registry, database)
        finally:
            await registry.aclose()
            await database.aclose()


async def _take_turns(registry: Registry, database: Database) -> tuple[list[float], list[float], list[float]]:
    provider = registry.find("stub", IMAGE).provider
    caller, control = Caller(registry, database), FakeControl()

    async def direct() -> None:
        await provider.generate(REQUEST, control)

    def through(record: bool) -> Callable[[], Awaitable[object]]:
        return lambda: caller.call(
            IMAGE,
            lambda chosen: chosen.provider.generate(REQUEST, control),
            name="generate",
            result_type=ImageResult,
            repeatable=True,
            deadline_s=30.0,
            record=record,
        )

    ways: tuple[Callable[[], Awaitable[object]], ...] = (direct, through(False), through(True))
    taken: tuple[list[float], ...] = ([], [], [])
    for number in range(CALLS + WARM_UP):
        for way, times in zip(ways, taken, strict=True):
            began = time.perf_counter()
            await way()
            if number >= WARM_UP:
                times.append((time.perf_counter() - began) * 1000)
    await caller.aclose()
    return taken[0], taken[1], taken[2]


def configured(folder: Path) -> Config:
    """Return a configuration with one instance, of the stub."""
    base = load_config({"COVERWRIGHT_ENV": "test", "COVERWRIGHT_DATA": str(folder)})
    stub = InstanceConfig(id="stub", kind="image", provider="stub", label="Stub", settings={})
    routes = RoutesConfig(image=("stub",), storage=(), signin=(), payment=(), email=())
    return msgspec.structs.replace(base, instances=(stub,), routes=routes)
