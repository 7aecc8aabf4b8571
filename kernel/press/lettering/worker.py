"""A lettering process: `python -m kernel.press.lettering.worker` reads orders from its input and answers them."""

import io
from typing import Any, Final

from kernel.press.children.serve import OnPhase, serve
from kernel.press.lettering.document import CoverWords, Lettering
from kernel.press.lettering.orders import (
    Choose,
    Compose,
    Continue,
    LaidOut,
    LayOut,
    Measure,
    Measures,
    Order,
    Preview,
    Previews,
    Release,
    Restyle,
    Rewrite,
    ShowFaces,
    Sketch,
)

IDLE_SECONDS: Final = 300.0
"""Words are changed in bursts; between them the memory is worth more than the start."""

GROUND: Final = 480
"""Pixels of the longer side of the ground that a sketch is measured on."""


def _work(order: Order, on_phase: OnPhase) -> Any:
    from kernel.press.lettering.choosing import choose, release, restyle, rewrite
    from kernel.press.lettering.composing import compose
    from kernel.press.lettering.hand.faces import faces_for
    from kernel.press.lettering.hand.palette import palette_of
    from kernel.press.lettering.measuring import measure
    from kernel.press.lettering.outlines import ink_boxes, lay_out, soft_areas
    from kernel.press.lettering.series.look import in_look
    from kernel.press.lettering.sight.viewing import view_of
    from kernel.press.lettering.svg import to_svg

    match order:
        case Choose():
            return choose(
                order.picture,
                order.words,
                genre=order.genre,
                language=order.language,
                colors=order.colors,
                wished=order.style,
                seed=order.seed,
            )
        case Sketch():
            sketched = choose(
                _ground(order.ground, order.width, order.height),
                order.words,
                genre=order.genre,
                language=order.language,
                colors=order.colors,
                wished=order.style,
                seed=order.seed,
            )
            return _shown(sketched, order.width, order.height)
        case Compose():
            return compose(order.picture, order.lettering, width=order.width, height=order.height)
        case LayOut():
            laid_out = lay_out(order.lettering, order.width, order.height)
            return LaidOut(svg=to_svg(laid_out), blocks=ink_boxes(laid_out), soft=soft_areas(laid_out))
        case Restyle():
            return restyle(order.lettering, order.picture, order.style)
        case Rewrite():
            return rewrite(order.lettering, order.words, order.picture)
        case Continue():
            return in_look(order.look, order.picture, order.words, own=order.own, language=order.language)
        case Previews():
            return [_preview(order, style) for style in order.styles]
        case Release():
            return release(order.lettering, order.picture, order.index, order.free)
        case Measure():
            palette = palette_of(view_of(order.picture, order.lettering.artwork))
            return Measures(blocks=measure(order.picture, order.lettering), palette=palette)
        case ShowFaces():
            return faces_for(order.text, order.language)


def _preview(order: Previews, style: str) -> Preview:
    from kernel.press.lettering.choosing import restyle

    return _shown(restyle(order.lettering, order.picture, style), order.width, order.height)


def _shown(lettering: Lettering, width: int, height: int) -> Preview:
    from kernel.press.lettering.outlines import lay_out, soft_areas
    from kernel.press.lettering.svg import to_svg

    laid_out = lay_out(lettering, width, height)
    return Preview(style=lettering.style, lettering=lettering, svg=to_svg(laid_out), soft=soft_areas(laid_out))


def _ground(color: str, width: int, height: int) -> bytes:
    """Return an even picture of these proportions as PNG."""
    from PIL import Image

    stamp = io.BytesIO()
    scale = GROUND / max(width, height)
    Image.new("RGB", (max(1, round(width * scale)), max(1, round(height * scale))), color).save(stamp, "PNG")
    return stamp.getvalue()


def _warm_up() -> None:
    picture = _ground("#808080", 96, 144)
    lettering = _work(Choose(picture=picture, words=CoverWords(title="A", author="A")), lambda phase: None)
    _work(Compose(picture=picture, lettering=lettering, width=96, height=144), lambda phase: None)
    _work(LayOut(lettering=lettering, width=96, height=144), lambda phase: None)


if __name__ == "__main__":
    serve(Order, _work, _warm_up, idle_seconds=IDLE_SECONDS)
