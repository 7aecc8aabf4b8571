"""The end of processes, asked for and not: nobody is left behind, and the next start goes on where the last stopped."""

import os
import signal
from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest

from tests.conftest import BACKENDS
from tests.faults.conftest import CROWD, LEASE_S, SWEEP_S
from tests.person import Person
from tests.product import PASSWORD, Product
from tests.support.processes import is_alive, wait_until

pytestmark = pytest.mark.fault

JOBS = 4
STOP_S = 4.0
"""The launcher promises three seconds; the rest is for a busy machine."""


@pytest.fixture(scope="module")
def houses(new_database: Callable[[str], str]) -> Iterator[Callable[[str], Product]]:
    """Return the product of a backend; tests stop it and start it again."""
    built: dict[str, Product] = {}

    def get(backend: str) -> Product:
        if backend not in built:
            built[backend] = Product(
                database_url=new_database(backend),
                in_flight=CROWD,
                lease_s=LEASE_S,
                sweep_s=SWEEP_S,
                workers=2,
                route=("stub",),
            )
        return built[backend]

    yield get
    for house in built.values():
        house.close()


@pytest.fixture(params=BACKENDS)
def house(request: pytest.FixtureRequest, houses: Callable[[str], Product]) -> Iterator[Product]:
    """A running product; afterwards every promise must be kept."""
    yield from kept(houses(request.param))


@pytest.fixture
def small_house(houses: Callable[[str], Product]) -> Iterator[Product]:
    """The same on SQLite only, for endings in which the database plays no part."""
    yield from kept(houses("sqlite"))


def kept(house: Product) -> Iterator[Product]:
    """Give the product, running, and look after it once the test is over."""
    if not house.left():
        house.start()
    yield house
    house.calm()
    assert house.doctor() == ""


def busy(house: Product) -> tuple[Person, list[str]]:
    """Return a reader and the covers that are in the making for them; the image service holds them all."""
    house.stub.holds()
    reader, title = house.user(), uuid4().hex
    generation_ids = [reader.generate(title=title) for _ in range(JOBS)]
    house.stub.called(title, JOBS)
    return reader, generation_ids


def stored(house: Product, reader: Person) -> list[tuple[str, int]]:
    """Return (state, attempts) of all covers of a reader as they are stored."""
    rows = house.sql("SELECT state, attempts FROM generation WHERE user_id = :id", id=reader.id)
    return [(row["state"], row["attempts"]) for row in rows]


def finish(house: Product, reader: Person, generation_ids: list[str]) -> None:
    """Let the image service go on, and expect all covers, once each."""
    house.stub.releases()
    assert {reader.finished(generation_id)["status"] for generation_id in generation_ids} == {"completed"}
    assert len(reader.get("/api/covers").json()) == reader.used() == len(generation_ids)


def test_asked_to_end_it_puts_running_covers_back_and_finishes_them_later(house: Product) -> None:
    reader, generation_ids = busy(house)
    assert house.terminate() < STOP_S
    assert house.left() == []
    assert stored(house, reader) == [("queued", 0)] * JOBS, "the interrupted try does not count"
    assert house.doctor() == ""
    house.start()
    finish(house, reader, generation_ids)
    assert stored(house, reader) == [("completed", 1)] * JOBS


def test_asked_twice_it_ends_at_once_and_loses_nothing(small_house: Product) -> None:
    house = small_house
    reader, generation_ids = busy(house)
    assert house.terminate(times=2) < STOP_S
    wait_until(lambda: not house.left(), "end of everything")
    house.start()
    finish(house, reader, generation_ids)


def test_workers_asked_to_end_hand_their_covers_on(house: Product) -> None:
    reader, generation_ids = busy(house)
    for name in ("worker-1", "worker-2"):
        house.restarted(name, house.signal(name, signal.SIGTERM))
    finish(house, reader, generation_ids)
    assert stored(house, reader) == [("completed", 1)] * JOBS, "the interrupted try does not count"


def test_ctrl_c_leaves_no_process(small_house: Product) -> None:
    house = small_house
    reader, generation_ids = busy(house)
    os.kill(house.pid, signal.SIGINT)
    assert house.terminate(times=0) < STOP_S
    assert house.left() == []
    house.start()
    finish(house, reader, generation_ids)


def test_the_gallery_is_there_after_everything_was_killed(house: Product) -> None:
    reader = house.user()
    covers = [reader.cover(), reader.cover()]
    house.stub.holds()
    waiting = reader.generate()
    house.kill_everything()
    house.start()
    house.stub.releases()
    again = house.visitor()
    again.sign_in(reader.user["email"], PASSWORD)
    covers.append(again.finished(waiting)["result"])
    assert reader.get("/api/covers").json() == again.get("/api/covers").json() == covers[::-1]
    for cover in covers:
        assert again.get(cover["imageUrl"]).status_code == 200
    assert again.used() == 3


def test_a_killed_launcher_takes_its_children_along(small_house: Product) -> None:
    house = small_house
    reader, generation_ids = busy(house)
    children = house.pids()
    os.kill(house.pid, signal.SIGKILL)
    house.terminate(times=0)
    wait_until(lambda: set(house.left()) <= {children["valkey"]}, "end of web and workers")
    assert not any(is_alive(pid) for name, pid in children.items() if name != "valkey")
    house.start()
    assert house.pids()["valkey"] == children["valkey"], "the queue server is adopted"
    finish(house, reader, generation_ids)
