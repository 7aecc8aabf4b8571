"""Commands of the product for tests, forked from one process that has imported it: imports are most of a start.

They are processes like those of users, but for that. `launch/test_readme.py` and others start the command itself.
"""

import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import Final, NoReturn, Protocol

import msgspec

from kernel.core.config import PROJECT_ROOT
from kernel.core.process import this_process
from kernel.core.process.metrics_folder import FOLDER
from kernel.launch.fork_server import Ended, ForkOrder, Report, Started, serve

START_S: Final = 60.0


class RunningCommand(Protocol):
    """A command that runs: the part of `subprocess.Popen` that tests use."""

    pid: int

    def poll(self) -> int | None: ...

    def wait(self, timeout: float | None = None) -> int: ...

    def send_signal(self, number: int) -> None: ...


class ForkedCommand:
    """A command that was forked."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.has_ended = threading.Event()

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code. Raises subprocess.TimeoutExpired."""
        if not self.has_ended.wait(timeout):
            raise subprocess.TimeoutExpired("coverwright", timeout or 0)
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)


class Commands:
    """A process that has imported the product, and what was forked from it."""

    def __init__(self) -> None:
        self._channel, theirs = socket.socketpair()
        with theirs:
            environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERWRIGHT_")}
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.support.forked_commands", str(theirs.fileno())],
                env=environment,
                cwd=PROJECT_ROOT,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._running: dict[int, ForkedCommand] = {}
        self._started: SimpleQueue[ForkedCommand] = SimpleQueue()
        self._one_at_a_time = threading.Lock()
        threading.Thread(target=self._listen, name="forked commands", daemon=True).start()

    def run(self, *arguments: str, env: Mapping[str, str], timeout: float) -> "subprocess.CompletedProcess[str]":
        """Run a command to its end and return what it said. Raises subprocess.TimeoutExpired."""
        with tempfile.TemporaryDirectory() as folder:
            said, complained = Path(folder) / "said", Path(folder) / "complained"
            code = self.start(*arguments, env=env, log=said, errors=complained).wait(timeout)
            return subprocess.CompletedProcess(arguments, code, said.read_text(), complained.read_text())

    def start(self, *arguments: str, env: Mapping[str, str], log: Path, errors: Path | None = None) -> ForkedCommand:
        """Begin a command in this environment; what it says goes to the end of a file, or of two."""
        errors = errors or log
        title = this_process.title(" ".join(arguments), Path(env["COVERWRIGHT_DATA"]))
        log.touch()
        errors.touch()
        order = ForkOrder(title, (str(log), str(errors), *arguments), env)
        with self._one_at_a_time:
            self._channel.sendall(msgspec.json.encode(order) + b"\n")
            return self._started.get(timeout=START_S)

    def _listen(self) -> None:
        for line in self._channel.makefile("rb"):
            match msgspec.json.decode(line, type=Report):
                case Started(pid):
                    command = self._running[pid] = ForkedCommand(pid)
                    self._started.put(command)
                case Ended(pid, code):
                    command = self._running.pop(pid)
                    command.returncode = code
                    command.has_ended.set()


def started(*arguments: str, env: Mapping[str, str], log: Path) -> "subprocess.Popen[bytes]":
    """Begin a command as users do: for what a fork cannot have, such as packages at another place."""
    with log.open("ab") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "kernel.cli", *arguments],
            env=dict(env),
            cwd=PROJECT_ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


@cache
def commands() -> Commands:
    """Return the one of this process; it ends with it."""
    return Commands()


def _command(arguments: Sequence[str]) -> NoReturn:
    log, errors, *words = arguments
    for number, path in ((1, log), (2, errors)):
        output = os.open(path, os.O_WRONLY | os.O_APPEND)
        os.dup2(output, number)
        os.close(output)
    if words[0] == "run":
        del os.environ[FOLDER]  # it names its own
    else:
        os.environ[FOLDER] = tempfile.mkdtemp(dir=Path(log).parent)
    console(words)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:  # where this process counts; those that are forked have their own
        os.environ[FOLDER] = folder
        from kernel.cli import console
        from kernel.commands.run import preload

        preload()
    serve(socket.socket(fileno=int(sys.argv[1])), _command)
