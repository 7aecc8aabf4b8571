"""A picture that is made and cannot be stored at once: it is kept, stored as soon as possible, and paid for once."""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pytest

from kernel.pictures import ingest
from tests.local_product import LocalProduct
from tests.person import Person
from tests.product import Product
from tests.stub_image.control import Stub
from tests.support.databases import BACKENDS, Databases
from tests.support.processes import wait_until

STORAGES: Final = """
[[instances]]
id = "first"
kind = "storage"
provider = "stub-disk"
label = "First"
settings = {{ control = "{folder}/first" }}

[[instances]]
id = "second"
kind = "storage"
provider = "stub-disk"
label = "Second"
settings = {{ control = "{folder}/second" }}
"""


class Shelves:
    """A product with two storages that fail on demand."""

    def __init__(self, product: Product, folder: Path) -> None:
        self.product = product
        self.first, self.second = Stub(folder / "first"), Stub(folder / "second")

    def places(self, generation_id: str) -> set[str]:
        """Return the storages that hold a cover's files, according to the database."""
        form = generation_id if self.product.database_url.startswith("postgresql") else generation_id.replace("-", "")
        rows = self.product.sql(
            "SELECT instance_id FROM picture_file JOIN cover ON cover.picture_id = picture_file.picture_id"
            " WHERE CAST(cover.generation_id AS TEXT) = :id",
            id=form,
        )
        return {row["instance_id"] for row in rows}

    def spooled(self) -> list[str]:
        """Return what is kept because it is not stored yet."""
        return [path.name for path in (self.product.data / "spool").glob("*")]

    def do(self, *modes: str) -> None:
        """Set the coming modes of both storages."""
        self.first.does(*modes)
        self.second.does(*modes)

    def begin_unstorable(self, person: Person, title: str = "") -> str:
        """Begin a cover while nothing can be stored; return its id once a worker has failed to store its picture."""
        self.do("unavailable")
        said = self.product.log.stat().st_size
        generation_id = person.generate(title=title or uuid4().hex)
        failed = f"the picture of job {generation_id} is not stored yet".encode()
        wait_until(lambda: failed in self.product.log.read_bytes()[said:], "the first failure", 20)
        assert self.spooled()
        return generation_id

    def restart_storable(self) -> None:
        """Start the worker anew, with storages that work and whose circuits have closed."""
        self.do("ok")
        self.product.advance(60)
        self.product.resume_worker()


@pytest.fixture(scope="module", params=BACKENDS)
def running(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shelves]:
    folder = tmp_path_factory.mktemp("shelves")
    product = LocalProduct(
        databases,
        request.param,
        settings=STORAGES.format(folder=folder),
        storage=("first", "second"),
        route=("stub",),
        env={"COVERWRIGHT_EXTRA_PLUGINS": "tests.stub_image,tests.stub_payment,tests.stub_storage"},
    )
    shelves = Shelves(product, folder)
    product.start()
    yield shelves
    product.close()


@pytest.fixture
def shelves(running: Shelves) -> Iterator[Shelves]:
    """The product with storages in good health; afterwards every invariant holds, and nothing is left in the spool."""
    running.product.advance(400)  # circuits close
    somebody = running.product.user()
    for mode in ("full", "ok"):
        running.first.does(mode, "ok")
        running.second.does("ok")
        somebody.cover()
        running.product.advance(400)
    yield running
    running.do("ok")
    running.product.resume_worker()  # a test that failed may have left it paused
    running.product.calm()
    assert running.product.doctor() == ""
    assert running.spooled() == []


@pytest.fixture
def ada(shelves: Shelves) -> Person:
    return shelves.product.user()


def cover(shelves: Shelves, ada: Person) -> tuple[str, dict[str, Any], int]:
    """Ask for a cover; return its id, its end, and how often the image service was called."""
    title = uuid4().hex
    generation_id = ada.generate(title=title)
    end = ada.finished(generation_id)
    return generation_id, end, len(shelves.product.stub.calls(title))


