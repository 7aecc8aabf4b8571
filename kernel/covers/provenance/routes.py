"""Where the picture of a cover comes from: what its owner has to tell shops."""

from datetime import datetime

from litestar import Controller, get
from litestar.di import NamedDependency

from kernel.accounts.current_user import CurrentUser
from kernel.core.schemas import Out
from kernel.core.web.access import USER
from kernel.core.web.paging import PathId
from kernel.covers.provenance.service import ProvenanceService
from kernel.pictures.marks.xmp import SourceType


class ProvenanceStep(Out, frozen=True, kw_only=True):
    """One picture on the way, made from `words`, after `references` other pictures.

    `byProgram` says that a program drew it by fixed rules, and no trained model.
    """

    provider: str
    model: str
    by_program: bool
    words: str
    references: int
    made_at: datetime


class ProvenanceOut(Out, frozen=True, kw_only=True):
    """How the picture that a cover shows was made, oldest step first.

    `lettersByModel` where the words are part of the picture; `aiMade` is the answer to what shops ask. `sourceType` is
    IPTC's term for it in the metadata of downloaded files; `isSigned` says that they carry a signed C2PA manifest, too.
    """

    steps: list[ProvenanceStep]
    letters_by_model: bool
    ai_made: bool
    source_type: SourceType
    is_signed: bool


class ProvenanceController(Controller):
    """Where covers come from."""

    path = "/api/covers/{cover_id:int}/provenance"
    tags = ("Covers",)
    opt = USER

    @get(operation_id="getProvenance")
    async def get_provenance(
        self, user: NamedDependency[CurrentUser], cover_id: PathId, origins: NamedDependency[ProvenanceService]
    ) -> ProvenanceOut:
        """Return which model or program made a cover's picture, when, and from which words."""
        found = await origins.of(user.id, cover_id)
        origin = found.origin
        return ProvenanceOut(
            steps=[
                ProvenanceStep(
                    provider=step.provider,
                    model=step.model,
                    by_program=step.by_program,
                    words=step.words,
                    references=step.references,
                    made_at=step.made_at,
                )
                for step in origin.steps
            ],
            letters_by_model=origin.letters_by_model,
            ai_made=origin.ai_made,
            source_type=found.mark.source,
            is_signed=found.is_signed,
        )
