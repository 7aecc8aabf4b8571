"""Covers from the instant provider: how long one takes, and how many per second."""

import asyncio
import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from sqlalchemy import func, select

from kernel.core.data.database import Database
from kernel.covers.models import Generation
from tests.benchmarks.bench import Bench, cookie_of
from tests.benchmarks.client import Client, connected
from tests.benchmarks.figures import Figure, Section, median, percentile
from tests.benchmarks.instant import seconds_inside
from tests.benchmarks.processes import cpu_s
from tests.running_product import RunningProduct

PER_USER: Final = 25  # a user may request 30 a minute
SMALL: Final = "1024x1792"
TRIMS: Final = ((SMALL, 100), ("6x9", 25))
FLOOD: Final = 100
ROUNDS: Final = 2
POLL_S: Final = 0.1
PATIENCE_S: Final = 120.0


class Timed(msgspec.Struct, frozen=True, kw_only=True):
    """One generation, in seconds from the request: when it was accepted, and when its completion event came."""

    job: str
    accepted: float
    completed: float


def latency(bench: Bench) -> Section:
    """Make covers one after the other, and follow each to its end."""
    product = bench.product()
    figures: list[Figure] = []
    for trim, jobs in TRIMS:
        cookies = [cookie_of(product.user()) for _ in range(-(-jobs // PER_USER))]
        before = cpu_s(*_worker_pids(product))
        timed = asyncio.run(_one_by_one(product.port, cookies, jobs, trim))
        spent = cpu_s(*_worker_pids(product)) - before
        inside = seconds_inside(bench.notes)
        whole = [one.completed * 1000 for one in timed]
        own = [(one.completed - inside[one.job]) * 1000 for one in timed]
        figures += [
            Figure(what=f"{trim}: request to completed, p50", value=median(whole), unit="ms"),
            Figure(what=f"{trim}: request to completed, p99", value=percentile(whole, 0.99), unit="ms"),
            Figure(what=f"{trim}: of that the kernel's, p50", value=median(own), unit="ms"),
            Figure(what=f"{trim}: of that the kernel's, p99", value=percentile(own, 0.99), unit="ms"),
            Figure(
                what=f"{trim}: request to accepted, p50", value=median([t.accepted * 1000 for t in timed]), unit="ms"
            ),
            Figure(what=f"{trim}: CPU of the worker for each", value=spent / jobs * 1000, unit="ms"),
        ]
    counts = ", ".join(f"{jobs} × {trim}" for trim, jobs in TRIMS)
    return Section(
        title="One generation at a time, instant provider",
        conditions=f"{bench.database}, 1 worker, {counts} pixels, told by server-sent events",
        figures=figures,
    )


def throughput(bench: Bench) -> Section:
    """Request many covers at once, with one worker and with two, alternately; the better round counts."""
    rates: dict[int, list[float]] = {1: [], 2: []}
    spent: dict[int, float] = {}
    for _ in range(ROUNDS):
        for workers, rounds in rates.items():
            product = bench.product(workers)
            before = cpu_s(*_worker_pids(product))
            rounds.append(_flood(product))
            spent[workers] = (cpu_s(*_worker_pids(product)) - before) / FLOOD * 1000
    best = {workers: max(rounds) for workers, rounds in rates.items()}
    return Section(
        title="Generations per second, instant provider",
        conditions=f"{bench.database}, {FLOOD} × {SMALL} pixels asked for by {FLOOD // PER_USER} users at once, "
        f"from the first request to the last settlement, better of {ROUNDS} rounds",
        figures=[
            *(
                Figure(
                    what=f"workers: {workers}",
                    value=rate,
                    unit="/s",
                    note=f"each {spent[workers]:.0f} ms of CPU; {rate * spent[workers] / 1000:.1f} CPUs busy",
                )
                for workers, rate in best.items()
            ),
            Figure(what="two workers against one", value=best[2] / best[1], unit="×"),
        ],
    )


def _worker_pids(product: RunningProduct) -> list[int]:
    return [pid for name, pid in product.pids().items() if name.startswith("worker")]


def _body(trim: str) -> dict[str, Any]:
    return {"prompt": "a lighthouse in a storm", "title": "The Light", "dimensions": trim}


async def _one_by_one(port: int, cookies: Sequence[str], jobs: int, trim: str) -> list[Timed]:
    timed: list[Timed] = []
    for cookie in cookies:
        async with connected(port, cookie) as asking, connected(port, cookie) as following:
            await asking.get("/api/auth/user")  # both connections are warm when the first request is sent
            await following.get("/api/auth/user")
            for _ in range(min(PER_USER, jobs - len(timed))):
                timed.append(await _once(asking, following, trim))
    return timed


async def _once(asking: Client, following: Client, trim: str) -> Timed:
    began = time.perf_counter()
    job = (await asking.post("/api/generate-cover", _body(trim)))["generationId"]
    accepted = time.perf_counter() - began
    told: dict[str, float] = {}
    async for status in following.events(f"/api/generation-events/{job}"):
        told[status["status"]] = time.perf_counter() - began
    return Timed(job=job, accepted=accepted, completed=told["completed"])


def _flood(product: RunningProduct) -> float:
    """Return generations per second."""
    cookies = [cookie_of(product.user()) for _ in range(FLOOD // PER_USER)]
    return asyncio.run(_ask_and_wait(product, cookies))


async def _ask_and_wait(product: RunningProduct, cookies: Sequence[str]) -> float:
    async def ask(cookie: str) -> None:
        async with connected(product.port, cookie) as client:
            for _ in range(PER_USER):
                await client.post("/api/generate-cover", _body(SMALL))

    database = Database(product.sqlalchemy_url, pool_size=1)
    try:
        newest = await _newest(database)
        await asyncio.gather(*map(ask, cookies))
        async with asyncio.timeout(PATIENCE_S):
            while True:
                count, first, last = await _finished_since(database, newest)
                if count == len(cookies) * PER_USER:
                    return count / (last - first).total_seconds()
                await asyncio.sleep(POLL_S)
    finally:
        await database.aclose()


async def _newest(database: Database) -> datetime | None:
    async with database.read() as connection:
        return (await connection.execute(select(func.max(Generation.created_at)))).scalar_one()


async def _finished_since(database: Database, moment: datetime | None) -> tuple[int, datetime, datetime]:
    query = select(func.count(), func.min(Generation.created_at), func.max(Generation.finished_at)).where(
        Generation.state == "completed"
    )
    if moment is not None:
        query = query.where(Generation.created_at > moment)
    async with database.read() as connection:
        count, first, last = (await connection.execute(query)).one()
    return count, first, last
