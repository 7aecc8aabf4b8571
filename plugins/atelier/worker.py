"""A drawing process: `python -m plugins.atelier.worker` reads Specs from its input and answers with covers."""

import time

from kernel.press.children.serve import OnPhase, Refused, serve
from plugins.atelier.brief import Spec
from plugins.atelier.drawn import Drawn


def _draw(order: Spec, on_phase: OnPhase) -> Drawn:
    from plugins.atelier.compose import compose
    from plugins.atelier.reference import UnreadableReference
    from plugins.atelier.series import series_words

    started = time.perf_counter()
    try:
        cover = compose(order, on_phase)
        png, bare = cover.pngs()
    except UnreadableReference as error:
        raise Refused("reference", str(error)) from error
    return Drawn(
        png=png,
        bare=bare,
        lettering=cover.lettering,
        elements=cover.elements,
        family=cover.direction.family,
        style=series_words(cover.direction.family, cover.direction.genre, cover.direction.tags),
        missing=cover.type.missing,
        has_title=cover.type.has_title,
        seconds=time.perf_counter() - started,
    )


def _warm_up() -> None:
    from plugins.atelier.compose import compose

    compose(Spec(description="A key", title="A", author="A", family="riso", width=96, height=144))


if __name__ == "__main__":
    serve(Spec, _draw, _warm_up)
