"""Calls about plugins, providers, instances and routes, for administrators."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final, cast

import msgspec
from litestar import Controller, Response, delete, get, patch, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.response import ServerSentEvent, ServerSentEventMessage

from kernel.core.audit import Actor
from kernel.core.errors import Absent
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import ADMIN, RECENT_SIGN_IN, AppRequest
from kernel.providers.administration.application import Administration, CheckRun
from kernel.providers.administration.schemas import (
    CheckOut,
    DraftIn,
    InstanceChange,
    InstanceIn,
    InstanceOut,
    PluginOut,
    PricesIn,
    ProviderOut,
    RouteIn,
    RouteOut,
    StepOut,
)
from kernel.providers.kinds import KINDS
from kernel.spi import Kind

CHECKS_PER_MINUTE: Final = 20
EVENTS: Final = "text/event-stream"


class PluginController(Controller):
    """What is installed, and what that offers."""

    path = "/api/admin"
    tags = ("Administration",)
    opt = ADMIN

    @get("/plugins", operation_id="listPlugins")
    async def plugins(self, administration: NamedDependency[Administration]) -> list[PluginOut]:
        """Every plugin, those that did not load with the reason."""
        return await administration.plugins()

    @get("/providers", operation_id="listProviders", sync_to_thread=False)
    def providers(self, administration: NamedDependency[Administration]) -> list[ProviderOut]:
        """Every provider, with the schema of its settings."""
        return administration.views.providers()


class InstanceController(Controller):
    """Providers with settings."""

    path = "/api/admin/instances"
    tags = ("Administration",)
    opt = ADMIN

    @get(operation_id="listInstances")
    async def instances(self, administration: NamedDependency[Administration]) -> list[InstanceOut]:
        """All instances, with their state in this process. No secret is ever told."""
        return await administration.instances()

    @get("/{instance_id:str}", operation_id="getInstance")
    async def instance(
        self, instance_id: FromPath[str], administration: NamedDependency[Administration]
    ) -> InstanceOut:
        """One instance."""
        return await administration.instance(instance_id)

    @post(operation_id="createInstance", opt=RECENT_SIGN_IN, status_code=201)
    async def create(
        self, actor: NamedDependency[Actor], data: JSONBody[InstanceIn], administration: NamedDependency[Administration]
    ) -> InstanceOut:
        """Make an instance; it is used in every process within two seconds."""
        return await administration.create(data, actor)

    @patch("/{instance_id:str}", operation_id="changeInstance", opt=RECENT_SIGN_IN)
    async def change(
        self,
        instance_id: FromPath[str],
        actor: NamedDependency[Actor],
        data: JSONBody[InstanceChange],
        administration: NamedDependency[Administration],
    ) -> InstanceOut:
        """Change an instance. Calls in flight end on the old one."""
        return await administration.change(instance_id, data, actor)

    @put("/{instance_id:str}/prices", operation_id="setPrices")
    async def set_prices(
        self,
        instance_id: FromPath[str],
        actor: NamedDependency[Actor],
        data: JSONBody[PricesIn],
        administration: NamedDependency[Administration],
    ) -> InstanceOut:
        """Set what pictures cost, instead of the plugin's prices; it counts in every process within two seconds."""
        return await administration.set_prices(instance_id, data, actor)

    @delete("/{instance_id:str}", operation_id="deleteInstance", opt=RECENT_SIGN_IN, status_code=204)
    async def remove(
        self, instance_id: FromPath[str], actor: NamedDependency[Actor], administration: NamedDependency[Administration]
    ) -> None:
        """Remove an instance that nothing depends on."""
        await administration.delete(instance_id, actor)

    @post("/check", operation_id="checkDraft", opt=RECENT_SIGN_IN, status_code=200)
    async def check_draft(
        self,
        request: AppRequest,
        actor: NamedDependency[Actor],
        data: JSONBody[DraftIn],
        administration: NamedDependency[Administration],
        throttle: NamedDependency[Throttle],
    ) -> Response[CheckOut]:
        """Try settings before they are saved. Asked for `text/event-stream`, each step is told as it ends."""
        await _count(actor, throttle)
        trial = await administration.trial(data)
        return await _answer(request, administration, trial, actor)

    @post("/{instance_id:str}/check", operation_id="checkInstance", status_code=200)
    async def check_instance(
        self,
        instance_id: FromPath[str],
        request: AppRequest,
        actor: NamedDependency[Actor],
        administration: NamedDependency[Administration],
        throttle: NamedDependency[Throttle],
    ) -> Response[CheckOut]:
        """Try the saved settings; when they are good the instance is used again at once."""
        await _count(actor, throttle)
        trial = await administration.trial_of(instance_id)
        return await _answer(request, administration, trial, actor)

    @post("/{instance_id:str}/webhook", operation_id="setUpWebhook", opt=RECENT_SIGN_IN, status_code=200)
    async def set_up_webhook(
        self,
        instance_id: FromPath[str],
        actor: NamedDependency[Actor],
        administration: NamedDependency[Administration],
        throttle: NamedDependency[Throttle],
    ) -> InstanceOut:
        """Let the vendor send its webhooks here; the secret that proves them is kept in the settings."""
        await _count(actor, throttle)
        return await administration.set_up_webhook(instance_id, actor)


