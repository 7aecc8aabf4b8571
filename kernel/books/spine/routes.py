"""Calls of the spine calculator, open to everybody."""

from typing import Annotated

from litestar import Controller, Response, get
from litestar.di import NamedDependency
from litestar.params import FromQuery, QueryParameter

from kernel.accounts.auth.sessions import Peer
from kernel.books.spine.asking import read_question
from kernel.books.spine.schemas import Sheet, TemplateFormat, TradePrinter
from kernel.books.spine.service import SpineService, sheet_out, trade_out
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import PUBLIC

TEMPLATES_PER_MINUTE = 20
"""Each is drawn in a process of its own."""

MEDIA_TYPES = {"pdf": "application/pdf", "png": "image/png"}
Text = Annotated[str, QueryParameter(max_length=40)]


class SpineController(Controller):
    """What a whole cover measures."""

    path = "/api"
    tags = ("Books",)
    opt = PUBLIC

    @get("/trade", operation_id="getTrade", sync_to_thread=False)
    def trade(self) -> list[TradePrinter]:
        """Return printers, bindings, trims and papers, and where their figures were read."""
        return trade_out()

    @get("/spine", operation_id="getSpine", sync_to_thread=False)
    def spine(
        self,
        printer: Text = "",
        binding: Text = "",
        trim: Text = "",
        pages: Text = "",
        paper: Text = "",
        spine: Text = "",
        direction: Text = "",
    ) -> Sheet:
        """Return the spine and the size of a cover; what is absent is a paperback of 6x9 inches, 300 pages, white."""
        return sheet_out(read_question(_params(locals())))

    @get("/spine/template", operation_id="getSpineTemplate")
    async def template(
        self,
        peer: NamedDependency[Peer],
        spine_service: NamedDependency[SpineService],
        throttle: NamedDependency[Throttle],
        format: FromQuery[TemplateFormat] = "pdf",
        printer: Text = "",
        binding: Text = "",
        trim: Text = "",
        pages: Text = "",
        paper: Text = "",
        spine: Text = "",
        direction: Text = "",
    ) -> Response[bytes]:
        """Return the sheet with its guides: a PDF page of exactly its size, or a PNG at 300 dpi."""
        asked = read_question(_params(locals()))
        await throttle.hit(f"template:{peer.ip}", limit=TEMPLATES_PER_MINUTE, window_s=60)
        made = await spine_service.template(asked, format)
        name = f"{asked.printer}-{asked.binding}-{asked.sheet.pages}pp.{format}"
        headers = {
            "content-disposition": f'attachment; filename="{name}"',
            "cache-control": "public, max-age=3600",
        }
        return Response(made, media_type=MEDIA_TYPES[format], headers=headers)


def _params(given: dict[str, object]) -> dict[str, str]:
    return {name: value for name, value in given.items() if isinstance(value, str)}