@pytest.mark.parametrize("mode", ["unavailable", "lost", "forbidden", "full"])
def test_the_next_storage_takes_what_the_first_does_not(shelves: Shelves, ada: Person, mode: str) -> None:
    shelves.first.does(mode)
    generation_id, end, calls = cover(shelves, ada)
    assert (end["status"], calls) == ("completed", 1)
    assert shelves.places(generation_id) == {"second"}
    assert ada.get(end["result"]["imageUrl"]).status_code == 200


@pytest.mark.parametrize("mode", ["unavailable", "lost"])
def test_storing_is_tried_again_and_the_picture_is_not_made_again(shelves: Shelves, ada: Person, mode: str) -> None:
    shelves.do(*[mode] * 4, "ok")  # more often than one storing asks a storage
    generation_id, end, calls = cover(shelves, ada)
    assert (end["status"], calls) == ("completed", 1)
    assert len(shelves.places(generation_id)) == 1


@pytest.mark.parametrize(("lost", "calls"), [(False, 1), (True, 2)], ids=["kept", "lost with its machine"])
def test_what_could_not_be_stored_is_stored_after_a_restart(
    shelves: Shelves, ada: Person, lost: bool, calls: int
) -> None:
    title = uuid4().hex
    generation_id = shelves.begin_unstorable(ada, title)
    shelves.product.pause_worker()
    if lost:
        shutil.rmtree(shelves.product.data / "spool")
    shelves.restart_storable()
    assert ada.finished(generation_id)["status"] == "completed"
    assert len(shelves.product.stub.calls(title)) == calls


def test_nothing_more_is_bought_while_nothing_can_be_stored(shelves: Shelves, ada: Person) -> None:
    first, later = shelves.begin_unstorable(ada), uuid4().hex
    second = ada.generate(title=later)
    assert ada.reaches(second, phase="retrying")["error"] is None
    assert shelves.product.stub.calls(later) == []
    shelves.do("ok")
    assert [ada.finished(each)["status"] for each in (first, second)] == ["completed"] * 2
    assert len(shelves.product.stub.calls(later)) == 1


def test_without_a_spool_a_picture_is_stored_from_memory(shelves: Shelves, ada: Person) -> None:
    spool = shelves.product.data / "spool"
    shutil.rmtree(spool, ignore_errors=True)
    spool.write_text("no folder")
    _, end, calls = cover(shelves, ada)
    spool.unlink()
    assert (end["status"], calls) == ("completed", 1)


@pytest.mark.parametrize(("mode", "calls"), [("ok", 1), ("wrong_size", 2)])
def test_a_busy_machine_reads_the_picture_later(
    shelves: Shelves, ada: Person, monkeypatch: pytest.MonkeyPatch, mode: str, calls: int
) -> None:
    slow = iter([0.0, 0.0])
    usual = asyncio.timeout
    monkeypatch.setattr(
        ingest.asyncio, "timeout", lambda limit: usual(next(slow, limit) if limit == ingest.DECODE_TIMEOUT_S else limit)
    )
    shelves.product.stub.does(mode, "ok")
    _, end, called = cover(shelves, ada)
    assert (end["status"], called) == ("completed", calls)
    attempts = shelves.product.sql("SELECT outcome FROM attempt ORDER BY id DESC LIMIT 1")
    assert [row["outcome"] for row in attempts] == ["ok"], "that the machine is busy is not the service's fault"


def test_what_cannot_be_stored_in_time_fails_and_costs_nothing(shelves: Shelves, ada: Person) -> None:
    generation_id = shelves.begin_unstorable(ada)
    shelves.product.advance(200)
    end = ada.finished(generation_id)
    assert end["status"] == "failed"
    assert end["errorCode"] in ("storage_unavailable", "deadline_exceeded"), "worker or sweeper, whoever sees it first"
    assert ada.used() == 0
    wait_until(lambda: not shelves.spooled(), "the end of the spooled picture")
