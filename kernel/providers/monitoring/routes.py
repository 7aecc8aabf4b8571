"""Administrators' calls about operation, and the one address for vendors' webhooks."""

from datetime import date
from typing import Annotated

from litestar import Controller, Response, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody, QueryParameter

from kernel.core.audit import Actor
from kernel.core.web.access import ADMIN, AppRequest, audited
from kernel.core.web.paging import DEFAULT_LIMIT, Cursor, Limit, PathId, link_header
from kernel.providers.calls.attempt_log import Outcome
from kernel.providers.monitoring.schemas import (
    AttemptOut,
    BudgetsIn,
    BudgetsOut,
    HealthOut,
    NoticeOut,
    UsageBy,
    UsageOut,
)
from kernel.providers.monitoring.service import MonitoringService
from kernel.providers.webhooks.inbox import WebhookInbox
from kernel.providers.webhooks.schemas import LastWebhook, WebhookOut
from kernel.spi import Kind

InstanceQuery = Annotated[str | None, QueryParameter(name="instance", pattern=r"^[a-z0-9-]{1,40}$")]


class MonitoringController(Controller):
    """How providers do and what they cost."""

    path = "/api/admin"
    tags = ("Administration",)
    opt = ADMIN

    @get("/health", operation_id="listHealth")
    async def health(self, monitoring: NamedDependency[MonitoringService]) -> list[HealthOut]:
        """Return how every instance does."""
        return await monitoring.health()

    @get("/attempts", operation_id="listAttempts")
    async def attempts(
        self,
        request: AppRequest,
        monitoring: NamedDependency[MonitoringService],
        kind: FromQuery[Kind | None] = None,
        instance: InstanceQuery = None,
        outcome: FromQuery[Outcome | None] = None,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[AttemptOut]]:
        """Return what was called, newest first."""
        rows, following = await monitoring.attempts(
            kind=kind, instance=instance, outcome=outcome, cursor=cursor, limit=limit
        )
        return Response(rows, headers=link_header(request, following))

    @get("/usage", operation_id="getUsage", opt=audited("usage.read"))
    async def usage(
        self,
        monitoring: NamedDependency[MonitoringService],
        by: FromQuery[UsageBy] = "instance",
        since: Annotated[date | None, QueryParameter(name="from")] = None,
        until: Annotated[date | None, QueryParameter(name="to")] = None,
    ) -> UsageOut:
        """Return what was used and what it cost, between two UTC days, this month by default."""
        return await monitoring.usage(by=by, since=since, until=until)

    @get("/budgets", operation_id="getBudgets")
    async def budgets(self, monitoring: NamedDependency[MonitoringService]) -> BudgetsOut:
        """Return all limits and what was spent this month."""
        return await monitoring.budgets()

    @put("/budgets", operation_id="saveBudgets")
    async def save_budgets(
        self, data: JSONBody[BudgetsIn], actor: NamedDependency[Actor], monitoring: NamedDependency[MonitoringService]
    ) -> BudgetsOut:
        """Replace all limits; they hold in every process within 2 s."""
        return await monitoring.save_budgets(data, actor)

    @get("/notices", operation_id="listNotices")
    async def notices(
        self,
        monitoring: NamedDependency[MonitoringService],
        only_open: Annotated[bool, QueryParameter(name="open")] = False,
    ) -> list[NoticeOut]:
        """Return notices, newest first: those that matter now, or the latest hundred."""
        return await monitoring.notices(only_open=only_open)

    @post("/notices/{notice_id:int}/dismiss", operation_id="dismissNotice", status_code=204)
    async def dismiss_notice(self, notice_id: PathId, monitoring: NamedDependency[MonitoringService]) -> None:
        """Put a notice out of sight until its cause has ended or got worse."""
        await monitoring.dismiss_notice(notice_id)

    @get("/webhooks", operation_id="listWebhooks")
    async def webhooks(
        self,
        request: AppRequest,
        webhook_inbox: NamedDependency[WebhookInbox],
        instance: InstanceQuery = None,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[WebhookOut]]:
        """Return the events that vendors told of, newest first."""
        rows, following = await webhook_inbox.page(instance=instance, cursor=cursor, limit=limit)
        return Response(rows, headers=link_header(request, following))

    @get("/webhooks/last", operation_id="listLastWebhooks")
    async def last_webhooks(self, webhook_inbox: NamedDependency[WebhookInbox]) -> list[LastWebhook]:
        """Return when each instance's webhook was last heard."""
        return await webhook_inbox.last()

    @post("/webhooks/{event_id:int}/replay", operation_id="replayWebhook", status_code=200)
    async def replay(
        self, event_id: PathId, actor: NamedDependency[Actor], webhook_inbox: NamedDependency[WebhookInbox]
    ) -> WebhookOut:
        """Apply an event once more."""
        return await webhook_inbox.replay(event_id, actor)
