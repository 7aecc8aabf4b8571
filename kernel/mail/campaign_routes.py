"""Administrators' calls about templates and e-mails to many, and everybody's about leaving the list."""

from typing import Annotated, Any, Final
from urllib.parse import quote
from uuid import UUID

from litestar import Controller, Request, Response, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, PathParameter, QueryParameter
from litestar.response import Redirect

from kernel.core.access import ADMIN, PUBLIC
from kernel.core.audit import audit, ip_of
from kernel.core.database import Database
from kernel.core.idempotency import IdempotencyKey, replay_headers
from kernel.core.paging import DEFAULT_LIMIT, Cursor, Limit, link_header
from kernel.core.throttle import Throttle
from kernel.mail.campaign_schemas import (
    AudienceOut,
    BulkKind,
    CampaignIn,
    CampaignOut,
    CampaignStep,
    EmailPreviewIn,
    EmailPreviewOut,
    EmailTemplateIn,
    EmailTemplateOut,
    EmailTestIn,
    PostalAddressIn,
    RecipientOut,
    RecipientState,
    TemplateType,
    UnsubscribeOut,
)
from kernel.mail.campaigns import CampaignService
from kernel.mail.routes import count_test
from kernel.mail.schemas import SendTestOut
from kernel.mail.templates import TemplateService
from kernel.mail.unsubscribing import Unsubscribing

Token = Annotated[str, PathParameter(max_length=100)]
StateFilter = Annotated[RecipientState | None, QueryParameter(name="state")]
LINKS_PER_MINUTE: Final = 60
OPEN_TO_MAIL_SERVICES: Final[dict[str, Any]] = {**PUBLIC, "no_session": True, "csrf_exempt": True}
"""Mailbox providers unsubscribe by themselves: no cookie, no page of ours (RFC 8058)."""


class EmailTemplateController(Controller):
    """What e-mails say."""

    path = "/api/admin/email-templates"
    tags = ("Administration",)
    opt = ADMIN

    @get(operation_id="listEmailTemplates")
    async def list_templates(
        self, database: NamedDependency[Database], templates: NamedDependency[TemplateService]
    ) -> list[EmailTemplateOut]:
        """Return the three templates."""
        async with database.read() as connection:
            return await templates.all(connection)

    @post("/preview", operation_id="previewEmail", status_code=200)
    async def preview(
        self,
        request: Request[Any, Any, Any],
        data: JSONBody[EmailPreviewIn],
        templates: NamedDependency[TemplateService],
    ) -> EmailPreviewOut:
        """Return a text as it would go out to the asking administrator."""
        return await templates.preview(request.user, data)

    @get("/{template_type:str}", operation_id="getEmailTemplate")
    async def get_template(
        self,
        template_type: FromPath[TemplateType],
        database: NamedDependency[Database],
        templates: NamedDependency[TemplateService],
    ) -> EmailTemplateOut:
        """Return one template."""
        async with database.read() as connection:
            return await templates.get(connection, template_type)

    @put("/{template_type:str}", operation_id="saveEmailTemplate")
    async def save_template(
        self,
        request: Request[Any, Any, Any],
        template_type: FromPath[TemplateType],
        data: JSONBody[EmailTemplateIn],
        database: NamedDependency[Database],
        templates: NamedDependency[TemplateService],
    ) -> EmailTemplateOut:
        """Store a template."""
        async with database.write() as session:
            return await templates.save(session, template_type, data, by=request.user.id, ip=ip_of(request))


