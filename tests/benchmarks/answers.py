"""Requests per second of the calls that every page makes, and the server's cost of each."""

import subprocess
import sys
from typing import Final

import msgspec

from kernel.core.config import PROJECT_ROOT
from tests.benchmarks.bench import Bench, cookie_of
from tests.benchmarks.figures import Figure, Section, median, percentile
from tests.benchmarks.load import Answered, Order
from tests.benchmarks.processes import cpu_s, family
from tests.shelf import shelve

CONNECTIONS: Final = 16
SECONDS: Final = 3.0
WARM_UP_S: Final = 0.5
PER_PAGE: Final = 50
CALLS: Final = (
    ("/healthz", "/healthz", False, False),
    ("/api/plan-limits", "/api/plan-limits", False, False),
    ("/api/auth/user", "/api/auth/user", True, False),
    (f"/api/covers, {PER_PAGE} rows", f"/api/covers?limit={PER_PAGE}", True, False),
    (f"/api/covers, {PER_PAGE} rows, gzip", f"/api/covers?limit={PER_PAGE}", True, True),
)
"""Its label, its path, whether a user is signed in, whether the response is compressed."""


def answers(bench: Bench) -> Section:
    """Repeat each call as fast as the server answers."""
    product = bench.product()
    person = product.user()
    shelve(product.sqlalchemy_url, person.id, [f"The Tide of House {index}" for index in range(PER_PAGE)])
    figures: list[Figure] = []
    for name, path, signed_in, gzip in CALLS:
        cookie = cookie_of(person) if signed_in else "none=none"
        order = Order(
            port=product.port, cookie=cookie, path=path, gzip=gzip, connections=CONNECTIONS, seconds=WARM_UP_S
        )
        load(order)
        server = family(product.pids()["web"])
        before = cpu_s(*server)
        answered = load(msgspec.structs.replace(order, seconds=SECONDS))
        spent = cpu_s(*server) - before
        figures += _figures(name, answered, spent)
    return Section(
        title="Requests per second",
        conditions=f"{bench.database}, 1 server process, {CONNECTIONS} connections for {SECONDS:g} s, no log line for "
        "each request; the generator shares the machine, so compare CPU rather than rates",
        figures=figures,
    )


def _figures(name: str, answered: Answered, spent_s: float) -> list[Figure]:
    count = len(answered.milliseconds)
    times = f"p50 {median(answered.milliseconds):.1f} ms, p99 {percentile(answered.milliseconds, 0.99):.1f} ms"
    return [
        Figure(what=name, value=count / answered.seconds, unit="/s", note=times),
        Figure(what=f"{name}: CPU of the server", value=spent_s / count * 1e6, unit="µs each"),
    ]


def load(order: Order) -> Answered:
    """Send the requests from another process."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.load"],
        input=msgspec.json.encode(order),
        stdout=subprocess.PIPE,
        cwd=PROJECT_ROOT,
        check=True,
    )
    return msgspec.json.decode(done.stdout, type=Answered)
