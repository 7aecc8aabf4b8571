"""Administrators' calls about how the site does."""

from datetime import date
from typing import Annotated

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, PathParameter, QueryParameter

from kernel.core.audit import Actor
from kernel.core.text.storable import storable
from kernel.core.web.access import ADMIN, AppRequest, audited
from kernel.core.web.paging import Cursor, Limit, PathId, link_header
from kernel.insight.rollup import FigureKeeper
from kernel.insight.schemas import FiguresOut, FoundCover, TimelineEntry, TimelineKind
from kernel.insight.service import FigureService
from kernel.insight.timeline import TimelineService

CoverName = Annotated[str, PathParameter(max_length=40)]
Since = Annotated[date | None, QueryParameter(name="from")]
Until = Annotated[date | None, QueryParameter(name="to")]


class FigureController(Controller):
    """Daily figures: people, covers, money, failures and waiting times."""

    path = "/api/admin/figures"
    tags = ("Administration",)
    opt = ADMIN

    @get(operation_id="getFigures")
    async def figures(
        self, figure_service: NamedDependency[FigureService], since: Since = None, until: Until = None
    ) -> FiguresOut:
        """Return the figures of each UTC day of a range, and of the range before; by default the last thirty days."""
        return await figure_service.read(since, until)

    @get("/file", operation_id="downloadFigures", media_type="text/csv")
    async def file(
        self, figure_service: NamedDependency[FigureService], since: Since = None, until: Until = None
    ) -> Response[str]:
        """Return the figures of a range as CSV."""
        text = await figure_service.table(since, until)
        headers = {"content-disposition": 'attachment; filename="figures.csv"'}
        return Response(text, media_type="text/csv; charset=utf-8", headers=headers)

    @post("/rebuild", operation_id="rebuildFigures", status_code=204)
    async def rebuild(self, figure_keeper: NamedDependency[FigureKeeper], actor: NamedDependency[Actor]) -> None:
        """Have all days counted again from the stored rows."""
        await figure_keeper.rebuild(actor)


class TimelineController(Controller):
    """What happened with one person, and who made a cover."""

    path = "/api/admin"
    tags = ("Administration",)
    opt = ADMIN

    @get("/users/{user_id:int}/timeline", operation_id="listTimeline", opt=audited("user.read"))
    async def entries(
        self,
        request: AppRequest,
        user_id: PathId,
        timeline: NamedDependency[TimelineService],
        kind: FromQuery[TimelineKind | None] = None,
        cursor: Cursor = None,
        limit: Limit = 50,
    ) -> Response[list[TimelineEntry]]:
        """Covers, invoices, emails, sign-ins and the history of a person, the latest first, or one kind of them."""
        page, following = await timeline.page(user_id, kind, cursor=cursor, limit=limit)
        return Response(page, headers=link_header(request, following))

    @get("/covers/{cover_name:str}", operation_id="findCover", opt=audited("user.read"))
    async def find_cover(self, cover_name: CoverName, timeline: NamedDependency[TimelineService]) -> FoundCover:
        """Whose cover has this number, or this id of the generation that made it."""
        return await timeline.find_cover(storable(cover_name))
