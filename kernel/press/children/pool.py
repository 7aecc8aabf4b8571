"""A pool of drawing processes: each does one order at a time, and is replaced when it dies, grows or is slow."""

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from kernel.press.catalogue import FONTS_VARIABLE
from kernel.press.children.frames import HEAD, Done, Failure, Message, Progress, Ready, message, pack

OnPhase = Callable[[str], Awaitable[None]]
T = TypeVar("T")

START_SECONDS: Final = 60.0  # an import and a stamp-sized drawing; 1 s on an idle machine
FAREWELL_SECONDS: Final = 2.0
TRIES: Final = 2  # a process that dies at work may have been killed for another's memory; the order is done again


async def unheard(phase: str) -> None:
    """Hear of no phase."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How many processes, and when one is replaced: after so many orders, of more memory in bytes, or of more seconds
    for one order. `fonts` is the folder of the fonts, empty for the installed ones.
    """

    workers: int = 1
    orders: int = 150
    memory: int = 700 * 2**20
    seconds: float = 60.0
    fonts: str = ""


class SetupFailed(Exception):
    """A drawing process cannot start; the message says what is missing."""


class ProcessLost(Exception):
    """A drawing process died."""


class TookTooLong(Exception):
    """An order, or the start of a process, took longer than the limit: the machine is busy, and nothing is missing."""


