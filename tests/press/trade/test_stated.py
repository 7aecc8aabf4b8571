"""What the boxes of a printer's template state of a cover."""

import pytest

from kernel.press.trade.stated import stated_measures
from kernel.press.trade.table import printers

PAPERBACK = printers()["ingramspark"].bindings["paperback"]
CASE = printers()["ingramspark"].bindings["hardcover"]


@pytest.mark.parametrize(
    ("page", "trim_box", "spine", "sheet"),
    [
        ((15.0, 12.0), (12.68, 9.0), 0.68, (15.0, 12.0)),  # the cover stands on a larger page
        ((12.93, 9.25), (12.68, 9.0), 0.68, None),  # the page is the cover with its bleed
        ((12.93, 9.25), None, 0.68, None),
        ((15.0, 12.0), None, None, (15.0, 12.0)),
        ((15.0, 12.0), (12.68, 8.0), None, (15.0, 12.0)),  # the template of another book
        ((15.0, 12.0), (11.9, 9.0), None, (15.0, 12.0)),
        ((19.0, 13.0), (17.0, 9.0), None, (19.0, 13.0)),  # no spine is that wide
    ],
)
def test_a_paperback_s_spine_is_what_two_panels_leave(
    page: tuple[float, float],
    trim_box: tuple[float, float] | None,
    spine: float | None,
    sheet: tuple[float, float] | None,
) -> None:
    stated = stated_measures(PAPERBACK, (6.0, 9.0), page, trim_box)
    assert stated.spine == (None if spine is None else pytest.approx(spine)) and stated.sheet == sheet


def test_no_box_says_what_a_case_is_made_of() -> None:
    stated = stated_measures(CASE, (6.0, 9.0), (19.0, 13.0), (12.68, 9.0))
    assert (stated.spine, stated.sheet) == (None, (19.0, 13.0))
