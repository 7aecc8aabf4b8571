"""Everything is killed, again and again, while people work: every accepted cover ends, and all counts agree."""

import itertools
import os
import random
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event
from uuid import uuid4

import httpx
import pytest

from tests.faults.ward.conftest import Patient, forgive_haste, valkey_command
from tests.person import Person
from tests.support.processes import is_alive

pytestmark = pytest.mark.fault

READERS = 4
COVERS_EACH = 15
STORM_S = 7.0
PATIENCE_S = 30.0
MAX_ATTEMPTS = 3
"""What the product is configured with."""


def ask_until_accepted(person: Person) -> str:
    """Ask for a cover as a browser does: one key, sent again after every broken connection."""
    key, give_up = uuid4().hex, time.monotonic() + PATIENCE_S
    while time.monotonic() < give_up:
        try:
            answer = person.start(key=key)
        except httpx.TransportError:
            time.sleep(0.05)
            continue
        assert answer.status_code == 202, answer.text
        return str(answer.json()["generationId"])
    raise TimeoutError("a cover was not accepted")


def rage(patient: Patient, calm: Event) -> Counter[str]:
    """Kill workers at random moments, the queue server and the web server now and then; return who died how often."""
    product, killed = patient.product, Counter[str]()
    ends_at = time.monotonic() + STORM_S
    victims = itertools.cycle(("worker-1", "worker-2", "worker-1", "valkey", "worker-2", "worker-1", "worker-2", "web"))
    while time.monotonic() < ends_at:
        calm.wait(random.uniform(0.1, 0.5))
        name = next(victims)
        if is_alive(product.pids().get(name, 0)):
            with suppress(ProcessLookupError, KeyError):
                product.signal(name, signal.SIGKILL)
                killed[name] += 1
    return killed


def test_a_storm_loses_nothing(patient: Patient) -> None:
    product = patient.product
    readers = [patient.reader() for _ in range(READERS)]
    product.stub.does("slow:0.3")
    with patient.prober.outage(), ThreadPoolExecutor(READERS + 1) as pool:
        storm = pool.submit(rage, patient, Event())
        asking = [
            pool.submit(lambda one=reader: [ask_until_accepted(one) for _ in range(COVERS_EACH)])  # type: ignore[misc]
            for reader in readers
        ]
        accepted = [future.result() for future in asking]
        valkey_command(product, "FLUSHALL")
        killed = storm.result()
    assert killed["web"] and killed["valkey"] and killed["worker-1"] and killed["worker-2"], killed
    ends: Counter[str] = Counter()
    for reader, generation_ids in zip(readers, accepted, strict=True):
        assert len(set(generation_ids)) == COVERS_EACH
        how = patient.ended(reader, generation_ids)
        ends.update(how.values())
        assert len(reader.get("/api/covers?limit=100").json()) == list(how.values()).count("completed")
    assert set(ends) <= {"completed", "failed"} and ends["completed"], ends
    asked = Counter(call["key"] for call in product.stub.calls())
    assert max(asked[generation_id] for generation_ids in accepted for generation_id in generation_ids) <= MAX_ATTEMPTS
