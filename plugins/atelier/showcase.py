"""Draw the sample covers of the landing page: `python -m plugins.atelier.showcase OUT_DIR`.

Writes WebP pictures of two widths and `showcase.json`, which lists the showcase and the carousel's stand-ins.
"""

import argparse
import re
import unicodedata
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import msgspec
from PIL import Image

from kernel.press.typesetting import PressError, fonts_folder
from plugins.atelier.compose import compose
from plugins.atelier.samples import CAROUSEL, SHOWCASE, Sample

WIDTHS: Final = (272, 544)  # pixels; a card of the landing page, and the same on a screen of double density
DRAWN: Final = 816  # pixels; drawn larger than shown, because scaling down is the best anti-aliasing
QUALITY: Final = 86
PROCESSES: Final = 2


class Card(msgspec.Struct, frozen=True):
    """One cover as the landing page reads it: file names by width."""

    title: str
    author: str
    genre: str
    width: int
    height: int
    images: dict[str, str]


class Listing(msgspec.Struct, frozen=True):
    """The content of `showcase.json`."""

    showcase: list[Card]
    carousel: list[Card]


def slug(title: str) -> str:
    """Return a title as a file name."""
    plain = unicodedata.normalize("NFKD", title.replace("’", "")).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def draw(sample: Sample, folder: Path) -> Card:
    """Draw one sample and write its files."""
    picture = Image.fromarray(compose(sample.spec(DRAWN)).pixels())
    images = {}
    for width in WIDTHS:
        name = f"{slug(sample.title)}-{width}.webp"
        small = picture.resize((width, width * 3 // 2), Image.Resampling.LANCZOS)
        small.save(folder / name, "WEBP", quality=QUALITY, method=4)
        images[str(width)] = name
    return Card(sample.title, sample.author, sample.genre, WIDTHS[0], WIDTHS[0] * 3 // 2, images)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write everything into a folder, which is made when it is missing."""
    parser = argparse.ArgumentParser(prog="python -m plugins.atelier.showcase", description="Draw the sample covers.")
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args(arguments).folder
    try:
        fonts_folder()
    except PressError as error:
        raise SystemExit(str(error)) from error
    folder.mkdir(parents=True, exist_ok=True)
    samples = (*SHOWCASE, *CAROUSEL)
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        cards = list(pool.map(draw, samples, [folder] * len(samples)))
    listing = Listing(cards[: len(SHOWCASE)], cards[len(SHOWCASE) :])
    (folder / "showcase.json").write_bytes(msgspec.json.format(msgspec.json.encode(listing), indent=2) + b"\n")


if __name__ == "__main__":
    main()
