"""How different covers of the offline artist look: forty-eight books among each other, and beside samples."""

from collections.abc import Sequence
from typing import Final

from tests.atelier.likeness import (
    ALIKE_BITS,
    ALIKE_COLORS,
    SAME_WAY_BITS,
    Pair,
    among,
    between,
    covers,
    samples,
)
from tests.benchmarks.bench import Bench
from tests.benchmarks.figures import Figure, Section, median, percentile

NEAR: Final = 0.01  # share of the pairs


def likeness(bench: Bench) -> Section:
    """Draw the books and the samples small, and compare every pair."""
    del bench
    books, beside = among(covers()), between(covers(), samples())
    return Section(
        title="Likeness of covers",
        conditions=f"{len(covers())} books, {len(samples())} samples; siblings: at most {ALIKE_BITS} of 64 bits and "
        f"{ALIKE_COLORS} of color apart, in one way {SAME_WAY_BITS} bits",
        figures=[*_figures("books", books), *_figures("book and sample", beside)],
    )


def _figures(what: str, pairs: Sequence[Pair]) -> list[Figure]:
    siblings = [pair for pair in pairs if pair.siblings]
    bits, colors = [float(pair.bits) for pair in pairs], [pair.colors for pair in pairs]
    return [
        Figure(
            what=f"{what}: siblings",
            value=len(siblings),
            unit="",
            at_most=0,
            note="; ".join(pair.words for pair in siblings),
        ),
        Figure(what=f"{what}: hash, nearest hundredth of {len(pairs):,}", value=percentile(bits, NEAR), unit="bits"),
        Figure(what=f"{what}: hash, median", value=median(bits), unit="bits"),
        Figure(what=f"{what}: palette, nearest hundredth", value=percentile(colors, NEAR), unit=""),
        Figure(what=f"{what}: palette, median", value=median(colors), unit=""),
    ]
