"""Makes files of editions: `python -m kernel.press.editions.worker` answers one PressTask after another."""

import io
from typing import Any, Final

from kernel.press.children.serve import OnPhase, Refused, serve
from kernel.press.editions.order import MakeFile, MeasureSpines, PressTask, ShowSheet
from kernel.press.editions.reported import SetReport

IDLE_SECONDS: Final = 120.0
"""Editions are made in bursts; between them the memory is worth more than the start."""


def _work(order: PressTask, on_phase: OnPhase) -> Any:
    from kernel.press.editions.isbn import IsbnFault
    from kernel.press.editions.making import make_file, show_sheet
    from kernel.press.editions.report import set_report
    from kernel.press.editions.sheet.measuring import measured
    from kernel.press.lettering.composing import UnreadablePicture
    from kernel.press.trade.geometry import TradeFault

    try:
        match order:
            case MakeFile():
                return make_file(order, on_phase)
            case ShowSheet():
                return show_sheet(order)
            case MeasureSpines():
                return measured(order)
            case SetReport():
                return set_report(order)
    except (TradeFault, IsbnFault, KeyError) as error:
        raise Refused("order", str(error)) from error
    except UnreadablePicture as error:
        raise Refused("picture", str(error)) from error


def _warm_up() -> None:
    from PIL import Image

    from kernel.press.editions.making import show_sheet
    from kernel.press.editions.order import Book, Edition, EditionOrder, Front, PictureSource

    stamp = io.BytesIO()
    Image.new("RGB", (96, 144), "#808080").save(stamp, "PNG")
    edition = Edition(form="paperback", printer="kdp", trim=(5.0, 8.0), pages=100, paper="white")
    front = Front(artwork=PictureSource(data=stamp.getvalue()))
    show_sheet(ShowSheet(order=EditionOrder(book=Book(title="A"), front=front, edition=edition), width=96))


if __name__ == "__main__":
    serve(PressTask, _work, _warm_up, idle_seconds=IDLE_SECONDS)
