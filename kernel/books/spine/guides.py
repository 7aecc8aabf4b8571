"""The sheet of a cover, drawn to scale as SVG with its guides: red bleed, black trim, green safe area, barcode."""

from typing import Final

from kernel.press.trade.geometry import SheetBox, Wrap

POINTS: Final = 100
"""Units of the drawing for an inch."""

CUT, TRIM, SAFE, FOLD, PAPER = "#c8322b", "#1c1c1e", "#3f8a4c", "#2f5fa8", "#ffffff"


def guides_svg(sheet: Wrap) -> str:
    """Return the drawing. It holds no text, so that it serves every language, and no style that a page could change."""
    width, height = sheet.width * POINTS, sheet.height * POINTS
    outside = SheetBox(0, 0, sheet.width, sheet.height)
    trimmed = outside.inside(sheet.bleed)
    parts = [
        _box(outside, fill="#f4d9d6"),
        _box(trimmed, fill=PAPER, stroke=TRIM, weight=2),
        _box(sheet.spine, fill="#eceae4", stroke=TRIM, weight=1.5),
        *(_box(hinge, fill="#e3e9f3", stroke=FOLD, weight=1, dashes="8 6") for hinge in sheet.hinges),
        _box(outside, stroke=CUT, weight=3),
        _box(sheet.back_safe, stroke=SAFE, weight=1.5, dashes="10 6"),
        _box(sheet.front_safe, stroke=SAFE, weight=1.5, dashes="10 6"),
        *([_box(sheet.spine_text, stroke=SAFE, weight=1, dashes="6 4")] if sheet.spine_text else []),
        _box(sheet.barcode, fill=PAPER, stroke="#8b8f94", weight=1.5),
        *_bars(sheet.barcode),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.1f} {height:.1f}" width="{width:.0f}" '
        f'height="{height:.0f}">{"".join(parts)}</svg>'
    )


def _box(area: SheetBox, *, fill: str = "none", stroke: str = "none", weight: float = 0, dashes: str = "") -> str:
    inset = weight / 2
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<rect x="{area.x * POINTS + inset:.2f}" y="{area.y * POINTS + inset:.2f}" '
        f'width="{max(0.0, area.width * POINTS - weight):.2f}" height="{max(0.0, area.height * POINTS - weight):.2f}" '
        f'fill="{fill}" stroke="{stroke}" stroke-width="{weight}"{dashed}/>'
    )


def _bars(barcode: SheetBox) -> list[str]:
    """Return bars that say what the box is for; they are no number."""
    inner = barcode.inside(barcode.width * 0.14, barcode.height * 0.2)
    bars, x, turn = [], inner.x, 0
    while x < inner.x + inner.width:
        thick = (0.02, 0.05, 0.03, 0.07)[turn % 4]
        bars.append(_box(SheetBox(x, inner.y, min(thick, inner.x + inner.width - x), inner.height), fill="#c9ccd1"))
        x += thick + (0.03, 0.02, 0.05)[turn % 3]
        turn += 1
    return bars
