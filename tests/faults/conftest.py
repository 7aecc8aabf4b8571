"""Products to break, one for each test, and somebody who keeps asking whether the site still answers."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.person import Person
from tests.product import Product
from tests.shelf import generation_of

Launch = Callable[..., Product]

ANSWER_S = 1.0
SLOW_SHARE = 0.02
"""Of all answers so many may take longer: the machine that runs the tests has other things to do."""


@pytest.fixture(scope="module")
def launch(new_database: Callable[[str], str]) -> Iterator[Launch]:
    """Start products: `launch("sqlite", workers=2)`; all are ended after the module."""
    running: list[Product] = []

    def start(backend: str = "sqlite", **options: Any) -> Product:
        running.append(Product(database_url=new_database(backend), **options))
        return running[-1].start()

    yield start
    for product in running:
        product.close()


class Watch:
    """Statuses and times, in seconds, of the answers to somebody who keeps asking."""

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self.times: list[float] = []
        self.broken = 0

    def ask(self, person: Person, path: str) -> None:
        """Ask once."""
        began = time.monotonic()
        try:
            self.statuses.append(person.get(path).status_code)
        except httpx.TransportError:
            self.broken += 1
        else:
            self.times.append(time.monotonic() - began)

    def approve(self) -> None:
        """Check that the site answered all the time, quickly, and without an error of its own."""
        assert len(self.statuses) > 5 and self.broken == 0
        assert set(self.statuses) == {200}
        slow = [seconds for seconds in self.times if seconds > ANSWER_S]
        assert len(slow) <= max(1, SLOW_SHARE * len(self.times)), sorted(slow)


@contextmanager
def watched(product: Product) -> Iterator[Watch]:
    """Keep asking for a gallery and the plans during the block."""
    watch, person, over = Watch(), product.user(), threading.Event()

    def ask() -> None:
        while not over.wait(0.05):
            watch.ask(person, "/api/covers")
            watch.ask(person, "/api/plan-limits")

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield watch
    finally:
        over.set()
        thread.join()


def files_of(product: Product, cover_id: int) -> list[Path]:
    """Return the stored files of the job that made a cover, whoever wrote them."""
    generation_id = str(generation_of(product.sqlalchemy_url, cover_id))
    return [path for path in product.data.rglob("*") if generation_id in str(path) and path.is_file()]
