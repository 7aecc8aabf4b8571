"""The sheet of a whole cover: the printers' own check values, and what holds for every trim, paper and page count."""

from itertools import pairwise, product

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.press.trade.geometry import BookBlock, SheetBox, TradeFault, Wrap, faults, wrap_of
from kernel.press.trade.table import Binding, CaseMeasures, printers, trim_name

KDP = printers()["kdp"].bindings
CASE = printers()["ingramspark"].bindings["hardcover"]
MADE = [
    (printer_id, binding_id, trim, paper)
    for printer_id, printer in printers().items()
    for binding_id, binding in printer.bindings.items()
    for trim, paper in product(binding.trims, binding.papers)
    if binding.papers[paper].caliper and binding.papers[paper].page_range(trim_name(*trim))[1]
]


@pytest.mark.parametrize(
    ("binding", "trim", "pages", "paper", "spine", "width", "height"),
    [
        ("paperback", (6, 9), 300, "white", 0.6756, 12.9256, 9.25),
        ("paperback", (6, 9), 200, "cream", 0.5, 12.75, 9.25),
        ("paperback", (5, 8), 320, "cream", 0.8, 11.05, 8.25),
        ("paperback", (8.5, 11), 120, "premium_color", 0.2816, 17.5316, 11.25),
        ("hardcover", (6, 9), 234, "cream", 0.774, 14.3488, 10.4173),
        ("hardcover", (7, 10), 200, "premium_color", 0.6584, 16.2332, 11.4173),
    ],
)
def test_the_printers_own_figures_come_out(
    binding: str, trim: tuple[float, float], pages: int, paper: str, spine: float, width: float, height: float
) -> None:
    sheet = wrap_of(KDP[binding], BookBlock(trim=trim, pages=pages, paper=paper))
    assert (sheet.spine.width, sheet.width, sheet.height) == pytest.approx((spine, width, height), abs=0.001)


def test_pixels_are_those_of_300_dpi() -> None:
    sheet = wrap_of(KDP["paperback"], BookBlock(trim=(6, 9), pages=300, paper="white"))
    assert sheet.pixels == (3878, 2775)
    assert wrap_of(KDP["paperback"], BookBlock(trim=(6, 9), pages=299, paper="white")) == sheet


def test_boards_hinges_and_safe_areas_of_a_hardcover_are_those_that_the_calculator_shows() -> None:
    sheet = wrap_of(KDP["hardcover"], BookBlock(trim=(6, 9), pages=234, paper="cream"))
    assert (sheet.front.width, sheet.front.height) == pytest.approx((6.197, 9.236), abs=0.001)
    assert sheet.hinges[0].width == pytest.approx(0.394, abs=0.001)
    assert sheet.spine_text and (sheet.spine_text.width, sheet.spine_text.height) == pytest.approx(
        (0.649, 8.986), abs=0.001
    )
    assert sheet.computed


def within(inner: SheetBox, outer: SheetBox) -> bool:
    slack = 1e-9
    return (
        inner.x >= outer.x - slack
        and inner.y >= outer.y - slack
        and inner.x + inner.width <= outer.x + outer.width + slack
        and inner.y + inner.height <= outer.y + outer.height + slack
    )


def check(binding: Binding, sheet: Wrap) -> None:
    """Assert what holds for every sheet."""
    whole = SheetBox(0, 0, sheet.width, sheet.height)
    panels = sorted((sheet.back, sheet.spine, sheet.front), key=lambda area: area.x)
    for one, other in pairwise(panels):
        assert one.x + one.width == pytest.approx(other.x)
    assert panels[0].x == pytest.approx(sheet.bleed) == sheet.width - panels[2].x - panels[2].width
    assert panels[1] == sheet.spine and all(within(area, whole) for area in panels)
    assert within(sheet.back_safe, sheet.back) and within(sheet.front_safe, sheet.front)
    assert within(sheet.barcode, sheet.back)
    for hinge in sheet.hinges:
        free = [sheet.back_safe, sheet.front_safe, sheet.barcode]
        assert all(area.x >= hinge.x + hinge.width - 1e-9 or area.x + area.width <= hinge.x + 1e-9 for area in free)
    if sheet.spine_text:
        assert within(sheet.spine_text, sheet.spine) and sheet.spine_text.width < sheet.spine.width
    assert (sheet.spine_text is None) == (
        sheet.pages < binding.spine_text_pages or sheet.spine.width <= 2 * binding.spine_safe
    )


