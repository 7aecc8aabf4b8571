"""Rules about colors, pictures and what printers cannot do with them."""

from collections.abc import Callable
from typing import Final

from kernel.press.editions.findings import Finding
from kernel.press.editions.preflight.facts import PdfFacts
from kernel.press.editions.preflight.rules.judged import Aim, checked, said

LEAST_DPI: Final = 300.0
POOR_DPI: Final = 150.0
EXCESS_DPI: Final = 1200.0
NEARLY: Final = 0.985  # a row or column of pixels more or less
MOST_INK: Final = 2.4
INK_SLACK: Final = 0.005
FINEST_LINE: Final = 0.125  # points
SMALL_PICTURE: Final = 0.25  # inches: marks and ornaments may be coarse
_TAGGED: Final = frozenset({"ICCBased", "CalRGB", "CalGray", "Lab"})
_NEW_COMPRESSIONS: Final = frozenset({"JPXDecode", "JBIG2Decode"})


def image_resolution(facts: PdfFacts, aim: Aim) -> Finding | None:
    """Pictures have 300 dots to the inch at their final size."""
    large = [item for item in facts.images if max(item.box.width, item.box.height) > SMALL_PICTURE]
    if not large:
        return None
    least = min(large, key=lambda item: item.dpi)
    low = [item.box for item in large if item.dpi < LEAST_DPI * NEARLY]
    outcome = "fail" if least.dpi < POOR_DPI else "warn" if low else "pass"
    return said("image_resolution", outcome, low, dpi=round(least.dpi), least=LEAST_DPI)  # type: ignore[arg-type]


def image_excess(facts: PdfFacts, aim: Aim) -> Finding | None:
    """More than 1200 dots to the inch only makes the file larger."""
    if not facts.images:
        return None
    most = max(facts.images, key=lambda item: item.dpi)
    return checked("image_excess", most.dpi > EXCESS_DPI, "warn", [most.box], dpi=round(most.dpi), most=EXCESS_DPI)


def color_space(facts: PdfFacts, aim: Aim) -> Finding:
    """IngramSpark takes inks, KDP also light."""
    wrong = sorted(space for space in facts.inks.spaces if space in ("DeviceRGB", "CalRGB", "Lab"))
    if not aim.wants_inks:
        mixed = bool(wrong) and "DeviceCMYK" in facts.inks.spaces
        return checked("color_space", mixed, "warn", spaces=", ".join(sorted(facts.inks.spaces)))
    return checked("color_space", wrong, spaces=", ".join(wrong or sorted(facts.inks.spaces)))


def color_profiles(facts: PdfFacts, aim: Aim) -> Finding | None:
    """IngramSpark wants no color that is tagged with a profile."""
    if not aim.wants_inks:
        return None
    found = sorted(facts.inks.spaces & _TAGGED)
    return checked("color_profiles", found, spaces=", ".join(found))


def spot_colors(facts: PdfFacts, aim: Aim) -> Finding:
    """There is no fifth ink."""
    otherwise = "fail" if aim.wants_inks else "warn"
    return checked("spot_colors", facts.inks.spots, otherwise, names=", ".join(facts.inks.spots[:6]))  # type: ignore[arg-type]


def total_ink(facts: PdfFacts, aim: Aim) -> Finding | None:
    """Too much ink does not dry."""
    if "DeviceCMYK" not in facts.inks.spaces:
        return None
    percent = round(facts.inks.most * 100)
    bad = facts.inks.most > MOST_INK + INK_SLACK
    return checked("total_ink", bad, "fail" if aim.wants_inks else "warn", percent=percent, most=round(MOST_INK * 100))


def black_type(facts: PdfFacts, aim: Aim) -> Finding | None:
    """Small black type of several inks has colored edges."""
    if not facts.texts or "DeviceCMYK" not in facts.inks.spaces:
        return None
    return checked("black_type", facts.inks.rich_type, "warn", size=facts.inks.rich_type)


def transparency(facts: PdfFacts, aim: Aim) -> Finding:
    """Transparency is flattened by those who know what it should look like."""
    return checked("transparency", facts.inks.transparent, kinds=", ".join(facts.inks.transparent))


def press_settings(facts: PdfFacts, aim: Aim) -> Finding:
    """Transfer functions and screens are the printer's own business."""
    return checked("press_settings", facts.inks.settings, "warn", names=", ".join(facts.inks.settings))


def compression(facts: PdfFacts, aim: Aim) -> Finding:
    """JPEG 2000 and JBIG2 are younger than PDF/X-1a; KDP reads them, others may not."""
    found = sorted(facts.inks.compressions & _NEW_COMPRESSIONS)
    return checked("compression", found, "fail" if aim.wants_inks else "warn", names=", ".join(found))


def line_width(facts: PdfFacts, aim: Aim) -> Finding | None:
    """Rules under an eighth of a point break up."""
    lines = [path for path in facts.paths if path.line > 0]
    if not lines:
        return None
    fine = [path.box for path in lines if path.line < FINEST_LINE]
    least = min(path.line for path in lines)
    return checked("line_width", fine, "warn", fine, points=least, least=FINEST_LINE)


def read_in_full(facts: PdfFacts, aim: Aim) -> Finding:
    """What is too large to be read is not vouched for."""
    return checked("read_in_full", not facts.inks.read, "warn")


RULES: Final[tuple[Callable[[PdfFacts, Aim], Finding | None], ...]] = (
    image_resolution,
    image_excess,
    color_space,
    color_profiles,
    spot_colors,
    total_ink,
    black_type,
    transparency,
    press_settings,
    compression,
    line_width,
    read_in_full,
)
