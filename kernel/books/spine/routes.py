"""Calls of the spine calculator, open to everybody."""

from typing import Annotated

from litestar import Controller, Response, get
from litestar.di import NamedDependency
from litestar.params import FromQuery, QueryParameter

from kernel.accounts.auth.sessions import Peer
from kernel.books.spine.asking import Asked, read_question
from kernel.books.spine.schemas import Sheet, TemplateFormat, TradePrinter
from kernel.books.spine.service import SpineService, sheet_out, trade_out
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import PUBLIC
from kernel.core.wiring import HandlerDependency

TEMPLATES_PER_MINUTE = 20
"""Each is drawn in a process of its own."""

MEDIA_TYPES = {"pdf": "application/pdf", "png": "image/png"}
Text = Annotated[str, QueryParameter(max_length=40)]
BoardWidth = Annotated[str, QueryParameter(name="boardWidth", max_length=40)]
BoardHeight = Annotated[str, QueryParameter(name="boardHeight", max_length=40)]


def read_asked(
    printer: Text = "",
    binding: Text = "",
    trim: Text = "",
    pages: Text = "",
    paper: Text = "",
    spine: Text = "",
    board_width: BoardWidth = "",
    board_height: BoardHeight = "",
    wrap: Text = "",
    hinge: Text = "",
    direction: Text = "",
) -> Asked:
    """Read the question; what is absent is a paperback of 6x9 inches with 300 white pages."""
    return read_question(
        {
            "printer": printer,
            "binding": binding,
            "trim": trim,
            "pages": pages,
            "paper": paper,
            "spine": spine,
            "boardWidth": board_width,
            "boardHeight": board_height,
            "wrap": wrap,
            "hinge": hinge,
            "direction": direction,
        }
    )


QUESTION = {"asked": HandlerDependency(read_asked)}


class SpineController(Controller):
    """What a whole cover measures."""

    path = "/api"
    tags = ("Books",)
    opt = PUBLIC

    @get("/trade", operation_id="getTrade", sync_to_thread=False)
    def trade(self) -> list[TradePrinter]:
        """Return printers, bindings, trims and papers, and where their figures were read."""
        return trade_out()

    @get("/spine", operation_id="getSpine", sync_to_thread=False, dependencies=QUESTION)
    def spine(self, asked: NamedDependency[Asked]) -> Sheet:
        """Return the spine and the size of a cover."""
        return sheet_out(asked)

    @get("/spine/template", operation_id="getSpineTemplate", include_in_schema=False, dependencies=QUESTION)
    async def template(
        self,
        peer: NamedDependency[Peer],
        asked: NamedDependency[Asked],
        spine_service: NamedDependency[SpineService],
        throttle: NamedDependency[Throttle],
        format: FromQuery[TemplateFormat] = "pdf",
    ) -> Response[bytes]:
        """Return the sheet with its guides: a PDF page of exactly its size, or a PNG at 300 dpi."""
        await throttle.hit(f"template:{peer.ip}", limit=TEMPLATES_PER_MINUTE, window_s=60)
        made = await spine_service.template(asked, format)
        name = f"{asked.printer}-{asked.binding}-{asked.sheet.pages}pp.{format}"
        headers = {
            "content-disposition": f'attachment; filename="{name}"',
            "cache-control": "public, max-age=3600",
        }
        return Response(made, media_type=MEDIA_TYPES[format], headers=headers)
