"""What a process works on, for its log lines and its metrics."""

from collections.abc import Iterator
from contextlib import contextmanager

from structlog.contextvars import bound_contextvars

from kernel.core.process.metrics import JOB_TIME


def job_id(kind: str, key: object) -> str:
    """Return the id of a job, as administrators see it."""
    return f"{kind}-{key}"


@contextmanager
def working_on(kind: str, key: object) -> Iterator[None]:
    """Name the job in every log line of the block, and measure how long the attempt takes."""
    with bound_contextvars(job_id=job_id(kind, key)), JOB_TIME.labels(kind).time():
        yield
