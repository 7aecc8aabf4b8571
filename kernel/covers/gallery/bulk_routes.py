"""Calls that change several covers at once, and the bin."""

from litestar import Controller, delete, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.accounts.current_user import CurrentUser
from kernel.core.web.access import USER
from kernel.core.web.paging import PathId
from kernel.covers.gallery.bulk import BulkService
from kernel.covers.gallery.schemas import CoversChange, CoversChanged
from kernel.covers.gallery.service import GalleryService


class BulkCoverController(Controller):
    """Many covers at once, and what is in the bin."""

    path = "/api/covers"
    tags = ("Covers",)
    opt = USER

    @post("/bulk", operation_id="changeCovers", status_code=200)
    async def change_covers(
        self, user: NamedDependency[CurrentUser], data: JSONBody[CoversChange], bulk: NamedDependency[BulkService]
    ) -> CoversChanged:
        """Do one thing with several covers, with all of them or none; answers those that it changed."""
        return CoversChanged(changed=await bulk.change(user.id, data))

    @delete("/bin", operation_id="emptyBin")
    async def empty_bin(self, user: NamedDependency[CurrentUser], gallery: NamedDependency[GalleryService]) -> None:
        """Remove for ever what is in the bin."""
        await gallery.empty_bin(user.id)

    @delete("/{cover_id:int}/forever", operation_id="removeCover")
    async def remove_cover(
        self, user: NamedDependency[CurrentUser], cover_id: PathId, gallery: NamedDependency[GalleryService]
    ) -> None:
        """Remove for ever one cover that is in the bin."""
        await gallery.remove(user.id, cover_id)
