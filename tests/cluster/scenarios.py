"""What happens to hosts in the course of years, one after the other, within minutes."""

import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from kernel.core.config import PROJECT_ROOT
from tests.cluster.hosts import Host
from tests.cluster.trial import AFTER_COVERS, Scenario, Trial
from tests.support.processes import wait_until

CUT_S: Final = 6.0
"""Longer than a worker's lease."""
SLOW_S: Final = 6.0
SLOW: Final = "400kbit"
AWAY_S: Final = 3.0
STEPS_S: Final = (3600, -3600, 300, -300)
DRAIN_S: Final = 5.0


def web_host_dies(trial: Trial) -> None:
    """A web server's host loses power, and comes back."""
    host = trial.cluster.web[0]
    host.lose_power()
    trial.goes_on()
    host.plug_in()
    trial.cluster.start_web(host)


def worker_host_dies(trial: Trial) -> None:
    """A worker's host loses power amid its covers, and comes back."""
    host = trial.cluster.workers[0]
    trial.cluster.stub.does("slow:0.5")
    trial.goes_on(3)
    host.lose_power()
    trial.cluster.stub.does("ok")
    trial.goes_on()
    host.plug_in()
    trial.cluster.start_worker(host)


def link_to_database_is_cut(trial: Trial) -> None:
    """Nothing that the database says reaches one worker, for longer than its lease."""
    _cut(trial, trial.cluster.postgres.host)


def link_to_queue_is_cut(trial: Trial) -> None:
    """Nothing that the queue server says reaches one worker."""
    _cut(trial, trial.cluster.valkey.host)


def link_to_objects_is_cut(trial: Trial) -> None:
    """Nothing that the store says reaches one worker, which keeps the covers that it has to store."""
    _cut(trial, trial.cluster.objects.host, meanwhile=0)


def _cut(trial: Trial, server: Host, meanwhile: int = AFTER_COVERS) -> None:
    """Cut a worker off from a server for seconds, in which so many covers are made in any case."""
    worker = trial.cluster.workers[1]
    server.ignore(worker)
    try:
        time.sleep(CUT_S)
        trial.goes_on(meanwhile)
    finally:
        server.heed(worker)


def web_loses_the_queue(trial: Trial) -> None:
    """Nothing that the queue server says reaches one web server."""
    valkey, web = trial.cluster.valkey.host, trial.cluster.web[1]
    valkey.ignore(web)
    try:
        time.sleep(CUT_S)
        trial.goes_on()
    finally:
        valkey.heed(web)


def slow_link(trial: Trial) -> None:
    """The link of a worker carries hardly anything."""
    worker = trial.cluster.workers[1]
    worker.slow_down(SLOW)
    try:
        time.sleep(SLOW_S)
        trial.goes_on()
    finally:
        worker.speed_up()


def queue_restarts(trial: Trial) -> None:
    """Valkey is away for seconds."""
    trial.cluster.valkey.stop()
    time.sleep(AWAY_S)
    trial.cluster.valkey.start()


def database_restarts(trial: Trial) -> None:
    """PostgreSQL is away for seconds."""
    with trial.excused():
        trial.cluster.postgres.stop()
        time.sleep(AWAY_S)
        trial.cluster.postgres.start()


def objects_restart(trial: Trial) -> None:
    """The store of pictures is away for seconds: covers wait for it, and pictures cannot be shown."""
    with trial.excused():
        trial.cluster.objects.stop()
        time.sleep(AWAY_S)
        trial.cluster.objects.start()


def balancer_restarts(trial: Trial) -> None:
    """HAProxy ends and starts again."""
    trial.cluster.haproxy.stop()
    trial.cluster.haproxy.start()


def clock_steps(trial: Trial) -> None:
    """The clock of a worker's host jumps, to and fro."""
    cluster, worker = trial.cluster, trial.cluster.workers[2]
    clock = worker.data / "clock"
    _set_clock(clock, 0)
    worker.stop()
    cluster.start_worker(worker, clock=clock)
    for step_s in STEPS_S:
        _set_clock(clock, step_s)
        _wait_for_clock(trial, worker, step_s)
        trial.goes_on(4)
    worker.stop()
    cluster.start_worker(worker)


def _set_clock(clock: Path, ahead_s: int) -> None:
    fresh = clock.with_suffix(".new")
    fresh.write_text(f"{ahead_s:+d}\n")
    fresh.replace(clock)


def _wait_for_clock(trial: Trial, host: Host, ahead_s: int) -> None:
    def told() -> bool:
        return abs(float(trial.cluster.tells(host).get("clock_ahead_s", 0.0)) - ahead_s) < 5

    wait_until(told, f"a clock that is {ahead_s} s ahead", 30)


def roll(trial: Trial) -> None:
    """Every host goes to this version, one after the other; HAProxy sends a web server nothing while it is replaced."""
    cluster = trial.cluster
    cluster.release = PROJECT_ROOT
    cluster.command("migrate")
    for worker in cluster.workers:
        worker.stop()
        cluster.start_worker(worker)
        trial.goes_on(2)
    for web in cluster.web:
        cluster.haproxy.drain(web)  # streams of events go on until the web server ends them
        with suppress(TimeoutError):
            wait_until(partial(cluster.haproxy.is_idle, web), web.name, DRAIN_S)
        web.stop()
        cluster.start_web(web, wait=False)
        cluster.answers(web)
        cluster.haproxy.restore(web)
        trial.goes_on(2)


ROLL: Final = "roll to this version"
SCENARIOS: Final[dict[str, tuple[Scenario, bool]]] = {
    ROLL: (roll, False),
    "web host dies": (web_host_dies, True),
    "worker host dies": (worker_host_dies, False),
    "worker without database": (link_to_database_is_cut, False),
    "worker without queue": (link_to_queue_is_cut, False),
    "worker without store": (link_to_objects_is_cut, False),
    "web without queue": (web_loses_the_queue, False),
    "slow link": (slow_link, False),
    "queue restarts": (queue_restarts, False),
    "store restarts": (objects_restart, False),
    "balancer restarts": (balancer_restarts, True),
    "database restarts": (database_restarts, True),
    "clock steps": (clock_steps, False),
}
"""Name → scenario, and whether connections may break in it."""