@given(st.sampled_from(MADE), st.data())
def test_every_trim_paper_and_page_count_that_is_made_has_a_sheet_whose_parts_fit(
    made: tuple[str, str, tuple[float, float], str], data: st.DataObject
) -> None:
    printer, name, trim, paper = made
    binding = printers()[printer].bindings[name]
    least, most = binding.papers[paper].page_range(trim_name(*trim))
    pages = data.draw(st.integers(least, most))
    one = wrap_of(binding, BookBlock(trim=trim, pages=pages, paper=paper))
    check(binding, one)
    mirrored = wrap_of(binding, BookBlock(trim=trim, pages=pages, paper=paper, right_to_left=True))
    check(binding, mirrored)
    assert (mirrored.width, mirrored.spine, mirrored.front) == (one.width, one.spine, one.back)
    for wrong in (least - 1, most + 1):
        assert [fault.code for fault in faults(binding, BookBlock(trim=trim, pages=wrong, paper=paper))] == [
            "page_range"
        ]


@given(st.floats(4, 8.5), st.floats(6, 11.69), st.integers(24, 550))
def test_a_paperback_of_ones_own_size_fits(width: float, height: float, pages: int) -> None:
    check(KDP["paperback"], wrap_of(KDP["paperback"], BookBlock(trim=(width, height), pages=pages, paper="cream")))


def test_what_a_binding_does_not_take_is_named_all_at_once() -> None:
    found = faults(KDP["hardcover"], BookBlock(trim=(5, 8), pages=20, paper="cream", spine=9))
    assert [(fault.field, fault.code) for fault in found] == [
        ("trim", "no_such_trim"),
        ("pages", "page_range"),
        ("spine", "spine_range"),
    ]
    assert found[1].allowed == {"least": 75, "most": 550}
    assert faults(KDP["paperback"], BookBlock(trim=(8.27, 11.69), pages=100, paper="standard_color"))[0].code == (
        "not_for_trim"
    )
    with pytest.raises(TradeFault, match="no_such_paper"):
        wrap_of(KDP["paperback"], BookBlock(trim=(6, 9), pages=100, paper="groundwood"))


def test_a_printer_that_publishes_no_caliper_is_asked_for_the_spine() -> None:
    binding = printers()["ingramspark"].bindings["paperback"]
    block = BookBlock(trim=(6, 9), pages=300, paper="template")
    assert [fault.code for fault in faults(binding, block)] == ["ask_printer"]
    thin, thick = (
        wrap_of(binding, BookBlock(trim=(6, 9), pages=100, paper="template", spine=spine)) for spine in (0.3, 0.72)
    )
    assert thick.width == pytest.approx(12.97)
    assert thick.spine_text and thick.spine_text.width == pytest.approx(0.72 - 0.125)
    assert thin.spine_text and thin.spine_text.width == pytest.approx(0.3 - 0.0625)
    assert not thick.computed


STATED = CaseMeasures(board_width=6.1875, board_height=9.25, wrap=0.625, hinge=0.375)


def case(stated: CaseMeasures = STATED, **changes: object) -> BookBlock:
    """Return a book in a case, with what the printer's template says of it."""
    block = BookBlock(trim=(6, 9), pages=240, paper="template", spine=0.85, case=stated)
    return msgspec.structs.replace(block, **changes)


