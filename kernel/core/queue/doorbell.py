"""The doorbell. The row in the database is the job; SAQ only wakes a worker. The sweeper repeats a lost ring."""

import asyncio
import contextlib
import logging
from typing import Any, Final

from redis.exceptions import RedisError
from saq import Worker
from saq.job import Job, Status
from saq.queue.redis import RedisQueue
from saq.utils import cancel_tasks, now

from kernel.core.config import Config
from kernel.core.process import this_process
from kernel.core.queue.server import QueueServer, QueueServerAway
from kernel.core.queue.valkey import open_redis

log = logging.getLogger(__name__)

QUEUE_NAME: Final = "coverwright"
SUSPECT_GRACE_MS: Final = 15_000
"""A popped job that is not yet marked active is left alone for this long: SAQ's own sweep aborts it at once."""
DRAINED_LOOK_S: Final = 0.5


class SafeRedisQueue(RedisQueue):
    """RedisQueue whose sweeper spares jobs between pop and start, and that does not busy-loop during an outage.

    Of the tasks that wait for jobs only one asks the server; the others wait for their turn and cost nothing.
    """

    def __init__(self, redis: Any, name: str) -> None:
        super().__init__(redis, name=name)
        self._lost = False
        self._turn = asyncio.Lock()
        self._draining = False

    def drain(self) -> None:
        """Pop no more; a pop that waits on the server goes on until its time-out."""
        self._draining = True

    async def dequeue(self, timeout: float = 0, poll_interval: float = 0.0) -> Job | None:
        """Wait for the next job; on a lost connection wait a second instead of busy-looping.

        A drained process leaves the rings to the others.
        """
        async with self._turn:
            if self._draining:
                return None
            if this_process.is_drained():
                await asyncio.sleep(DRAINED_LOOK_S)
                return None
            return await self._pop(timeout, poll_interval)

    async def _pop(self, timeout: float, poll_interval: float) -> Job | None:
        try:
            job = await super().dequeue(timeout=timeout, poll_interval=poll_interval)
        except (RedisError, OSError) as error:
            if not self._lost:
                log.warning("no rings from the queue server: %s; the sweeper finds the jobs", type(error).__name__)
            self._lost = True
            await asyncio.sleep(1)
            return None
        self._lost = False
        return job

    async def sweep(self, lock: int = 60, abort: float = 5.0) -> list[str]:
        """Retry or abort stuck jobs; a job popped but not active counts as stuck only after SUSPECT_GRACE_MS."""
        redis: Any = self.redis  # redis-py types its commands as sync or async
        if not await redis.set(self._sweep, 1, nx=True, ex=lock):
            return []
        suspects = self.namespace("suspects")
        ids: list[bytes] = await redis.lrange(self._active, 0, -1)
        known: dict[bytes, bytes] = await redis.hgetall(suspects)
        fresh: dict[bytes, int] = {}
        swept: list[bytes] = []
        for job_id, raw in zip(ids, await redis.mget(ids) if ids else [], strict=True):
            job = self.deserialize(raw)
            if job and job.status == Status.ACTIVE and not job.stuck:
                continue
            if not (job and job.status == Status.ACTIVE):
                first_seen = int(known.get(job_id) or now())
                if now() - first_seen < SUSPECT_GRACE_MS:
                    fresh[job_id] = first_seen
                    continue
            swept.append(job_id)
            await self._end_stuck(job_id, job, abort)
        async with redis.pipeline(transaction=True) as pipe:
            pipe.delete(suspects)
            if fresh:
                pipe.hset(suspects, mapping=fresh)
                pipe.expire(suspects, 600)
            await pipe.execute()
        return [job_id.decode() for job_id in swept]

    async def _end_stuck(self, job_id: bytes, job: Job | None, abort: float) -> None:
        if job is None:
            redis: Any = self.redis
            async with redis.pipeline(transaction=True) as pipe:
                await pipe.lrem(self._active, 0, job_id).zrem(self._incomplete, job_id).execute()
            return
        if job.status == Status.ACTIVE:
            await self.abort(job, error=self.swept_error_message)
            try:
                await job.refresh(abort)
            except (TimeoutError, RuntimeError):
                log.debug("a stuck job's worker did not answer")
        if job.retryable:
            await self.retry(job, error=self.swept_error_message)
        else:
            await self.finish(job, Status.ABORTED, error=self.swept_error_message)


class DrainingWorker(Worker[Any]):
    """SAQ worker whose stop never cancels a blocking pop (that strands the job) and waits no longer than needed."""

    async def stop(self) -> None:
        """Stop popping, let running jobs end within the grace period, then stop."""
        self.event.set()
        if isinstance(self.queue, SafeRedisQueue):
            self.queue.drain()
        if not self._stopped:
            busy = [task for task in self.tasks if task.get_name() == "process"]
            await cancel_tasks([task for task in self.tasks if task.get_name() != "process"], 1)
            grace = max(self.dequeue_timeout + 0.5, self._shutdown_grace_period_s or 0)
            if self.job_task_contexts:
                log.info("stopping; %d jobs have %g s to end", len(self.job_task_contexts), grace)
            if busy:
                await asyncio.wait(busy, timeout=grace)
            if self.job_task_contexts:
                log.warning("%d jobs have not ended; they are handed over", len(self.job_task_contexts))
            self._shutdown_grace_period_s = None
        await super().stop()


class Doorbell:
    """Wakes a worker for a job. A lost ring costs time, never the job."""

    def __init__(self, queue: SafeRedisQueue, server: QueueServer) -> None:
        self.queue = queue
        self._server = server

    async def ring(self, task: str, job_id: str, *, key: str, timeout_s: int) -> bool:
        """Ask a worker to run `task` for the job; return whether the ring was queued. `key` drops double rings."""
        try:
            await self._server.ask(
                lambda: self.queue.enqueue(task, job_id=job_id, key=key, timeout=timeout_s, retries=1, ttl=-1)
            )
        except QueueServerAway:
            log.debug("doorbell not rung: %s", key)
            return False
        return True

    async def aclose(self) -> None:
        """Close the connection; without a server there is nothing to close."""
        with contextlib.suppress(RedisError, OSError):
            await self.queue.disconnect()


def open_queue(config: Config) -> SafeRedisQueue:
    """Return the queue."""
    return SafeRedisQueue(open_redis(config), QUEUE_NAME)