class FailoverOrderController(Controller):
    """Which instances of a kind are used, in which order."""

    path = "/api/admin/routes"
    tags = ("Administration",)
    opt = ADMIN

    @get(operation_id="listRoutes")
    async def routes(self, administration: NamedDependency[Administration]) -> list[RouteOut]:
        """The routes of all kinds."""
        return await administration.routes()

    @get("/{kind:str}", operation_id="getRoute")
    async def route(self, kind: FromPath[str], administration: NamedDependency[Administration]) -> RouteOut:
        """The route of one kind."""
        return await administration.route(_kind(kind))

    @put("/{kind:str}", operation_id="saveRoute", opt=RECENT_SIGN_IN)
    async def save(
        self,
        kind: FromPath[str],
        actor: NamedDependency[Actor],
        data: JSONBody[RouteIn],
        administration: NamedDependency[Administration],
    ) -> RouteOut:
        """Order the instances; the first is used, the others in its place."""
        return await administration.order(_kind(kind), data, actor)


def _kind(text: str) -> Kind:
    if text not in KINDS:
        raise Absent
    return cast(Kind, text)


async def _count(actor: Actor, throttle: Throttle) -> None:
    await throttle.hit(f"provider-check:{actor.id}", limit=CHECKS_PER_MINUTE, window_s=60)


async def _answer(
    request: AppRequest, administration: Administration, trial: CheckRun, actor: Actor
) -> Response[CheckOut]:
    """Answer with the report, or with events where the client asks for them."""
    if EVENTS not in request.headers.get("accept", ""):
        return Response(await administration.check(trial, actor), status_code=200)
    events: Response[Any] = ServerSentEvent(_events(administration, trial, actor), status_code=200)
    return events


async def _events(
    administration: Administration, trial: CheckRun, actor: Actor
) -> AsyncIterator[ServerSentEventMessage]:
    """Yield each step as it ends, then the report. A client that goes away ends the check."""
    loop = asyncio.get_running_loop()
    heard: asyncio.Queue[StepOut | None] = asyncio.Queue()

    def tell(step: StepOut) -> None:
        loop.call_soon_threadsafe(heard.put_nowait, step)  # a provider may report from a thread

    checking = asyncio.create_task(administration.check(trial, actor, tell))
    checking.add_done_callback(lambda _: heard.put_nowait(None))
    try:
        while (step := await heard.get()) is not None:
            yield _event("step", step)
        yield _event("report", await checking)
    finally:
        checking.cancel()


def _event(name: str, body: StepOut | CheckOut) -> ServerSentEventMessage:
    return ServerSentEventMessage(data=msgspec.json.encode(body).decode(), event=name)
