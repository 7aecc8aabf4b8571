"""Ingesting a drawn picture: its cost, and whether it blocks other work."""

import asyncio
import logging
import time
from typing import Final

from kernel.core.config import PicturesConfig, load_config
from kernel.pictures.ingest import ingest
from kernel.press.children.pool import Limits, Pool
from kernel.spi import Size
from plugins.atelier.brief import Spec
from plugins.atelier.drawn import Drawn
from plugins.atelier.provider import PROGRAM
from tests.benchmarks.bench import Bench
from tests.benchmarks.figures import Figure, Section, median

WIDTH: Final = 1800
HEIGHT: Final = 2700
ROUNDS: Final = 5
BEAT_S: Final = 0.001


def pictures(bench: Bench) -> Section:
    """Ingest a cover with grain, as the artist makes it, in the wanted size."""
    del bench
    return asyncio.run(_measure())


async def _measure() -> Section:
    png, config = await _drawn(), load_config().pictures
    elapsed, cpu, block = zip(*[await _once(png, config) for _ in range(ROUNDS)], strict=True)
    return Section(
        title="Taking in a picture: check, decode, encode anew, two previews",
        conditions=f"{WIDTH}×{HEIGHT} with grain, {len(png) / 1e6:.1f} MB, median of {ROUNDS}",
        figures=[
            Figure(what="elapsed", value=median(elapsed) * 1000, unit="ms"),
            Figure(what="CPU", value=median(cpu) * 1000, unit="ms"),
            Figure(what="longest that the event loop stood still", value=median(block) * 1000, unit="ms"),
        ],
    )


async def _drawn() -> bytes:
    pool = Pool(PROGRAM, Limits(workers=1), logging.getLogger(__name__))
    try:
        spec = Spec(description="A lighthouse", title="The Light", family="sea", width=WIDTH, height=HEIGHT)
        return (await pool.run(spec, Drawn)).png
    finally:
        await pool.aclose()


async def _once(png: bytes, config: PicturesConfig) -> tuple[float, float, float]:
    """Return elapsed and CPU seconds, and the worst delay of the event loop."""
    late = 0.0

    async def beat() -> None:
        nonlocal late
        while True:
            began = time.perf_counter()
            await asyncio.sleep(BEAT_S)
            late = max(late, time.perf_counter() - began - BEAT_S)

    beating = asyncio.create_task(beat())
    began, cpu = time.perf_counter(), time.process_time()
    await ingest(png, config, limit=len(png), fit=Size(WIDTH, HEIGHT))
    took = time.perf_counter() - began, time.process_time() - cpu
    beating.cancel()
    return *took, late
