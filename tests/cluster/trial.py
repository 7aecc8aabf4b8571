"""One scenario under traffic, and what it came to."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

from tests.cluster.product import Cluster
from tests.cluster.traffic import Answer, Outcome, Traffic, outcome
from tests.support.processes import wait_until

WARM_COVERS = 6
AFTER_COVERS = 8
"""So many covers have to be made before something is done to the cluster, and after it."""
MADE_S = 60.0


class Trial:
    """What a scenario is given."""

    def __init__(self, cluster: Cluster, traffic: Traffic) -> None:
        self.cluster = cluster
        self.traffic = traffic
        self.away: list[tuple[float, float]] = []
        self.notes: list[str] = []

    @contextmanager
    def excused(self, after_s: float = 3.0) -> Iterator[None]:
        """For the block, and a little longer, requests may fail: what they need is away."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.away.append((began, time.monotonic() + after_s))

    def goes_on(self, covers: int = AFTER_COVERS) -> None:
        """Return when so many more covers were made."""
        before = self.traffic.made()
        wait_until(lambda: self.traffic.made() >= before + covers, f"{covers} more covers", MADE_S)

    def excuses(self, answer: Answer) -> bool:
        """Return whether an answer came, or was asked for, while something was away."""
        return any(began <= answer.at and answer.at - answer.took <= ended for began, ended in self.away)


Scenario = Callable[[Trial], None]


class Result(msgspec.Struct, kw_only=True):
    """What a scenario came to."""

    name: str
    outcome: Outcome
    seconds: float
    answers: int
    faults: Counter[str]
    """Answers of 500 and above, and how many, while everything that they need was there."""
    excused: int
    broken: Counter[str]
    """Requests whose connection broke."""
    may_break: bool
    slowest_s: float
    """How long the slowest cover took from being accepted to its end."""
    failures: list[str]
    notes: list[str]

    def broken_promises(self) -> list[str]:
        """Return what was promised and is not so."""
        found = []
        if self.outcome.lost:
            found.append(f"{self.outcome.lost} covers lost")
        if self.outcome.twice:
            found.append(f"{self.outcome.twice} covers twice")
        found += [f"{count} × {what}" for what, count in self.faults.items()]
        if self.broken and not self.may_break:
            found += [f"{count} × {what}" for what, count in self.broken.items()]
        return found + self.failures


def try_out(cluster: Cluster, name: str, scenario: Scenario, *, may_break: bool = False) -> Result:
    """Run a scenario under traffic, let all that was accepted end, and count."""
    began = time.monotonic()
    failures: list[str] = []
    with Traffic(cluster) as traffic:
        trial = Trial(cluster, traffic)
        try:
            trial.goes_on(WARM_COVERS)
            scenario(trial)
            trial.goes_on()
        except Exception as error:  # the traffic is counted all the same
            failures.append(f"{type(error).__name__}: {error}")
    answers = list(traffic.answers)
    wrong = [answer for answer in answers if answer.status >= 500]
    return Result(
        name=name,
        outcome=outcome(cluster, traffic),
        seconds=time.monotonic() - began,
        answers=len(answers),
        faults=Counter(f"{answer.status} {_route(answer)}" for answer in wrong if not trial.excuses(answer)),
        excused=sum(trial.excuses(answer) for answer in wrong),
        broken=Counter(_route(answer) for answer in answers if answer.status == 0 and not trial.excuses(answer)),
        may_break=may_break,
        slowest_s=max((cover.took for cover in traffic.ordered), default=0.0),
        failures=failures + traffic.failures,
        notes=trial.notes,
    )


def _route(answer: Answer) -> str:
    """Return what was asked without ids."""
    return "/".join("…" if len(part) > 30 and "-" in part else part for part in answer.what.split("/"))
