"""What a site does for its users while a test changes something."""

import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Self

from tests.person import Person
from tests.support.processes import wait_until

PAUSE_S = 0.02


class Repeated:
    """Jobs that are done again and again, each in a thread of its own, until the block ends."""

    def __init__(self, jobs: Sequence[Callable[[], None]], *, ends_within_s: float = 60) -> None:
        self.failures: list[str] = []
        self._ends_within_s = ends_within_s
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._repeat, args=(job,)) for job in jobs]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *trouble: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(self._ends_within_s)

    def _repeat(self, job: Callable[[], None]) -> None:
        while not self._over.is_set():
            try:
                job()
            except Exception as error:  # told by the test that waits, in its own thread
                self.failures.append(repr(error)[:300])
            time.sleep(PAUSE_S)


class Load(Repeated):
    """Users who make covers one after the other, and visits beside them, until the block ends.

    A user begins a cover every `cover_each_s` at most: too many tries are refused.
    """

    def __init__(
        self, people: list[Person], *, visit: Callable[[], None] | None = None, cover_each_s: float = 0.0
    ) -> None:
        self._made: list[str] = []
        self._cover_each_s = cover_each_s
        super().__init__([*(partial(self._make, person) for person in people), *([visit] if visit else [])])

    def has_made(self, count: int, by: str = "") -> None:
        """Wait until this many more covers were made, by one provider if it is named."""
        before = len(self._made)

        def enough() -> bool:
            return len([name for name in self._made[before:] if by in name]) >= count

        wait_until(enough, f"{count} covers by {by or 'anybody'}", 60)

    def _make(self, person: Person) -> None:
        began = time.monotonic()
        status = person.finished(person.generate())
        self._made.append(str(status["provider"]).lower())
        self._over.wait(began + self._cover_each_s - time.monotonic())
        if status["status"] != "completed":
            self.failures.append(str(status))
