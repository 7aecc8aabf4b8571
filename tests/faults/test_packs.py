"""A worker is killed while it makes the files of a book: the next one completes them."""

import io
import zipfile

import pytest

from tests.faults.conftest import FaultHarness
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault

POINTS = ("pack_claimed", "pack_begun", "pack_stored")


def survive(harness: FaultHarness, *points: str) -> None:
    """Kill a worker at these points of one pack, and expect the pack, and no file of an attempt before."""
    product, reader = harness.product, harness.reader(pro=True)
    book = reader.book(title="Salt")
    book = reader.patch(f"/api/books/{book['id']}", json={"version": 1, "pages": 300}).json()
    for point in points:
        product.plant(point)
    pack_id = reader.post(f"/api/books/{book['id']}/pack", json={}).json()["id"]
    for point in points:
        product.struck(point)
    pack = reader.pack_made(pack_id)
    assert (pack["status"], pack["done"], pack["total"]) == ("completed", 2, 2)
    with zipfile.ZipFile(io.BytesIO(reader.get(pack["downloadUrl"]).content)) as packed:
        assert packed.testzip() is None and packed.namelist() == [file["name"] for file in pack["files"]]
    # the pack has ended before its worker has removed the folder it was made in
    wait_until(lambda: not list(product.data.glob(f"packs/{pack_id}-*")), "the removal of what was half made")


def test_a_pack_survives_a_worker_killed_before_its_first_edition(harness: FaultHarness) -> None:
    survive(harness, POINTS[0])


@pytest.mark.parametrize("point", POINTS[1:])
def test_a_pack_survives_a_worker_killed_while_making_it(small_harness: FaultHarness, point: str) -> None:
    survive(small_harness, point)
