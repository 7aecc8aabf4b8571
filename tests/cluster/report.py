"""What was found, as tables."""

from collections.abc import Iterator, Sequence

from tests.cluster.scaling import LINEAR, SHARE, Rate, ratios
from tests.cluster.trial import Result

COLUMNS = (
    "scenario                   covers  done  back  lost  twice  again  answers  5xx  away  broken  slowest    time"
)


def heading() -> str:
    """Return what the columns of scenarios are."""
    return (
        "covers: accepted; done; given back; lost; twice: second rows, covers or units; again: pictures asked for once "
        "more\n5xx: answers of 500 and above; away: the same while a database or the store is; broken: connections; "
        f"slowest: a cover\n\n{COLUMNS}\n{'-' * len(COLUMNS)}"
    )


def line(result: Result) -> str:
    """Return the line of one scenario, and below it what broke a promise."""
    what = result.outcome
    row = (
        f"{result.name:<26} {what.accepted:>6} {what.completed:>5} {what.given_back:>5} {what.lost:>5} {what.twice:>6} "
        f"{what.bought_again:>6} {result.answers:>8} {sum(result.faults.values()):>4} {result.excused:>5} "
        f"{sum(result.broken.values()):>7} {result.slowest_s:>6.1f} s {result.seconds:>5.0f} s"
    )
    return "\n".join(
        [row, *(f"    {note}" for note in result.notes), *(f"    BROKEN: {why}" for why in result.broken_promises())]
    )


def scale(rates: Sequence[Rate]) -> Iterator[str]:
    """Yield the lines on more workers."""
    parts = list(rates[0].cpu_ms)
    yield f"\nEach worker's host has {SHARE:g} of a core. CPU of each part for one cover, in ms:"
    yield f"workers  covers/s  of linear  {'  '.join(f'{part:>8}' for part in parts)}"
    for rate, ratio in zip(rates, ratios(rates), strict=True):
        used = "  ".join(f"{rate.cpu_ms[part]:>8.1f}" for part in parts)
        yield f"{rate.workers:>7}  {rate.jobs_a_second:>8.2f}  {ratio:>9.2f}  {used}"
        if ratio < LINEAR:
            yield f"    BROKEN: less than {LINEAR:g} of linear"
