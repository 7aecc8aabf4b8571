"""A worker is killed while it packs covers: the next one completes the archive."""

import io
import signal
import zipfile
from pathlib import Path

import pytest

from tests.faults.conftest import FaultHarness
from tests.support.files import files_below
from tests.support.processes import wait_until
from tests.support.standstill import stands_still

pytestmark = pytest.mark.fault

POINTS = ("archive_claimed", "archive_begun", "archive_stored")


def survive(harness: FaultHarness, *points: str) -> None:
    """Kill a worker at these points of one archive, and expect the archive."""
    product, reader = harness.product, harness.reader()
    ids = [reader.cover(title=title)["id"] for title in ("One", "Two")]
    for point in points:
        product.plant(point)
    archive_id = reader.post("/api/archives", json={"coverIds": ids}).json()["id"]
    for point in points:
        product.struck(point)
    archive = reader.packed(archive_id)
    assert (archive["status"], archive["done"]) == ("completed", 2)
    with zipfile.ZipFile(io.BytesIO(reader.get(archive["downloadUrl"]).content)) as packed:
        assert packed.namelist() == ["one.png", "two.png"] and packed.testzip() is None
    wait_until(lambda: not list(product.data.glob("tmp*")), "the removal of what was half packed")


def test_an_archive_survives_a_worker_killed_before_its_first_cover(harness: FaultHarness) -> None:
    survive(harness, POINTS[0])


@pytest.mark.parametrize("point", POINTS[1:])
def test_an_archive_survives_a_worker_killed_while_packing_it(small_harness: FaultHarness, point: str) -> None:
    survive(small_harness, point)


def test_an_archive_survives_two_workers_killed_one_after_the_other(small_harness: FaultHarness) -> None:
    survive(small_harness, "archive_begun", "archive_stored")


def test_a_worker_that_freezes_while_packing_is_overtaken_and_then_changes_nothing(small_harness: FaultHarness) -> None:
    product, reader = small_harness.product, small_harness.reader()
    cover = reader.cover(title="One")["id"]
    product.plant("archive_begun", "stop")
    archive_id = reader.post("/api/archives", json={"coverIds": [cover]}).json()["id"]
    product.struck("archive_begun")
    frozen = wait_until(lambda: [name for name, pid in product.pids().items() if stands_still(pid)], "a frozen worker")
    archive = reader.packed(archive_id)
    assert archive["status"] == "completed"
    for name in frozen:
        product.signal(name, signal.SIGCONT)
    reader.cover()
    assert reader.get(f"/api/archives/{archive_id}").json() == archive

    def files() -> list[Path]:
        return files_below(product.data / "instances", archive_id)

    wait_until(lambda: len(files()) == 1, "the removal of what the overtaken worker had stored")
