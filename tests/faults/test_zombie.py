"""A worker that is suspended beyond its lease wakes up: its work belongs to another one by then."""

import signal
from uuid import uuid4

import pytest

from tests.faults.conftest import FaultHarness
from tests.support.processes import wait_until
from tests.support.standstill import freeze

pytestmark = pytest.mark.fault

WORKERS = ("worker-1", "worker-2")
FORMS = 3
"""Files of one cover: the picture and two thumbnails."""


def outlive_sleeper(harness: FaultHarness, point: str) -> None:
    """Stop a worker at a point of one cover's life until another has made the cover, then continue it."""
    product, reader, title = harness.product, harness.reader(), uuid4().hex
    product.plant(point, "stop")
    generation_id = reader.generate(title=title)
    product.struck(point)
    assert harness.ended(reader, [generation_id]) == {generation_id: "completed"}
    before, kept = harness.row(generation_id), [name for name in harness.files(generation_id) if name[0] == "2"]
    assert len(kept) == FORMS
    for name in WORKERS:
        product.signal(name, signal.SIGCONT)
    wait_until(lambda: harness.files(generation_id) == kept, "end of what the sleeper had stored", 10)
    sleeper = product.stub.calls(title)[0]["pid"]
    (other,) = (name for name in WORKERS if product.pids()[name] != sleeper)
    freeze(product, other)
    more = reader.generate(title=f"{title}+")
    assert reader.finished(more)["status"] == "completed"
    assert product.stub.calls(f"{title}+")[-1]["pid"] == sleeper, "it works again"
    product.signal(other, signal.SIGCONT)
    assert set(harness.ended(reader, [generation_id, more]).values()) == {"completed"}
    assert harness.row(generation_id) == before
    assert harness.files(generation_id) == kept


@pytest.mark.parametrize("point", ["after_provider", "half_stored"])
def test_a_worker_that_wakes_too_late_makes_nothing(small_harness: FaultHarness, point: str) -> None:
    outlive_sleeper(small_harness, point)


def test_a_worker_that_wakes_too_late_removes_what_it_has_stored(harness: FaultHarness) -> None:
    outlive_sleeper(harness, "stored")


def test_words_that_change_after_a_refined_picture_was_composed_are_set_on_it_all_the_same(
    small_harness: FaultHarness,
) -> None:
    product, reader = small_harness.product, small_harness.reader()
    address = f"/api/covers/{reader.cover()['id']}"
    # before, for it starts the press: the lease of the stopped worker lasts for seconds only
    words = reader.post(f"{address}/lettering/suggestion", json={"words": {"title": "Pepper"}}).json()
    product.plant("stored", "stop")
    asked = reader.post(f"{address}/refine", json={"change": "darker", "version": 1})
    product.struck("stored")
    assert reader.put(f"{address}/lettering", json={"version": 1, "lettering": words}).status_code == 200
    for name in WORKERS:
        product.signal(name, signal.SIGCONT)
    assert reader.finished(asked.json()["generationId"])["status"] == "completed"
    shown = reader.get(f"{address}/lettering").json()
    assert (shown["version"], shown["cover"]["title"]) == (3, "Pepper")
    assert [block["text"] for block in shown["lettering"]["blocks"]] == ["Pepper"]


def test_a_frozen_worker_does_not_delay_other_jobs(harness: FaultHarness) -> None:
    product, reader = harness.product, harness.reader()
    asleep = freeze(product, "worker-1")
    generation_ids = [reader.generate() for _ in range(6)]
    assert set(harness.ended(reader, generation_ids).values()) == {"completed"}
    product.signal("worker-1", signal.SIGCONT)
    assert reader.cover()
    assert reader.used() == 7
    assert product.pids()["worker-1"] == asleep
