"""What an edition consists of, and what an order lacks."""

import msgspec
import pytest

from kernel.press.editions import Book, Edition, EditionOrder, Front, Picture, Template, files_of, order_faults
from kernel.press.trade.table import CaseMeasures

PAPERBACK = Edition(form="paperback", printer="kdp", trim=(6, 9), pages=300, paper="cream")


def order(edition: Edition = PAPERBACK, **book: object) -> EditionOrder:
    words = msgspec.convert({"title": "The Salt Throne", **book}, Book)
    return EditionOrder(book=words, front=Front(artwork=Picture(path="artwork.png")), edition=edition)


def names(asked: EditionOrder) -> list[str]:
    return [file.name for file in files_of(asked)]


def test_files_are_named_as_printers_ask() -> None:
    assert names(order())[0] == "The-Salt-Throne_KDP-paperback_6x9_300pp_cream.pdf"
    assert names(order(Edition(form="ebook"))) == ["The-Salt-Throne_ebook_1600x2560.jpg"]
    template = Template(spine=0.62)
    spark = Edition(
        form="paperback", printer="ingramspark", trim=(5.5, 8.5), pages=240, paper="template", template=template
    )
    assert names(order(spark))[0] == "The-Salt-Throne_IngramSpark-paperback_5.5x8.5_240pp.pdf"


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("ملحمة البحر والقمر", "ملحمة-البحر-والقمر"),
        ("../..\\evil: name?", "evil-name"),
        ("…", "Book"),
        ("x" * 300, "x" * 60),
    ],
)
def test_a_title_of_any_script_makes_a_safe_name(title: str, stem: str) -> None:
    assert names(order(Edition(form="ebook"), title=title)) == [f"{stem}_ebook_1600x2560.jpg"]


def test_all_files_of_all_editions_have_names_of_their_own() -> None:
    forms = ("ebook", "paperback", "hardcover", "audiobook", "social", "mockups", "layers")
    every = [name for form in forms for name in names(order(msgspec.structs.replace(PAPERBACK, form=form)))]
    assert len(set(every)) == len(every) == 19


def test_a_book_is_shown_beside_others_of_its_series_where_there_are_some() -> None:
    alone = order(msgspec.structs.replace(PAPERBACK, form="mockups"))
    assert "The-Salt-Throne_mockup-sides.png" in names(alone)
    (more,) = set(names(msgspec.structs.replace(alone, volumes=(alone.front,)))) - set(names(alone))
    assert more == "The-Salt-Throne_mockup-volumes.png"


def test_an_order_names_everything_that_it_lacks_at_once() -> None:
    assert order_faults(order()) == []
    bad = msgspec.structs.replace(PAPERBACK, pages=9, trim=(1, 1), isbn="9783161484101")
    assert {(fault.field, fault.code) for fault in order_faults(order(bad, title=" "))} == {
        ("title", "missing"),
        ("trim", "no_such_trim"),
        ("pages", "page_range"),
        ("isbn", "check_digit"),
    }
    assert [fault.code for fault in order_faults(order(Edition(form="paperback", printer="nobody")))] == [
        "no_such_printer"
    ]


def test_a_printer_without_a_formula_is_asked_for_its_numbers() -> None:
    spark = Edition(form="paperback", printer="ingramspark", trim=(6, 9), pages=300, paper="template")
    assert [(fault.field, fault.code) for fault in order_faults(order(spark))] == [("spine", "ask_printer")]
    known = msgspec.structs.replace(spark, template=Template(spine=0.7, width=15.0, height=12.0))
    assert order_faults(order(known)) == []
    small = msgspec.structs.replace(spark, template=Template(spine=0.7, width=12.0, height=9.25))
    assert [(fault.field, fault.code) for fault in order_faults(order(small))] == [("template", "too_small")]
    case = msgspec.structs.replace(known, form="hardcover")
    unsaid = ["board_width", "board_height", "wrap", "hinge"]
    assert [(fault.field, fault.code) for fault in order_faults(order(case))] == [
        (name, "ask_printer") for name in unsaid
    ]
    whole = Template(spine=0.7, case=CaseMeasures(board_width=6.2, board_height=9.25, wrap=0.625, hinge=0.375))
    made = msgspec.structs.replace(case, template=whole)
    assert order_faults(order(made)) == []
    assert names(order(made))[0] == "The-Salt-Throne_IngramSpark-hardcover_6x9_300pp.pdf"
