"""Drawing processes kept warm: handed one cover at a time, replaced when they die, grow fat or draw for too long."""

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import msgspec

from plugins.atelier.brief import Spec
from plugins.atelier.frames import HEAD, Drawn, Failed, Message, Progress, Ready, message, pack

Tell = Callable[[str], Awaitable[None]]

FONTS_VARIABLE: Final = "COVERWRIGHT_FONTS"  # the press reads it; importing the press would load skia into the server
START_SECONDS: Final = 60.0  # an import and a stamp-sized cover; 1 s on an idle machine
FAREWELL_SECONDS: Final = 2.0
TRIES: Final = (
    2  # a process that dies under a cover may have been killed for another's memory; the cover is drawn again
)


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How many processes, and when one is replaced. Memory in bytes, time in seconds for one cover."""

    workers: int = 1
    covers: int = 150
    memory: int = 700 * 2**20
    seconds: float = 60.0
    fonts: str = ""


class SetupFailed(Exception):
    """A drawing process cannot start; says what is missing."""


class ProcessLost(Exception):
    """A drawing process died."""


class TooSlow(Exception):
    """A cover took longer than the limit."""


class DrawingFailed(Exception):
    """The process reported why a cover cannot be drawn; `reason` as in `frames.Failed`."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


class _Hand:
    """One drawing process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.covers = 0
        self.memory = 0

    @classmethod
    async def hire(cls, fonts: str) -> "_Hand":
        environment = dict(os.environ)
        root = str(Path(__file__).resolve().parents[2])
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, (root, environment.get("PYTHONPATH", ""))))
        if fonts:
            environment[FONTS_VARIABLE] = fonts
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "plugins.atelier.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=environment,
        )
        hand = cls(process)
        try:
            async with asyncio.timeout(START_SECONDS):
                first = await hand._hear()
        except TimeoutError:
            await hand.dismiss()
            raise SetupFailed(f"The drawing process did not start within {START_SECONDS:.0f} s.") from None
        except BaseException:
            await hand.dismiss()
            raise
        if not isinstance(first, Ready):
            await hand.dismiss()
            if isinstance(first, Failed) and first.reason == "setup":
                raise SetupFailed(first.detail)
            raise DrawingFailed("bug", first.detail if isinstance(first, Failed) else "answered out of turn")
        return hand

    async def draw(self, order: Spec, tell: Tell) -> Drawn:
        """Draw one cover. After any exception but DrawingFailed the process is in an unknown state."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(pack(order))
            await self.process.stdin.drain()
        except (BrokenPipeError, ConnectionError) as error:
            raise ProcessLost(await self._epitaph()) from error
        while True:
            match await self._hear():
                case Progress(phase):
                    await tell(phase)
                case Drawn() as drawn:
                    self.covers += 1
                    self.memory = drawn.memory
                    return drawn
                case Failed(reason, detail):
                    self.covers += 1
                    raise DrawingFailed(reason, detail)
                case Ready():
                    raise ProcessLost("The drawing process answered out of turn.")

    async def dismiss(self) -> None:
        """End the process: politely when it is idle, for it ends when its input does."""
        try:
            async with asyncio.timeout(FAREWELL_SECONDS):
                await self._farewell()
        except TimeoutError:
            self.kill()
            await self._farewell()

    async def _farewell(self) -> None:
        """Close the input, read what is left of the output (a full pipe never closes) and wait for the end."""
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

    async def _hear(self) -> Message:
        assert self.process.stdout is not None
        try:
            (length,) = HEAD.unpack(await self.process.stdout.readexactly(HEAD.size))
            return message(await self.process.stdout.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise ProcessLost(await self._epitaph()) from error

    async def _epitaph(self) -> str:
        """Wait for the dead, so that its exit code is known (and kill does not reap it under asyncio's feet)."""
        try:
            async with asyncio.timeout(FAREWELL_SECONDS):
                await self.process.wait()
        except TimeoutError:
            pass
        code = self.process.returncode
        return f"The drawing process ended unexpectedly (exit code {'unknown' if code is None else code})."


class Pool:
    """A fixed number of drawing processes, started by the first call of `start` or `draw`."""

    def __init__(self, limits: Limits, log: logging.Logger) -> None:
        self._limits = limits
        self._log = log
        self._idle: asyncio.Queue[_Hand | None] = asyncio.Queue()
        self._all: set[_Hand] = set()
        self._hiring: set[asyncio.Task[None]] = set()
        self._leaving: set[asyncio.Task[None]] = set()
        self._started = False
        self._closed = False

    @property
    def processes(self) -> tuple[int, ...]:
        """Process ids of the running processes."""
        return tuple(hand.process.pid for hand in self._all if hand.process.returncode is None)

    def open(self) -> None:
        """Begin to start the processes; wait for nothing."""
        if not self._started and not self._closed:
            self._started = True
            for _ in range(self._limits.workers):
                self._fill()

    async def draw(self, order: Spec, tell: Tell) -> Drawn:
        """Draw a cover with the first process that is free.

        Raises SetupFailed, ProcessLost, TooSlow, DrawingFailed. When cancelled, the process that drew is replaced.
        """
        self.open()
        for tries_left in reversed(range(TRIES)):
            hand = await self._take()
            try:
                async with asyncio.timeout(self._limits.seconds):
                    drawn = await hand.draw(order, tell)
            except DrawingFailed:
                self._give_back(hand)
                raise
            except TimeoutError:
                self._replace(hand)
                raise TooSlow(f"A cover took longer than {self._limits.seconds:.0f} s.") from None
            except ProcessLost as error:
                self._replace(hand)
                self._log.warning("%s %s", error, "Trying again." if tries_left else "")
                if not tries_left:
                    raise
                continue
            except BaseException:
                self._replace(hand)
                raise
            self._give_back(hand)
            return drawn
        raise AssertionError("unreachable")

    async def aclose(self) -> None:
        """End all processes; a second call does nothing."""
        self._closed = True
        for task in tuple(self._hiring):
            task.cancel()
        await asyncio.gather(*self._hiring, return_exceptions=True)
        for hand in tuple(self._all):
            self._let_go(hand)
        await asyncio.gather(*self._leaving, return_exceptions=True)

    async def _take(self) -> _Hand:
        """Wait for a free process; one that died while it was idle is replaced first."""
        while True:
            hand = await self._idle.get()
            if hand is None:
                hand = await self._hire_now()
            if hand.process.returncode is None:
                return hand
            self._let_go(hand)
            self._idle.put_nowait(None)

    async def _hire_now(self) -> _Hand:
        try:
            hand = await _Hand.hire(self._limits.fonts)
        except BaseException:
            self._idle.put_nowait(None)  # the place stays; the next cover tries again
            raise
        self._all.add(hand)
        return hand

    async def _hire(self) -> None:
        """Fill a place in the background; what goes wrong is told to the cover that asks for the place."""
        try:
            hand = await _Hand.hire(self._limits.fonts)
        except (SetupFailed, DrawingFailed, ProcessLost, OSError) as error:
            self._log.warning("A drawing process could not be started: %s", error)
            self._idle.put_nowait(None)
            return
        self._all.add(hand)
        self._idle.put_nowait(hand)

    def _give_back(self, hand: _Hand) -> None:
        worn = hand.covers >= self._limits.covers or hand.memory > self._limits.memory
        if self._closed:
            self._let_go(hand)
        elif worn:
            self._let_go(hand)
            self._fill()
        else:
            self._idle.put_nowait(hand)

    def _replace(self, hand: _Hand) -> None:
        hand.kill()
        self._let_go(hand)
        if not self._closed:
            self._fill()

    def _fill(self) -> None:
        _keep(self._hiring, asyncio.create_task(self._hire()))

    def _let_go(self, hand: _Hand) -> None:
        self._all.discard(hand)
        _keep(self._leaving, asyncio.create_task(hand.dismiss()))


def _keep(tasks: set[asyncio.Task[None]], task: asyncio.Task[None]) -> None:
    """Hold a task until it is done; asyncio itself holds it weakly."""
    tasks.add(task)
    task.add_done_callback(tasks.discard)
