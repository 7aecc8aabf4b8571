"""Drawing processes that die, are slow, or are replaced."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable

import pytest

from kernel.press.children import pool as pool_module
from kernel.press.children.pool import DrawingFailed, Limits, Pool, ProcessLost, SetupFailed, TookTooLong
from plugins.atelier.drawn import Drawn
from plugins.atelier.provider import PROGRAM
from tests.atelier.specs import tale

LOG = logging.getLogger("test")
STAMP = tale(width=200, height=300)
SLOW = tale(width=2000, height=3000)

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def make() -> AsyncIterator[Callable[..., Pool]]:
    pools: list[Pool] = []

    def build(**limits: object) -> Pool:
        pools.append(Pool(PROGRAM, Limits(**limits), LOG))  # type: ignore[arg-type]
        return pools[-1]

    yield build
    for pool in pools:
        await pool.aclose()


async def kill_while_drawing(pool: Pool, times: int) -> Drawn:
    """Draw a large cover; kill the process this many times, as soon as it paints."""
    left = times

    async def kill(phase: str) -> None:
        nonlocal left
        if phase == "painting" and left:
            left -= 1
            os.kill(pool.processes[0], signal.SIGKILL)

    return await pool.run(SLOW, Drawn, kill)


@pytest.mark.fault
async def test_a_cover_survives_the_death_of_its_process(make: Callable[..., Pool]) -> None:
    drawn = await kill_while_drawing(make(), 1)
    assert drawn.png.startswith(b"\x89PNG") and drawn.has_title


@pytest.mark.fault
async def test_a_cover_that_kills_every_process_is_given_up_and_the_next_one_works(make: Callable[..., Pool]) -> None:
    pool = make()
    with pytest.raises(ProcessLost, match="exit code -9"):
        await kill_while_drawing(pool, 2)
    assert (await pool.run(STAMP, Drawn)).png


@pytest.mark.fault
async def test_a_process_that_died_idle_is_replaced(make: Callable[..., Pool]) -> None:
    pool = make()
    await pool.run(STAMP, Drawn)
    (first,) = pool.processes
    os.kill(first, signal.SIGKILL)
    assert (await pool.run(STAMP, Drawn)).png
    assert pool.processes != (first,)


async def test_a_cancelled_cover_frees_its_place(make: Callable[..., Pool]) -> None:
    pool = make()
    painting = asyncio.Event()

    async def hear(phase: str) -> None:
        painting.set()

    task = asyncio.create_task(pool.run(SLOW, Drawn, hear))
    await painting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await pool.run(STAMP, Drawn)).png


async def test_a_cover_that_takes_too_long_is_given_up(make: Callable[..., Pool]) -> None:
    pool = make(seconds=0.05)
    with pytest.raises(TookTooLong):
        await pool.run(SLOW, Drawn)


@pytest.mark.parametrize("limit", ["orders", "memory"])
async def test_a_process_that_is_worn_out_or_grew_too_large_is_replaced(make: Callable[..., Pool], limit: str) -> None:
    pool = make(**{limit: 1})
    drawing: list[tuple[int, ...]] = []

    async def note(phase: str) -> None:
        if phase == "painting":
            drawing.append(pool.processes)

    await pool.run(STAMP, Drawn, note)
    await pool.run(STAMP, Drawn, note)
    assert not set(drawing[0]) & set(drawing[1])


async def test_a_reference_that_is_no_picture_costs_no_process(make: Callable[..., Pool]) -> None:
    pool = make()
    with pytest.raises(DrawingFailed) as caught:
        await pool.run(tale(references=(b"nonsense",)), Drawn)
    assert caught.value.reason == "reference"
    (first,) = pool.processes
    await pool.run(STAMP, Drawn)
    assert pool.processes == (first,)


async def test_missing_fonts_are_told_to_whoever_wants_a_cover(make: Callable[..., Pool]) -> None:
    with pytest.raises(SetupFailed, match="does not exist"):
        await make(fonts="/nowhere/at/all").run(STAMP, Drawn)


async def test_a_process_that_starts_slowly_lacks_nothing(
    make: Callable[..., Pool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "START_SECONDS", 0.0)
    pool = make()
    with pytest.raises(TookTooLong):
        await pool.run(STAMP, Drawn)
    monkeypatch.undo()
    assert (await pool.run(STAMP, Drawn)).png


async def test_a_closed_pool_leaves_no_process(make: Callable[..., Pool]) -> None:
    pool = make(workers=2)
    await pool.run(STAMP, Drawn)
    await pool.aclose()
    await pool.aclose()
    assert pool.processes == ()


async def test_the_server_itself_does_not_load_the_drawing_library() -> None:
    program = "import sys, plugins.atelier.provider; print('skia' in sys.modules)"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE)
    out, _ = await process.communicate()
    assert out.strip() == b"False"
