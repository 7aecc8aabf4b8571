"""What workers do for covers: run a job when its bell rings, and look after those whose bell was lost."""

import logging
from typing import Any, Final
from uuid import UUID

from kernel.core import clock
from kernel.core.config import GenerationConfig
from kernel.core.queue.doorbell import Doorbell
from kernel.covers.generation.worker import GenerationWorker

log = logging.getLogger(__name__)

GENERATE: Final = "generate"


async def generate(context: dict[str, Any], *, job_id: str) -> None:
    """SAQ task: make the cover of one generation."""
    generation_worker: GenerationWorker = context["generation_worker"]
    await generation_worker.run(UUID(job_id))


async def ring_doorbell(bell: Doorbell, config: GenerationConfig, generation_id: UUID, attempts: int) -> bool:
    """Ring for a job; say whether it was heard. The key drops double rings, but changes with time, so that a dead entry
    in the queue blocks nothing for long.
    """
    bucket = int(clock.now_unix() // config.lease_s)
    key = f"{generation_id}-{attempts}-{bucket}"
    return await bell.ring(GENERATE, str(generation_id), key=key, timeout_s=int(config.deadline_s) + 60)
