"""Runs a drawing program once: what is asked for rarely needs no process that waits."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Final

LINES_CHARS: Final = 2000
ROOT: Final = Path(__file__).resolve().parents[3]


class ProgramFailed(Exception):
    """The program ended without a result; the text is the end of what it said."""


async def run_program(module: str, order: bytes, *, seconds: float) -> bytes:
    """Start `python -m module`, write the order to its input and return its output. Raises ProgramFailed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))},
    )
    try:
        async with asyncio.timeout(seconds):
            result, said = await process.communicate(order)
    except BaseException as error:
        process.kill()
        await process.wait()
        if not isinstance(error, TimeoutError):
            raise
        result, said = b"", b"it took too long"
    if process.returncode or not result:
        raise ProgramFailed(said.decode(errors="replace")[-LINES_CHARS:])
    return result
