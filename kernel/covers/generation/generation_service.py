"""Generations of one user: their start, where they stand, and their end at their owner's wish."""

from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.current_user import CurrentUser
from kernel.billing.entitlement import Entitlement
from kernel.core.config import GenerationConfig
from kernel.core.data.database import Database
from kernel.core.errors import Absent
from kernel.core.queue.doorbell import Doorbell
from kernel.core.queue.pubsub import PubSub
from kernel.covers.cover_read import generation_status
from kernel.covers.generation.job_control import generation_channel
from kernel.covers.generation.state_machine import Canceled, GenerationStateMachine
from kernel.covers.generation.submission.extension import ExtensionService
from kernel.covers.generation.submission.job_store import SubmittedGenerations
from kernel.covers.generation.submission.refinement import RefinementService
from kernel.covers.generation.submission.service import SubmissionService
from kernel.covers.generation.tasks import ring_doorbell
from kernel.covers.previews.service import GenerationPreviews
from kernel.covers.schemas import ExtendIn, GenerateCoverIn, GenerationStatus, RefineIn

CANCELED: Final = -1
"""In place of the number of attempts, so that the ring is none that was rung before."""


class GenerationService:
    """What users do with generations; another user's generation does not exist."""

    def __init__(
        self,
        config: GenerationConfig,
        database: Database,
        pubsub: PubSub,
        doorbell: Doorbell,
        entitlement: Entitlement,
        submission: SubmissionService,
        refinements: RefinementService,
        extensions: ExtensionService,
        state_machine: GenerationStateMachine,
        previews: GenerationPreviews,
    ) -> None:
        self._config = config
        self._database = database
        self._pubsub = pubsub
        self._doorbell = doorbell
        self._entitlement = entitlement
        self._submission = submission
        self._refinements = refinements
        self._extensions = extensions
        self._state_machine = state_machine
        self._previews = previews

    async def start(
        self, user: CurrentUser, wanted: GenerateCoverIn, *, key: str | None, language: str
    ) -> SubmittedGenerations:
        """Accept what is asked for, as the user's plan is now, and ring for each job. Raises what `submit` does."""
        is_pro = await self._entitlement.is_pro(user.id, user.is_pro_override)
        submitted = await self._submission.submit(user.id, wanted, is_pro=is_pro, key=key, language=language)
        return await self._rung(submitted)

    async def start_refinement(
        self, user: CurrentUser, cover_id: int, wanted: RefineIn, *, key: str | None, language: str
    ) -> SubmittedGenerations:
        """Accept a refinement of a cover and ring for it. Raises what `RefinementService.submit` does."""
        is_pro = await self._entitlement.is_pro(user.id, user.is_pro_override)
        return await self._rung(
            await self._refinements.submit(user.id, cover_id, wanted, is_pro=is_pro, key=key, language=language)
        )

    async def start_extension(
        self, user: CurrentUser, cover_id: int, wanted: ExtendIn, *, key: str | None, language: str
    ) -> SubmittedGenerations:
        """Let the artwork of a cover go on beyond a side, and ring for it. Raises what `submit` of the service does."""
        is_pro = await self._entitlement.is_pro(user.id, user.is_pro_override)
        return await self._rung(
            await self._extensions.submit(user.id, cover_id, wanted, is_pro=is_pro, key=key, language=language)
        )

    async def _rung(self, submitted: SubmittedGenerations) -> SubmittedGenerations:
        if not submitted.replayed:
            for generation_id in submitted.ids:
                await ring_doorbell(self._doorbell, self._config, generation_id, 0)
        return submitted

    async def refuse_without_units(self, user: CurrentUser, *, key: str | None) -> None:
        """Raise LimitReached for a user with nothing left this month, before the whole request is there.

        One with a key that is known may repeat a request that was accepted.
        """
        is_pro = await self._entitlement.is_pro(user.id, user.is_pro_override)
        await self._submission.refuse_without_units(user.id, key, is_pro=is_pro)

    async def status(self, user_id: int, generation_id: UUID) -> GenerationStatus:
        """Return where a generation stands. Raises Absent."""
        async with self._database.read() as connection:
            status = await generation_status(connection, user_id, generation_id)
        return (await self._previews.in_all([status]))[0]

    async def preview(self, user_id: int, generation_id: UUID) -> bytes:
        """Return the picture as it is so far, a WebP. Raises Absent."""
        status = await self.status(user_id, generation_id)
        picture = None if status.preview is None else await self._previews.latest(generation_id)
        if picture is None:
            raise Absent("There is no preview of this cover.")
        return picture

    async def cancel(self, user_id: int, generation_id: UUID) -> GenerationStatus:
        """Cancel a generation and give its unit back; one that has ended stays as it is. Raises Absent."""
        await self.status(user_id, generation_id)
        if await self._state_machine.settle(generation_id, Canceled()):
            await self.tell_canceled(generation_id)
        return await self.status(user_id, generation_id)

    async def cancel_in(self, session: AsyncSession, generation_id: UUID) -> bool:
        """Cancel anybody's generation in the caller's transaction; False when it has ended. `tell_canceled` follows."""
        return await self._state_machine.settle_in(session, generation_id, Canceled(), fence=None)

    async def tell_canceled(self, generation_id: UUID) -> None:
        """Tell everybody who works on or looks at a generation that it was canceled."""
        await self._pubsub.publish(f"cancel:{generation_id}", b"now")
        await self._pubsub.publish(generation_channel(generation_id), b"changed")
        # the vendor may still be at work on it although no worker is
        await ring_doorbell(self._doorbell, self._config, generation_id, CANCELED)
