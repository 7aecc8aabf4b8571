"""Everything is killed, again and again, while people work: every accepted cover ends, and all counts agree."""

import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Thread
from uuid import uuid4

import httpx
import pytest

from tests.faults.conftest import Patient, valkey_command
from tests.person import Person
from tests.support.processes import is_alive

pytestmark = pytest.mark.fault

READERS = 4
COVERS_EACH = 15
STORM_S = 8.0
PATIENCE_S = 30.0
VICTIMS = ("worker-1", "worker-2", "worker-1", "worker-2", "valkey", "worker-1", "worker-2", "web")


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
