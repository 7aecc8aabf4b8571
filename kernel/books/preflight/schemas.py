"""Wire of the preflight of brought files."""

from typing import Literal

from kernel.core.schemas import Out
from kernel.press.editions import Finding, Outcome

CheckedForm = Literal["printed", "ebook", "audiobook", "social"]
"""What a file is to be: the cover of a printed book, whose measures are asked for, or a picture for shops."""


class PreflightReport(Out, frozen=True, kw_only=True):
    """What preflight says of a file, the worst first. `width` and `height` are those of its page, in inches.

    `picture` shows the page, a PNG as a data URL at `pictureDpi`; blank where there is none.
    """

    outcome: Outcome
    findings: list[Finding]
    width: float
    height: float
    picture: str
    picture_dpi: float


class TemplateMeasures(Out, frozen=True, kw_only=True):
    """What a printer's template says of a book's cover, in inches; null for what it does not say.

    `sheetWidth` and `sheetHeight` are those of its page, null where the page is the cover with its bleed.
    """

    spine: float | None
    sheet_width: float | None
    sheet_height: float | None
