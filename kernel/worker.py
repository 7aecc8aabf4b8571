"""Assembly of the worker: SAQ for the bells, a sweeper for the lost ones."""

import asyncio
import contextlib
import logging
from typing import Any, Final

from redis.exceptions import RedisError

from kernel.core import leash
from kernel.core.config import Config, load_config
from kernel.core.queue import DrainingWorker, open_queue
from kernel.core.telemetry import configure_logging
from kernel.covers.archive_packing import Packer
from kernel.covers.jobs import Sweeper, generate
from kernel.providers import IMAGE, PAYMENT, Instance, Registry
from kernel.runtime import kept_up, open_runtime
from kernel.spi import Preparable

log = logging.getLogger(__name__)

GRACE_S: Final = 1
"""Jobs that do not end within this time are put back into the queue; the launcher allows three seconds in all."""
POP_TIMEOUT_S: Final = 1.0
SAQ_SWEEP_S: Final = 10


async def work(config: Config) -> None:
    """Work until SIGTERM or SIGINT."""
    async with open_runtime(config) as runtime, kept_up(runtime):
        queue = open_queue(config, blocking=True)

        async def startup(context: dict[str, Any]) -> None:
            context["maker"] = runtime.maker
            context["warming"] = asyncio.create_task(_prepare(runtime.registry))

        sweeper = Sweeper(
            config.generation,
            runtime.database,
            runtime.life,
            runtime.doorbell,
            runtime.gallery,
            runtime.pictures,
            runtime.maker,
            runtime.references,
            runtime.archives,
        )
        packer = Packer(config, runtime.database, runtime.archives, runtime.downloads, runtime.pictures, runtime.pubsub)
        worker = DrainingWorker(
            queue,
            functions=[generate],
            concurrency=config.server.worker_concurrency,
            startup=startup,
            shutdown_grace_period_s=GRACE_S,
            timers={"sweep": SAQ_SWEEP_S},  # type: ignore[arg-type]  # the others keep their defaults
            dequeue_timeout=POP_TIMEOUT_S,
        )
        running = (
            sweeper.run(),
            packer.run(),
            runtime.operation.inbox.run(),
            runtime.letters.run(),
            runtime.campaign_room.run(),
            runtime.leaver.run(),
            runtime.billing.upkeep.run(),
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
    """Let providers of covers and payments warm up, so that nobody waits for it later."""
    used: tuple[Instance[Any, Any], ...] = (*registry.route(IMAGE), *registry.route(PAYMENT))
    for instance in used:
        if instance.state == "ready" and isinstance(instance.provider, Preparable):
            try:
                await instance.provider.prepare()
            except Exception:
                log.exception("instance %s could not warm up", instance.id)


def main() -> None:
    """Run one worker process."""
    import uvloop

    leash.hold()
    config = load_config()
    configure_logging(config)
    uvloop.run(work(config))


if __name__ == "__main__":
    main()
