"""The end of processes, requested or not: none is left behind, and the next start continues where the last stopped."""

import os
import signal
import socket
from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest

from tests.faults.conftest import CROWD, LEASE_S, SWEEP_S
from tests.person import Person
from tests.product import PASSWORD
from tests.running_product import RunningProduct
from tests.support.databases import BACKENDS
from tests.support.processes import is_alive, wait_until

pytestmark = pytest.mark.fault

JOBS = 4
STOP_S = 10.0
"""The launcher kills what has not ended after half of it; the rest is for a busy machine."""


@pytest.fixture(scope="module")
def running_products(new_database: Callable[[str], str], alone: None) -> Iterator[Callable[[str], RunningProduct]]:
    """Return the product of a backend; tests stop it and start it again."""
    built: dict[str, RunningProduct] = {}

    def get(backend: str) -> RunningProduct:
        if backend not in built:
            built[backend] = RunningProduct(
                database_url=new_database(backend),
                in_flight=CROWD,
                lease_s=LEASE_S,
                sweep_s=SWEEP_S,
                workers=2,
                route=("stub",),
            )
        return built[backend]

    yield get
    for running in built.values():
        running.close()


@pytest.fixture(params=BACKENDS)
def running(
    request: pytest.FixtureRequest, running_products: Callable[[str], RunningProduct]
) -> Iterator[RunningProduct]:
    """A running product; afterwards every invariant must hold."""
    yield from kept(running_products(request.param))


@pytest.fixture
def small_running(running_products: Callable[[str], RunningProduct]) -> Iterator[RunningProduct]:
    """The same on SQLite only, for cases that do not depend on the database."""
    yield from kept(running_products("sqlite"))


def kept(running: RunningProduct) -> Iterator[RunningProduct]:
    """Yield the running product, and clean up after the test."""
    if not running.left():
        running.start()
    yield running
    running.calm()
    assert running.doctor() == ""


def busy(running: RunningProduct) -> tuple[Person, list[str]]:
    """Return a user and their covers in progress, which the image service holds."""
    running.stub.holds()
    reader, title = running.user(), uuid4().hex
    generation_ids = [reader.generate(title=title) for _ in range(JOBS)]
    running.stub.called(title, JOBS)
    return reader, generation_ids


def stored(running: RunningProduct, reader: Person) -> list[tuple[str, int]]:
    """Return the stored (state, attempts) of all covers of a user."""
    rows = running.sql("SELECT state, attempts FROM generation WHERE user_id = :id", id=reader.id)
    return [(row["state"], row["attempts"]) for row in rows]


def finish(running: RunningProduct, reader: Person, generation_ids: list[str]) -> None:
    """Release the image service, and expect all covers, once each."""
    running.stub.releases()
    assert {reader.finished(generation_id)["status"] for generation_id in generation_ids} == {"completed"}
    assert len(reader.get("/api/covers").json()) == reader.used() == len(generation_ids)


def test_a_stopped_product_requeues_running_covers_and_finishes_them_later(running: RunningProduct) -> None:
    reader, generation_ids = busy(running)
    assert running.terminate() < STOP_S
    assert running.left() == []
    assert stored(running, reader) == [("queued", 0)] * JOBS, "the interrupted try does not count"
    assert running.doctor() == ""
    running.start()
    finish(running, reader, generation_ids)
    assert stored(running, reader) == [("completed", 1)] * JOBS


def test_an_open_stream_of_events_does_not_hold_the_web_server_up(small_running: RunningProduct) -> None:
    running = small_running
    reader, generation_ids = busy(running)
    before = len(running.log.read_text(errors="replace"))
    with reader.stream("GET", f"/api/generation-events/{generation_ids[0]}", timeout=30) as answer:
        assert answer.status_code == 200 and next(answer.iter_lines())
        running.terminate()
    assert "ends by force" not in running.log.read_text(errors="replace")[before:]
    running.start()
    finish(running, reader, generation_ids)


def test_an_upload_that_stands_still_holds_the_end_up_for_five_seconds_at_most(small_running: RunningProduct) -> None:
    running = small_running
    head = "POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
    with socket.create_connection(("127.0.0.1", running.port)) as uploading:
        uploading.sendall(head.encode())
        running.answers("/healthz")  # one process serves both: it has begun to wait for the rest
        assert running.terminate() < STOP_S
    assert running.left() == []


def test_a_second_signal_ends_it_at_once_and_loses_nothing(small_running: RunningProduct) -> None:
    running = small_running
    reader, generation_ids = busy(running)
    assert running.terminate(times=2) < STOP_S
    wait_until(lambda: not running.left(), "end of everything")
    running.start()
    finish(running, reader, generation_ids)


def test_workers_asked_to_end_hand_their_covers_on(running: RunningProduct) -> None:
    reader, generation_ids = busy(running)
    for name in ("worker-1", "worker-2"):
        running.restarted(name, running.signal(name, signal.SIGTERM))
    finish(running, reader, generation_ids)
    assert stored(running, reader) == [("completed", 1)] * JOBS, "the interrupted try does not count"


def test_ctrl_c_leaves_no_process(small_running: RunningProduct) -> None:
    running = small_running
    reader, generation_ids = busy(running)
    os.kill(running.pid, signal.SIGINT)
    assert running.terminate(times=0) < STOP_S
    assert running.left() == []
    running.start()
    finish(running, reader, generation_ids)


def test_the_gallery_is_there_after_everything_was_killed(running: RunningProduct) -> None:
    reader = running.user()
    covers = [reader.cover(), reader.cover()]
    running.stub.holds()
    waiting = reader.generate()
    running.kill_everything()
    running.start()
    running.stub.releases()
    again = running.visitor()
    again.sign_in(reader.user["email"], PASSWORD)
    covers.append(again.finished(waiting)["result"])
    assert reader.get("/api/covers").json() == again.get("/api/covers").json() == covers[::-1]
    for cover in covers:
        assert again.get(cover["imageUrl"]).status_code == 200
    assert again.used() == 3


def test_a_killed_launcher_takes_its_children_along(small_running: RunningProduct) -> None:
    running = small_running
    reader, generation_ids = busy(running)
    children = running.pids()
    os.kill(running.pid, signal.SIGKILL)
    running.terminate(times=0)
    wait_until(lambda: set(running.left()) <= {children["valkey"]}, "end of web and workers")
    assert not any(is_alive(pid) for name, pid in children.items() if name != "valkey")
    running.start()
    assert running.pids()["valkey"] == children["valkey"], "the queue server is adopted"
    finish(running, reader, generation_ids)
