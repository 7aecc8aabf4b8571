"""The order of a launch: own the data folder, end leftovers, queue server, migrations, web and workers, greeting."""

import asyncio
import logging
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Final

from kernel.core.config import Config, ConfigError
from kernel.core.process import parent_watch
from kernel.core.process.metrics_folder import share
from kernel.launch import embedded
from kernel.launch.children import Child
from kernel.launch.crew import Check, Crew
from kernel.launch.embedded import EmbeddedValkey
from kernel.launch.errors import LaunchError
from kernel.launch.fork_server import ForkServer, Programs, can_fork
from kernel.launch.listener import Listener
from kernel.launch.pid_file import PidFile, only_launcher
from kernel.launch.preflight import missing_requirements, require_free_port
from kernel.launch.supervisor import Supervisor, end_leftovers, stop_on_signals

log = logging.getLogger(__name__)

VALKEY: Final = "valkey"
LOOK_S: Final = 0.05
ANSWER_S: Final = 5.0
LEASH_S: Final = 2.0
"""Processes whose launcher was killed notice that within half a second."""

ANY_ADDRESS: Final = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}


def run(
    config: Config,
    *,
    children: Sequence[Child],
    prepare: Callable[[], None],
    setup_link: Callable[[], str | None],
    programs: Programs | None = None,
    check: Check | None = None,
) -> int:
    """Run the whole product until it is stopped, and return the exit code.

    `prepare` makes the database what the children need, before any of them starts; `setup_link` returns the link to
    print while there is no administrator. Both run in a thread. What prevents a launch is one line on standard error
    and exit code 1. Children that are commands of the product are forked if `programs` is given. `check` returns, in a
    thread, what speaks against starting them anew.
    """
    try:
        with only_launcher(config.data_dir) as lock:
            share(config.data_dir / "metrics")
            listener = Listener(config)
            forked = None
            if programs and can_fork():
                forked = ForkServer.forked(programs, config.data_dir, lock, listener.number)
            parent_watch.exit_with_parent()
            crew = Crew(config, children, listener, forked, programs, check)
            asyncio.run(_launch(config, crew, prepare, setup_link))
    except LaunchError as error:
        print(f"coverwright: {error}.", file=sys.stderr)
        return 1
    return 0


async def _launch(
    config: Config, crew: Crew, prepare: Callable[[], None], setup_link: Callable[[], str | None]
) -> None:
    pid_file = PidFile(config.data_dir)
    supervisor = Supervisor(pid_file)
    stop = asyncio.Event()
    stop_on_signals(stop, supervisor.kill)
    await crew.open(supervisor)
    work = asyncio.create_task(_work(config, pid_file, supervisor, crew, prepare, setup_link))
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait((work, stopping), return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            work.result()
        drain_s = config.generation.drain_s
        print(
            f"Stopping … Covers that are being made have {drain_s:g} s to end; Ctrl-C again ends at once.", flush=True
        )
    finally:
        stopping.cancel()
        work.cancel()
        with suppress(asyncio.CancelledError, LaunchError):
            await work
        refusing = asyncio.create_task(crew.refuse())
        await supervisor.end(VALKEY, embedded.STOP_S, drain_s=config.generation.drain_s)
        await refusing
        await crew.aclose()


async def _work(
    config: Config,
    pid_file: PidFile,
    supervisor: Supervisor,
    crew: Crew,
    prepare: Callable[[], None],
    setup_link: Callable[[], str | None],
) -> None:
    """Start everything, print the greeting, and keep it running until canceled."""
    valkey = None if config.data.redis_url else EmbeddedValkey(config)
    adoptable = valkey is not None and await valkey.send(b"PING")
    crashed = pid_file.crashed
    await end_leftovers(pid_file, spare=VALKEY if adoptable else None)
    await _free_port(config, patience_s=LEASH_S if crashed else 0.0)
    for line in missing_requirements(config):
        print(f"Note: {line}.", file=sys.stderr)
    try:
        async with asyncio.TaskGroup() as group:
            preparing = group.create_task(asyncio.to_thread(_prepare, prepare))
            if valkey:
                server = await supervisor.begin(VALKEY, valkey.start)
                group.create_task(supervisor.restart(VALKEY, valkey.start, server))
            await preparing
            crew.begin(group)
            await _wait_until_ready(config.server.host, config.server.port)
            supervisor.settled = True
            await _greet(config, setup_link)
            group.create_task(crew.follow_orders(group))
    except* LaunchError as errors:
        raise errors.exceptions[0] from None


async def _free_port(config: Config, patience_s: float) -> None:
    """Raise LaunchError when the port stays in use: after a crash, processes that hold it end within a moment."""
    give_up = time.monotonic() + patience_s
    while True:
        try:
            require_free_port(config.server.host, config.server.port)
        except LaunchError:
            if time.monotonic() >= give_up:
                raise
            await asyncio.sleep(LOOK_S)
        else:
            return


def _prepare(prepare: Callable[[], None]) -> None:
    try:
        prepare()
    except ConfigError as error:
        raise LaunchError(str(error)) from error
    except Exception as error:
        log.debug("preparation failed", exc_info=True)
        words = str(error).strip().splitlines()[:1] or [type(error).__name__]
        raise LaunchError(f"the database cannot be brought up to date: {words[0]}") from error


async def _greet(config: Config, setup_link: Callable[[], str | None]) -> None:
    link = await asyncio.to_thread(setup_link)
    print(f"{config.site.name} is ready: {config.public_url}", flush=True)
    if link:
        print(f"Set up the first administrator: {link}", flush=True)
    print("Press Ctrl-C to stop.", flush=True)


async def _wait_until_ready(host: str, port: int) -> None:
    """Return once the web server answers /healthz with 200."""
    while not await _healthy(ANY_ADDRESS.get(host, host), port):
        await asyncio.sleep(LOOK_S)


async def _healthy(host: str, port: int) -> bool:
    try:
        async with asyncio.timeout(ANSWER_S):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                return (await reader.readline()).split()[1:2] == [str(HTTPStatus.OK.value).encode()]
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return False
