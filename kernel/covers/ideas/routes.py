"""The call for ideas."""

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.accounts.current_user import CurrentUser
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import USER, AppRequest
from kernel.covers.ideas.schemas import Ideas, IdeasIn
from kernel.covers.ideas.service import IdeaService
from kernel.covers.route_options import title_language

IDEAS_PER_MINUTE = 6
IDEAS_PER_DAY = 60
"""A text model is paid for by the site, not by the user's plan."""


class IdeaController(Controller):
    """Ideas for covers."""

    path = "/api/ideas"
    tags = ("Generation",)
    opt = USER

    @post("/", operation_id="suggestIdeas", status_code=200)
    async def suggest(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        data: JSONBody[IdeasIn],
        ideas: NamedDependency[IdeaService],
        throttle: NamedDependency[Throttle],
    ) -> Ideas:
        """Return four ideas for a cover from a blurb: made by a text model where there is one, else of its words."""
        await throttle.hit(f"ideas:{user.id}", limit=IDEAS_PER_MINUTE, window_s=60)
        await throttle.hit(f"ideas-day:{user.id}", limit=IDEAS_PER_DAY, window_s=86_400)
        return await ideas.suggest(user.id, data.text, language=title_language(request, user))
