"""A worker's call is interrupted while the vendor continues: the result is fetched, not made and paid for twice."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final
from uuid import uuid4

import httpx
import pytest

from tests.faults.conftest import LEASE_S, SWEEP_S, FaultHarness
from tests.running_product import RunningProduct
from tests.support.databases import BACKENDS
from tests.support.drawings import base64_of, picture
from tests.support.files import files_below
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault

RESUMABLE: Final = {"COVERWRIGHT_INSTANCE_STUB_RESUMABLE": "true"}


@pytest.fixture(scope="module")
def resumable_of(new_database: Callable[[str], str], alone: None) -> Iterator[Callable[[str], FaultHarness]]:
    """Return the running product of a backend whose first image service can resume."""
    running: dict[str, FaultHarness] = {}

    def get(backend: str) -> FaultHarness:
        if backend not in running:
            database = new_database(backend)
            product = RunningProduct(database_url=database, lease_s=LEASE_S, sweep_s=SWEEP_S, env=RESUMABLE)
            running[backend] = FaultHarness(product.start())
        return running[backend]

    yield get
    for harness in running.values():
        harness.product.close()


@pytest.fixture(params=BACKENDS)
def resumable(request: pytest.FixtureRequest, resumable_of: Callable[[str], FaultHarness]) -> Iterator[FaultHarness]:
    """The product, probed, on every database."""
    with resumable_of(request.param).watched() as harness:
        yield harness


@pytest.fixture
def small_resumable(resumable_of: Callable[[str], FaultHarness]) -> Iterator[FaultHarness]:
    """The same on SQLite only."""
    with resumable_of("sqlite").watched() as harness:
        yield harness


def survive(harness: FaultHarness, *modes: str, title: str = "") -> list[tuple[str, str]]:
    """Make a cover while the vendor is in this mode, expect it, and return the (instance, operation) of each call."""
    product, reader, title = harness.product, harness.reader(), title or uuid4().hex
    product.stub.does(*modes)
    generation_id = reader.generate(title=title)
    assert harness.ended(reader, [generation_id]) == {generation_id: "completed"}
    calls = sorted([*product.stub.calls(title), *product.spare.calls(title)], key=lambda call: float(call["at"]))
    return [(call["instance"], call["operation"]) for call in calls]


def test_what_a_killed_worker_had_ordered_is_fetched_by_the_next(resumable: FaultHarness) -> None:
    assert survive(resumable, "crash", "ok") == [("stub", "generate"), ("stub", "resume")]


def test_a_worker_killed_again_while_fetching_costs_no_second_picture(small_resumable: FaultHarness) -> None:
    calls = survive(small_resumable, "crash", "crash", "ok")
    assert calls == [("stub", "generate"), ("stub", "resume"), ("stub", "resume")]


def test_a_job_the_vendor_has_forgotten_is_ordered_anew(small_resumable: FaultHarness) -> None:
    assert survive(small_resumable, "crash", "gone", "ok") == [
        ("stub", "generate"),
        ("stub", "resume"),
        ("stub", "generate"),
    ]


@pytest.mark.parametrize("mode", ["unavailable", "lost", "rate_limited:0"])
def test_a_vendor_out_of_reach_is_asked_again_for_what_it_has_made(small_resumable: FaultHarness, mode: str) -> None:
    calls = survive(small_resumable, "crash", *[mode] * 5, "ok")
    assert calls == [("stub", "generate"), *[("stub", "resume")] * 6]


@pytest.mark.parametrize("mode", ["empty", "html", "garbage", "truncated", "wrong_size"])
def test_an_unusable_result_is_fetched_once_and_then_ordered_anew(small_resumable: FaultHarness, mode: str) -> None:
    product, title = small_resumable.product, uuid4().hex
    product.spare.does("auth_failed")
    calls = survive(small_resumable, "crash", mode, "ok", title=title)
    product.spare.does("ok")
    assert [call for call in calls if call[0] == "stub"] == [
        ("stub", "generate"),
        ("stub", "resume"),
        ("stub", "generate"),
    ]
    keys = [call["key"] for call in product.stub.calls(title) if call["operation"] == "generate"]
    assert len(set(keys)) == 2, "the vendor would return the same result for the same key"


def test_a_result_of_which_only_the_answer_was_lost_is_asked_for_again(small_resumable: FaultHarness) -> None:
    small_resumable.product.spare.does("unavailable", "ok")
    calls = survive(small_resumable, "cut", "ok")
    small_resumable.product.spare.does("ok")
    assert calls == [("stub", "generate"), ("spare", "generate"), ("stub", "resume")]


def test_references_outlive_the_worker(small_resumable: FaultHarness) -> None:
    product, reader, title = small_resumable.product, small_resumable.reader(), uuid4().hex
    product.stub.does("crash", "gone", "ok")
    uploaded = {"id": "1", "name": "a.png", "base64": base64_of(picture())}
    body = {"prompt": "a fox", "title": title, "uploadedImages": [uploaded], "dimensions": "1024x1792"}
    answer = reader.post("/api/generate-cover-with-references", json=body)
    generation_id = answer.json()["generationId"]
    assert small_resumable.ended(reader, [generation_id]) == {generation_id: "completed"}
    assert [call["references"] for call in product.stub.calls(title)] == [1, 1, 1]


def test_references_of_a_request_that_a_kill_cut_off_are_removed(small_resumable: FaultHarness) -> None:
    product, reader = small_resumable.product, small_resumable.reader()

    def kept() -> list[Path]:
        return files_below(product.data, "/reference-")

    wait_until(lambda: not kept(), "removal of what other tests left")
    uploaded = {"id": "1", "name": "a.png", "base64": base64_of(picture())}
    with small_resumable.prober.outage():
        product.plant("references_stored")
        with pytest.raises(httpx.TransportError):
            reader.post("/api/generate-cover-with-references", json={"prompt": "a fox", "uploadedImages": [uploaded]})
        product.struck("references_stored")
    (left,) = kept()
    os.utime(left, (0, 0))
    with product.later(hours=2):
        wait_until(lambda: not kept(), "the collector", 30)
