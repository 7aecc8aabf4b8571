"""Words on pictures: how long choosing, layout and drawing take, and 300 letterings that must all be legible."""

import io
import multiprocessing
import time
from collections.abc import Callable
from typing import Final

import msgspec
import numpy as np
import skia
from PIL import Image

from kernel.press.legibility import LOOK_WIDTH, RING, channels, luminance_of
from kernel.press.lettering.choosing import choose
from kernel.press.lettering.composing import compose
from kernel.press.lettering.document import CoverWords, Lettering
from kernel.press.lettering.measuring import measure
from kernel.press.lettering.outlines import lay_out, set_block, set_blocks
from kernel.press.lettering.sheet import BOOKS, LANGUAGES, made
from kernel.press.lettering.sight.viewing import view_of
from kernel.press.lettering.styles import styles
from tests.benchmarks.bench import Bench
from tests.benchmarks.figures import Figure, Section, median, percentile
from tests.benchmarks.processes import cpu_s, peak_mb

WIDTH: Final = 1800
HEIGHT: Final = 2700
SHAPES: Final = ((300, 450), (300, 450), (300, 450), (320, 512), (360, 360), (540, 284), (252, 448))
RENDERS: Final = 300
PICTURES: Final = 60
LAYOUTS: Final = 60
WORST: Final = 10.0
DRAWN_UNIT: Final = 700
SAFE: Final = 0.04
LAYOUT_AIM_MS: Final = 5.0
COMPOSE_AIM_S: Final = 0.5


class Verdict300(msgspec.Struct, frozen=True, kw_only=True):
    """How many blocks were set, how many of them fail by their own measure, on the drawn picture, or are outside."""

    blocks: int
    low: int
    low_drawn: int
    outside: int


def lettering(bench: Bench) -> Section:
    """Time each step, and stress all of them."""
    del bench
    picture = made(2, (WIDTH, HEIGHT))
    words = BOOKS["fantasy"]
    chosen = choose(picture, words, genre="fantasy")
    choosing = [
        _cpu(lambda seed=seed: _fresh(lambda: choose(picture, words, genre="fantasy", seed=seed))) for seed in range(8)
    ]
    measuring = [_cpu(lambda: _fresh(lambda: measure(picture, chosen))) for _ in range(5)]
    first, again = _layouts(chosen)
    composing, peak = _composed_alone(picture, chosen)
    stress = _stress()
    return Section(
        title="Words on a picture",
        conditions=f"{WIDTH}×{HEIGHT} PNG; {RENDERS} letterings of {stress.blocks} blocks on {PICTURES} pictures",
        figures=[
            Figure(what="layout of title and author, warm, p50", value=median(again), unit="ms", at_most=LAYOUT_AIM_MS),
            Figure(what="layout of title and author, warm, p95", value=percentile(again, 0.95), unit="ms"),
            Figure(what="layout, a style's first, p50", value=median(first), unit="ms"),
            Figure(what="layout, a style's first, p95", value=percentile(first, 0.95), unit="ms"),
            Figure(what="choose, CPU", value=median(choosing), unit="s"),
            Figure(what="measure, CPU", value=median(measuring), unit="s"),
            Figure(what="compose, CPU", value=composing, unit="s", at_most=COMPOSE_AIM_S),
            Figure(what="compose, peak memory of its process", value=peak, unit="MB"),
            Figure(what="below the contrast", value=stress.low, unit="blocks", at_most=0),
            Figure(what="below the contrast as drawn", value=stress.low_drawn, unit="blocks", at_most=0),
            Figure(what="outside of the safe area", value=stress.outside, unit="blocks", at_most=0),
        ],
    )


def _fresh(work: Callable[[], object]) -> object:
    """Do it as for a picture that was not seen before."""
    view_of.cache_clear()
    return work()


