"""How long other people wait while one attacks: connections with half a body, and large uploads of a free user."""

import base64
import random
import resource
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Final

from tests.benchmarks.bench import Bench
from tests.benchmarks.figures import Figure, Section, percentile
from tests.benchmarks.processes import family, peak_mb
from tests.person import SMALL, Person
from tests.product import PASSWORD
from tests.running_product import RunningProduct

ANSWERS: Final = 40
HALF_BODIES: Final = 1500
HEAD: Final = "POST /api/auth/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
UPLOADS: Final = 6
UPLOAD_BYTES: Final = 10_000_000
PICTURES: Final = 4
"""Six requests with four pictures of 10 MB each, in base64: 54 MB a request."""
MOST_MB: Final = 700.0


def neighbors(bench: Bench) -> Section:
    """Time a neighbor's sign-ins and pages: on a quiet site, then beside each attack."""
    product = bench.product()
    quiet = _answers(product)
    figures = [Figure(what="quiet: longest answer", value=max(quiet) * 1000, unit="ms", note=_p50(quiet))]
    for name, attack in (("1,500 half bodies", _half_bodies), ("six uploads of 54 MB", _uploads)):
        beside, said = attack(product)
        figures += [
            Figure(what=f"{name}: longest answer", value=max(beside) * 1000, unit="ms", note=_p50(beside)),
            Figure(what=f"{name}: to a quiet site", value=max(beside) / max(quiet), unit="×", note=said),
        ]
    web = [peak_mb(pid) for pid in family(product.pids()["web"])]
    figures.append(Figure(what="largest web process", value=max(web), unit="MB", at_most=MOST_MB))
    return Section(
        title="Neighbors of an attack",
        conditions=f"{bench.database}, 1 server process; each figure is of {ANSWERS} sign-ins and pages in turn",
        figures=figures,
    )


def _answers(product: RunningProduct, going_on: Callable[[], bool] = lambda: False) -> list[float]:
    """Return how long, in seconds, a neighbor waits for each answer: at least ANSWERS of them, and while it goes on."""
    neighbor = product.user()
    email = neighbor.user["email"]
    taken: list[float] = []
    while len(taken) < ANSWERS or going_on():
        began = time.perf_counter()
        if len(taken) % 8 == 0:
            neighbor.sign_in(email, PASSWORD)
        else:
            assert neighbor.get("/api/covers").status_code == 200
        taken.append(time.perf_counter() - began)
    return taken


def _half_bodies(product: RunningProduct) -> tuple[list[float], str]:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2 * HALF_BODIES), hard))
    with ExitStack() as held:
        for _ in range(HALF_BODIES):
            connection = held.enter_context(socket.create_connection(("127.0.0.1", product.port), timeout=10))
            connection.sendall(f'{HEAD}Content-Length: 1000\r\n\r\n{{"email":'.encode())
        return _answers(product), f"{HALF_BODIES} held"


def _uploads(product: RunningProduct) -> tuple[list[float], str]:
    picture = base64.b64encode(random.Random(1).randbytes(UPLOAD_BYTES)).decode()
    uploads = [{"id": str(index), "base64": picture, "name": "a.png"} for index in range(PICTURES)]
    body: dict[str, Any] = {"prompt": "a tower", "title": "The Tower", "dimensions": SMALL, "uploadedImages": uploads}
    attacker, answered = product.user(), []

    def send() -> None:
        with Person(str(attacker.base_url)) as again:
            again.cookies.update(attacker.cookies)
            answered.append(again.post("/api/generate-cover-with-references", json=body, timeout=120).status_code)

    threads = [threading.Thread(target=send) for _ in range(UPLOADS)]
    for thread in threads:
        thread.start()
    try:
        beside = _answers(product, lambda: any(thread.is_alive() for thread in threads))
    finally:
        for thread in threads:
            thread.join()
    return beside, f"answered {sorted(answered)}"


def _p50(seconds: list[float]) -> str:
    return f"p50 {percentile(seconds, 0.5) * 1000:.0f} ms"
