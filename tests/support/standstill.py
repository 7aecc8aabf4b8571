"""Stopping a worker where it stands."""

import signal
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.product import Product
from tests.support.processes import wait_until


def freeze(product: Product, name: str) -> int:
    """Stop one child where it stands, but not amid a write to SQLite, where others would wait; return its pid."""

    def look() -> int:
        pid = product.signal(name, signal.SIGSTOP)
        wait_until(lambda: stands_still(pid), f"{name} to stand still")
        if product.database_url or _can_be_written(product):
            return pid
        product.signal(name, signal.SIGCONT)
        return 0

    return wait_until(look, f"{name} between two writes")


def stands_still(pid: int) -> bool:
    """Say whether every thread has stopped: one inside a call of the system still gets what it asks for there."""
    tasks = Path(f"/proc/{pid}/task").glob("*/stat")
    return all(task.read_text().rpartition(") ")[2].startswith("T") for task in tasks)


def _can_be_written(product: Product) -> bool:
    with closing(sqlite3.connect(product.data / "coverwright.db", timeout=1, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        return True
