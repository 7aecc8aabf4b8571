"""An invoice as a PDF of one page: real text in embedded fonts, in the customer's script."""

from datetime import UTC, datetime
from typing import Any, Final, Literal

import msgspec
import skia

from kernel.press.typesetting import TextBlock, TypeStyle, layout
from kernel.spi import BillingDetails, decimal_places
from plugins.sandbox_payments.rows import Customer, Invoice, InvoiceLine
from plugins.sandbox_payments.settings import SandboxSettings

Align = Literal["left", "right"]

WIDTH, HEIGHT, MARGIN = 595.0, 842.0, 56.0
"""A4 in points."""

RIGHT: Final = WIDTH - MARGIN
HALF: Final = (RIGHT - MARGIN) / 2
SIDES: Final[tuple[Align, Align]] = ("left", "right")
INK, GREY, FAINT, WARNING = 0xFF111827, 0xFF6B7280, 0xFFE5E7EB, 0xFFB45309
FACE: Final = "sans"
"""A face whose hyphens and digits can be copied from the document: it has no alternates for them."""

NOTICE: Final = "From a sandbox: it takes test cards only, and no money moves."


def document(invoice: Invoice, customer: Customer, settings: SandboxSettings) -> bytes:
    """Return the PDF. Raises PressError on a machine without the drawing library or the fonts."""
    about = skia.PDF.Metadata()
    about.fTitle, about.fAuthor, about.fCreator = f"Invoice {invoice.number}", settings.seller, "Coverwright sandbox"
    stream = skia.DynamicMemoryWStream()
    with skia.PDF.MakeDocument(stream, about) as file, file.page(WIDTH, HEIGHT) as canvas:
        _Page(canvas).invoice(invoice, customer, settings)
    return bytes(stream.detachAsData())


def money(amount: int, currency: str) -> str:
    """Return an amount of minor units as text: `USD 1,900.00`, `JPY 500`, `USD -4.20`."""
    places = decimal_places(currency)
    whole, part = divmod(abs(amount), 10**places)
    sign = "-" if amount < 0 else ""
    return f"{currency.upper()} {sign}{whole:,}" + (f".{part:0{places}}" if places else "")


class _Page:
    """A page that is written from top to bottom."""

    def __init__(self, canvas: Any) -> None:
        self._canvas = canvas
        self._y = MARGIN

    def invoice(self, invoice: Invoice, customer: Customer, settings: SandboxSettings) -> None:
        """Write everything. A customer whose name no typeface has is named by the address."""
        buyer = msgspec.json.decode(invoice.buyer, type=BillingDetails) if invoice.buyer else None
        full_name = (buyer.company or buyer.name) if buyer else customer.name
        name = "" if _block(full_name, (0, 0, HALF, 24), 12, "left").missing else full_name
        self._row(26, (settings.seller, 20, INK), ("Invoice", 20, GREY))
        for line in settings.letterhead.splitlines():
            self._row(14, (line, 10, GREY))
        self._y += 10
        self._row(14, (NOTICE, 10, WARNING))
        self._y += 22
        self._row(14, ("Billed to", 9, GREY), ("Number", 9, GREY))
        self._row(18, (name or customer.email, 12, INK), (invoice.number, 12, INK))
        self._row(18, (customer.email if name else "", 11, INK), (day(invoice.created), 11, INK))
        for line in _address(buyer) if buyer else ():
            self._row(15, (line, 10, INK))
        self._y += 30
        self._row(16, ("Description", 9, GREY), ("Amount", 9, GREY))
        self._rule()
        for item in msgspec.json.decode(invoice.lines, type=list[InvoiceLine]):
            self._row(22, (item.text, 11, INK), (money(item.amount, invoice.currency), 11, INK))
        period = f"{day(invoice.period_start)} – {day(invoice.period_end)}"
        self._row(16, (period, 9, GREY))
        self._y += 6
        self._rule()
        self._row(24, ("Total", 13, INK), (money(invoice.total, invoice.currency), 13, INK))
        self._row(20, (_state(invoice), 11, GREY))
        if invoice.refunded:
            refunded = f"Refunded on {day(invoice.refunded_at or invoice.created)}"
            self._row(20, (refunded, 11, INK), (money(-invoice.refunded, invoice.currency), 11, INK))

    def _row(self, height: float, *parts: tuple[str, float, int]) -> None:
        """Write a text at the left, or one at the left and one at the right; long ones are set smaller."""
        width = HALF * 2 if len(parts) == 1 else HALF - 8
        self._y += height
        for (text, size, color), align in zip(parts, SIDES, strict=False):
            left = MARGIN if align == "left" else RIGHT - width
            for row in _block(text, (left, 0, width, 2 * size), size, align).rows:
                block = TextBlock(text=text, rows=(row._replace(y=self._y),))
                block.draw(self._canvas, _paint(color))

    def _rule(self) -> None:
        self._y += 8
        paint = _paint(FAINT)
        self._canvas.drawRect(skia.Rect.MakeXYWH(MARGIN, self._y, RIGHT - MARGIN, 1), paint)
        self._y += 2


def _block(text: str, place: tuple[float, float, float, float], size: float, align: Align) -> TextBlock:
    return layout(text, place, TypeStyle(font=FACE, voice="sans", align=align, max_size=size, max_lines=1))


def day(at: int) -> str:
    """Return a date as text: `3 May 2026`."""
    moment = datetime.fromtimestamp(at, UTC)
    return f"{moment.day} {moment:%B %Y}"


def _address(buyer: BillingDetails) -> list[str]:
    """Return the lines below the buyer's name: a company has somebody's name among them."""
    place = " ".join(part for part in (buyer.postal_code, buyer.city, buyer.region) if part)
    person = buyer.name if buyer.company else ""
    tax_id = f"Tax ID {buyer.tax_id}" if buyer.tax_id else ""
    return [line for line in (person, buyer.line1, place, buyer.country, tax_id) if line]


def _state(invoice: Invoice) -> str:
    match invoice.state:
        case "paid" if not invoice.total:
            return "Nothing to pay"
        case "paid":
            return f"Paid on {day(invoice.paid_at or invoice.created)} with the card ending in {invoice.card}"
        case "void":
            return "Void: need not be paid"
    return "Open"


def _paint(color: int) -> Any:
    return skia.Paint(Color=color, AntiAlias=True)
