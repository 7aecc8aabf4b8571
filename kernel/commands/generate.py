"""`coverwright generate`: makes a cover from the shell, through the same pipeline as in the browser."""

import asyncio
import sys
import time
from pathlib import Path
from uuid import UUID

import msgspec
from sqlalchemy import select

from kernel.accounts.models import User
from kernel.core import clock
from kernel.core.config import Config, PictureFormat
from kernel.core.data.database import Database
from kernel.core.errors import AppError
from kernel.covers.cover_read import generation_status
from kernel.covers.dimensions import DIMENSIONS
from kernel.covers.generation.event_stream import TERMINAL
from kernel.covers.models import Cover
from kernel.covers.schemas import GenerateCoverIn, GenerationStatus
from kernel.migrations.upgrade import migrate
from kernel.pictures.ingest import convert
from kernel.runtime import Runtime, open_runtime

OPERATOR_EMAIL = "operator@localhost"
"""Covers made from the shell belong to this account. It has no password, so nobody can sign in to it."""
FORMATS: dict[str, PictureFormat] = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}
POLL_S = 0.2


class ShellRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The command's arguments."""

    prompt: str
    title: str
    author: str
    genre: str
    dimensions: str
    out: Path


async def generate(config: Config, typed: ShellRequest) -> int:
    """Make a cover, write it and print its provider; return the exit code."""
    kind = FORMATS.get(typed.out.suffix.lower())
    if kind is None:
        return _fail(f"--out must end in {', '.join(FORMATS)}")
    if typed.dimensions not in DIMENSIONS or typed.dimensions == "custom":
        return _fail(f"--dimensions must be one of {', '.join(name for name in DIMENSIONS if name != 'custom')}")
    await migrate(config)
    async with open_runtime(config) as runtime:
        try:
            status = await _make(runtime, typed)
        except (AppError, msgspec.ValidationError) as error:
            return _fail(getattr(error, "message", str(error)))
        if status.result is None:
            return _fail(status.error or "The cover was not made.")
        async with runtime.database.read() as connection:
            query = select(Cover.picture_id).where(Cover.id == status.result.id)
            picture_id = (await connection.execute(query)).scalar_one()
            ref = await runtime.pictures.file(connection, picture_id, "original")
        data = await runtime.pictures.read(ref)
        typed.out.parent.mkdir(parents=True, exist_ok=True)
        typed.out.write_bytes(await convert(data, kind))
        print(f"{typed.out}: {status.result.width} × {status.result.height} pixels, made by {status.provider}")
    return 0


async def _make(runtime: Runtime, typed: ShellRequest) -> GenerationStatus:
    request = msgspec.convert(
        {
            "prompt": typed.prompt,
            "title": typed.title,
            "author": typed.author,
            "genre": typed.genre,
            "dimensions": typed.dimensions,
        },
        GenerateCoverIn,
    )
    owner = await _operator(runtime.database)
    accepted = await runtime.covers.submission.submit(owner, request, is_pro=None, key=None, language="")
    worker = asyncio.create_task(_work(runtime, accepted.id))
    try:
        return await _follow(runtime, owner, accepted.id)
    finally:
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)


async def _work(runtime: Runtime, generation_id: UUID) -> None:
    """Work on the job whenever it is free; a running worker may be faster, then there is nothing to do."""
    while True:
        await runtime.covers.generation_worker.run(generation_id)
        await asyncio.sleep(POLL_S)


async def _follow(runtime: Runtime, owner: int, generation_id: UUID) -> GenerationStatus:
    started = time.monotonic()
    live = sys.stderr.isatty()
    shown = ""
    while True:
        async with runtime.database.read() as connection:
            status = await generation_status(connection, owner, generation_id)
        if live:
            print(f"\r{status.phase:<12} {time.monotonic() - started:5.1f} s ", end="", file=sys.stderr, flush=True)
        elif status.phase != shown:
            shown = status.phase
            print(f"{status.phase} ({time.monotonic() - started:.1f} s)", file=sys.stderr)
        if status.status in TERMINAL:
            if live:
                print("\r\x1b[K", end="", file=sys.stderr)
            return status
        await asyncio.sleep(POLL_S)


async def _operator(database: Database) -> int:
    async with database.write() as session:
        query = select(User.id).where(User.email_norm == OPERATOR_EMAIL)
        known = (await session.execute(query)).scalar_one_or_none()
        if known is not None:
            return known
        user = User(email=OPERATOR_EMAIL, email_norm=OPERATOR_EMAIL, created_at=clock.now(), disabled=True)
        session.add(user)
        await session.flush()
        return user.id


def _fail(message: str) -> int:
    print(message, file=sys.stderr)
    return 1
