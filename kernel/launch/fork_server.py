"""Starts the product's programs as forks of one process that has imported them.

Their modules are imported once instead of once per process, the processes share the memory of the code, and a program
that has died is back at once. Where programs cannot be forked, they are started as commands (`supervisor.spawn`).
"""

import asyncio
import os
import select
import signal
import socket
import subprocess
import sys
import traceback
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, NoReturn, Self

import msgspec
from setproctitle import setproctitle

from kernel.core.process import this_process
from kernel.core.process.handed_over import LISTENER, tell_fault
from kernel.core.process.parent_watch import LAUNCHER
from kernel.launch.children import Child
from kernel.launch.errors import LaunchError
from kernel.launch.processes import AdoptedProcess, birth_of, send

READ_BYTES: Final = 65_536
READY_S: Final = 120.0
"""Longest wait for a new fork server to import everything."""


class ForkOrder(msgspec.Struct, frozen=True):
    """A command to run: its arguments, and what is added to the environment."""

    title: str
    arguments: tuple[str, ...]
    env: Mapping[str, str] = {}


class Started(msgspec.Struct, frozen=True, tag="started"):
    """Answers an order; answers come in the sequence of the orders."""

    pid: int


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """A process has ended; `code` is negative for a signal."""

    pid: int
    code: int


class Imported(msgspec.Struct, frozen=True, tag="imported"):
    """Everything is imported, or cannot be."""

    fault: str = ""


Report = Started | Ended | Imported
Command = Callable[[Sequence[str]], NoReturn]


def can_fork() -> bool:
    """Tell whether programs may be forked on this system: the frameworks of macOS do not survive it."""
    return sys.platform.startswith("linux")


class Programs(msgspec.Struct, frozen=True):
    """What is forked: `preload` imports it, `command` is called in each fork with the arguments of the order.

    `server` is a command that becomes a fork server for them, with the number of the listening socket behind it.
    """

    preload: Callable[[], None]
    command: Command
    server: tuple[str, ...] = ()


