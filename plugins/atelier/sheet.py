"""Draw a contact sheet of all samples: `python -m plugins.atelier.sheet OUT.jpg`."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PIL import Image

from plugins.atelier.compose import compose
from plugins.atelier.samples import ABROAD, CAROUSEL, SHOWCASE

COLUMNS: Final = 6
WIDTH: Final = 260  # pixels of one cover on the sheet
DRAWN: Final = 520
GAP: Final = 14
GROUND: Final = "#2b2c2f"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the sheet."""
    parser = argparse.ArgumentParser(prog="python -m plugins.atelier.sheet", description="Draw a contact sheet.")
    parser.add_argument("picture", type=Path)
    target: Path = parser.parse_args(arguments).picture
    samples = (*SHOWCASE, *CAROUSEL, *ABROAD)
    rows, height = -(-len(samples) // COLUMNS), WIDTH * 3 // 2
    sheet = Image.new("RGB", (COLUMNS * (WIDTH + GAP) + GAP, rows * (height + GAP) + GAP), GROUND)
    for index, sample in enumerate(samples):
        cover = Image.fromarray(compose(sample.spec(DRAWN)).pixels())
        place = (GAP + index % COLUMNS * (WIDTH + GAP), GAP + index // COLUMNS * (height + GAP))
        sheet.paste(cover.resize((WIDTH, height), Image.Resampling.LANCZOS), place)
    sheet.save(target, quality=88)


if __name__ == "__main__":
    main()
