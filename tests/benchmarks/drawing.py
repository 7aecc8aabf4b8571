"""Covers of the offline artist: the cost of each family, in a separate drawing process."""

import asyncio
import logging
import time
from typing import Final

import msgspec

from kernel.press.children.pool import Limits, Pool
from plugins.atelier.brief import Spec
from plugins.atelier.drawn import Drawn
from plugins.atelier.families import FAMILIES
from plugins.atelier.provider import PROGRAM
from tests.benchmarks.bench import Bench
from tests.benchmarks.figures import Figure, Section, median
from tests.benchmarks.processes import cpu_s, peak_mb

WIDTH: Final = 1800
HEIGHT: Final = 2700
ON_PICTURES: Final = ("refphoto", "overlay")  # need a reference
CPU_AIM_S: Final = 0.8
WORST_CPU_AIM_S: Final = 1.3
MEMORY_AIM_MB: Final = 350.0
LOOK_S: Final = 0.01


class Cost(msgspec.Struct, frozen=True, kw_only=True):
    """One cover: CPU and elapsed seconds, and the process's peak memory in MB."""

    family: str
    cpu_s: float
    elapsed_s: float
    peak_mb: float


def drawing(bench: Bench) -> Section:
    """Draw one cover of each family."""
    del bench
    costs = sorted(asyncio.run(_all()), key=lambda cost: cost.cpu_s)
    slowest, largest = costs[-1], max(costs, key=lambda cost: cost.peak_mb)
    figures = [
        Figure(what="CPU, median family", value=median([c.cpu_s for c in costs]), unit="s", at_most=CPU_AIM_S),
        Figure(what="CPU, worst family", value=slowest.cpu_s, unit="s", at_most=WORST_CPU_AIM_S, note=slowest.family),
        Figure(what="elapsed, median family", value=median([c.elapsed_s for c in costs]), unit="s"),
        Figure(what="peak memory, median family", value=median([c.peak_mb for c in costs]), unit="MB"),
        Figure(
            what="peak memory, worst family",
            value=largest.peak_mb,
            unit="MB",
            at_most=MEMORY_AIM_MB,
            note=largest.family,
        ),
        *(
            Figure(what=f"{cost.family}: CPU", value=cost.cpu_s, unit="s", note=f"peak {cost.peak_mb:.0f} MB")
            for cost in costs
        ),
    ]
    return Section(
        title="Drawing a cover, with its PNG",
        conditions=f"{WIDTH}×{HEIGHT}, {len(costs)} families, the first cover of a fresh process each; CPU and time "
        "without the start, memory with it",
        figures=figures,
    )


async def _all() -> list[Cost]:
    return [await _draw(name) for name in FAMILIES if name not in ON_PICTURES]


async def _draw(family: str) -> Cost:
    spec = Spec(
        description="A lighthouse keeper finds a letter in a storm",
        title="The Keeper at Gull Point",
        author="Tamsin Arkwell",
        genre="Mystery",
        family=family,
        width=WIDTH,
        height=HEIGHT,
    )
    pool = Pool(PROGRAM, Limits(workers=1), logging.getLogger(__name__))
    try:
        pool.open()
        while not pool.processes:
            await asyncio.sleep(LOOK_S)
        (pid,) = pool.processes
        before, began = cpu_s(pid), time.perf_counter()
        await pool.run(spec, Drawn)
        return Cost(
            family=family,
            cpu_s=cpu_s(pid) - before,
            elapsed_s=time.perf_counter() - began,
            peak_mb=peak_mb(pid),
        )
    finally:
        await pool.aclose()
