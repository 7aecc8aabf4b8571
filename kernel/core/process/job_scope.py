"""What a process works on, for its log lines, its metrics and its traces."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from structlog.contextvars import bound_contextvars

from kernel.core.process import tracing
from kernel.core.process.metrics import JOB_TIME

log = logging.getLogger(__name__)


def job_id(kind: str, key: object) -> str:
    """Return the id of a job, as administrators see it."""
    return f"{kind}-{key}"


def job_accepted(kind: str, key: object) -> None:
    """Say that the request at hand has made a job: joins its log lines and its trace with those of the worker."""
    job = job_id(kind, key)
    log.info("accepted", extra={"job_id": job})
    tracing.accepted(job, kind)


@contextmanager
def working_on(kind: str, key: object) -> Iterator[None]:
    """Name the job in every log line of the block, and measure how long the attempt takes."""
    job = job_id(kind, key)
    with bound_contextvars(job_id=job), JOB_TIME.labels(kind).time(), tracing.traced_job(job, kind):
        yield
