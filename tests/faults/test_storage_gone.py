"""The only storage is away for a while: every cover is stored in the end, and every picture was paid for once."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from tests.faults.conftest import LEASE_S, SWEEP_S, FaultHarness
from tests.running_product import RunningProduct
from tests.stub_image.control import Stub
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault

JOBS = 12
STORAGE = """
[[instances]]
id = "first"
kind = "storage"
provider = "stub-disk"
label = "First"
settings = {{ control = "{folder}" }}
"""


@pytest.fixture
def storage(tmp_path: Path) -> Stub:
    """What the storage does."""
    return Stub(tmp_path / "first")


@pytest.fixture
def single_storage(
    new_database: Callable[[str], str], storage: Stub, tmp_path: Path, alone: None
) -> Iterator[FaultHarness]:
    product = RunningProduct(
        database_url=new_database("sqlite"),
        settings=STORAGE.format(folder=tmp_path / "first"),
        storage=("first",),
        route=("stub",),
        lease_s=LEASE_S,
        sweep_s=SWEEP_S,
        in_flight=JOBS,
        workers=2,
        env={"COVERWRIGHT_EXTRA_PLUGINS": "tests.stub_image,tests.stub_payment,tests.stub_storage"},
    )
    with FaultHarness(product.start()).watched() as harness:
        yield harness
    product.close()


def test_an_outage_of_the_storage_costs_no_second_picture(single_storage: FaultHarness, storage: Stub) -> None:
    product, reader, title = single_storage.product, single_storage.reader(), uuid4().hex
    storage.does("unavailable")
    generation_ids = [reader.generate(title=title) for _ in range(JOBS)]
    wait_until(lambda: list((product.data / "spool").glob("*")), "a picture in the spool", 20)
    wait_until(lambda: "is not stored yet" in product.log.read_text(), "a failure", 20)
    for name in ("worker-1", "worker-2"):
        product.restarted(name, product.signal(name, signal.SIGKILL))
    storage.does("ok")
    assert set(single_storage.ended(reader, generation_ids).values()) == {"completed"}
    assert len(product.stub.calls(title)) == JOBS
    wait_until(lambda: not list((product.data / "spool").glob("*")), "the end of the spool", 20)
