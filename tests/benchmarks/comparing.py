"""Ours beside the same calls written with FastAPI and SQLModel, and with Express: the same rows, taking turns."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec

from kernel.core.config import PROJECT_ROOT
from tests.benchmarks.answers import load
from tests.benchmarks.bench import Bench, cookie_of
from tests.benchmarks.figures import Figure, Section, median
from tests.benchmarks.load import Order
from tests.benchmarks.processes import cpu_s, family
from tests.shelf import shelve
from tests.support.processes import free_port, wait_until

PACKAGES: Final = PROJECT_ROOT / "var" / "peers"
PROGRAMS: Final = Path(__file__).with_name("peers")
CONNECTIONS: Final = 16
SECONDS: Final = 2.0
WARM_UP_S: Final = 0.5
ROUNDS: Final = 3
PER_PAGE: Final = 50
START_S: Final = 30.0
OURS: Final = "ours"
FASTAPI: Final = "FastAPI + SQLModel"
EXPRESS: Final = "Express + better-sqlite3"
SMALL: Final = "small JSON"
ANYBODYS: Final = f"{PER_PAGE} covers"
OWN: Final = f"{PER_PAGE} covers with session"
AIMS: Final = {(SMALL, FASTAPI): 0.8, (OWN, FASTAPI): 0.4, (OWN, EXPRESS): 2.0}
"""Most CPU of ours in CPU of the peer's."""


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """A running server, and its paths by what they are."""

    name: str
    port: int
    pid: int
    paths: dict[str, str]


def comparing(bench: Bench) -> Section:
    """Measure the CPU of each request of each program, again and again in turns, and compare the medians."""
    title = "Beside peers: the same calls, the same rows"
    commands = _commands()
    if bench.database != "SQLite" or not commands:
        why = "the peers read SQLite" if commands else "their packages are not installed; `make peers` does that"
        return Section(title=title, conditions=f"not measured: {why}", figures=[])
    product = bench.product()
    person = product.user()
    shelve(product.sqlalchemy_url, person.id, [f"The Tide of House {index}" for index in range(PER_PAGE)])
    own = f"/api/covers?limit={PER_PAGE}"
    ours = Program(name=OURS, port=product.port, pid=product.pids()["web"], paths={SMALL: "/healthz", OWN: own})
    with ExitStack() as running:
        programs = [ours] + [
            running.enter_context(_running(name, command, product.data / "coverwright.db", person.id, own))
            for name, command in commands.items()
        ]
        cookie = cookie_of(person)
        _require_equal(programs, cookie)
        spent = _measure(programs, cookie)
    return Section(
        title=title,
        conditions=f"SQLite, 1 server process each, {CONNECTIONS} connections, median of {ROUNDS} rounds of "
        f"{SECONDS:g} s in turns, CPU of the server for each request",
        figures=list(_figures(programs, spent)),
    )


def _commands() -> dict[str, list[str]]:
    """Return how to start the peers whose packages are installed; the port is appended."""
    commands: dict[str, list[str]] = {}
    uvicorn, node = PACKAGES / "python" / "bin" / "uvicorn", shutil.which("node")
    if uvicorn.exists():
        commands[FASTAPI] = [str(uvicorn), "fastapi_peer:app", "--no-access-log", "--log-level", "warning", "--port"]
    if node and (PACKAGES / "node_modules" / "better-sqlite3").exists():
        commands[EXPRESS] = [node, "express_peer.cjs"]
    return commands


@contextmanager
def _running(name: str, command: Sequence[str], database: Path, user_id: int, own: str) -> Iterator[Program]:
    """Run a peer on our database for the length of the block."""
    port = free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "NODE_ENV": "production",
        "NODE_PATH": str(PACKAGES / "node_modules"),
        "PEER_DATABASE": str(database),
        "PEER_PORT": str(port),
    }
    with subprocess.Popen([*command, str(port)], cwd=PROGRAMS, env=environment) as process:
        try:
            wait_until(lambda: _answers(process, port), f"start of {name}", START_S)
            paths = {SMALL: "/healthz", ANYBODYS: f"/of/{user_id}/covers", OWN: own}
            yield Program(name=name, port=port, pid=process.pid, paths=paths)
        finally:
            process.terminate()


def _answers(process: "subprocess.Popen[bytes]", port: int) -> bool:
    assert process.poll() is None, "the peer has ended"
    with suppress(httpx.TransportError):
        return httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
    return False


def _require_equal(programs: Sequence[Program], cookie: str) -> None:
    """Raise AssertionError unless all say the same: they are to do the same work."""
    for call in (SMALL, ANYBODYS, OWN):
        said: list[Any] = [
            httpx.get(f"http://127.0.0.1:{program.port}{program.paths[call]}", headers={"cookie": cookie}).json()
            for program in programs
            if call in program.paths
        ]
        assert all(one == said[0] for one in said), (call, said)


def _measure(programs: Sequence[Program], cookie: str) -> dict[tuple[str, str], float]:
    """Return the microseconds of CPU for each request, by call and program."""
    taken: dict[tuple[str, str], list[float]] = {}
    for round_number in range(ROUNDS + 1):  # the first only warms up
        for program in programs:
            for call, path in program.paths.items():
                order = Order(
                    port=program.port,
                    cookie=cookie,
                    path=path,
                    gzip=False,
                    connections=CONNECTIONS,
                    seconds=SECONDS if round_number else WARM_UP_S,
                )
                server = family(program.pid)
                before = cpu_s(*server)
                count = len(load(order).milliseconds)
                if round_number:
                    taken.setdefault((call, program.name), []).append((cpu_s(*server) - before) / count * 1e6)
    return {measured: median(values) for measured, values in taken.items()}


def _figures(programs: Sequence[Program], spent: dict[tuple[str, str], float]) -> Iterator[Figure]:
    for call in (SMALL, ANYBODYS, OWN):
        for program in programs:
            if (call, program.name) in spent:
                yield Figure(what=f"{call}: {program.name}", value=spent[call, program.name], unit="µs")
        for program in programs[1:]:
            if (call, OURS) in spent:
                ratio = spent[call, OURS] / spent[call, program.name]
                aim = AIMS.get((call, program.name))
                yield Figure(what=f"{call}: ours against {program.name}", value=ratio, unit="×", at_most=aim)
