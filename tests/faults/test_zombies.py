"""Workers that fall asleep at work: another finishes the job, and the sleeper, once awake, changes nothing."""

import os
import signal
import subprocess
from uuid import uuid4

import pytest

from tests.faults.conftest import Launch, files_of, watched
from tests.product import Product
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault


@pytest.fixture(scope="module")
def product(launch: Launch) -> Product:
    """A product with two workers, in which a silent one loses its job soon."""
    return launch("sqlite", workers=2, lease_s=1.5)


def sleepers(product: Product) -> list[int]:
    """Return the workers that are stopped."""
    workers = [pid for name, pid in product.pids().items() if name.startswith("worker")]
    states = {
        pid: subprocess.run(["ps", "-o", "state=", "-p", str(pid)], capture_output=True).stdout for pid in workers
    }
    return [pid for pid, state in states.items() if state.strip().startswith(b"T")]


@pytest.mark.parametrize("point", ["claimed", "after_provider", "stored"])
def test_a_worker_that_wakes_after_its_lease_is_fenced_off(product: Product, point: str) -> None:
    title, ada = uuid4().hex, product.user()
    product.plant(point, "stop")
    with watched(product) as watch:
        status = ada.finished(ada.generate(title=title))
    watch.approve()
    assert status["status"] == "completed"
    cover = status["result"]
    (sleeper,) = sleepers(product)
    before = {path: path.read_bytes() for path in files_of(product, cover["id"])}
    assert len(before) == (6 if point == "stored" else 3)
    os.kill(sleeper, signal.SIGCONT)
    ada.cover(title="another, which shows that both workers work")
    wait_until(lambda: len(files_of(product, cover["id"])) == 3, "removal of the sleeper's files", 30)
    for path in files_of(product, cover["id"]):
        assert path.read_bytes() == before[path]
    assert ada.status(status["id"]) == status, "an ended job does not change any more"
    assert ada.get(cover["imageUrl"]).status_code == 200
    assert ada.used() == 2
    assert product.doctor() == ""
