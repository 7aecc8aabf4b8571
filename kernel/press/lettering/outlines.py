"""Letters and effects as outlines: what a browser lays over the picture, and what is drawn into it."""

from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from kernel.press.block import TextBlock
from kernel.press.box import EMPTY, Box
from kernel.press.engine import skia
from kernel.press.fonts import Face
from kernel.press.layout import layout
from kernel.press.lettering.document import Block, Color, Lettering, Role
from kernel.press.lettering.effects import BLUR, Tint, is_band, tints
from kernel.press.lettering.orders import InkBox, SoftArea
from kernel.press.style import TypeStyle

BAND_MARGIN: Final = 0.07  # of the panel's shorter side: a band's text stays this far from the panel's edges


class Fractions(msgspec.Struct, frozen=True, kw_only=True):
    """A box in fractions of the panel; ink that is set outside of the panel is below 0 or above 1."""

    left: float
    top: float
    width: float
    height: float


class Outlined(msgspec.Struct, frozen=True, kw_only=True):
    """One block, set. `d` is SVG path data in pixels; `small_d` the small words and hairlines, in `small_color`.

    `box` holds the ink, `size` is the em of the largest line in pixels. `tints` go below the letters, in this order;
    `blur` is the deviation in pixels of the blur of the picture in the area of the first of them, 0 for none.
    """

    role: Role
    d: str
    color: Color
    small_d: str
    small_color: Color
    box: Fractions
    size: float
    lines: tuple[str, ...]
    missing: str
    tints: tuple[Tint, ...]
    blur: float


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """A lettering at a size in pixels; one entry for each block of it."""

    width: int
    height: int
    blocks: tuple[Outlined, ...]


class SetBlock(NamedTuple):
    """A block with its text set, in the pixels of an unturned place; `turned` brings them onto the panel."""

    block: Block
    text: TextBlock
    turned: tuple[float, float, float, float, float, float]
    box: Box
    tints: tuple[Tint, ...]

    @property
    def size(self) -> float:
        """Return the em of the largest line, in pixels."""
        return self.text.size

    def path(self, small: bool) -> Any:
        """Return the Skia outline of the large or of the small words (with the hairlines), on the panel."""
        part = msgspec.structs.replace(self.text, rows=tuple(row for row in self.text.rows if row.small == small))
        path = part.path()
        if small:
            for rule in self.text.rules:
                path.addRect(skia.Rect.MakeLTRB(rule.x0, rule.y - rule.width / 2, rule.x1, rule.y + rule.width / 2))
        a, b, c, d, e, f = self.turned
        if self.block.turn:
            path.transform(skia.Matrix.MakeAll(a, c, e, b, d, f, 0, 0, 1))
        return path


def type_style(block: Block, language: str, width: float) -> TypeStyle:
    """Return how the press sets the block on a panel of this width."""
    return TypeStyle(
        font=block.font,
        case=block.case,
        track=block.track,
        leading=block.leading,
        mode=block.mode,
        align=block.align,
        voice=block.voice,
        max_size=block.max_size * width,
        max_lines=block.max_lines,
        rules=block.rules,
        small_font=block.small_font,
        language=language,
    )


def place_of(block: Block, width: float, height: float) -> Box:
    """Return the area of the block in pixels; that of a band without its margins."""
    left, top = block.area.left * width, block.area.top * height
    place = Box(left, top, left + block.area.width * width, top + block.area.height * height)
    margin = BAND_MARGIN * min(width, height)
    return place._replace(left=place.left + margin, right=place.right - margin) if is_band(block) else place


