"""Checks brought files, one at a time, in a process with little memory and time that can reach nothing."""

import asyncio
import base64
import logging
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import IO, Final, TypeVar

from kernel.books.preflight.schemas import CheckedForm, PreflightReport, TemplateMeasures
from kernel.books.spine.asking import Asked
from kernel.core.config import Config
from kernel.core.errors import AppError, Malformed, NoProvider, TooLarge
from kernel.press.children.pool import DrawingFailed, Pool, ProcessLost, SetupFailed, TookTooLong
from kernel.press.editions import (
    PREFLIGHT_LIMITS,
    PREFLIGHT_PROGRAM,
    CheckFile,
    CheckTask,
    MatchTemplate,
    Report,
    Target,
    Template,
    TemplateSize,
)
from kernel.press.trade.stated import stated_measures
from kernel.press.trade.table import Binding

T = TypeVar("T")

log = logging.getLogger(__name__)

MOST_BYTES: Final = 48 * 2**20
"""More than the 40 MB that KDP recommends, so that a file too large for it is told so; an address may send 64 MB."""
MOST_WAITING: Final = 4
"""Each may take its 20 seconds; who comes after that many is asked to come again."""
AGAIN_S: Final = 20.0
LEFT_BEHIND_S: Final = 600.0


class FileUnreadable(AppError):
    """A file that is nothing preflight reads, or that its process did not survive."""

    status, code = 422, "file_unreadable"


class PreflightBusy(AppError):
    """Too many files wait to be checked."""

    status, code = 503, "preflight_busy"


def target_of(form: CheckedForm, asked: Asked) -> Target:
    """Return what a file is to be; the book matters for printed covers only."""
    if form != "printed":
        return Target(form=form)
    block = asked.block
    return Target(
        form=asked.binding,  # type: ignore[arg-type]  # the table names bindings so
        printer=asked.printer,
        trim=block.trim,
        pages=block.pages,
        paper=block.paper,
        template=Template(spine=block.spine, case=block.case) if block.spine else None,
        right_to_left=block.right_to_left,
    )


class PreflightService:
    """Checks files that nobody vouches for. Close it with `aclose`."""

    def __init__(self, config: Config) -> None:
        self._folder = config.data_dir / "preflight"
        self._min_free = config.pictures.min_free_bytes
        self._pool = Pool(PREFLIGHT_PROGRAM, PREFLIGHT_LIMITS, log)
        self._waiting = 0

    async def check(self, target: Target, chunks: AsyncIterator[bytes]) -> PreflightReport:
        """Return what is to be said of a file that comes in pieces. It is gone from the disk when this returns.

        Raises Malformed (no bytes), TooLarge, FileUnreadable, PreflightBusy and NoProvider.
        """
        return _report_out(await self._read(chunks, lambda path: CheckFile(path=path, target=target), Report))

    async def measures(
        self, binding: Binding, trim: tuple[float, float], chunks: AsyncIterator[bytes]
    ) -> TemplateMeasures:
        """Return what a printer's template, which comes in pieces, says of a book of this trim. Raises as `check`."""
        size = await self._read(chunks, lambda path: MatchTemplate(path=path), TemplateSize)
        stated = stated_measures(binding, trim, size.page, size.trim)
        width, height = stated.sheet or (None, None)
        return TemplateMeasures(
            spine=stated.spine,
            sheet_width=None if width is None else round(width, 4),
            sheet_height=None if height is None else round(height, 4),
        )

    async def _read(self, chunks: AsyncIterator[bytes], order: Callable[[str], CheckTask], answer: type[T]) -> T:
        if self._waiting >= MOST_WAITING:
            raise PreflightBusy("Many files are being checked. Please try again soon.", retry_after=AGAIN_S)
        self._waiting += 1
        try:
            with await asyncio.to_thread(self._open) as file:
                await _receive(chunks, file)
                return await self._run(order(file.name), answer)
        finally:
            self._waiting -= 1

    async def aclose(self) -> None:
        """End the process."""
        await self._pool.aclose()

    def _open(self) -> IO[bytes]:
        """Return a file for one check, and remove what a server that was killed left behind."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for left in self._folder.iterdir():
            if left.stat().st_mtime < time.time() - LEFT_BEHIND_S:
                left.unlink(missing_ok=True)
        if shutil.disk_usage(self._folder).free - MOST_BYTES < self._min_free:
            raise NoProvider("There is no room for a file at the moment.", retry_after=AGAIN_S)
        return tempfile.NamedTemporaryFile(dir=self._folder)

    async def _run(self, order: CheckTask, answer: type[T]) -> T:
        try:
            return await self._pool.run(order, answer)
        except DrawingFailed as error:
            if error.reason == "bug":
                log.error("preflight failed at %d bytes: %s", Path(order.path).stat().st_size, error)
            raise FileUnreadable("This file cannot be read. Please export it again.") from error
        except (TookTooLong, ProcessLost) as error:
            log.warning("preflight gave a file up: %s", error)
            raise FileUnreadable("This file cannot be read. Please export it again.") from error
        except SetupFailed as error:
            log.error("preflight cannot start: %s", error)
            raise NoProvider("Files cannot be checked at the moment.", retry_after=AGAIN_S) from error


async def _receive(chunks: AsyncIterator[bytes], file: IO[bytes]) -> None:
    size = 0
    async for chunk in chunks:
        size += len(chunk)
        if size > MOST_BYTES:
            raise TooLarge(f"Please choose a file of at most {MOST_BYTES // 1_000_000} MB.")
        await asyncio.to_thread(file.write, chunk)
    if not size:
        raise Malformed("Please send a file.")
    await asyncio.to_thread(file.flush)


def _report_out(report: Report) -> PreflightReport:
    picture = f"data:image/png;base64,{base64.b64encode(report.picture).decode()}" if report.picture else ""
    return PreflightReport(
        outcome=report.outcome,
        findings=list(report.findings),
        width=round(report.page[0], 4),
        height=round(report.page[1], 4),
        picture=picture,
        picture_dpi=round(report.picture_dpi, 4),
    )
