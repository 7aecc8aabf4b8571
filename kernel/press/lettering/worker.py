"""A lettering process: `python -m kernel.press.lettering.worker` reads orders from its input and answers them."""

import io
from typing import Any, Final

from kernel.press.children.serve import OnPhase, serve
from kernel.press.lettering.document import CoverWords
from kernel.press.lettering.orders import (
    Choose,
    Compose,
    LayOut,
    Order,
    Preview,
    Previews,
    Restyle,
    Rewrite,
    Sketch,
)

IDLE_SECONDS: Final = 300.0
"""Words are changed in bursts; between them the memory is worth more than the start."""

GROUND: Final = 480
"""Pixels of the longer side of the ground that a sketch is measured on."""


def _work(order: Order, on_phase: OnPhase) -> Any:
    from kernel.press.lettering.choosing import choose, restyle, rewrite
    from kernel.press.lettering.composing import compose
    from kernel.press.lettering.outlines import lay_out
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
            outlines = to_svg(lay_out(sketched, order.width, order.height))
            return Preview(style=sketched.style, lettering=sketched, svg=outlines)
        case Compose():
            return compose(order.picture, order.lettering, width=order.width, height=order.height)
        case LayOut():
            return to_svg(lay_out(order.lettering, order.width, order.height))
        case Restyle():
            return restyle(order.lettering, order.picture, order.style)
        case Rewrite():
            return rewrite(order.lettering, order.words, order.picture)
        case Previews():
            letterings = [(style, restyle(order.lettering, order.picture, style)) for style in order.styles]
            return [
                Preview(style=style, lettering=set_so, svg=to_svg(lay_out(set_so, order.width, order.height)))
                for style, set_so in letterings
            ]


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
