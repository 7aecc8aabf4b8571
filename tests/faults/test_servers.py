"""Database and queue server in trouble: work goes on, or goes on later, and nothing is lost."""

import os
import signal
import sqlite3
import threading
from contextlib import closing
from uuid import uuid4

import pytest
import redis

from tests.faults.conftest import Launch, watched
from tests.product import Product

pytestmark = pytest.mark.fault

LOCK_S = 3.0


@pytest.fixture(scope="module")
def product(launch: Launch) -> Product:
    """A product of its own."""
    return launch("sqlite", lease_s=1.5)


def queue(product: Product) -> redis.Redis:
    """Return a client for the embedded queue server."""
    return redis.Redis(unix_socket_path=str(product.data / "valkey.sock"))


def test_jobs_whose_bells_are_lost_are_found_all_the_same(product: Product) -> None:
    ada, worker = product.user(), product.signal("worker-1", signal.SIGSTOP)
    ids = [ada.generate() for _ in range(3)]
    with closing(queue(product)) as server:
        server.flushall()
    os.kill(worker, signal.SIGCONT)
    assert {ada.finished(generation_id)["status"] for generation_id in ids} == {"completed"}
    assert product.doctor() == ""


def test_a_queue_server_killed_under_a_running_job_does_not_matter(product: Product) -> None:
    ada, title = product.user(), uuid4().hex
    product.stub.holds()
    generation_id = ada.generate(title=title)
    product.stub.called(title)
    with watched(product) as watch:
        product.restarted("valkey", product.signal("valkey", signal.SIGKILL))
        product.stub.releases()
        assert ada.finished(generation_id)["status"] == "completed"
    watch.approve()
    ada.cover()
    assert product.doctor() == ""


def test_covers_are_made_without_a_queue_server(product: Product) -> None:
    ada = product.user()
    valkey = product.signal("valkey", signal.SIGSTOP)
    try:
        assert ada.finished(ada.generate())["status"] == "completed"
        assert product.answers("/readyz") == 503
        assert ada.get("/api/covers").status_code == 200
    finally:
        os.kill(valkey, signal.SIGCONT)
    ada.cover()
    assert product.answers("/readyz") == 200
    assert product.doctor() == ""


def test_a_locked_database_makes_people_wait_but_refuses_nobody(product: Product) -> None:
    ada = product.user()
    with closing(sqlite3.connect(product.data / "coverwright.db", check_same_thread=False)) as other:
        other.execute("BEGIN EXCLUSIVE")
        release = threading.Timer(LOCK_S, other.rollback)
        release.start()
        assert ada.get("/api/covers").status_code == 200, "who reads does not wait"
        generation_id = ada.generate()
        release.join()
    assert ada.finished(generation_id)["status"] == "completed"
    assert product.doctor() == ""