@lru_cache(maxsize=512)
def set_block(block: Block, language: str, width: int, height: int) -> SetBlock:
    """Set one block on a panel of this size."""
    place = place_of(block, width, height)
    style = type_style(block, language, width)
    match block.turn:
        case 90:  # clockwise: the text's x runs down the panel
            turned, local = (0.0, 1.0, -1.0, 0.0, place.right, place.top), (place.height, place.width)
        case 270:
            turned, local = (0.0, -1.0, 1.0, 0.0, place.left, place.bottom), (place.height, place.width)
        case _:
            turned, local = (1.0, 0.0, 0.0, 1.0, place.left, place.top), (place.width, place.height)
    text = layout(block.text, (0.0, 0.0, *local), style, block.valign)
    if not block.turn:
        text, turned = text.moved(place.left, place.top), (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    box = _turned_box(text.box, turned) if text.rows else EMPTY
    return SetBlock(block, text, turned, box, tints(block, box, text.size, (width, height)))


def set_blocks(lettering: Lettering, width: int, height: int) -> tuple[SetBlock, ...]:
    """Set all blocks of a lettering on a panel of this size."""
    return tuple(set_block(block, lettering.language, width, height) for block in lettering.blocks)


def _turned_box(box: Box, turned: tuple[float, float, float, float, float, float]) -> Box:
    a, b, c, d, e, f = turned
    xs = [a * x + c * y + e for x, y in ((box.left, box.top), (box.right, box.bottom))]
    ys = [b * x + d * y + f for x, y in ((box.left, box.top), (box.right, box.bottom))]
    return Box(min(xs), min(ys), max(xs), max(ys))


def lay_out(lettering: Lettering, width: int, height: int) -> Layout:
    """Set a lettering on a panel of `width` times `height` pixels. Needs no picture."""
    return Layout(
        width=width,
        height=height,
        blocks=tuple(_outlined(item, width, height) for item in set_blocks(lettering, width, height)),
    )


def ink_boxes(laid_out: Layout) -> tuple[InkBox, ...]:
    """Return where the ink of each block is."""
    return tuple(
        InkBox(
            role=block.role,
            left=block.box.left,
            top=block.box.top,
            width=block.box.width,
            height=block.box.height,
            size=block.size / laid_out.width,
            missing=block.missing,
        )
        for block in laid_out.blocks
    )


def soft_areas(laid_out: Layout) -> tuple[SoftArea, ...]:
    """Return where the picture is blurred: SVG cannot blur what lies below it."""
    width, height = laid_out.width, laid_out.height
    return tuple(
        SoftArea(
            x=tint.x0 / width,
            y=tint.y0 / height,
            rx=tint.x1 / width,
            ry=tint.y1 / height,
            core=tint.core,
            sigma=block.blur / width,
        )
        for block in laid_out.blocks
        if block.blur
        for tint in block.tints[:1]
    )


def _outlined(item: SetBlock, width: int, height: int) -> Outlined:
    block, box = item.block, item.box
    blurred = block.effect.kind == "blur"
    return Outlined(
        role=block.role,
        d=_data(item, small=False),
        color=block.color,
        small_d=_data(item, small=True),
        small_color=block.small_color or block.color,
        box=Fractions(left=box.left / width, top=box.top / height, width=box.width / width, height=box.height / height),
        size=item.size,
        lines=tuple(row.line.text for row in item.text.rows),
        missing=item.text.missing,
        tints=item.tints,
        blur=BLUR * block.effect.amount * width if blurred and item.tints else 0.0,
    )


class _Glyph(NamedTuple):
    """A glyph's outline in ems: path data with places for its numbers, and the numbers, x and y in turn."""

    data: str
    numbers: tuple[float, ...]


_DRAWN: Final = {
    skia.Path.Verb.kMove_Verb: ("M", 0, 1),
    skia.Path.Verb.kLine_Verb: ("L", 1, 2),
    skia.Path.Verb.kQuad_Verb: ("Q", 1, 3),
    skia.Path.Verb.kCubic_Verb: ("C", 1, 4),
    skia.Path.Verb.kClose_Verb: ("Z", 0, 0),
}


@lru_cache(maxsize=8192)
def _glyph(font: Face, glyph: int) -> _Glyph:
    path = font.font(font.upem).getPath(glyph)
    data: list[str] = []
    numbers: list[float] = []
    for verb, points in path or ():
        if verb not in _DRAWN:
            continue
        letter, first, end = _DRAWN[verb]
        used = points[first:end]
        data.append(letter + " ".join(["%.1f %.1f"] * len(used)))
        for point in used:
            numbers += (point.x() / font.upem, point.y() / font.upem)
    return _Glyph("".join(data), tuple(numbers))


def _data(item: SetBlock, small: bool) -> str:
    """Return the SVG path data of the large or of the small words, in pixels with one decimal."""
    a, b, c, d, e, f = item.turned
    data: list[str] = []
    numbers: list[float] = []
    for row in item.text.rows:
        if row.small != small:
            continue
        size, start = row.size, row.x - row.line.ink.left * row.size
        for run in row.line.runs:
            for glyph, x, y in zip(run.ids, run.xs, run.ys, strict=True):
                outline = _glyph(run.face, glyph)
                if not outline.numbers:
                    continue
                data.append(outline.data)
                left, base = start + x * size, row.y + y * size
                pairs = zip(outline.numbers[::2], outline.numbers[1::2], strict=True)
                if item.block.turn:
                    for u, v in pairs:
                        px, py = left + u * size, base + v * size
                        numbers += (a * px + c * py + e, b * px + d * py + f)
                else:
                    for u, v in pairs:
                        numbers += (left + u * size, base + v * size)
    text = "".join(data) % tuple(numbers)
    if small and item.text.rules:
        text += "".join(_hairline(item, index) for index in range(len(item.text.rules)))
    return text


def _hairline(item: SetBlock, index: int) -> str:
    rule = item.text.rules[index]
    half = rule.width / 2
    box = _turned_box(Box(rule.x0, rule.y - half, rule.x1, rule.y + half), item.turned)
    return f"M{box.left:.2f} {box.top:.2f}H{box.right:.2f}V{box.bottom:.2f}H{box.left:.2f}Z"
