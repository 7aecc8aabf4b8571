"""What a process counts of its own work, for Prometheus. No label holds what a user wrote.

Processes of one host share a folder (`PROMETHEUS_MULTIPROC_DIR`, which the launcher names), so that any of them can
tell of all; without it each tells of itself. A label is not called `instance`: Prometheus uses that for what it reads.
"""

import logging
import os
from collections.abc import Iterable
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Metric,
    disable_created_metrics,
    generate_latest,
    start_http_server,
)
from prometheus_client.multiprocess import MultiProcessCollector

from kernel.core.process.metrics_folder import FOLDER, forget_ended

log = logging.getLogger(__name__)

disable_created_metrics()  # type: ignore[no-untyped-call]  # when each series began says nothing of the site
METRICS: Final = CollectorRegistry()
REQUESTS: Final = Histogram(
    "coverwright_http_request_seconds",
    "Time from request to the start of the answer",
    ["method", "route", "status"],
    registry=METRICS,
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
EVENT_STREAMS: Final = Gauge(
    "coverwright_event_streams",
    "Event streams of generations that are open",
    registry=METRICS,
    multiprocess_mode="livesum",
)
JOBS_ENDED: Final = Counter(
    "coverwright_jobs_ended",
    "Attempts at jobs, by how they ended; retried and released ones are tried again",
    ["kind", "outcome"],
    registry=METRICS,
)
JOB_DELAY: Final = Histogram(
    "coverwright_job_delay_seconds",
    "Time that a job waited for a worker after it was due, at its first attempt",
    ["kind"],
    registry=METRICS,
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900),
)
JOB_TIME: Final = Histogram(
    "coverwright_job_attempt_seconds",
    "Time that a worker held a job in one attempt",
    ["kind"],
    registry=METRICS,
    buckets=(0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900),
)
PROVIDER_CALLS: Final = Histogram(
    "coverwright_provider_call_seconds",
    "Time of calls to providers, by outcome",
    ["kind", "provider_instance", "operation", "outcome"],
    registry=METRICS,
    buckets=(0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120),
)
PROVIDER_COST: Final = Counter(
    "coverwright_provider_cost_dollars",
    "What calls to providers cost, as far as that is known",
    ["kind", "provider_instance"],
    registry=METRICS,
)
EMAILS: Final = Counter(
    "coverwright_emails", "Emails that were handed to a service, by result", ["stream", "outcome"], registry=METRICS
)
WEBHOOKS: Final = Counter(
    "coverwright_webhooks",
    "Calls of vendors' webhooks, by what became of them",
    ["kind", "provider_instance", "outcome"],
    registry=METRICS,
)


def host_metrics() -> CollectorRegistry:
    """Return what the processes of this host count, or this one alone where they share no folder."""
    if not os.environ.get(FOLDER):
        return METRICS
    forget_ended()
    shared = CollectorRegistry()
    MultiProcessCollector(shared)  # type: ignore[no-untyped-call]
    return shared


def serve_host_metrics(address: str) -> None:
    """Tell them over HTTP at `host:port`, from a thread; of several workers of a host one does.

    Raises ValueError for what is no address.
    """
    host, _, port = address.rpartition(":")
    try:
        start_http_server(int(port), host, registry=_OfHost())
    except OSError as error:
        log.info("no metrics at %s: %s", address, error.strerror)


class _OfHost(CollectorRegistry):
    """Collects anew whenever it is read."""

    def collect(self) -> Iterable[Metric]:
        """Return what the processes of this host count now."""
        return host_metrics().collect()


def host_metrics_text() -> bytes:
    """Return it in the Prometheus text format."""
    return generate_latest(host_metrics())
