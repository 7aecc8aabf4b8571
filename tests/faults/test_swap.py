"""Administrators change providers under load: running jobs end, each cover once, and no request fails."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import cycle
from typing import Final

import httpx
import pytest

from tests.faults.conftest import CROWD, LEASE_S, SWEEP_S, FaultHarness
from tests.person import Person
from tests.running_product import RunningProduct
from tests.stub_image.control import Stub
from tests.support.databases import BACKENDS
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault

COVERS: Final = 400
"""Twenty for each change, so that all of them fall among running jobs."""
READERS: Final = 8
AHEAD: Final = 10
"""Covers in progress per user at most, so that the queue is full but never over its limit."""
CHANGES: Final = 20
LIVE_WITHIN_S: Final = 2.0
"""The specification's limit until every process follows a change."""
PROBES: Final = 24
"""New connections, so that each web process is called several times."""
SETTINGS: Final = {"deadline_s": 30.0}
TINY: Final = (32,)
"""Widths of thumbnails, which do not matter here: the product's own are half the work of a cover."""

ROUTES: Final = (("spare",), ("third", "stub"), ("stub", "spare"), ("spare", "third"), ("stub",))


@pytest.fixture(scope="module", params=BACKENDS)
def swapped(request: pytest.FixtureRequest, new_database: Callable[[str], str], alone: None) -> Iterator[FaultHarness]:
    """A product with two web processes and two workers."""
    product = RunningProduct(
        database_url=new_database(request.param),
        env={"COVERWRIGHT_WEB_PROCESSES": "2"},
        in_flight=CROWD,
        lease_s=LEASE_S,
        sweep_s=SWEEP_S,
        workers=2,
        route=("stub",),
        thumbnails=TINY,
    )
    try:
        with FaultHarness(product.start()).watched() as harness:
            yield harness
    finally:
        product.close()


def add(harness: FaultHarness, name: str) -> Stub:
    """Add an instance of the stub as administrator, outside every failover order."""
    stub = Stub(harness.product.folder / name)
    stub.does("ok")
    settings = SETTINGS | {"control": str(harness.product.folder / name)}
    body = {"id": name, "kind": "image", "provider": "stub", "label": name.title(), "settings": settings}
    answer = harness.product.admin().post("/api/admin/instances", json=body | {"force": True, "addToRoute": False})
    assert answer.status_code == 201, answer.text
    return stub


def route(harness: FaultHarness, *instances: str) -> None:
    """Set the failover order of the image providers as administrator."""
    answer = harness.product.admin().put("/api/admin/routes/image", json={"instances": list(instances)})
    assert answer.status_code == 200, answer.text


def offered(harness: FaultHarness) -> set[str]:
    """Return the labels that the web processes report as the provider in use."""
    found = set()
    for _ in range(PROBES):
        with httpx.Client(base_url=harness.product.url) as client:
            found.add(client.get("/api/capabilities").json()["image"]["provider"])
    return found


def test_a_change_is_live_in_every_process_within_two_seconds(swapped: FaultHarness) -> None:
    reader = swapped.reader()
    for name in ("spare", "stub", "spare", "stub"):
        began = time.monotonic()
        route(swapped, name)
        wait_until(lambda name=name: offered(swapped) == {name.title()}, f"{name} in every web process", LIVE_WITHIN_S)  # type: ignore[misc]
        took = time.monotonic() - began
        titles = [f"{name} {number} {began}" for number in range(8)]  # enough for both workers
        wait_until(lambda began=began: time.monotonic() - began > LIVE_WITHIN_S, "two seconds")  # type: ignore[misc]
        for generation_id in [reader.generate(title=title[:100]) for title in titles]:
            assert reader.finished(generation_id)["status"] == "completed"
        instance = swapped.product.stub if name == "stub" else swapped.product.spare
        assert {title: len(instance.calls(title[:100])) for title in titles} == dict.fromkeys(titles, 1)
        print(f"{name}: every web process within {took:.2f} s")


def test_a_call_in_flight_ends_on_the_instance_it_began_with(swapped: FaultHarness) -> None:
    reader, product = swapped.reader(), swapped.product
    held = add(swapped, "held")
    route(swapped, "held")
    wait_until(lambda: offered(swapped) == {"Held"}, "the new instance in every process", 10)
    held.holds()
    generation_id = reader.generate(title="On its way")
    held.called("On its way")
    route(swapped, "stub")
    changed = product.admin().patch("/api/admin/instances/held", json={"settings": {"deadline_s": 20.0}, "force": True})
    assert changed.status_code == 200, changed.text
    wait_until(lambda: offered(swapped) == {"Stub"}, "the old instance in every process", 10)
    assert reader.cover(title="Meanwhile")["title"] == "Meanwhile"
    held.releases()
    assert reader.finished(generation_id)["status"] == "completed"
    assert [call["title"] for call in held.calls()] == ["On its way"]
    assert product.admin().delete("/api/admin/instances/held").status_code == 204


def test_covers_by_the_hundred_outlive_twenty_changes_and_a_dead_instance(swapped: FaultHarness) -> None:
    product = swapped.product
    third = add(swapped, "third")
    stubs = (product.stub, product.spare, third)
    for stub in stubs:
        stub.forget()
    readers = [swapped.reader() for _ in range(READERS)]

    def ask(reader: Person) -> list[str]:
        accepted: list[str] = []
        for number in range(COVERS // READERS):
            if number >= AHEAD:
                reader.finished(accepted[number - AHEAD])
            accepted.append(reader.generate())
        return accepted

    def change(asking: list[Future[list[str]]]) -> int:
        """Change the failover order twenty times, spread over the run; kill and remove an instance meanwhile."""
        routes = cycle(ROUTES)
        for number in range(1, CHANGES + 1):
            due = number * COVERS // (CHANGES + 2)
            wait_until(lambda due=due: sum(stub.count() for stub in stubs) >= due, f"{due} calls", 300)  # type: ignore[misc]
            wanted = next(routes)
            if number == CHANGES // 2:
                third.does("lost")  # it dies in the middle of its calls
            route(swapped, *(name for name in wanted if number < CHANGES // 2 + 3 or name != "third"))
            if number == CHANGES // 2 + 3:
                assert product.admin().delete("/api/admin/instances/third").status_code == 204
        wait(asking)
        return number

    with ThreadPoolExecutor(READERS + 1) as pool:
        asking = [pool.submit(ask, reader) for reader in readers]
        changing = pool.submit(change, asking)
        accepted = [future.result() for future in asking]
        assert changing.result() == CHANGES
    ends: Counter[str] = Counter()
    for reader, generation_ids in zip(readers, accepted, strict=True):
        assert len(set(generation_ids)) == COVERS // READERS
        ends += Counter(swapped.ended(reader, generation_ids).values())
    assert ends == {"completed": COVERS}
    served = {stub_name: len(stub.calls()) for stub_name, stub in zip(("stub", "spare", "third"), stubs, strict=True)}
    assert all(served.values()), served
    print(f"{COVERS} covers, {CHANGES} changes, calls {served}")
