"""What happens when processes are killed."""

import os
import signal
import subprocess

import pytest

from kernel.launch.fork_server import can_fork
from tests.launch.conftest import Launcher
from tests.launch.test_launcher import ask, status
from tests.support.processes import is_alive, wait_until

pytestmark = pytest.mark.fault

ALL = 5 + can_fork()
"""Launcher, queue server, worker, web and what web has forked; and what all of them but two are forked from."""


def test_a_killed_child_is_started_again_with_all_that_it_had_started(launcher: Launcher) -> None:
    launcher.start_ready()
    before = launcher.pids()
    os.kill(before["web"], signal.SIGKILL)
    os.kill(before["worker-1"], signal.SIGKILL)
    launcher.restarted("worker-1", before["worker-1"])
    launcher.restarted("web", before["web"])
    wait_until(lambda: len(launcher.left()) == ALL, "everything")
    assert status(launcher) == 200


def test_children_are_restarted_although_nothing_can_be_written(launcher: Launcher) -> None:
    started = launcher.start_ready()
    before = launcher.pids()
    (launcher.folder / "pids.tmp").mkdir()  # what is written there fails, as on a full disk
    for name in ("worker-1", "web"):
        os.kill(before[name], signal.SIGKILL)
    wait_until(lambda: not any(is_alive(before[name]) for name in ("worker-1", "web")), "the end of both")
    wait_until(lambda: len(launcher.left()) == ALL, "everything")
    assert status(launcher) == 200
    assert launcher.pids() == before and started.poll() is None


def test_a_killed_queue_server_comes_back_with_what_it_held(launcher: Launcher) -> None:
    launcher.start_ready()
    ask(launcher, b"SET kept 1")
    assert ask(launcher, b"WAITAOF 1 0 5000").startswith(b"*2\r\n:1\r\n")
    before = launcher.pids()["valkey"]
    os.kill(before, signal.SIGKILL)
    launcher.restarted("valkey", before)
    assert ask(launcher, b"GET kept") == b"$1\r\n1\r\n"


def test_children_end_by_themselves_when_the_launcher_is_killed(launcher: Launcher) -> None:
    launcher.start_ready({"worker-1": "worker", "web": "web"})
    children = launcher.pids()
    launcher.crash()
    wait_until(lambda: not is_alive(children["web"]) and not is_alive(children["worker-1"]), "end of the children")
    assert is_alive(children["valkey"])


def test_the_next_launcher_ends_leftovers_and_adopts_the_queue_server(launcher: Launcher) -> None:
    launcher.start_ready({"web": "web", "worker-1": "stubborn"})
    before = launcher.pids()
    ask(launcher, b"SET kept 1")
    launcher.crash()
    launcher.start_ready()
    after = launcher.pids()
    assert not is_alive(before["worker-1"])
    assert not is_alive(before["web"])
    assert after["valkey"] == before["valkey"]
    assert ask(launcher, b"GET kept") == b"$1\r\n1\r\n"
    assert status(launcher) == 200


def test_an_adopted_queue_server_is_watched_and_ended_like_an_own_one(launcher: Launcher) -> None:
    launcher.start_ready()
    launcher.crash()
    launcher.start_ready()
    before = launcher.pids()["valkey"]
    os.kill(before, signal.SIGKILL)
    launcher.restarted("valkey", before)
    launcher.crash()
    process = launcher.start_ready()
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) == 0
    assert launcher.left() == []


def test_a_queue_server_that_answers_no_more_is_replaced(launcher: Launcher) -> None:
    launcher.start_ready()
    before = launcher.pids()["valkey"]
    launcher.crash()
    (launcher.folder / "valkey.sock").unlink()
    launcher.start_ready()
    assert not is_alive(before)
    assert launcher.pids()["valkey"] != before


def test_a_process_that_took_over_a_number_is_left_alone(launcher: Launcher) -> None:
    launcher.start_ready()
    launcher.crash()
    wait_until(lambda: len(launcher.left()) == 1, "end of the children")
    ledger = launcher.folder / "pids.json"
    stranger = subprocess.Popen(["sleep", "60"], start_new_session=True)
    try:
        ledger.write_text(f'{{"web": {{"pid": {stranger.pid}, "birth": "long ago"}}}}')
        launcher.start_ready()
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()
