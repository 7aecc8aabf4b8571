"""Somebody who asks for the same pages all the time, and minds every answer that is late, wrong or missing."""

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
PAUSE_S: Final = 0.05
LATE_S: Final = 1.0
"""An answer that takes longer is late, on a machine that has no more to do than it has cores."""
RETURN_S: Final = 20.0
"""Longest time in which a killed web server has to answer again."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One question: when it was asked, how long the answer took and might take, what was wrong ('' for nothing)."""

    asked: float
    took: float
    limit: float
    path: str
    wrong: str

    @property
    def good(self) -> bool:
        """True for a right answer in time."""
        return not self.wrong and self.took < self.limit


class Prober:
    """Asks in a thread from `start` to `stop`; `complaints` says what was not as it should be."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self._probes: list[Probe] = []
        self._down: list[tuple[float, float]] = []
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._ask_on, daemon=True)

    def start(self) -> None:
        """Begin to ask."""
        self._thread.start()

    def stop(self) -> None:
        """Ask no more."""
        self._ending.set()
        self._thread.join()

    @contextmanager
    def outage(self) -> Iterator[None]:
        """Kill the web server in this block: until it answers again, failed connections and waiting are no wonder."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._wait_for_answers(time.monotonic())
            self._down.append((began, time.monotonic()))

    def complaints(self) -> list[str]:
        """Return what was wrong, outside outages; an answer that is an error of ours is wrong at any time."""
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
        while not self._ending.wait(PAUSE_S):
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


def _limit_s() -> float:
    """Return how long an answer may take now: everything takes longer where others are at work too."""
    return LATE_S * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