def test_a_case_is_made_of_the_numbers_of_its_template() -> None:
    sheet = wrap_of(CASE, case())
    assert sheet.width == pytest.approx(2 * (6.1875 + 0.625) + 0.85)
    assert sheet.height == pytest.approx(9.25 + 2 * 0.625)
    assert (sheet.bleed, sheet.hinges[0].width, sheet.computed) == (0.625, 0.375, False)
    assert sheet.front_safe.x == pytest.approx(sheet.front.x + 0.375)
    assert sheet.back_safe.x == pytest.approx(sheet.back.x + 0.25)
    assert sheet.spine_text and sheet.spine_text.width == pytest.approx(0.85 - 0.125)
    thin = wrap_of(CASE, case(spine=0.3)).spine_text
    assert thin and thin.width == pytest.approx(0.3 - 0.0625)
    assert wrap_of(CASE, case(pages=46)).spine_text is None
    check(CASE, sheet)


def test_a_case_asks_for_every_number_and_takes_no_absurd_one() -> None:
    bare = BookBlock(trim=(6, 9), pages=240, paper="template")
    unsaid = ["spine", "board_width", "board_height", "wrap", "hinge"]
    assert [(fault.field, fault.code) for fault in faults(CASE, bare)] == [(name, "ask_printer") for name in unsaid]
    wrong = faults(CASE, case(CaseMeasures(board_width=5.9, board_height=12.0, wrap=15.0, hinge=0.0)))
    assert [(fault.field, fault.code, fault.allowed) for fault in wrong] == [
        ("board_width", "measure_range", {"least": 6, "most": 7.5}),
        ("board_height", "measure_range", {"least": 9, "most": 10.5}),
        ("wrap", "measure_range", {"least": 0.25, "most": 1.5}),
        ("hinge", "measure_range", {"least": 0.125, "most": 1.0}),
    ]
    everything = faults(CASE, case(msgspec.structs.replace(STATED, wrap=None), trim=(60, 9), paper="cream"))
    assert [fault.field for fault in everything] == ["trim", "paper", "board_width", "wrap"]


def test_numbers_of_a_case_change_no_sheet_whose_printer_does_not_ask_for_them() -> None:
    plain = BookBlock(trim=(6, 9), pages=234, paper="cream")
    measures = CaseMeasures(board_width=7.0, board_height=10.0, wrap=1.0, hinge=0.9)
    stated = msgspec.structs.replace(plain, case=measures)
    for binding in KDP.values():
        assert wrap_of(binding, stated) == wrap_of(binding, plain) and faults(binding, stated) == []


SIDE = st.floats(4, 12)
OVER = st.floats(0, 1.5)


@given(
    st.tuples(SIDE, SIDE), st.tuples(OVER, OVER), st.floats(0.25, 1.5), st.floats(0.125, 1), st.floats(0.3, 2.5),
    st.integers(20, 900),
)  # fmt: skip
def test_every_case_has_a_sheet_whose_parts_fit(
    trim: tuple[float, float], over: tuple[float, float], wrap: float, hinge: float, spine: float, pages: int
) -> None:
    stated = CaseMeasures(board_width=trim[0] + over[0], board_height=trim[1] + over[1], wrap=wrap, hinge=hinge)
    block = case(stated, trim=trim, spine=spine, pages=pages)
    one = wrap_of(CASE, block)
    check(CASE, one)
    assert (one.width, one.height) == pytest.approx(
        (2 * (trim[0] + over[0] + wrap) + spine, trim[1] + over[1] + 2 * wrap)
    )
    mirrored = wrap_of(CASE, msgspec.structs.replace(block, right_to_left=True))
    check(CASE, mirrored)
    assert (mirrored.width, mirrored.spine, mirrored.front) == (one.width, one.spine, one.back)


def test_every_constant_says_where_it_was_read() -> None:
    for printer in printers().values():
        for binding in printer.bindings.values():
            assert binding.source and binding.read >= "2026"
            assert binding.trims or binding.any_trim
