"""Tables as CSV that spreadsheets open without running anything."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for a formula at the beginning of a cell (OWASP, CSV injection)."""


def csv_lines(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as lines of CSV; texts that would be formulas begin with an apostrophe, empty is None."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return file.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return "" if value is None else value
