"""What `coverwright run` does, seen from outside, with real processes."""

import signal
import socket
import stat
import time
from urllib.request import urlopen

from kernel.launch.supervisor import STOP_S
from tests.launch.conftest import Launcher
from tests.support.processes import is_alive, wait_until


def status(launcher: Launcher) -> int:
    with urlopen(f"http://127.0.0.1:{launcher.port}/healthz") as answer:
        return int(answer.status)


def ask(launcher: Launcher, command: bytes) -> bytes:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(5)
        connection.connect(str(launcher.folder / "valkey.sock"))
        connection.sendall(command + b"\r\n")
        return connection.recv(100)


def test_the_address_and_the_setup_link_are_printed_once_the_web_server_answers(launcher: Launcher) -> None:
    process = launcher.start(STAND_IN_LINK="http://localhost/setup#token=abc")
    assert process.stdout
    assert process.stdout.readline() == f"Coverwright is ready: http://localhost:{launcher.port}\n"
    assert status(launcher) == 200
    assert process.stdout.readline() == "Set up the first administrator: http://localhost/setup#token=abc\n"


def test_the_embedded_server_answers_only_its_owner_and_keeps_a_journal(launcher: Launcher) -> None:
    launcher.start_ready()
    assert ask(launcher, b"PING") == b"+PONG\r\n"
    assert stat.S_IMODE((launcher.folder / "valkey.sock").stat().st_mode) == 0o700
    assert b"yes" in ask(launcher, b"CONFIG GET appendonly")
    assert b"noeviction" in ask(launcher, b"CONFIG GET maxmemory-policy")
    assert b"$1\r\n0\r\n" in ask(launcher, b"CONFIG GET port")


def test_no_embedded_server_is_started_when_another_is_named(launcher: Launcher) -> None:
    launcher.start_ready(COVERWRIGHT_REDIS_URL="redis://127.0.0.1:1/0")
    assert sorted(launcher.pids()) == ["web", "worker-1"]


def test_ctrl_c_ends_everything_within_three_seconds(launcher: Launcher) -> None:
    process = launcher.start_ready({"web": "web", "worker-1": "worker", "worker-2": "worker"})
    assert len(launcher.pids()) == 4
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 0
    assert time.monotonic() - began < 3
    assert launcher.left() == []
    assert launcher.pids() == {}


def test_a_process_that_does_not_end_is_killed(launcher: Launcher) -> None:
    process = launcher.start_ready({"web": "web", "worker-1": "stubborn"})
    process.send_signal(signal.SIGINT)
    assert process.wait(STOP_S + 5) == 0
    assert launcher.left() == []
    assert launcher.pids() == {}


def test_a_second_ctrl_c_does_not_wait(launcher: Launcher) -> None:
    process = launcher.start_ready({"web": "web", "worker-1": "stubborn"})
    web = launcher.pids()["web"]
    process.send_signal(signal.SIGINT)
    wait_until(lambda: not is_alive(web), "end of the web server")
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 130
    assert time.monotonic() - began < 1
    wait_until(lambda: not launcher.left(), "end of everything")


def test_a_second_launcher_on_the_same_data_is_refused_in_one_line(launcher: Launcher) -> None:
    first = launcher.start_ready()
    second = launcher.start()
    _, words = second.communicate(timeout=10)
    assert second.returncode == 1
    assert words.count("\n") == 1
    assert f"already running on {launcher.folder} (process {first.pid})" in words
    assert status(launcher) == 200


def test_a_taken_port_is_said_in_one_line_and_leaves_nothing_running(launcher: Launcher) -> None:
    with socket.create_server(("127.0.0.1", launcher.port)):
        process = launcher.start()
        _, words = process.communicate(timeout=10)
    assert process.returncode == 1
    assert [line for line in words.splitlines() if "coverwright:" in line] == [
        f"coverwright: port {launcher.port} on 127.0.0.1 is taken; choose another one, like PORT={launcher.port + 1}."
    ]
    assert launcher.left() == []


def test_a_migration_that_fails_is_said_in_one_line_and_starts_nothing(launcher: Launcher) -> None:
    process = launcher.start(STAND_IN_MIGRATION="no such table\n[SQL: SELECT 1]")
    _, words = process.communicate(timeout=10)
    assert process.returncode == 1
    assert "coverwright: the database cannot be brought up to date: no such table.\n" in words
    assert launcher.left() == []


def test_a_web_server_that_never_starts_ends_the_launch(launcher: Launcher) -> None:
    process = launcher.start({"web": "broken"})
    _, words = process.communicate(timeout=20)
    assert process.returncode == 1
    assert words.splitlines()[-1] == "coverwright: web does not start; what it says stands above."
    assert launcher.left() == []


def test_a_damaged_journal_is_put_aside_and_the_launch_goes_on(launcher: Launcher) -> None:
    journal = launcher.folder / "valkey" / "appendonlydir"
    journal.mkdir(parents=True)
    (journal / "appendonly.aof.manifest").write_text("file appendonly.aof.1.incr.aof seq 1 type i\n")
    (journal / "appendonly.aof.1.incr.aof").write_bytes(b"*1\r\n$4\r\nNONE\r\n" * 100)
    launcher.start_ready()
    assert ask(launcher, b"DBSIZE") == b":0\r\n"
    assert len(list((launcher.folder / "valkey").glob("damaged-*/appendonly.aof.1.incr.aof"))) == 1


def test_an_unusable_server_program_is_said_in_one_line(launcher: Launcher) -> None:
    process = launcher.start(VALKEY_SERVER="/nonexistent/valkey")
    _, words = process.communicate(timeout=10)
    assert process.returncode == 1
    assert "coverwright: VALKEY_SERVER: /nonexistent/valkey is not a program.\n" in words
