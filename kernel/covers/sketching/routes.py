"""Calls about a cover that is not made yet."""

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.accounts.current_user import CurrentUser
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import USER, AppRequest
from kernel.covers.route_options import title_language
from kernel.covers.sketching.schemas import CoverSketchOut, SketchCoverIn
from kernel.covers.sketching.service import SketchService

SKETCHES_PER_MINUTE = 150
"""Somebody who types without a pause asks twice in a second."""


class SketchController(Controller):
    """Looks at covers that are not made yet."""

    path = "/api/generate-cover/sketch"
    tags = ("Generation",)
    opt = USER

    @post("/", operation_id="sketchCover", status_code=200)
    async def sketch(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        data: JSONBody[SketchCoverIn],
        sketches: NamedDependency[SketchService],
        throttle: NamedDependency[Throttle],
    ) -> CoverSketchOut:
        """Return how the first cover of the same request would have its words; 422 for services that do not say."""
        await throttle.hit(f"sketch:{user.id}", limit=SKETCHES_PER_MINUTE, window_s=60)
        return await sketches.sketch(user.id, data, language=title_language(request, user))
