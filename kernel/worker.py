"""Assembly of the worker: SAQ for rings of the doorbell, a sweeper for lost ones."""

import asyncio
import contextlib
import logging
from typing import Any, Final

from redis.exceptions import RedisError

from kernel.core.config import Config, ConfigError, load_config
from kernel.core.process import handed_over, parent_watch, this_process
from kernel.core.process.metrics import serve_host_metrics
from kernel.core.queue.doorbell import DrainingWorker, open_queue
from kernel.core.telemetry import configure_logging, configure_tracing
from kernel.covers.generation.tasks import generate
from kernel.migrations.gate import SchemaGate
from kernel.providers import IMAGE, PAYMENT, Instance, Registry
from kernel.runtime import background_loops, open_runtime
from kernel.spi import Preparable

log = logging.getLogger(__name__)

HAND_OVER_S: Final = 5.0
"""A job that is cut off has this long to put itself back into the queue; else it waits for the end of its lease."""
POP_TIMEOUT_S: Final = 1.0
SAQ_SWEEP_S: Final = 10
SCHEDULED_S: Final = 60
"""How often SAQ looks for scheduled jobs: there are none, since every job of ours waits in the database."""


async def work(config: Config) -> None:
    """Work until SIGTERM or SIGINT. Raises ConfigError for a database that a newer release has changed."""
    this_process.enter()
    if config.server.worker_metrics:
        serve_host_metrics(config.server.worker_metrics)
    async with open_runtime(config) as runtime, background_loops(runtime, "worker"):
        schema_gate = SchemaGate(runtime.database)
        if fault := await schema_gate.wait():
            raise ConfigError(fault)
        queue = open_queue(config)

        async def startup(context: dict[str, Any]) -> None:
            context["generation_worker"] = runtime.covers.generation_worker
            handed_over.tell_ready()
            context["warming"] = asyncio.create_task(_prepare(runtime.providers.registry))

        worker = DrainingWorker(
            queue,
            functions=[generate],
            concurrency=config.server.worker_concurrency,
            startup=startup,
            shutdown_grace_period_s=round(config.generation.drain_s),
            cancellation_hard_deadline_s=HAND_OVER_S,
            timers={"sweep": SAQ_SWEEP_S, "schedule": SCHEDULED_S},  # type: ignore[arg-type]  # others: defaults
            dequeue_timeout=POP_TIMEOUT_S,
        )
        running = (
            runtime.covers.sweeper.run(),
            runtime.covers.archive_worker.run(),
            runtime.covers.look_run_continuer.run(),
            runtime.books.pack_worker.run(),
            runtime.books.book_housekeeping.run(),
            runtime.providers.webhook_inbox.run(),
            runtime.mail.email_delivery.run(),
            runtime.mail.campaign_sender.run(),
            runtime.accounts.account_deletion_worker.run(),
            runtime.billing.worker.run(),
            runtime.backups.backup_service.run(),
            runtime.insight.figure_keeper.run(),
            runtime.accounts.audit_service.run(),
            runtime.site.certificate_watch.run(),
            schema_gate.follow(unfit=lambda: worker.event.set()),
        )
        loops = [asyncio.create_task(loop) for loop in running]
        try:
            await worker.start()
        finally:
            for loop in loops:
                loop.cancel()
            await asyncio.wait(loops)
            with contextlib.suppress(RedisError, OSError):
                await queue.disconnect()


async def _prepare(registry: Registry) -> None:
    """Let the providers of covers and payments warm up, so that the first job does not wait for it."""
    used: tuple[Instance[Any, Any], ...] = (*registry.failover_order(IMAGE), *registry.failover_order(PAYMENT))
    for instance in used:
        if instance.state == "ready" and isinstance(instance.provider, Preparable):
            try:
                await instance.provider.prepare()
            except Exception:
                log.exception("instance %s could not warm up", instance.id)


def main() -> None:
    """Run one worker process."""
    import uvloop

    config = load_config()
    parent_watch.exit_with_parent(config.generation.drain_s + parent_watch.GRACE_S)
    configure_logging(config)
    configure_tracing(config, "worker")
    uvloop.run(work(config))


if __name__ == "__main__":
    main()
