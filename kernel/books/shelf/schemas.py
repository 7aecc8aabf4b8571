"""Wire of the shelf."""

from kernel.core.schemas import Out
from kernel.covers.schemas import CoverOut


class ShelfSpine(Out, frozen=True, kw_only=True):
    """The spine of a printed edition: the address of its picture, and its size in inches."""

    url: str
    width: float
    height: float


class ShelfVolume(Out, frozen=True, kw_only=True):
    """A volume of a series. `number` is the cover's, else its book's; `spine` is null until one can be printed."""

    cover: CoverOut
    number: str
    book_id: int | None
    spine: ShelfSpine | None
