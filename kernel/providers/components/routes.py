"""Calls about pages and settings components, for administrators."""

from typing import Annotated, Final, cast

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter

from kernel.core.audit import Actor
from kernel.core.errors import Absent, SignedOut
from kernel.core.queue.throttle import Throttle
from kernel.core.text.languages import FALLBACK
from kernel.core.web.access import ADMIN, AppRequest
from kernel.providers.components.frames import frame_document
from kernel.providers.components.schemas import ComponentCallIn, ComponentCallOut
from kernel.providers.components.service import Components
from kernel.providers.kinds import KINDS
from kernel.spi import Kind

CALLS_PER_MINUTE: Final = 120

Language = Annotated[str, QueryParameter(name="language", pattern=r"^[a-z]{2}$")]


class ComponentController(Controller):
    """What plugins show administrators with web components of their own."""

    path = "/api/admin"
    tags = ("Administration",)
    opt = ADMIN

    @get(
        "/providers/{kind:str}/{provider:str}/components/{component:str}/frame",
        operation_id="getComponentFrame",
        media_type="text/html",
        sync_to_thread=False,
    )
    def frame(
        self,
        kind: FromPath[str],
        provider: FromPath[str],
        component: FromPath[str],
        components: NamedDependency[Components],
        language: Language = FALLBACK,
    ) -> Response[str]:
        """The document of a frame in which a component runs: a sandbox of an origin of its own, without connections."""
        if kind not in KINDS:
            raise Absent
        html, headers = frame_document(*components.find(cast(Kind, kind), provider, component), language)
        return Response(html, media_type="text/html", headers=headers)

    @post(
        "/instances/{instance_id:str}/components/{component:str}/calls/{call:str}",
        operation_id="callComponent",
        status_code=200,
    )
    async def call(
        self,
        request: AppRequest,
        instance_id: FromPath[str],
        component: FromPath[str],
        call: FromPath[str],
        actor: NamedDependency[Actor],
        data: JSONBody[ComponentCallIn],
        components: NamedDependency[Components],
        throttle: NamedDependency[Throttle],
    ) -> ComponentCallOut:
        """Run what a component asks for: a method that its plugin declares, with argument and answer of its types."""
        if request.user is None:
            raise SignedOut
        await throttle.hit(f"component-call:{actor.id}", limit=CALLS_PER_MINUTE, window_s=60)
        answer = await components.call(instance_id, component, call, data.argument, request.user, actor)
        return ComponentCallOut(answer=answer)
