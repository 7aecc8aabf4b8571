"""How the spines of a series are set, so that they can be compared."""

from kernel.press.box import EMPTY
from kernel.press.editions.files import sheet_of
from kernel.press.editions.order import EditionOrder, MeasureSpines, SpineMeasure, SpinesMeasured
from kernel.press.editions.sheet.manner import manners_of
from kernel.press.editions.sheet.spine import reading_of, spine_type

ANY_INK = "#000000"
"""Colors move nothing."""


def measured(order: MeasureSpines) -> SpinesMeasured:
    """Set the spines. Raises TradeFault."""
    return SpinesMeasured(spines=tuple(map(_measured, order.orders, order.mark_shapes)))


def _measured(order: EditionOrder, mark_shape: float | None) -> SpineMeasure:
    sheet = sheet_of(order)
    if not sheet.spine_text:
        return SpineMeasure(height=sheet.spine.height, missing="pages")
    manners = manners_of(order.book, order.front, ANY_INK, ANY_INK)
    made = spine_type(order.book, sheet.spine_text, manners, order.edition.spine_reading, mark_shape)
    reading = reading_of(order.book, order.edition.spine_reading)
    begins = made.author.top - sheet.spine.y
    if reading != "down":
        begins = sheet.spine.y + sheet.spine.height - made.author.bottom
    return SpineMeasure(
        height=sheet.spine.height,
        missing=made.missing,
        reading=reading,
        title_face=manners.title.font,
        author_face=manners.author.font,
        author=None if made.author == EMPTY else begins,
        mark=made.mark is not None,
    )
