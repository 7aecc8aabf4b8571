"""Administrators' calls about how the site does."""

from datetime import date
from typing import Annotated

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from kernel.core.audit import Actor
from kernel.core.web.access import ADMIN
from kernel.insight.rollup import FigureKeeper
from kernel.insight.schemas import FiguresOut
from kernel.insight.service import FigureService

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
