"""A prober that requests the same pages all the time, and records every response that is late, wrong or missing."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import httpx

from tests.person import Person
from tests.support.processes import wait_until

PATHS: Final = ("/api/plan-limits", "/api/covers")
PAUSE_S: Final = 0.2
LATE_S: Final = 1.0
"""A response that takes longer is late, on a machine with no more load than cores."""
RETURN_S: Final = 20.0
"""The longest time for a killed web server to answer again."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One request: when it was sent, how long it took and might take, what was wrong ('' for nothing)."""

    asked: float
    took: float
    limit: float
    path: str
    wrong: str

    @property
    def good(self) -> bool:
        """Return whether the response was right and in time."""
        return not self.wrong and self.took < self.limit


class Prober:
    """Requests in a thread from `start` to `stop`; `complaints` returns what was wrong."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self._probes: list[Probe] = []
        self._down: list[tuple[float, float]] = []
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._ask_on, daemon=True)

    def start(self) -> None:
        """Begin to probe."""
        self._thread.start()

    def stop(self) -> None:
        """Stop probing."""
        self._ending.set()
        self._thread.join()

    @contextmanager
    def outage(self) -> Iterator[None]:
        """Kill the web server in this block: until it answers again, failed connections and delays are expected."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._wait_for_answers(time.monotonic())
            self._down.append((began, time.monotonic()))

    def complaints(self) -> list[str]:
        """Return what was wrong, outside outages; a 5xx is wrong at any time."""
        assert self._probes, "nothing was asked"
        return [
            f"{probe.path}: {probe.wrong or 'late'} after {probe.took:.2f} s"
            for probe in list(self._probes)
            if not probe.good and (probe.wrong.isdigit() or not self._excused(probe))
        ]

    def _excused(self, probe: Probe) -> bool:
        return any(probe.asked <= end and probe.asked + probe.took >= begin for begin, end in self._down)

    def _wait_for_answers(self, since: float) -> None:
        def look() -> bool:
            later = [probe for probe in list(self._probes) if probe.asked > since]
            return {probe.path for probe in later if probe.good} == set(PATHS)

        wait_until(look, "answers of the web server", RETURN_S)

    def _ask_on(self) -> None:
        while True:  # once at least, however short the test
            for path in PATHS:
                asked = time.monotonic()
                wrong = ""
                try:
                    answer = self._person.get(path)
                    if answer.status_code != 200:
                        wrong = str(answer.status_code)
                except httpx.TransportError as error:
                    wrong = type(error).__name__
                self._probes.append(Probe(asked, time.monotonic() - asked, _limit_s(), path, wrong))
            if self._ending.wait(PAUSE_S):
                return


def _limit_s() -> float:
    """Return how long a response may take now: everything takes longer while the machine is busy."""
    return LATE_S * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
