"""How a job that is being worked on is told about, and how it is given up."""

import logging
from typing import Final
from uuid import UUID

from sqlalchemy.exc import SQLAlchemyError

from kernel.core.fault_points import faultpoint
from kernel.core.queue.job_loop import run_to_end
from kernel.core.queue.pubsub import PubSub
from kernel.covers.generation.state_machine import GenerationStateMachine, Job
from kernel.covers.previews.service import GenerationPreviews
from kernel.providers import CallAbandoned

log = logging.getLogger(__name__)

MOST_POSITION: Final = 1_000_000
"""A longer queue is a plugin's mistake."""


def generation_channel(generation_id: UUID) -> str:
    """Return the channel on which a generation's changes are told."""
    return f"generation:{generation_id}"


class LostClaim(CallAbandoned):
    """The job was cancelled or went to another worker: whatever comes back now is of no use."""


class GenerationControl:
    """How a provider, an instance of it by its id, talks back while it works on one job.

    Trouble of our own database is not the provider's: it is logged, and does not end the call.
    `unrecorded_id` is the vendor's id of an order while it is not stored: nobody else knows of that order.
    `previews` are None for an instance that does not claim any.
    """

    def __init__(
        self,
        job: Job,
        state_machine: GenerationStateMachine,
        pubsub: PubSub,
        instance_id: str,
        previews: GenerationPreviews | None,
    ) -> None:
        self.instance_id = instance_id
        self.unrecorded_id: str | None = None
        self._job = job
        self._state_machine = state_machine
        self._pubsub = pubsub
        self._previews = previews

    async def checkpoint(self, remote_id: str) -> None:
        """Remember the vendor's id of the job, and who gave it. Raises LostClaim when the job is no longer ours."""
        self.unrecorded_id = remote_id[:255]
        await self._record()

    async def progress(self, phase: str, fraction: float | None = None, *, position: int | None = None) -> None:
        """Tell followers what is going on. Raises LostClaim when the job is no longer ours."""
        await self._record()
        position = position if position is not None and 0 < position <= MOST_POSITION else None
        share = min(1.0, max(0.0, fraction)) if fraction is not None else None
        try:
            if not await self._state_machine.record_progress(
                self._job, phase=phase[:32], progress=share, position=position
            ):
                raise LostClaim
        except SQLAlchemyError as error:
            log.warning("progress of job %s not stored: %s", self._job.id, type(error).__name__)
        await self._pubsub.publish(generation_channel(self._job.id), b"progress")

    async def preview(self, picture: bytes) -> None:
        """Show followers the picture as it is so far; waits for nothing."""
        if self._previews is not None:
            self._previews.offer(self._job.id, picture)

    async def _record(self) -> None:
        """Store the vendor's id; what fails is tried again with the next progress.

        Not to be broken off: whether it is stored decides who can ask for the result, or cancel the order, later.
        """
        remote_id = self.unrecorded_id
        if remote_id is None:
            return
        faultpoint("vendor_accepted")
        if not await run_to_end(self._store(remote_id)):
            raise LostClaim

    async def _store(self, remote_id: str) -> bool:
        """Tell whether the job is still ours."""
        try:
            ours = await self._state_machine.record_remote_id(self._job, self.instance_id, remote_id)
        except SQLAlchemyError as error:
            log.warning("the vendor's id of job %s is not stored: %s", self._job.id, type(error).__name__)
            return True
        if ours:
            self.unrecorded_id = None
        return ours
