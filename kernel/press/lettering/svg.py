"""A layout as SVG: paths, rectangles and gradients only, so that it can be shown in any page."""

from kernel.press.lettering.effects import Tint
from kernel.press.lettering.outlines import Layout, Outlined


def to_svg(layout: Layout) -> str:
    """Return the SVG of effects and letters; its view box is the panel in pixels."""
    gradients: list[str] = []
    ground: list[str] = []
    letters: list[str] = []
    for index, block in enumerate(layout.blocks):
        for number, tint in enumerate(block.tints):
            name = f"g{index}-{number}"
            if tint.kind in ("linear", "radial"):
                gradients.append(_gradient(tint, name))
            drawn = _drawn(tint, block, name)
            (letters if tint.kind == "stroke" else ground).append(drawn)
        if block.small_d:
            letters.append(f'<path d="{block.small_d}" fill="{block.small_color}"/>')
        if block.d:
            letters.append(f'<path d="{block.d}" fill="{block.color}"/>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {layout.width} {layout.height}">'
    defs = f"<defs>{''.join(gradients)}</defs>" if gradients else ""
    return "".join((head, defs, *ground, *letters, "</svg>"))


def _drawn(tint: Tint, block: Outlined, name: str) -> str:
    match tint.kind:
        case "stroke":
            look = (
                f'fill="none" stroke="{tint.color}" stroke-opacity="{tint.alpha:.3f}" '
                f'stroke-width="{tint.width:.2f}" stroke-linejoin="round"'
            )
            moved = f' transform="translate({tint.x:.2f} {tint.y:.2f})"' if tint.x or tint.y else ""
            return f'<path d="{block.small_d}{block.d}" {look}{moved}/>'
        case "rect":
            return f'<rect {_sides(tint)} fill="{tint.color}" fill-opacity="{tint.alpha:.3f}"/>'
        case _:
            return f'<rect {_sides(tint)} fill="url(#{name})"/>'


def _sides(tint: Tint) -> str:
    return f'x="{tint.x:.2f}" y="{tint.y:.2f}" width="{tint.width:.2f}" height="{tint.height:.2f}"'


def _gradient(tint: Tint, name: str) -> str:
    stops = "".join(
        f'<stop offset="{at:.4f}" stop-color="{tint.color}" stop-opacity="{alpha:.4f}"/>' for at, alpha in tint.stops()
    )
    if tint.kind == "linear":
        line = f'x1="{tint.x0:.2f}" y1="{tint.y0:.2f}" x2="{tint.x1:.2f}" y2="{tint.y1:.2f}"'
        return f'<linearGradient id="{name}" gradientUnits="userSpaceOnUse" {line}>{stops}</linearGradient>'
    placed = f"translate({tint.x0:.2f} {tint.y0:.2f}) scale({tint.x1:.2f} {tint.y1:.2f})"
    return (
        f'<radialGradient id="{name}" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="1" '
        f'gradientTransform="{placed}">{stops}</radialGradient>'
    )
