"""How many covers a second 1, 2 and 4 workers make, each on a host with the same small share of the processor.

The queue is filled before and never empty, so that workers never wait for orders.
"""

import time
from collections.abc import Sequence
from typing import Final

import httpx
import msgspec

from tests.cluster.hosts import Host
from tests.cluster.product import Cluster
from tests.person import SMALL, Person
from tests.product import PASSWORD
from tests.support.processes import wait_until

WORKERS: Final = (1, 2, 4)
SHARE: Final = 0.1
"""Cores of each worker's host: four of them and all that they need fit into the two cores of a small machine."""
WARM_JOBS: Final = 8
MEASURED_S: Final = 15.0
ROUNDS: Final = 2
"""The best of them counts: what else the machine does can only take away."""
AHEAD: Final = 20
"""Orders that wait at the least, at any time."""
LINEAR: Final = 0.9
DRAINED_S: Final = 120.0


class Rate(msgspec.Struct, kw_only=True):
    """What a number of workers did."""

    workers: int
    jobs: int
    seconds: float
    cpu_ms: dict[str, float]
    """Of each part, for each job."""

    @property
    def jobs_a_second(self) -> float:
        """How many covers were finished."""
        return self.jobs / self.seconds


def ratios(rates: Sequence[Rate]) -> list[float]:
    """Return for each rate how near it is to so many times that of a single worker: 1.0 is linear."""
    one = rates[0].jobs_a_second / rates[0].workers
    return [rate.jobs_a_second / rate.workers / one for rate in rates]


def measure(cluster: Cluster) -> list[Rate]:
    """Measure each number of workers. All of the cluster's are stopped before, and run again after."""
    for worker in cluster.workers:
        worker.stop()
    hosts = [*cluster.workers]
    hosts += [cluster.network.host(f"worker-{number + 1}") for number in range(len(hosts), max(WORKERS))]
    with Person(cluster.haproxy.url) as author:
        author.register(PASSWORD)
        author.timeout = httpx.Timeout(30)
        cluster.unlimited(author.id)
        tries = [[_measure(cluster, author, hosts[:count]) for count in WORKERS] for _ in range(ROUNDS)]
        for worker in cluster.workers:
            cluster.start_worker(worker)
        wait_until(lambda: not _waiting(cluster, author), "the end of all orders", DRAINED_S)
    return [max(of_a_kind, key=lambda rate: rate.jobs_a_second) for of_a_kind in zip(*tries, strict=True)]


def _measure(cluster: Cluster, author: Person, workers: Sequence[Host]) -> Rate:
    _order(cluster, author)
    for worker in workers:
        cluster.start_worker(worker, wait=False, unhurried=True)
    for worker in workers:
        cluster.works(worker)
    for worker in workers:
        worker.group.limit(SHARE)
    before = _ended(cluster, author)

    def warm() -> bool:
        _order(cluster, author)
        return _ended(cluster, author) >= before + WARM_JOBS * len(workers)

    wait_until(warm, "the first covers", DRAINED_S)
    began, ended, used = time.monotonic(), _ended(cluster, author), _used(cluster)
    while time.monotonic() < began + MEASURED_S:
        time.sleep(0.5)
        _order(cluster, author)
    rate_jobs, seconds = _ended(cluster, author) - ended, time.monotonic() - began
    spent = {part: seconds_used - used[part] for part, seconds_used in _used(cluster).items()}
    for worker in workers:
        worker.group.limit(None)
        worker.stop()
    return Rate(
        workers=len(workers),
        jobs=rate_jobs,
        seconds=seconds,
        cpu_ms={part: 1000 * part_s / max(rate_jobs, 1) for part, part_s in spent.items()},
    )


def _order(cluster: Cluster, author: Person) -> None:
    """Order covers until enough wait."""
    for _ in range(AHEAD - _waiting(cluster, author)):
        author.generate(dimensions=SMALL)


def _count(cluster: Cluster, author: Person, state: str) -> int:
    found = cluster.sql(
        "SELECT count(*) AS n FROM generation WHERE user_id = :author AND state = :state", author=author.id, state=state
    )
    return int(found[0]["n"])


def _waiting(cluster: Cluster, author: Person) -> int:
    return _count(cluster, author, "queued")


def _ended(cluster: Cluster, author: Person) -> int:
    return _count(cluster, author, "completed")


def _used(cluster: Cluster) -> dict[str, float]:
    """Return the seconds of processor that each part has used so far."""
    parts: dict[str, float] = {}
    for host in cluster.network.hosts:
        part = host.name.partition("-")[0]
        parts[part] = parts.get(part, 0.0) + host.group.used_s()
    return parts
