"""The product inside the tests' own process: application and worker on one event loop, a queue server beside it."""

import asyncio
import logging
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Self

import httpx
import structlog

from kernel.accounts.admin.setup import prepare_setup
from kernel.core.config import Config, load_config
from kernel.core.queue.doorbell import DrainingWorker
from kernel.core.web.request_middleware import RequestMiddleware
from kernel.runtime import open_runtime
from kernel.worker import work
from tests.product import Product
from tests.support.applications import application
from tests.support.asgi_transport import AsgiTransport
from tests.support.databases import Databases
from tests.support.environment import environment
from tests.support.event_loop import EventLoopThread, place_of
from tests.support.processes import wait_until
from tests.support.valkey import valkey_server

CATCH_UP_S: Final = 3.0
END_S: Final = 60.0
"""So long a worker may take, on a busy machine, to end what it has in hand."""

DrainingWorker.SIGNALS = []  # signals are for the main thread, where the tests are


class LocalProduct(Product):
    """One data folder, a database, the application and a worker. All products of a process share one clock."""

    def __init__(self, databases: Databases, backend: str, **options: Any) -> None:
        super().__init__(**options)
        self.database_url = self.env["COVERWRIGHT_DATABASE_URL"] = databases.migrated(backend, self.data)
        self._closing = ExitStack()
        self._config: Config
        self._thread: EventLoopThread
        self._app: RequestMiddleware
        self._worker: asyncio.Task[None] | None = None

    def clock_file(self) -> Path:
        """Return the file that this process looks at."""
        return Path(os.environ["COVERWRIGHT_CLOCK_FILE"])

    def transport(self) -> httpx.BaseTransport:
        """Return a way into the application."""
        return AsgiTransport(self._thread, self._app)

    def start(self) -> Self:
        """Start the application and the worker."""
        self._closing.enter_context(_logging_to(self.log))
        self.env["COVERWRIGHT_REDIS_URL"] = self._closing.enter_context(valkey_server())
        self._config = load_config(self.env)
        self._thread = EventLoopThread(f"product {self.folder.name}")
        self._closing.callback(self._thread.close)
        with environment(self.env):
            self._closing.callback(self._serving())
        self.resume_worker()
        return self

    def pause_worker(self) -> None:
        """End the worker."""
        worker, self._worker = self._worker, None
        assert worker is not None
        self._thread.loop.call_soon_threadsafe(worker.cancel)
        try:
            self._thread.run(_ended(worker))
        except TimeoutError:
            self.resume_worker()  # who tests next needs one
            raise

    def resume_worker(self) -> None:
        """Start a worker, unless there is one."""
        if self._worker is None:
            with environment(self.env):
                self._worker = self._thread.start(work(self._config))
            with suppress(TimeoutError):  # what was left waiting must not take the next test's place at a stub
                wait_until(self._nothing_open, "the end of what waited for the worker", CATCH_UP_S)

    def _nothing_open(self) -> bool:
        return not self.sql("SELECT id FROM generation WHERE state IN ('queued', 'running') LIMIT 1")

    def end(self) -> None:
        """End the worker and the application."""
        if self._worker:
            self.pause_worker()
        self._closing.close()

    def _serving(self) -> Any:
        """Start the application; return what ends it."""
        ready, leave = asyncio.Event(), asyncio.Event()

        async def serve() -> None:
            with application(self._config) as app:
                async with app.lifespan():
                    self._app = RequestMiddleware(app, self._config)
                    ready.set()
                    await leave.wait()

        async def start() -> asyncio.Task[None]:
            async with open_runtime(self._config) as runtime:
                await prepare_setup(runtime.database, self._config, runtime.providers.registry, self.env)
            task = asyncio.create_task(serve())
            waiting = asyncio.create_task(ready.wait())
            await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                waiting.cancel()
                await task
            return task

        task = self._thread.run(start())

        def end() -> None:
            self._thread.loop.call_soon_threadsafe(leave.set)
            self._thread.run(_ended(task))

        return end


async def _ended(task: "asyncio.Task[None]") -> None:
    """Wait for the end of a task. Raises TimeoutError, which says where everything waits."""
    ended, _ = await asyncio.wait({task}, timeout=END_S)
    if not ended:
        places = sorted(place_of(other) for other in asyncio.all_tasks() - {asyncio.current_task()})
        raise TimeoutError("\n".join([f"{place_of(task)} has not ended. What there is:", *places]))


@contextmanager
def _logging_to(file: Path) -> Iterator[None]:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    logging.getLogger("httpx").setLevel(logging.WARNING)
    handler = logging.FileHandler(file)
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
        handler.close()