class CampaignController(Controller):
    """E-mails to many."""

    path = "/api/admin/email"
    tags = ("Administration",)
    opt = ADMIN

    @post("/test", operation_id="sendTemplateTest", status_code=200)
    async def send_test(
        self,
        request: Request[Any, Any, Any],
        data: JSONBody[EmailTestIn],
        database: NamedDependency[Database],
        templates: NamedDependency[TemplateService],
        throttle: NamedDependency[Throttle],
    ) -> SendTestOut:
        """Send a saved template to one address."""
        await count_test(throttle, request.user.id)
        result = await templates.send_test(request.user, data)
        about = {"actor_id": request.user.id, "ip": ip_of(request), "object": f"email-template:{data.template_type}"}
        async with database.write() as session:
            audit(session, "email.send_test", outcome=result.state, **about)
        return SendTestOut(state=result.state, detail=result.detail)

    @get("/audience", operation_id="getEmailAudience")
    async def audience(self, campaigns: NamedDependency[CampaignService]) -> AudienceOut:
        """Return how many an e-mail would reach, and whether one can be sent."""
        return await campaigns.audience()

    @put("/postal-address", operation_id="savePostalAddress")
    async def save_postal_address(
        self,
        request: Request[Any, Any, Any],
        data: JSONBody[PostalAddressIn],
        database: NamedDependency[Database],
        templates: NamedDependency[TemplateService],
        campaigns: NamedDependency[CampaignService],
    ) -> AudienceOut:
        """Store the postal address that stands below every e-mail to many."""
        async with database.write() as session:
            await templates.save_postal_address(session, data.postal_address)
            keys = ("postalAddress",)
            audit(session, "email.postal_address", actor_id=request.user.id, ip=ip_of(request), keys=keys)
        return await campaigns.audience()

    @post("/broadcast", operation_id="sendBroadcast", status_code=202)
    async def send_broadcast(
        self,
        request: Request[Any, Any, Any],
        data: JSONBody[CampaignIn],
        campaigns: NamedDependency[CampaignService],
        idempotency_key: IdempotencyKey = None,
    ) -> Response[CampaignOut]:
        """Send an e-mail to everybody; the same Idempotency-Key with the same body answers the same one."""
        return await _start(request, "broadcast", data, campaigns, idempotency_key)

    @post("/marketing", operation_id="sendMarketing", status_code=202)
    async def send_marketing(
        self,
        request: Request[Any, Any, Any],
        data: JSONBody[CampaignIn],
        campaigns: NamedDependency[CampaignService],
        idempotency_key: IdempotencyKey = None,
    ) -> Response[CampaignOut]:
        """Send an e-mail to all who want news; the same Idempotency-Key with the same body answers the same one."""
        return await _start(request, "marketing", data, campaigns, idempotency_key)

    @get("/campaigns", operation_id="listCampaigns")
    async def list_campaigns(
        self,
        request: Request[Any, Any, Any],
        campaigns: NamedDependency[CampaignService],
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[CampaignOut]]:
        """Return e-mails to many, newest first."""
        listed, following = await campaigns.page(cursor, limit)
        return Response(listed, headers=link_header(request, following))

    @get("/campaigns/{campaign_id:uuid}", operation_id="getCampaign")
    async def get_campaign(
        self, campaign_id: FromPath[UUID], campaigns: NamedDependency[CampaignService]
    ) -> CampaignOut:
        """Return how far one has come."""
        return await campaigns.get(campaign_id)

    @get("/campaigns/{campaign_id:uuid}/recipients", operation_id="listCampaignRecipients")
    async def recipients(
        self,
        request: Request[Any, Any, Any],
        campaign_id: FromPath[UUID],
        campaigns: NamedDependency[CampaignService],
        only: StateFilter = None,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[RecipientOut]]:
        """Return who was to get it and what became of that."""
        listed, following = await campaigns.recipients(campaign_id, only, cursor, limit)
        return Response(listed, headers=link_header(request, following))

    @post("/campaigns/{campaign_id:uuid}/{step:str}", operation_id="changeCampaign", status_code=200)
    async def change(
        self,
        request: Request[Any, Any, Any],
        campaign_id: FromPath[UUID],
        step: FromPath[CampaignStep],
        campaigns: NamedDependency[CampaignService],
    ) -> CampaignOut:
        """Send no more of it for now, go on where it was paused, or send no more of it for good."""
        steps = {"pause": campaigns.pause, "resume": campaigns.resume, "cancel": campaigns.cancel}
        return await steps[step](campaign_id, by=request.user.id, ip=ip_of(request))


class UnsubscribeController(Controller):
    """Leaving the list. The token in the address is all that is asked for."""

    path = "/api/unsubscribe"
    tags = ("Account",)
    opt = OPEN_TO_MAIL_SERVICES

    @get("/{token:str}", operation_id="openUnsubscribe", status_code=303)
    async def open_page(self, token: Token) -> Redirect:
        """Send the browser to the page with the button: whoever only fetches this address must not end anything."""
        return Redirect(f"/unsubscribe?token={quote(token, safe='')}", status_code=303)

    @post("/{token:str}", operation_id="unsubscribe", status_code=200)
    async def unsubscribe(self, token: Token, unsubscribing: NamedDependency[Unsubscribing]) -> UnsubscribeOut:
        """End e-mails of this kind to this person, at once; whatever the body says."""
        return await unsubscribing.unsubscribe(token)

    @get("/{token:str}/about", operation_id="getUnsubscribe")
    async def about(
        self,
        request: Request[Any, Any, Any],
        token: Token,
        unsubscribing: NamedDependency[Unsubscribing],
        throttle: NamedDependency[Throttle],
    ) -> UnsubscribeOut:
        """Say whose e-mails this link ends, and which."""
        await throttle.hit(f"unsubscribe:{ip_of(request)}", limit=LINKS_PER_MINUTE, window_s=60)
        return await unsubscribing.about(token)

    @post("/{token:str}/undo", operation_id="undoUnsubscribe", status_code=200)
    async def undo(self, token: Token, unsubscribing: NamedDependency[Unsubscribing]) -> UnsubscribeOut:
        """Take it back."""
        return await unsubscribing.undo(token)


async def _start(
    request: Request[Any, Any, Any], kind: BulkKind, data: CampaignIn, campaigns: CampaignService, key: str | None
) -> Response[CampaignOut]:
    started = await campaigns.start(kind, data, by=request.user.id, ip=ip_of(request), key=key)
    return Response(started.campaign, headers=replay_headers(started.replayed))