def _cpu(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


def _layouts(chosen: Lettering) -> tuple[list[float], list[float]]:
    """Return milliseconds of the first and of a later layout of titles that were not laid out before."""
    first, again = [], []
    for index in range(LAYOUTS):
        style = styles()[index % len(styles())]
        for times in (first, again):
            words = CoverWords(title=f"The Garden of {len(times)} Moons", author=f"Clara {index} Whitfold")
            blocks = tuple(
                msgspec.structs.replace(
                    block,
                    text=words.title if block.role == "title" else words.author,
                    font=(style.title if block.role == "title" else style.author).font,
                    case=style.title.case,
                    mode=style.title.mode,
                )
                for block in chosen.blocks
                if block.role in ("title", "author")
            )
            document = msgspec.structs.replace(chosen, blocks=blocks)
            set_block.cache_clear()
            started = time.perf_counter()
            lay_out(document, WIDTH, HEIGHT)
            times.append((time.perf_counter() - started) * 1000)
    return first, again


def _composed_alone(picture: bytes, chosen: Lettering) -> tuple[float, float]:
    """Compose in a process of its own, whose memory is nothing else's."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_compose, (picture, chosen))


def _compose(picture: bytes, chosen: Lettering) -> tuple[float, float]:
    pid = multiprocessing.current_process().pid or 0
    compose(picture, chosen, width=WIDTH, height=HEIGHT)
    before = cpu_s(pid)
    compose(picture, chosen, width=WIDTH, height=HEIGHT)
    return cpu_s(pid) - before, peak_mb(pid)


def _stress() -> Verdict300:
    every = (*BOOKS.items(), *((f"literary {code}", words) for code, words in LANGUAGES.items()))
    blocks = low = low_drawn = outside = 0
    for index in range(RENDERS):
        picture = made(index % PICTURES, SHAPES[index % len(SHAPES)])
        genre, words = every[index % len(every)]
        style = styles()[index % len(styles())].id if index % 3 else ""
        chosen = choose(picture, words, genre=genre, language=genre[9:], style=style, seed=index)
        for number, found in enumerate(measure(picture, chosen)):
            blocks += 1
            low += found.contrast < found.needed
            outside += not found.inside
            low_drawn += _drawn_contrast(picture, chosen, number) < found.needed
    return Verdict300(blocks=blocks, low=low, low_drawn=low_drawn, outside=outside)


def _drawn_contrast(picture: bytes, chosen: Lettering, number: int) -> float:
    """Measure a block on the composed picture itself, at another size, from the pixels just outside of its letters."""
    with Image.open(io.BytesIO(picture)) as opened:
        scale = DRAWN_UNIT / min(opened.width, opened.height * 0.75)
        width, height = round(opened.width * scale), round(opened.height * scale)
    drawn = np.asarray(Image.open(io.BytesIO(compose(picture, chosen, width=width, height=height)))) / 255
    item = set_blocks(chosen, width, height)[number]
    wide, ink = RING * DRAWN_UNIT / LOOK_WIDTH, 1.6
    around = _mask(item, width, height, wide) & ~_mask(item, width, height, ink)
    for other in set_blocks(chosen, width, height):
        around &= ~_mask(other, width, height, ink)
    light, own = luminance_of(drawn[around].astype(np.float32)), luminance_of(channels(item.block.color))
    if not len(light):
        return 21.0
    ratios = (np.maximum(light, own) + 0.05) / (np.minimum(light, own) + 0.05)
    return float(np.percentile(ratios, WORST)) * TOLERANCE


TOLERANCE: Final = 1.06  # another sample of the same ground: without the pixels under the letters, at another size


def _mask(item, width: int, height: int, stroke: float):  # type: ignore[no-untyped-def]
    surface = skia.Surface(width, height)
    paint = skia.Paint(AntiAlias=True, Color=0xFFFFFFFF)
    paint.setStyle(skia.Paint.kStrokeAndFill_Style)
    paint.setStrokeWidth(stroke)
    for small in (True, False):
        surface.getCanvas().drawPath(item.path(small), paint)
    return surface.toarray()[..., 0] > 60
