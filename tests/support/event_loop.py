"""An event loop in a thread of its own, for tests that are plain functions."""

import asyncio
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import uvloop

Result = TypeVar("Result")


class EventLoopThread:
    """Runs coroutines for threads that have no event loop."""

    def __init__(self, name: str) -> None:
        self.loop = uvloop.new_event_loop()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Result], *, within_s: float = 120.0) -> Result:
        """Run a coroutine to its end and return what it returns. Raises what it raises, and TimeoutError."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(within_s)

    def start(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Start a task that goes on beside others."""

        async def create() -> asyncio.Task[None]:
            return asyncio.create_task(work)

        return self.run(create())

    def close(self) -> None:
        """End the loop, and what is left of its tasks: a connection that was being closed when its request ended."""
        self.run(_end_tasks())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(10)
        self.loop.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()


def place_of(task: "asyncio.Task[Any]") -> str:
    """Return where a task waits: every coroutine that waits for another, the outermost first."""
    places, waits = [], task.get_coro()
    while (frame := getattr(waits, "cr_frame", None)) is not None:
        places.append(f"{frame.f_code.co_qualname} ({Path(frame.f_code.co_filename).name}:{frame.f_lineno})")
        waits = getattr(waits, "cr_await", None)
    return f"{task.get_name()}: {' > '.join(places)}"


async def _end_tasks() -> None:
    """Cancel all tasks, twice: the driver of SQLite waits once more when it is told to stop."""
    for _ in range(2):
        if tasks := asyncio.all_tasks() - {asyncio.current_task()}:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=5)
