"""Everything is killed, again and again, under load: every accepted cover ends, and all counts agree."""

import itertools
import random
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from threading import Event
from uuid import uuid4

import httpx
import pytest
from redis.exceptions import RedisError

from tests.faults.conftest import FaultHarness, valkey_command
from tests.person import Person
from tests.support.processes import is_alive, wait_until

pytestmark = pytest.mark.fault

READERS = 4
COVERS_EACH = 15
STORM_S = 7.0
PATIENCE_S = 30.0
MAX_ATTEMPTS = 3
"""The product's configuration."""
ROUND = ("worker-1", "worker-2", "worker-1", "valkey", "worker-2", "web")


def pause(seconds: float) -> None:
    """Sleep for a random moment."""
    Event().wait(seconds)


def ask_until_accepted(person: Person) -> str:
    """Request a cover as a browser does: one key, sent again after every broken connection."""
    key, give_up = uuid4().hex, time.monotonic() + PATIENCE_S
    while time.monotonic() < give_up:
        try:
            answer = person.start(key=key)
        except httpx.TransportError:
            pause(0.05)
            continue
        assert answer.status_code == 202, answer.text
        return str(answer.json()["generationId"])
    raise TimeoutError("a cover was not accepted")


def ask_for_many(person: Person) -> list[str]:
    """Request covers one after the other, and return their ids."""
    return [ask_until_accepted(person) for _ in range(COVERS_EACH)]


def rage(harness: FaultHarness) -> Counter[str]:
    """Kill workers at random moments, sometimes the queue server and the web server; return how often each."""
    product, killed = harness.product, Counter[str]()
    ends_at = time.monotonic() + STORM_S
    for name in itertools.cycle(ROUND):
        pause(random.uniform(0.1, 0.4))
        if time.monotonic() > ends_at and set(killed) == set(ROUND):
            return killed
        if not is_alive(product.pids().get(name, 0)):
            continue
        with harness.prober.outage() if name == "web" else nullcontext(), suppress(ProcessLookupError, KeyError):
            pid = product.signal(name, signal.SIGKILL)
            killed[name] += 1
            if name == "web":  # its forked processes may answer until they end
                product.restarted(name, pid)
    raise AssertionError


def forget_all_bells(harness: FaultHarness) -> None:
    """Empty the queue server, as soon as it answers."""

    def flushed() -> bool:
        with suppress(RedisError, OSError):
            return bool(valkey_command(harness.product, "FLUSHALL"))
        return False

    wait_until(flushed, "an empty queue server", PATIENCE_S)


def test_a_storm_loses_nothing(harness: FaultHarness) -> None:
    product = harness.product
    readers = [harness.reader() for _ in range(READERS)]
    product.stub.does("slow:0.3")
    with ThreadPoolExecutor(READERS + 1) as pool:
        storm = pool.submit(rage, harness)
        asking = [pool.submit(ask_for_many, reader) for reader in readers]
        accepted = [future.result() for future in asking]
        forget_all_bells(harness)
        killed = storm.result()
    ends: Counter[str] = Counter()
    for reader, generation_ids in zip(readers, accepted, strict=True):
        assert len(set(generation_ids)) == COVERS_EACH
        how = Counter(harness.ended(reader, generation_ids).values())
        assert len(reader.get("/api/covers?limit=100").json()) == how["completed"]
        ends += how
    assert set(ends) <= {"completed", "failed"} and ends["completed"], ends
    asked = Counter(call["key"] for call in product.stub.calls())
    assert max(asked[job] for generation_ids in accepted for job in generation_ids) <= MAX_ATTEMPTS
    print(f"killed {dict(killed)}, ended {dict(ends)}")
