"""How a job that is being worked on is told about, and how it is given up."""

from uuid import UUID

from kernel.core.queue.pubsub import PubSub
from kernel.covers.generation.state_machine import GenerationStateMachine, Job
from kernel.providers import CallAbandoned


def generation_channel(generation_id: UUID) -> str:
    """Return the channel on which a generation's changes are told."""
    return f"generation:{generation_id}"


class LostClaim(CallAbandoned):
    """The job was cancelled or went to another worker: whatever comes back now is of no use."""


class GenerationControl:
    """How a provider, an instance of it by its id, talks back while it works on one job."""

    def __init__(self, job: Job, state_machine: GenerationStateMachine, pubsub: PubSub, instance_id: str) -> None:
        self._job = job
        self._state_machine = state_machine
        self._pubsub = pubsub
        self._instance_id = instance_id

    async def checkpoint(self, remote_id: str) -> None:
        """Remember the vendor's id of the job, and who gave it. Raises LostClaim when the job is no longer ours."""
        if not await self._state_machine.record_remote_id(self._job, self._instance_id, remote_id[:255]):
            raise LostClaim

    async def progress(self, phase: str, fraction: float | None = None) -> None:
        """Tell followers what is going on. Raises LostClaim when the job is no longer ours."""
        share = min(1.0, max(0.0, fraction)) if fraction is not None else None
        if not await self._state_machine.record_progress(self._job, phase=phase[:32], progress=share):
            raise LostClaim
        await self._pubsub.publish(generation_channel(self._job.id), b"progress")
