"""A worker that sleeps through its lease wakes up: the work is somebody else's now."""

import os
import signal
from uuid import uuid4

import pytest

from tests.faults.conftest import Patient
from tests.person import Person
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault

FORMS = 3
"""Files of one cover: the picture and two thumbnails."""


@pytest.mark.parametrize("point", ["before_provider", "after_provider", "half_stored", "stored"])
def test_a_worker_that_wakes_too_late_changes_nothing(patient: Patient, reader: Person, point: str) -> None:
    product, title = patient.product, uuid4().hex
    product.plant(point, "stop")
    generation_id = reader.generate(title=title)
    product.struck(point)
    assert patient.ended(reader, [generation_id]) == {generation_id: "completed"}
    before, kept = patient.row(generation_id), [name for name in patient.files(generation_id) if name[0] == "2"]
    assert len(kept) == FORMS
    for name in ("worker-1", "worker-2"):
        product.signal(name, signal.SIGCONT)
    wait_until(lambda: patient.files(generation_id) == kept, "end of what the sleeper had stored", 10)
    reader_again = patient.reader()
    for _ in range(4):  # both workers are awake and take part again
        reader_again.cover()
    assert patient.row(generation_id) == before
    assert patient.files(generation_id) == kept
    assert patient.ended(reader, [generation_id]) == {generation_id: "completed"}


def test_a_sleeper_does_not_hold_up_what_comes_after_it(patient: Patient, reader: Person) -> None:
    product = patient.product
    asleep = product.pids()["worker-1"]
    os.kill(asleep, signal.SIGSTOP)
    generation_ids = [reader.generate() for _ in range(6)]
    assert set(patient.ended(reader, generation_ids).values()) == {"completed"}
    os.kill(asleep, signal.SIGCONT)
    assert reader.cover()
    assert reader.used() == 7
