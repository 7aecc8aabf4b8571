"""A printer's own template PDF: its boxes say what no formula does."""

from pathlib import Path
from typing import Final

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from kernel.press.children.serve import Refused
from kernel.press.editions.order import TemplateSize

POINTS: Final = 72.0
SAME: Final = 0.01  # points


def template_size(path: Path) -> TemplateSize:
    """Return the boxes of a template's first page. Raises Refused (`unreadable`)."""
    try:
        page = PdfReader(path).pages[0]
        unit = float(page.get("/UserUnit", 1.0)) / POINTS
        media = (float(page.mediabox.width) * unit, float(page.mediabox.height) * unit)
        trim = (float(page.trimbox.width) * unit, float(page.trimbox.height) * unit)
    except (PyPdfError, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise Refused("unreadable", "This is no PDF that can be read.") from error
    differs = any(abs(one - other) > SAME for one, other in zip(media, trim, strict=True))
    return TemplateSize(page=media, trim=trim if differs else None)
