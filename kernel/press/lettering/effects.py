"""Effects as geometry: the areas of color between picture and letters, the same for SVG and for pixels."""

from typing import Final, Literal

import msgspec

from kernel.press.box import Box
from kernel.press.lettering.document import Block

EASE: Final = tuple((step / 10, 1 - (step / 10) ** 2 * (3 - 2 * step / 10)) for step in range(11))
"""How an effect fades out: position and share of its opacity, smoothly at both ends, so that no edge is seen."""

SHADOW_RINGS: Final = (
    (0.40, 0.055),
    (0.33, 0.075),
    (0.265, 0.095),
    (0.205, 0.12),
    (0.15, 0.15),
    (0.1, 0.18),
    (0.055, 0.22),
)
"""Strokes around the letters, widest first: width in ems, share of the opacity. Together they look like a blur."""
SHADOW_DROP: Final = 0.018  # ems
OUTLINE: Final = 0.17  # ems of the stroke at full amount
BLUR: Final = 0.035  # of the panel's width: the deviation of the blur at full amount
BLUR_VEIL: Final = 0.55  # opacity of the color over what is blurred, at full amount
PLATE_PADDING: Final = 0.42  # ems
SCRIM_CORE: Final = 0.30  # ems from the ink to where a scrim begins to fade
SCRIM_ROUND: Final = 1.2  # of the half box; at the corners of the box a scrim has hardly begun to fade
GRADIENT_FADE: Final = 1.5
FADE: Final = 0.16  # of the panel's shorter side: how far a scrim or gradient fades, at least
FADE_EMS: Final = 0.9

Kind = Literal["rect", "stroke", "linear", "radial"]


class Tint(msgspec.Struct, frozen=True, kw_only=True):
    """One area of color, in pixels of the panel.

    `rect` is even; `stroke` draws the block's outline, moved by (x, y), `width` wide. `linear` runs from (x0, y0) to
    (x1, y1), `radial` from the center (x0, y0) to the radii (x1, y1) of an ellipse; both are even for the share `core`
    of the way and then fade along EASE, within the rectangle (x, y, width, height).
    """

    kind: Kind
    color: str
    alpha: float
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0
    x0: float = 0.0
    y0: float = 0.0
    x1: float = 0.0
    y1: float = 0.0
    core: float = 0.0

    def stops(self) -> tuple[tuple[float, float], ...]:
        """Return the positions and opacities of the gradient."""
        rest = 1 - self.core
        first = ((0.0, self.alpha),) if self.core else ()
        return first + tuple((self.core + at * rest, self.alpha * share) for at, share in EASE)


def tints(block: Block, box: Box, size: float, panel: tuple[float, float]) -> tuple[Tint, ...]:
    """Return what the block's effect draws below its letters, for the box of their ink, in pixels. Blur adds a veil."""
    kind, amount = block.effect.kind, block.effect.amount
    if amount <= 0 or box.width <= 0:
        return ()
    match kind:
        case "shadow":
            return _shadow(block, size)
        case "outline":
            return (Tint(kind="stroke", color=block.effect.color, alpha=1.0, width=size * OUTLINE * amount),)
        case "plate":
            return (_plate(block, box, size, panel),)
        case "scrim":
            return _soft(block.effect.color, amount, box, size, panel)
        case "blur":
            return _soft(block.effect.color, amount * BLUR_VEIL, box, size, panel)
        case "gradient":
            return _gradient(block.effect.color, amount, box, size, panel)
        case _:
            return ()


def reach(block: Block, size: float) -> float:
    """Return how far the effect's drawn letters go beyond their ink, in pixels: an outline counts as letter."""
    return size * OUTLINE * block.effect.amount / 2 if block.effect.kind == "outline" else 0.0


def _shadow(block: Block, size: float) -> tuple[Tint, ...]:
    color, amount = block.effect.color, block.effect.amount
    return tuple(
        Tint(kind="stroke", color=color, alpha=amount * share, y=size * SHADOW_DROP, width=size * width)
        for width, share in SHADOW_RINGS
    )


def is_band(block: Block) -> bool:
    """Return whether the plate is a band: its area spans the panel."""
    return block.effect.kind == "plate" and block.area.left <= 0.001 and block.area.width >= 0.999


def _plate(block: Block, box: Box, size: float, panel: tuple[float, float]) -> Tint:
    pad = max(size * PLATE_PADDING, 0.03 * min(panel))
    left, top, right, bottom = box.left - pad * 1.15, box.top - pad, box.right + pad * 1.15, box.bottom + pad
    if is_band(block):
        left, right = 0.0, panel[0]
    return _rect(block.effect.color, block.effect.amount, Box(left, top, right, bottom))


def _rect(color: str, alpha: float, box: Box) -> Tint:
    return Tint(kind="rect", color=color, alpha=alpha, x=box.left, y=box.top, width=box.width, height=box.height)


def _fade(size: float, panel: tuple[float, float]) -> float:
    return max(FADE * min(panel), size * FADE_EMS)


def _soft(color: str, alpha: float, box: Box, size: float, panel: tuple[float, float]) -> tuple[Tint, ...]:
    """An ellipse about the letters that fades out; its even part reaches nearly to the corners of their box."""
    core, fade = size * SCRIM_CORE, _fade(size, panel)
    across, down = (box.width / 2 + core) * SCRIM_ROUND, (box.height / 2 + core) * SCRIM_ROUND
    rx, ry = across + fade, down + fade
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    return (
        Tint(
            kind="radial",
            color=color,
            alpha=alpha,
            x=x - rx,
            y=y - ry,
            width=2 * rx,
            height=2 * ry,
            x0=x,
            y0=y,
            x1=rx,
            y1=ry,
            core=min(across / rx, down / ry),
        ),
    )


def _gradient(color: str, alpha: float, box: Box, size: float, panel: tuple[float, float]) -> tuple[Tint, ...]:
    """Even from the nearer edge of the panel to just beyond the letters, then fading."""
    width, height = panel
    core, fade = size * SCRIM_CORE, _fade(size, panel) * GRADIENT_FADE
    gaps = {"top": box.top, "bottom": height - box.bottom}
    if box.height > box.width:  # type that runs up an edge
        gaps |= {"left": box.left, "right": width - box.right}
    side = min(gaps, key=lambda name: gaps[name])
    even = max(0.0, {"top": box.bottom, "bottom": height - box.top, "left": box.right, "right": width - box.left}[side])
    far = even + core + fade
    area, line = {
        "top": (Box(0, 0, width, far), (0.0, 0.0, 0.0, far)),
        "bottom": (Box(0, height - far, width, height), (0.0, height, 0.0, height - far)),
        "left": (Box(0, 0, far, height), (0.0, 0.0, far, 0.0)),
        "right": (Box(width - far, 0, width, height), (width, 0.0, width - far, 0.0)),
    }[side]
    x0, y0, x1, y1 = line
    return (
        Tint(
            kind="linear",
            color=color,
            alpha=alpha,
            x=area.left,
            y=area.top,
            width=area.width,
            height=area.height,
            x0=x0,
            y0=y0,
            x1=x1,
            y1=y1,
            core=(even + core) / far,
        ),
    )
