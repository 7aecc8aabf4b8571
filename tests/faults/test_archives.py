"""A worker is killed while it packs covers: the archive is packed by the next one, whole."""

import io
import signal
import zipfile
from pathlib import Path

import pytest

from tests.faults.conftest import Patient
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault

POINTS = ("archive_claimed", "archive_begun", "archive_stored")


def survive(patient: Patient, *points: str) -> None:
    """Kill a worker at these points of one archive's life, and expect the archive."""
    product, reader = patient.product, patient.reader()
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
    assert list(product.data.glob("tmp*")) == [], "what was half packed left nothing behind"


def test_an_archive_survives_a_worker_killed_before_its_first_cover(patient: Patient) -> None:
    survive(patient, POINTS[0])


@pytest.mark.parametrize("point", POINTS[1:])
def test_an_archive_survives_a_worker_killed_while_packing_it(small_patient: Patient, point: str) -> None:
    survive(small_patient, point)


def test_an_archive_survives_two_workers_killed_one_after_the_other(small_patient: Patient) -> None:
    survive(small_patient, "archive_begun", "archive_stored")


def test_a_worker_that_freezes_while_packing_is_overtaken_and_then_changes_nothing(small_patient: Patient) -> None:
    product, reader = small_patient.product, small_patient.reader()
    cover = reader.cover(title="One")["id"]
    product.plant("archive_begun", "stop")
    archive_id = reader.post("/api/archives", json={"coverIds": [cover]}).json()["id"]
    product.struck("archive_begun")
    frozen = wait_until(lambda: [name for name, pid in product.pids().items() if is_stopped(pid)], "a frozen worker")
    archive = reader.packed(archive_id)
    assert archive["status"] == "completed"
    for name in frozen:
        product.signal(name, signal.SIGCONT)
    reader.cover()
    assert reader.get(f"/api/archives/{archive_id}").json() == archive
    assert len([path for path in product.data.rglob("*.zip") if archive_id in str(path)]) == 1


def is_stopped(pid: int) -> bool:
    """Tell whether a process is stopped."""
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "T"
