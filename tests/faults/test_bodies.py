"""Bodies that never come, and such as are none, sent to the real web server."""

import resource
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tests.faults.conftest import FaultHarness
from tests.running_product import RunningProduct

pytestmark = pytest.mark.fault

CONNECTIONS = 1500
HEAD = "POST /api/auth/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@contextmanager
def many_files() -> Iterator[None]:
    """Let this process open as many connections as the system allows it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2 * CONNECTIONS), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def sent(product: RunningProduct, text: str) -> socket.socket:
    """Open a connection and send the beginning of a request."""
    connection = socket.create_connection(("127.0.0.1", product.port), timeout=10)
    connection.sendall(text.encode())
    return connection


def status(connection: socket.socket) -> int:
    """Return the status of the answer, 0 while there is none."""
    connection.settimeout(0.5)
    try:
        return int(connection.recv(200).split()[1])
    except TimeoutError:
        return 0


def longest_answer(product: RunningProduct, times: int) -> float:
    """Return the longest time in seconds in which somebody else was answered."""
    longest = 0.0
    visitor = product.visitor()
    for _ in range(times):
        began = time.monotonic()
        assert visitor.get("/api/plan-limits").status_code == 200
        longest = max(longest, time.monotonic() - began)
    return longest


def test_who_holds_a_thousand_half_bodies_holds_up_nobody_else(small_harness: FaultHarness) -> None:
    product = small_harness.product
    with many_files(), ExitStack() as open_connections:
        held = [
            open_connections.enter_context(sent(product, f'{HEAD}Content-Length: 1000\r\n\r\n{{"email":'))
            for _ in range(CONNECTIONS)
        ]
        assert longest_answer(product, 20) < 3
        answers = Counter(status(connection) for connection in held)
        assert answers[429] >= CONNECTIONS - 100 and answers[429] + answers[0] + answers[408] == CONNECTIONS


@pytest.mark.parametrize("chunks", ["zz\r\nabc\r\n", "5\r\nab\r\n0\r\n\r\n", "-1\r\n", "5\r\nhelloXX0\r\n\r\n"])
def test_chunks_that_are_none_are_refused(small_harness: FaultHarness, chunks: str) -> None:
    with sent(small_harness.product, f"{HEAD}Transfer-Encoding: chunked\r\n\r\n{chunks}") as connection:
        connection.settimeout(10)
        assert connection.recv(200).startswith(b"HTTP/1.1 400 ")
