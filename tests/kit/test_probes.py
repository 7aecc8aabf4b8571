"""What the kit counts as left behind."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from kernel.spi.testing import probes
from kernel.spi.testing.probes import Inventory

pytestmark = pytest.mark.anyio


@contextmanager
def waiting_threads() -> Iterator[Callable[[str], None]]:
    """Yield what starts a thread that runs until the block ends."""
    leave, threads = threading.Event(), list[threading.Thread]()

    def start(name: str) -> None:
        threads.append(threading.Thread(target=leave.wait, name=name))
        threads[-1].start()

    try:
        yield start
    finally:
        leave.set()
        for thread in threads:
            thread.join()


async def test_threads_of_threads_are_left_behind_those_of_others_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes, "SETTLE_S", 0.1)
    go = threading.Event()
    with waiting_threads() as start:

        def stranger() -> None:
            go.wait()
            start("of a stranger")

        other = threading.Thread(target=stranger)
        other.start()
        before = Inventory()
        go.set()
        other.join()
        assert await before.leftovers() == []
        child = threading.Thread(target=lambda: start("of a child"))
        child.start()
        child.join()
        (left,) = await before.leftovers()
        assert "of a child" in left
