"""Accepting jobs that begin with the artwork of a finished cover: what refining and extending have in common."""

from collections.abc import Mapping, Sequence

import msgspec

from kernel.core.data.database import Database, ReadConnection
from kernel.covers.dimensions import Dimensions
from kernel.covers.extensions import Side
from kernel.covers.generation.provider_selection import ImageRequirements, Selection, select_instances
from kernel.covers.generation.references import ReferenceService
from kernel.covers.generation.submission.job_store import JobStore, NewJobs, SubmittedGenerations
from kernel.covers.generation.submission.prompt import ComposedPrompt
from kernel.covers.generation.submission.request import CoverRequest, variants_of
from kernel.covers.generation.submission.service import SubmissionService
from kernel.covers.generation.time_estimate import TimeEstimate
from kernel.covers.schemas import LetteringBy
from kernel.pictures.encoding import Form
from kernel.pictures.store import PictureStore
from kernel.providers import Registry
from kernel.providers.spending.budgets import Budgets
from kernel.spi import Size


class ArtworkJob(msgspec.Struct, frozen=True, kw_only=True):
    """A job on the artwork of a cover: `prompt` is what its owner reads of it, `text` what the image service is sent.

    With `extends_side` the artwork `artwork_id` is to go on there, without it is to be changed.
    """

    cover_id: int
    digest: str
    prompt: str
    text: str
    words: Mapping[str, str]
    dimensions: Dimensions
    size: Size
    lettering: LetteringBy
    requirements: ImageRequirements
    expected_ms: int
    extends_side: Side | None = None
    artwork_id: int | None = None


class ArtworkJobService:
    """Knows no HTTP and no vendor."""

    def __init__(
        self,
        database: Database,
        registry: Registry,
        budgets: Budgets,
        pictures: PictureStore,
        references: ReferenceService,
        time_estimate: TimeEstimate,
        jobs: JobStore,
        submission: SubmissionService,
    ) -> None:
        self._database = database
        self._registry = registry
        self._budgets = budgets
        self._pictures = pictures
        self._references = references
        self._time_estimate = time_estimate
        self._jobs = jobs
        self._submission = submission

    async def _select(
        self, reader: ReadConnection, user_id: int, requirements: ImageRequirements, size: Size
    ) -> tuple[Selection, int]:
        """Return the services that can do it, and how long the first usually takes.

        Raises NoProvider, UnsupportedRequest and OverBudget.
        """
        selection = select_instances(self._registry, requirements, size=size, count=1)
        await self._budgets.refuse_over_budget(reader, user_id, selection.costs_micros)
        return selection, await self._time_estimate.of_first(reader, selection.instances)

    async def _accept(
        self, user_id: int, job: ArtworkJob, forms: Sequence[Form], *, is_pro: bool, key: str | None, language: str
    ) -> SubmittedGenerations:
        """Store the job with the artwork as its reference, or return the one that this key already made."""
        request = CoverRequest(
            digest=job.digest,
            prompt=job.prompt,
            **job.words,
            use_default_genre=False,
            dimensions=job.dimensions,
            size=job.size,
            theme_id=None,
            lettering=job.lettering,
            lettering_style=None,
            elements=None,
            own_style=None,
            with_references=True,
            cover_ids=(),
            uploads=(),
            variants=variants_of(1),
            requirements=job.requirements,
            faults={},
        )
        jobs = NewJobs(
            request=request,
            prompt=ComposedPrompt(prompt=job.prompt, theme=None, text=job.text, **job.words),
            refs={},
            language=language,
            expected_ms=job.expected_ms,
            refined_cover_id=job.cover_id,
            masked=job.requirements.mask,
            extends_side=job.extends_side,
            extended_artwork_id=job.artwork_id,
        )
        return await self._submission.accept(user_id, jobs, forms, is_pro=is_pro, key=key)
