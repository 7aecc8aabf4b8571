"""Administrators' calls about emails to many."""

from typing import Annotated
from uuid import UUID

from litestar import Controller, Response, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream

from kernel.accounts.auth.sessions import Peer
from kernel.accounts.current_user import CurrentUser
from kernel.core.audit import Actor
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import ADMIN, AppRequest, audited
from kernel.core.web.idempotency import IdempotencyKey, replay_headers
from kernel.core.web.paging import DEFAULT_LIMIT, Cursor, Limit, link_header
from kernel.mail.campaigns.recipients import CampaignRecipients
from kernel.mail.campaigns.service import CampaignService
from kernel.mail.rate_limits import count_test
from kernel.mail.schemas import (
    AudienceCountIn,
    AudienceCountOut,
    AudienceOut,
    BulkKind,
    CampaignIn,
    CampaignOut,
    CampaignStep,
    EmailTestIn,
    PostalAddressIn,
    RecipientFilter,
    RecipientOut,
)
from kernel.mail.templates.service import TemplateService
from kernel.mail.transactional.schemas import SendTestOut

StateFilter = Annotated[RecipientFilter | None, QueryParameter(name="state")]


class CampaignController(Controller):
    """Emails to many."""

    path = "/api/admin/email"
    tags = ("Administration",)
    opt = ADMIN

    @post("/test", operation_id="sendTemplateTest", status_code=200)
    async def send_test(
        self,
        user: NamedDependency[CurrentUser],
        peer: NamedDependency[Peer],
        data: JSONBody[EmailTestIn],
        templates: NamedDependency[TemplateService],
        throttle: NamedDependency[Throttle],
    ) -> SendTestOut:
        """Send a saved template to one address."""
        await count_test(throttle, user.id)
        result = await templates.send_test(user, data, ip=peer.ip)
        return SendTestOut(state=result.state, detail=result.detail)

    @get("/audience", operation_id="getEmailAudience")
    async def audience(self, campaigns: NamedDependency[CampaignService]) -> AudienceOut:
        """Return how many an email would reach, and whether one can be sent."""
        return await campaigns.audience()

    @post("/audience", operation_id="countEmailAudience", status_code=200)
    async def count_audience(
        self, data: JSONBody[AudienceCountIn], campaigns: NamedDependency[CampaignService]
    ) -> AudienceCountOut:
        """Return how many of a part of the audience an email would reach."""
        return await campaigns.count(data.kind, data.segment)

    @put("/postal-address", operation_id="savePostalAddress")
    async def save_postal_address(
        self,
        actor: NamedDependency[Actor],
        data: JSONBody[PostalAddressIn],
        templates: NamedDependency[TemplateService],
        campaigns: NamedDependency[CampaignService],
    ) -> AudienceOut:
        """Store the postal address that stands below every email to many."""
        await templates.save_postal_address(data.postal_address, actor)
        return await campaigns.audience()

    @post("/broadcast", operation_id="sendBroadcast", status_code=202)
    async def send_broadcast(
        self,
        actor: NamedDependency[Actor],
        data: JSONBody[CampaignIn],
        campaigns: NamedDependency[CampaignService],
        idempotency_key: IdempotencyKey = None,
    ) -> Response[CampaignOut]:
        """Send an email to everybody; the same Idempotency-Key with the same body answers the same one."""
        return await _start(actor, "broadcast", data, campaigns, idempotency_key)

    @post("/marketing", operation_id="sendMarketing", status_code=202)
    async def send_marketing(
        self,
        actor: NamedDependency[Actor],
        data: JSONBody[CampaignIn],
        campaigns: NamedDependency[CampaignService],
        idempotency_key: IdempotencyKey = None,
    ) -> Response[CampaignOut]:
        """Send an email to all who want news; the same Idempotency-Key with the same body answers the same one."""
        return await _start(actor, "marketing", data, campaigns, idempotency_key)

    @get("/campaigns", operation_id="listCampaigns")
    async def list_campaigns(
        self,
        request: AppRequest,
        campaigns: NamedDependency[CampaignService],
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[CampaignOut]]:
        """Return emails to many, newest first."""
        listed, following = await campaigns.page(cursor, limit)
        return Response(listed, headers=link_header(request, following))

    @get("/campaigns/{campaign_id:uuid}", operation_id="getCampaign")
    async def get_campaign(
        self, campaign_id: FromPath[UUID], campaigns: NamedDependency[CampaignService]
    ) -> CampaignOut:
        """Return how far one has come."""
        return await campaigns.get(campaign_id)

    @get(
        "/campaigns/{campaign_id:uuid}/recipients",
        operation_id="listCampaignRecipients",
        opt=audited("email.list_recipients"),
    )
    async def recipients(
        self,
        request: AppRequest,
        campaign_id: FromPath[UUID],
        campaign_recipients: NamedDependency[CampaignRecipients],
        only: StateFilter = None,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[RecipientOut]]:
        """Return who was to get it and what became of that; `state` may also be what mailboxes reported afterwards."""
        listed, following = await campaign_recipients.page(campaign_id, only, cursor, limit)
        return Response(listed, headers=link_header(request, following))

    @get(
        "/campaigns/{campaign_id:uuid}/recipients/file",
        operation_id="downloadCampaignRecipients",
        opt=audited("email.list_recipients"),
        media_type="text/csv",
    )
    async def recipients_file(
        self,
        campaign_id: FromPath[UUID],
        campaign_recipients: NamedDependency[CampaignRecipients],
        only: StateFilter = None,
    ) -> Stream:
        """The same people, all of them, as CSV."""
        headers = {"content-disposition": 'attachment; filename="recipients.csv"'}
        lines = await campaign_recipients.lines(campaign_id, only)
        return Stream(lines, media_type="text/csv; charset=utf-8", headers=headers)

    @post("/campaigns/{campaign_id:uuid}/{step:str}", operation_id="changeCampaign", status_code=200)
    async def change(
        self,
        actor: NamedDependency[Actor],
        campaign_id: FromPath[UUID],
        step: FromPath[CampaignStep],
        campaigns: NamedDependency[CampaignService],
    ) -> CampaignOut:
        """Begin a scheduled one now; pause, resume; send it again to those for whom it failed; or stop it for good."""
        steps = {
            "send_now": campaigns.send_now,
            "pause": campaigns.pause,
            "resume": campaigns.resume,
            "retry": campaigns.retry,
            "cancel": campaigns.cancel,
        }
        return await steps[step](campaign_id, actor)


async def _start(
    actor: Actor, kind: BulkKind, data: CampaignIn, campaigns: CampaignService, key: str | None
) -> Response[CampaignOut]:
    started = await campaigns.start(kind, data, actor, key=key)
    return Response(started.campaign, headers=replay_headers(started.replayed))
