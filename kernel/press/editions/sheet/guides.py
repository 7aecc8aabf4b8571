"""The lines that printers draw on proofs: red bleed, black trim, green safe area, white barcode, blue folds."""

from typing import Final, Literal, NamedTuple

from kernel.press.trade.geometry import SheetBox, Wrap

CUT, TRIM, SAFE, FOLD, BARCODE = "#e5241d", "#111113", "#18a148", "#2b62d9", "#ffffff"
POINTS: Final = 100  # units of the drawing for an inch

GuideKind = Literal["bleed", "trim", "safe", "fold", "hinge", "barcode"]


class Guide(NamedTuple):
    """One rectangle of the guides."""

    kind: GuideKind
    box: SheetBox
    color: str
    dashed: bool


def guides_of(sheet: Wrap) -> list[Guide]:
    """Return the guides of a sheet."""
    whole = SheetBox(0, 0, sheet.width, sheet.height)
    trimmed = whole.inside(sheet.bleed)
    found = [Guide("bleed", whole, CUT, False)]
    found += [Guide("hinge", box, FOLD, True) for box in sheet.hinges]
    found += [Guide("fold", sheet.spine, FOLD, False), Guide("trim", trimmed, TRIM, False)]
    safe = [sheet.back_safe, sheet.front_safe, *([sheet.spine_text] if sheet.spine_text else [])]
    found += [Guide("safe", box, SAFE, True) for box in safe]
    return [*found, Guide("barcode", sheet.barcode, BARCODE, False)]


def guides_svg(sheet: Wrap) -> str:
    """Return the guides as an SVG whose view box is the sheet, in hundredths of an inch; each has its kind as class."""
    width, height = sheet.width * POINTS, sheet.height * POINTS
    parts = "".join(_drawn(guide) for guide in guides_of(sheet))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.2f} {height:.2f}">'
    return f"{head}{parts}</svg>"


def _drawn(guide: Guide) -> str:
    box = guide.box
    dashes = ' stroke-dasharray="7 5"' if guide.dashed else ""
    return (
        f'<rect class="{guide.kind}" x="{box.x * POINTS:.2f}" y="{box.y * POINTS:.2f}" '
        f'width="{box.width * POINTS:.2f}" height="{box.height * POINTS:.2f}" '
        f'fill="none" stroke="{guide.color}" stroke-width="2"{dashes} '
        'vector-effect="non-scaling-stroke"/>'
    )
