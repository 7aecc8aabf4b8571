"""Programs are forked from one process that has imported them; where that is not possible, they run as commands."""

import os
import signal
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError

import pytest

from kernel.launch.fork_server import can_fork
from tests.launch.conftest import Launcher
from tests.launch.test_launcher import status
from tests.support.processes import is_alive, wait_until

pytestmark = [pytest.mark.fault, pytest.mark.skipif(not can_fork(), reason="nothing is forked on this system")]


def title_of(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text().rstrip("\0").rstrip()


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def answers(launcher: Launcher) -> bool:
    with suppress(URLError):
        return status(launcher) == 200
    return False


def test_programs_are_forked_and_say_what_they_are(launcher: Launcher) -> None:
    launcher.start_ready()
    children = launcher.pids()
    server = parent_of(children["worker-1"])
    assert parent_of(children["web"]) == server
    assert parent_of(server) == launcher.started[-1].pid
    assert title_of(server) == f"coverwright: fork server ({launcher.folder})"
    assert title_of(children["worker-1"]) == f"coverwright: worker-1 ({launcher.folder})"


def test_a_killed_fork_server_takes_no_program_along_for_good(launcher: Launcher) -> None:
    process = launcher.start_ready()
    before = launcher.pids()
    os.kill(parent_of(before["worker-1"]), signal.SIGKILL)
    after = {name: launcher.restarted(name, before[name]) for name in ("web", "worker-1")}
    assert not any(is_alive(before[name]) for name in after)
    assert all(parent_of(pid) == process.pid for pid in after.values()), "as commands"
    wait_until(lambda: answers(launcher), "an answer")
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) == 0
    assert not launcher.left()


def test_programs_that_cannot_be_imported_ahead_run_as_commands(launcher: Launcher) -> None:
    process = launcher.start_ready(STAND_IN_PRELOAD="no such module")
    assert all(parent_of(pid) == process.pid for pid in launcher.pids().values())
    assert status(launcher) == 200


def test_the_lock_on_the_data_folder_ends_with_the_launcher(launcher: Launcher) -> None:
    launcher.start_ready({"web": "web", "worker-1": "stubborn"})
    stubborn = launcher.pids()["worker-1"]
    launcher.crash()
    assert is_alive(stubborn), "it was forked from what the launcher had been"
    launcher.start_ready()
