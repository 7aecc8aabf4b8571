"""Administrators' calls about subscribers of old prices."""

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.billing.repricing.schemas import MoveIn, MovePreviewOut, PriceMoveOut, SubscriberPricesOut
from kernel.billing.repricing.service import PriceMoves
from kernel.core.audit import Actor
from kernel.core.web.access import ADMIN, RECENT_SIGN_IN
from kernel.core.web.paging import PathId


class PriceMoveController(Controller):
    """Who pays which price, and moves from an old price to a new one."""

    path = "/api/admin/payments"
    tags = ("Administration",)
    opt = ADMIN

    @get("/subscriber-prices", operation_id="listSubscriberPrices")
    async def subscribers(self, price_moves: NamedDependency[PriceMoves]) -> SubscriberPricesOut:
        """Return how many people pay which price, and to which others they can be moved."""
        return await price_moves.subscribers()

    @get("/price-moves", operation_id="listPriceMoves")
    async def moves(self, price_moves: NamedDependency[PriceMoves]) -> list[PriceMoveOut]:
        """Return the latest moves with their progress, the last one first."""
        return await price_moves.moves()

    @post("/price-moves/preview", operation_id="previewPriceMove", status_code=200)
    async def preview(self, data: JSONBody[MoveIn], price_moves: NamedDependency[PriceMoves]) -> MovePreviewOut:
        """Return whom a move would concern, and from when on. Nothing happens."""
        return await price_moves.preview(data)

    @post("/price-moves", operation_id="beginPriceMove", opt=RECENT_SIGN_IN, status_code=201)
    async def begin(
        self, actor: NamedDependency[Actor], data: JSONBody[MoveIn], price_moves: NamedDependency[PriceMoves]
    ) -> PriceMoveOut:
        """Tell the subscribers of an old price of a new one, and move them with their renewals after the notice."""
        return await price_moves.begin(data, actor)

    @post("/price-moves/{move_id:int}/stop", operation_id="stopPriceMove", status_code=200)
    async def stop(
        self, actor: NamedDependency[Actor], move_id: PathId, price_moves: NamedDependency[PriceMoves]
    ) -> PriceMoveOut:
        """Leave whoever has not been moved yet on the old price."""
        return await price_moves.stop(move_id, actor)
