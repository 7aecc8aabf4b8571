"""Calls about what a cover will show."""

from typing import Annotated

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter

from kernel.accounts.current_user import CurrentUser
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import USER, AppRequest
from kernel.covers.depiction.schemas import DepictionIn, DepictionOut
from kernel.covers.depiction.service import DepictionService
from kernel.covers.elements import ElementOut
from kernel.covers.route_options import title_language

READINGS_PER_MINUTE = 120
"""Somebody who types without a pause asks twice in a second."""

MOST_FOUND = 24


class DepictionController(Controller):
    """What a cover will show."""

    path = "/api/depiction"
    tags = ("Generation",)
    opt = USER

    @post("/", operation_id="readDepiction", status_code=200)
    async def read(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        data: JSONBody[DepictionIn],
        depictions: NamedDependency[DepictionService],
        throttle: NamedDependency[Throttle],
    ) -> DepictionOut:
        """Return what a cover made of these words would show, and what of them cannot be drawn."""
        await throttle.hit(f"depiction:{user.id}", limit=READINGS_PER_MINUTE, window_s=60)
        return await depictions.read(data, language=title_language(request, user))

    @get("/elements", operation_id="findElements")
    async def search(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        depictions: NamedDependency[DepictionService],
        throttle: NamedDependency[Throttle],
        text: Annotated[str, QueryParameter(max_length=80)] = "",
        instance_id: Annotated[str | None, QueryParameter(name="instanceId", max_length=64)] = None,
    ) -> list[ElementOut]:
        """Return what can be drawn and has such a name, the best first; without a text what is asked for most."""
        await throttle.hit(f"elements:{user.id}", limit=READINGS_PER_MINUTE, window_s=60)
        return await depictions.search(
            text, instance_id=instance_id, language=title_language(request, user), limit=MOST_FOUND
        )
