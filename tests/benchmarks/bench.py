"""What all benchmarks share: running products, started when the first benchmark needs them."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.benchmarks.instant import DECLARATION
from tests.person import Person
from tests.running_product import RunningProduct

PAIR: Final = -2
"""Key of the product with two web processes, beside those by their number of workers."""
IN_FLIGHT: Final = 100
SHIPPED_LEASE_S: Final = 60.0
SHIPPED_SWEEP_S: Final = 2.0
"""As in config/default.toml."""


class Bench:
    """Provides running products. Close it with `close`."""

    def __init__(self, database: str, new_database: Callable[[], str]) -> None:
        self.database: Final = database
        self._new_database = new_database
        self._folder = tempfile.TemporaryDirectory(prefix="cw-bench-")
        self.notes: Final = Path(self._folder.name) / "notes"
        self._running: dict[int, RunningProduct] = {}

    def product(self, workers: int = 1) -> RunningProduct:
        """Return the product with this many workers, with the instant image provider."""
        if workers not in self._running:
            product = RunningProduct(
                database_url=self._new_database(),
                settings=DECLARATION.format(notes=self.notes),
                env={
                    "COVERWRIGHT_EXTRA_PLUGINS": "tests.stub_image,tests.benchmarks.instant",
                    "COVERWRIGHT_CLOCK_FILE": "",
                    "COVERWRIGHT_TEST_SHORTCUTS": "",
                    "COVERWRIGHT_FAULTPOINTS": "",
                },
                in_flight=IN_FLIGHT,
                lease_s=SHIPPED_LEASE_S,
                sweep_s=SHIPPED_SWEEP_S,
                workers=workers,
                route=("instant",),
            )
            self._running[workers] = product
            product.start()
        return self._running[workers]

    def pair(self) -> RunningProduct:
        """Return a product with two web processes and two workers, with the stub image provider."""
        if PAIR not in self._running:
            product = RunningProduct(
                database_url=self._new_database(),
                env={
                    "COVERWRIGHT_WEB_PROCESSES": "2",
                    "COVERWRIGHT_CLOCK_FILE": "",
                    "COVERWRIGHT_TEST_SHORTCUTS": "",
                    "COVERWRIGHT_FAULTPOINTS": "",
                },
                workers=2,
                route=("stub",),
            )
            self._running[PAIR] = product
            product.start()
        return self._running[PAIR]

    def close(self) -> None:
        """End everything and remove the data."""
        for product in self._running.values():
            product.close()
        self._folder.cleanup()


def cookie_of(person: Person) -> str:
    """Return the header with this person's cookie."""
    return "; ".join(f"{name}={value}" for name, value in person.cookies.items())