class DrawingFailed(Exception):
    """The process reported why an order cannot be done; `reason` as in `frames.Failure`."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


class _Worker:
    """One drawing process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.orders = 0
        self.memory = 0

    @classmethod
    async def start(cls, program: str, fonts: str) -> "_Worker":
        environment = dict(os.environ)
        root = str(Path(__file__).resolve().parents[3])
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, (root, environment.get("PYTHONPATH", ""))))
        environment.setdefault(
            "OPENBLAS_NUM_THREADS", "1"
        )  # its threads wait for each other, and spend more than they save
        if fonts:
            environment[FONTS_VARIABLE] = fonts
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            program,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=environment,
        )
        worker = cls(process)
        try:
            async with asyncio.timeout(START_SECONDS):
                first = await worker._receive()
        except TimeoutError:
            await worker.stop()
            raise TookTooLong(f"The drawing process did not start within {START_SECONDS:.0f} s.") from None
        except BaseException:
            await worker.stop()
            raise
        if not isinstance(first, Ready):
            await worker.stop()
            if isinstance(first, Failure) and first.reason == "setup":
                raise SetupFailed(first.detail)
            raise DrawingFailed("bug", first.detail if isinstance(first, Failure) else "answered out of turn")
        return worker

    async def run(self, order: Any, on_phase: OnPhase) -> bytes:
        """Do one order. After any exception but DrawingFailed the process is in an unknown state."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(pack(order))
            await self.process.stdin.drain()
        except (BrokenPipeError, ConnectionError) as error:
            raise ProcessLost(await self._exit_reason()) from error
        while True:
            match await self._receive():
                case Progress(phase):
                    await on_phase(phase)
                case Done(result, memory):
                    self.orders += 1
                    self.memory = memory
                    return result
                case Failure(reason, detail):
                    self.orders += 1
                    raise DrawingFailed(reason, detail)
                case Ready():
                    raise ProcessLost("The drawing process answered out of turn.")

    async def stop(self) -> None:
        """End the process: by closing its input when it is idle, which ends it."""
        try:
            async with asyncio.timeout(FAREWELL_SECONDS):
                await self._close()
        except TimeoutError:
            self.kill()
            await self._close()

    async def _close(self) -> None:
        """Close the input, read the rest of the output (a full pipe never closes) and wait for the end."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        await self.process.communicate()

    def kill(self) -> None:
        """End the process now."""
        if self.process.returncode is None:
            try:
                self.process.kill()
            except ProcessLookupError:
                return

    async def _receive(self) -> Message:
        assert self.process.stdout is not None
        try:
            (length,) = HEAD.unpack(await self.process.stdout.readexactly(HEAD.size))
            return message(await self.process.stdout.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise ProcessLost(await self._exit_reason()) from error

    async def _exit_reason(self) -> str:
        """Wait for the process, so that its exit code is known (and kill does not reap it behind asyncio's back)."""
        try:
            async with asyncio.timeout(FAREWELL_SECONDS):
                await self.process.wait()
        except TimeoutError:
            pass
        code = self.process.returncode
        return f"The drawing process ended unexpectedly (exit code {'unknown' if code is None else code})."


class Pool:
    """A fixed number of drawing processes that run the module `program`; the first `open` or `run` starts them."""

    def __init__(self, program: str, limits: Limits, log: logging.Logger) -> None:
        self._program = program
        self._limits = limits
        self._log = log
        self._idle: asyncio.Queue[_Worker | None] = asyncio.Queue()
        self._all: set[_Worker] = set()
        self._starting: set[asyncio.Task[None]] = set()
        self._stopping: set[asyncio.Task[None]] = set()
        self._started = False
        self._closed = False

    @property
    def processes(self) -> tuple[int, ...]:
        """Process ids of the running processes."""
        return tuple(worker.process.pid for worker in self._all if worker.process.returncode is None)

    def open(self) -> None:
        """Begin to start the processes, without waiting."""
        if not self._started and not self._closed:
            self._started = True
            for _ in range(self._limits.workers):
                self._fill()

    async def run(self, order: Any, result_type: type[T], on_phase: OnPhase = unheard) -> T:
        """Do an order with the first process that is free.

        Raises SetupFailed, ProcessLost, TookTooLong, DrawingFailed. When canceled, the process at work is replaced.
        """
        self.open()
        for tries_left in reversed(range(TRIES)):
            worker = await self._take()
            try:
                async with asyncio.timeout(self._limits.seconds):
                    result = await worker.run(order, on_phase)
            except DrawingFailed:
                self._give_back(worker)
                raise
            except TimeoutError:
                self._replace(worker)
                raise TookTooLong(f"A drawing took longer than {self._limits.seconds:.0f} s.") from None
            except ProcessLost as error:
                self._replace(worker)
                self._log.warning("%s %s", error, "Trying again." if tries_left else "")
                if not tries_left:
                    raise
                continue
            except BaseException:
                self._replace(worker)
                raise
            self._give_back(worker)
            return msgspec.msgpack.decode(result, type=result_type)
        raise AssertionError("unreachable")

    async def aclose(self) -> None:
        """End all processes; a second call does nothing."""
        self._closed = True
        for task in tuple(self._starting):
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        for worker in tuple(self._all):
            self._discard(worker)
        await asyncio.gather(*self._stopping, return_exceptions=True)

    async def _take(self) -> _Worker:
        """Wait for a free process; one that died while it was idle is replaced first."""
        while True:
            worker = await self._idle.get()
            if worker is None:
                worker = await self._start_now()
            if worker.process.returncode is None:
                return worker
            self._discard(worker)
            self._idle.put_nowait(None)

    async def _start_now(self) -> _Worker:
        try:
            worker = await _Worker.start(self._program, self._limits.fonts)
        except BaseException:
            self._idle.put_nowait(None)  # the place stays free; the next order tries again
            raise
        self._all.add(worker)
        return worker

    async def _start(self) -> None:
        """Start a process in the background; a failure is reported to the order that asks for the place."""
        try:
            worker = await _Worker.start(self._program, self._limits.fonts)
        except (SetupFailed, TookTooLong, DrawingFailed, ProcessLost, OSError) as error:
            self._log.warning("A drawing process could not be started: %s", error)
            self._idle.put_nowait(None)
            return
        self._all.add(worker)
        self._idle.put_nowait(worker)

    def _give_back(self, worker: _Worker) -> None:
        worn = worker.orders >= self._limits.orders or worker.memory > self._limits.memory
        if self._closed:
            self._discard(worker)
        elif worn:
            self._discard(worker)
            self._fill()
        else:
            self._idle.put_nowait(worker)

    def _replace(self, worker: _Worker) -> None:
        worker.kill()
        self._discard(worker)
        if not self._closed:
            self._fill()

    def _fill(self) -> None:
        _hold(self._starting, asyncio.create_task(self._start()))

    def _discard(self, worker: _Worker) -> None:
        self._all.discard(worker)
        _hold(self._stopping, asyncio.create_task(worker.stop()))


def _hold(tasks: set[asyncio.Task[None]], task: asyncio.Task[None]) -> None:
    """Keep a reference to a task until it is done; asyncio itself holds it weakly."""
    tasks.add(task)
    task.add_done_callback(tasks.discard)
