"""Administrators' calls about emails to many that are being written."""

from uuid import UUID

from litestar import Controller, Response, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from kernel.accounts.auth.sessions import Peer
from kernel.accounts.current_user import CurrentUser
from kernel.core.audit import Actor
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import ADMIN, AppRequest
from kernel.core.web.paging import DEFAULT_LIMIT, Cursor, Limit, link_header
from kernel.mail.campaigns.drafts import DraftService
from kernel.mail.campaigns.trial import LetterTrial
from kernel.mail.rate_limits import count_test
from kernel.mail.schemas import (
    EmailDraftChange,
    EmailDraftIn,
    EmailDraftLine,
    EmailDraftOut,
    LetterTestIn,
    LetterTestOut,
)


class DraftController(Controller):
    """Emails to many that are being written; all administrators share them."""

    path = "/api/admin/email"
    tags = ("Administration",)
    opt = ADMIN

    @get("/drafts", operation_id="listDrafts")
    async def list_drafts(
        self,
        request: AppRequest,
        drafts: NamedDependency[DraftService],
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[EmailDraftLine]]:
        """Return drafts, newest first."""
        listed, following = await drafts.page(cursor, limit)
        return Response(listed, headers=link_header(request, following))

    @post("/drafts", operation_id="createDraft")
    async def create(
        self, actor: NamedDependency[Actor], data: JSONBody[EmailDraftIn], drafts: NamedDependency[DraftService]
    ) -> EmailDraftOut:
        """Keep what is being written. It may lack anything; what is wrong with it is told when it is to be sent."""
        return await drafts.create(data, actor)

    @post("/campaigns/{campaign_id:uuid}/draft", operation_id="copyCampaign")
    async def copy(
        self, actor: NamedDependency[Actor], campaign_id: FromPath[UUID], drafts: NamedDependency[DraftService]
    ) -> EmailDraftOut:
        """Make a draft of what was sent."""
        return await drafts.copy(campaign_id, actor)

    @post("/drafts/test", operation_id="sendLetterTest", status_code=200)
    async def send_test(
        self,
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        data: JSONBody[LetterTestIn],
        letter_trial: NamedDependency[LetterTrial],
        throttle: NamedDependency[Throttle],
    ) -> list[LetterTestOut]:
        """Send what is being written to a few addresses, in one of its languages or in all."""
        for _ in data.to:
            await count_test(throttle, user.id)
        return await letter_trial.send(user, data, peer.ip)

    @get("/drafts/{draft_id:uuid}", operation_id="getDraft")
    async def get_draft(self, draft_id: FromPath[UUID], drafts: NamedDependency[DraftService]) -> EmailDraftOut:
        """Return one draft."""
        return await drafts.get(draft_id)

    @put("/drafts/{draft_id:uuid}", operation_id="saveDraft")
    async def save(
        self, draft_id: FromPath[UUID], data: JSONBody[EmailDraftChange], drafts: NamedDependency[DraftService]
    ) -> EmailDraftOut:
        """Keep a draft as it is now; 409 `draft_moved_on` when it was changed since that version."""
        return await drafts.save(draft_id, data)

    @delete("/drafts/{draft_id:uuid}", operation_id="deleteDraft", status_code=204)
    async def remove(
        self, actor: NamedDependency[Actor], draft_id: FromPath[UUID], drafts: NamedDependency[DraftService]
    ) -> None:
        """Delete a draft."""
        await drafts.remove(draft_id, actor)
