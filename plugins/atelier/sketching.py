"""A sketching process: `python -m plugins.atelier.sketching` reads small Specs and answers how their words are set."""

from kernel.press.children.serve import OnPhase, Refused, serve
from plugins.atelier.brief import Spec
from plugins.atelier.sketched import Sketched


def _sketch(order: Spec, on_phase: OnPhase) -> Sketched:
    from plugins.atelier.compose import compose
    from plugins.atelier.reference import UnreadableReference

    try:
        cover = compose(order, on_phase)
    except UnreadableReference as error:
        raise Refused("reference", str(error)) from error
    return Sketched(
        jpeg=cover.jpeg(bare=cover.lettering is not None),
        lettering=cover.lettering,
        missing=cover.type.missing,
        has_title=cover.type.has_title,
    )


def _warm_up() -> None:
    from plugins.atelier.compose import compose

    compose(Spec(description="A key", title="A", author="A", family="riso", width=96, height=144))


if __name__ == "__main__":
    serve(Spec, _sketch, _warm_up)
