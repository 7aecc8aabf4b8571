"""The gallery's list: is it as fast with a hundred thousand covers as with a hundred?"""

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Final

from tests.benchmarks.bench import Bench, cookie_of
from tests.benchmarks.client import Client, connected
from tests.benchmarks.figures import Figure, Section, median
from tests.benchmarks.filling import fill
from tests.person import next_page

FEW: Final = 100
MANY: Final = 100_000
ROUNDS: Final = 100
WARM_UPS: Final = 10
SEARCH_ROUNDS: Final = 15
RATIO_AIM: Final = 1.3
SEARCH_AIM: Final = 1.5
COMMON: Final = "Tide"
RARE: Final = "Wyrmwinter"
LISTS: Final = {
    "first page": "/api/covers?limit=50",
    "by title": "/api/covers?limit=50&sort=title",
    "starred first": "/api/covers?limit=50&sort=starred",
    "search, one cover": f"/api/covers?limit=50&search={RARE}",
    "search, a tenth": f"/api/covers?limit=50&search={COMMON}",
    "history search, one": f"/api/generations?limit=50&search={RARE}",
}


def gallery(bench: Bench) -> Section:
    """Fill two galleries and list both alternately, so that other load on the machine affects both alike."""
    product = bench.product()
    cookies, second = {}, {}
    for size in (FEW, MANY):
        person = product.user()
        fill(product.sqlalchemy_url, person.id, size, rare=RARE, common=COMMON)
        cookies[size] = cookie_of(person)
        answer = person.get("/api/covers?limit=50")
        second[size] = next_page(answer) or ""
        assert len(answer.json()) == 50 and second[size]
    paths = {name: dict.fromkeys((FEW, MANY), path) for name, path in LISTS.items()} | {"second page": second}
    figures = []
    for name, of_size in paths.items():
        few, many = asyncio.run(_by_turns(product.port, cookies, of_size, "search" in name))
        figures += [
            Figure(what=f"{name}: {FEW:,} covers, p50", value=few, unit="ms"),
            Figure(what=f"{name}: {MANY:,} covers, p50", value=many, unit="ms"),
            Figure(what=f"{name}: ratio", value=many / few, unit="×", at_most=_aim(name)),
        ]
    return Section(
        title="The gallery of one user",
        conditions=f"{bench.database}, 50 covers a page, {ROUNDS} requests each ({SEARCH_ROUNDS} for a search)",
        figures=figures,
    )


def _aim(name: str) -> float | None:
    return SEARCH_AIM if "search" in name else RATIO_AIM if name.endswith("page") else None


async def _by_turns(
    port: int, cookies: Mapping[int, str], paths: Mapping[int, str], search: bool
) -> tuple[float, float]:
    """Return the median milliseconds of the small gallery and of the large one."""
    taken: dict[int, list[float]] = {FEW: [], MANY: []}
    async with connected(port, cookies[FEW]) as few, connected(port, cookies[MANY]) as many:
        for client, size in ((few, FEW), (many, MANY)) * WARM_UPS:
            assert json.loads(await client.get(paths[size]))  # warm, and not empty
        for _ in range(SEARCH_ROUNDS if search else ROUNDS):
            for client, size in ((few, FEW), (many, MANY)):
                taken[size].append(await _milliseconds(client, paths[size]))
    return median(taken[FEW]), median(taken[MANY])


async def _milliseconds(client: Client, path: str) -> float:
    began = time.perf_counter()
    await client.get(path)
    return (time.perf_counter() - began) * 1000
