"""A backup is killed in its middle while people make and remove covers: the next one is complete and restores."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.backups.places import Place, command, files
from tests.faults.conftest import LEASE_S, SWEEP_S, FaultHarness
from tests.running_product import RunningProduct
from tests.support.databases import BACKENDS, Databases
from tests.support.forked_commands import commands
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault

BETWEEN_ROUNDS_S = 0.3
"""What people do while a backup runs need not starve it: without a pause, two cores have time for nothing else."""

POINTS = ("backup_copying", "backup_objects", "backup_database", "backup_files")


@contextmanager
def people_at_work(harness: FaultHarness) -> Iterator[None]:
    """Let two people make covers, remove some for good, and make archives, while the block runs."""
    ended, failed = threading.Event(), list[BaseException]()

    def work() -> None:
        reader = harness.reader(pro=True)
        try:
            while not ended.wait(BETWEEN_ROUNDS_S):
                ids = [reader.cover(title=f"Number {number}")["id"] for number in range(3)]
                reader.post("/api/archives", json={"coverIds": ids[1:]})
                reader.delete(f"/api/covers/{ids[0]}")
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread in threads:
            thread.join(60)
    assert failed == []


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_backup_killed_anywhere_under_load_is_followed_by_a_complete_one(
    backend: str, databases: Databases, tmp_path: Path, alone: None
) -> None:
    product = RunningProduct(
        database_url=databases.for_product(backend), lease_s=LEASE_S, sweep_s=SWEEP_S, workers=2, route=("stub",)
    )
    place = tmp_path / "kept"
    backup = ("backup", str(place))
    with FaultHarness(product.start()).watched() as harness:
        with people_at_work(harness):
            wait_until(lambda: product.sql("SELECT id FROM cover LIMIT 1"), "the first cover", 30)
            for point in POINTS:
                product.plant(point)
                assert product.command(*backup).returncode == -signal.SIGKILL, point
                assert [path for path in files(place) if path.name == "manifest.json"] == []
                product.sql("UPDATE backup SET lease_until = '2000-01-01 00:00:00.000000' RETURNING id")
            process = commands().start(*backup, env=product.env, log=tmp_path / "said")
            wait_until(lambda: list(product.data.glob("backup-*")), "a backup at work", 30)
            time.sleep(0.2)
            process.send_signal(signal.SIGKILL)
            process.wait(10)
            product.sql("UPDATE backup SET lease_until = '2000-01-01 00:00:00.000000' RETURNING id")
            made = command(product.env, *backup)
            assert made.returncode == 0, made.stdout + made.stderr
            assert list(product.data.glob("backup-*")) == [], "what was killed left nothing behind"
        assert command(product.env, "backup", "verify", str(place)).returncode == 0
        target = Place(product, tmp_path, databases, "postgresql" if backend == "sqlite" else "sqlite")
        target.bring_key()
        restored = target.command("restore", str(place))
        assert restored.returncode == 0, restored.stdout + restored.stderr
        examined = target.command("doctor")
        assert examined.returncode == 0, examined.stdout
    product.close()