def _fork_server(programs: Programs, title: str, lock: IO[str], listener: int) -> tuple[int, socket.socket]:
    """Fork a server and return its process id and the socket for orders to it."""
    ours, theirs = socket.socketpair()
    if pid := os.fork():
        theirs.close()
        return pid, ours
    try:
        os.setsid()  # the launcher alone receives the terminal's Ctrl-C
        ours.close()
        lock.close()  # or it would be held for as long as any process runs
        with open(os.devnull) as nothing:
            os.dup2(nothing.fileno(), 0)
        setproctitle(title)
        programs.preload()
        serve(theirs, programs.command, listener)
    except BaseException as error:  # the programs fail as well, as commands, and say more
        print(f"coverwright: programs cannot be forked: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(1)


def be_fork_server(programs: Programs, title: str, listener: int) -> NoReturn:
    """Be a fork server, as a command: the socket for orders is its standard input."""
    channel = socket.socket(fileno=os.dup(0))
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    setproctitle(title)
    try:
        programs.preload()
    except BaseException as error:
        traceback.print_exc()
        _send(channel, Imported(f"{type(error).__name__}: {error}"))
        os._exit(1)
    _send(channel, Imported())
    serve(channel, programs.command, listener)


def serve(channel: socket.socket, command: Command, listener: int | None = None) -> NoReturn:
    """Carry out the orders that come through the socket, one in each line, until it is closed.

    `listener` is the open socket that only those programs keep which are told of it.
    """
    woken, waker = socket.socketpair()
    woken.setblocking(False)
    waker.setblocking(False)
    signal.set_wakeup_fd(waker.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)  # wakes `select`
    server, orders = os.getpid(), b""
    while True:
        ready, _, _ = select.select([channel, woken], [], [])
        if woken in ready:
            with suppress(BlockingIOError):
                woken.recv(READ_BYTES)
            _report_ended(channel)
        if channel in ready:
            received = channel.recv(READ_BYTES)
            if not received:
                os._exit(0)
            *lines, orders = (orders + received).split(b"\n")
            for line in lines:
                order = msgspec.json.decode(line, type=ForkOrder)
                pid = os.fork()
                if not pid:
                    for end in (channel, woken, waker):
                        end.close()
                    if listener is not None and LISTENER not in order.env:
                        os.close(listener)
                    _carry_out(order, command, server)
                _send(channel, Started(pid))


def title_of(data_dir: Path) -> str:
    """Return what lists of processes show for a fork server."""
    return this_process.title("fork server", data_dir)


def _start(command: Sequence[str], channel: socket.socket, listener: int) -> int:
    started = subprocess.Popen(command, stdin=channel.fileno(), pass_fds=(listener,), start_new_session=True)
    started.returncode = 0  # it is waited for by its number
    return started.pid


def _report_ended(channel: socket.socket) -> None:
    with suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            _send(channel, Ended(pid, os.waitstatus_to_exitcode(status)))


def _send(channel: socket.socket, message: Report) -> None:
    try:
        channel.sendall(msgspec.json.encode(message) + b"\n")
    except OSError:  # the launcher has ended: what it started notices by itself
        os._exit(0)


def _carry_out(order: ForkOrder, command: Command, server: int) -> NoReturn:
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        setproctitle(order.title)
        os.environ |= {**order.env, LAUNCHER: str(server)}
        command(order.arguments)
    except BaseException as error:
        traceback.print_exc()
        tell_fault(error)
    finally:
        os._exit(1)


class Fork:
    """A process that a fork server has started."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._birth = birth_of(pid) or ""
        self.code: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        """Result: the exit code, or None when the server has ended before the process."""

    async def wait(self) -> int:
        """Return the exit code, or 0 where nobody has seen it."""
        code = await asyncio.shield(self.code)
        return await AdoptedProcess(self.pid, self._birth).wait() if code is None else code


class ForkServer:
    """A fork server and the launcher's side of it. It ends with this process."""

    def __init__(self, pid: int, channel: socket.socket, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._pid, self._channel = pid, channel
        self._awaited: deque[asyncio.Future[Fork]] = deque()
        self._running: dict[int, Fork] = {}
        self._writer: asyncio.StreamWriter
        self._listening: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[str]

    @classmethod
    def forked(cls, programs: Programs, data_dir: Path, lock: IO[str], listener: int) -> Self:
        """Return one that is forked from this process, before that has threads, or an event loop.

        `lock` is the file by which this process owns the data folder.
        """
        return cls(*_fork_server(programs, title_of(data_dir), lock, listener), data_dir)

    @classmethod
    async def anew(cls, programs: Programs, data_dir: Path, listener: int) -> Self:
        """Return one that has imported everything anew. Raises LaunchError with the reason when it cannot."""
        ours, theirs = socket.socketpair()
        with theirs:
            command = [*programs.server, str(listener)]
            pid = await asyncio.to_thread(_start, command, theirs, listener)
        server = cls(pid, ours, data_dir)
        await server.open()
        try:
            async with asyncio.timeout(READY_S):
                fault = await server._ready
        except TimeoutError:
            fault = f"the code was not imported after {READY_S:g} s"
        if fault:
            await server.aclose()
            raise LaunchError(fault)
        return server

    @property
    def is_running(self) -> bool:
        """Return whether orders can be given."""
        return self._listening is not None and not self._listening.done()

    async def open(self) -> None:
        """Begin to listen."""
        self._ready = asyncio.get_running_loop().create_future()
        reader, self._writer = await asyncio.open_connection(sock=self._channel)
        self._listening = asyncio.create_task(self._listen(reader))

    async def start(self, child: Child) -> Fork:
        """Start a program. Raises ConnectionError when the server has ended."""
        order = ForkOrder(this_process.title(child.name, self._data_dir), child.arguments, child.env)
        answer: asyncio.Future[Fork] = asyncio.get_running_loop().create_future()
        self._awaited.append(answer)
        self._writer.write(msgspec.json.encode(order) + b"\n")
        return await answer

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        with suppress(ConnectionError):
            while line := await reader.readline():
                match msgspec.json.decode(line, type=Report):
                    case Started(pid):
                        fork = self._running[pid] = Fork(pid)
                        answer = self._awaited.popleft()
                        if not answer.done():
                            answer.set_result(fork)
                    case Ended(pid, code):
                        self._running.pop(pid).code.set_result(code)
                    case Imported(fault):
                        self._ready.set_result(fault)
        if not self._ready.done():
            self._ready.set_result("the fork server has ended")
        for fork in self._running.values():
            fork.code.set_result(None)
        for answer in self._awaited:
            if not answer.done():
                answer.set_exception(ConnectionError("the fork server has ended"))

    async def aclose(self) -> None:
        """End the server, when what it has started has ended; what it is about to start notices that by itself."""
        if self._listening:
            self._listening.cancel()
            self._writer.close()
        self._channel.close()
        send(self._pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            await asyncio.to_thread(os.waitpid, self._pid, 0)
