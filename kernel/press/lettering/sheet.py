"""Draw contact sheets: `python -m kernel.press.lettering.sheet OUT.jpg [PICTURE …] [--show WHAT]`.

WHAT is `styles`, `languages`, `pictures`, or `three`: each picture in three styles of a genre. Without pictures it
makes its own: skies, ridges, crowds of dots, stripes, a head.
"""

import argparse
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image
from scipy import ndimage

from kernel.press.lettering.choosing import choose
from kernel.press.lettering.composing import compose
from kernel.press.lettering.document import CoverWords
from kernel.press.lettering.styles import styles, styles_for

Floats = npt.NDArray[np.float32]

COLUMNS: Final = 9
CELL: Final = (200, 300)
DRAWN: Final = (600, 900)
GAP: Final = 10
THREE: Final = 3  # styles of each picture
GROUND: Final = (43, 44, 47)

BOOKS: Final[dict[str, CoverWords]] = {
    "fantasy": CoverWords(title="The Salt Throne", author="Maren Oakhollow", series="The Tidebound", number="Book 1"),
    "scifi": CoverWords(title="Slow Light Cargo", author="Idris Vane", tagline="Some freight should never arrive"),
    "romance": CoverWords(title="A Villa Named Later", author="Livia Montcalm", subtitle="A novel"),
    "thriller": CoverWords(title="Nine Minutes Dark", author="J. R. Castellan", tagline="The lights go out at nine"),
    "mystery": CoverWords(title="The Keeper at Gull Point", author="Tamsin Arkwell", subtitle="A lighthouse mystery"),
    "horror": CoverWords(title="The Door Under Ashgrove", author="Silas Thornby"),
    "literary": CoverWords(title="What Rivers Remember", author="Noor Haldane", subtitle="A novel"),
    "children": CoverWords(title="Bramble Can’t Sleep", author="Posy Finch"),
    "nonfiction": CoverWords(title="Fewer, Better Meetings", author="Owen Adeyemi", subtitle="How small teams decide"),
    "historical": CoverWords(title="Midnight at the Calloway", author="Vera Lislet"),
    "poetry": CoverWords(title="Small Weather", author="Ines Caldeira", subtitle="Poems"),
    "western": CoverWords(title="Caravan of the Long Sun", author="Leila Hadari"),
    "cookbook": CoverWords(
        title="My Grandmother’s Table", author="Inês Caldeira", subtitle="Eighty recipes from the coast"
    ),
    "adventure": CoverWords(title="Under Black Sails", author="Anselm Reyl", series="Sea Wolves", number="3"),
    "ya": CoverWords(title="The Fox Who Kept the Moon", author="Juno Parkvale"),
}

LANGUAGES: Final[dict[str, CoverWords]] = {
    "en": CoverWords(title="The Garden of the Moon", author="Clara Whitfold", subtitle="A novel of the old coast"),
    "es": CoverWords(title="El jardín de los sueños", author="Íñigo Peñalver", subtitle="Una novela del sur"),
    "fr": CoverWords(title="L’été où nous étions là", author="Anaïs Lefèvre", subtitle="Roman"),
    "de": CoverWords(title="Große Straße ans Meer", author="Jürgen Weiß", subtitle="Ein Familienroman"),
    "ja": CoverWords(title="海辺の図書館", author="村田 遥香", subtitle="夏の終わりの物語"),
    "zh": CoverWords(title="狐狸偷走了月光", author="林晚秋", subtitle="山海之间的故事"),
    "it": CoverWords(title="La casa di mia nonna", author="Chiara D’Angelo", subtitle="Un romanzo"),
    "pt": CoverWords(title="O coração das águas", author="João Conceição", subtitle="Romance"),
    "ru": CoverWords(title="Тёмный лес и тихая жизнь", author="Анна Ковалинская", subtitle="Роман"),
    "ko": CoverWords(title="별이 빛나는 밤의 도시", author="김하늘", subtitle="장편소설"),
    "ar": CoverWords(title="ملحمة البحر والقمر", author="ليلى حداري", subtitle="رواية"),
    "hi": CoverWords(title="बगीचे की कहानी", author="मीरा जोशिला", subtitle="एक उपन्यास"),
}


class Cell(NamedTuple):
    """One cover of a sheet."""

    picture: bytes
    words: CoverWords
    genre: str
    language: str = "en"
    style: str = ""


def noise(rng: np.random.Generator, size: tuple[int, int], grain: float) -> Floats:
    """Return smooth noise 0..1 (h, w) with features of `grain` pixels."""
    field = ndimage.gaussian_filter(rng.standard_normal((size[1], size[0])).astype(np.float32), grain)
    low, high = np.percentile(field, (1, 99))
    scaled: Floats = np.clip((field - low) / max(1e-6, high - low), 0, 1).astype(np.float32)
    return scaled


def ramp(colors: Sequence[Sequence[int]], at: Floats) -> Floats:
    """Return the colors along 0..1 as RGB 0..255."""
    table = np.array(colors, np.float32)
    place = np.linspace(0, 1, len(table))
    return np.stack([np.interp(at, place, table[:, channel]) for channel in range(3)], axis=2).astype(np.float32)


def made(seed: int, size: tuple[int, int] = (400, 600)) -> bytes:
    """Return a made picture as PNG; seeds count through the kinds."""
    rng = np.random.default_rng(seed)
    w, h = size
    down = np.repeat(np.linspace(0, 1, h, dtype=np.float32)[:, None], w, axis=1)
    across = np.repeat(np.linspace(0, 1, w, dtype=np.float32)[None, :], h, axis=0)
    night = [(8, 12, 38), (22, 38, 88), (92, 84, 140), (235, 170, 130)]
    day = [(70, 130, 200), (170, 210, 235), (245, 240, 225)]
    dusk = [(40, 20, 60), (150, 50, 90), (240, 120, 80), (250, 210, 140)]
    skies = (night, day, dusk)
    tones = skies[(seed // 10) % 3]
    match seed % 10:
        case 0:  # a sky over ridges
            pixels = ramp(tones, down)
            for layer in range(4):
                line = noise(rng, (w, 1), w / (10 + 6 * layer))[0] * 0.16 + 0.5 + 0.12 * layer
                pixels[down > line[None, :]] = np.array(tones[0], np.float32) * (0.9 - 0.2 * layer)
        case 1:  # a moon over the sea
            pixels = ramp(tones, np.clip(down * 1.4, 0, 1))
            pixels[np.hypot((across - 0.5) * w, (down - 0.36) * h) < 0.2 * w] = (250, 240, 210)
            waves = noise(rng, size, 3.0) * 60
            pixels[down > 0.62] = (np.array(tones[0], np.float32) + waves[..., None])[down > 0.62]
        case 2:  # a photograph's noise on all scales
            field = np.sum([noise(rng, size, 2.0**k) * 2.0**k for k in range(1, 6)], axis=0, dtype=np.float32) / 62
            pixels = ramp(((20, 28, 24), (60, 90, 50), (160, 150, 90), (240, 235, 210)), np.asarray(field, np.float32))
        case 3:  # stripes
            pixels = ramp((tones[0], tones[-1]), ((across * 14 + down * 3) % 1 < 0.5).astype(np.float32))
        case 4:  # a checkerboard
            squares = (np.floor(across * 8) + np.floor(down * 12)) % 2
            pixels = ramp(((25, 25, 30), (245, 245, 240)), squares)
        case 5:  # a head and shoulders
            pixels = ramp(tones[::-1], down) * 0.8
            pixels[np.hypot((across - 0.5) * w, (down - 0.9) * h * 0.8) < 0.36 * w] = (60, 50, 70)
            head = np.hypot((across - 0.5) / 0.2, (down - 0.42) / 0.17) < 1
            pixels[head] = (225, 172, 140)
            for x in (0.43, 0.57):
                pixels[np.hypot((across - x) * w, (down - 0.40) * h) < 0.02 * w] = (40, 25, 20)
        case 6:  # lights out of focus
            pixels = ramp(((12, 10, 20), (30, 22, 40)), down)
            for _ in range(70):
                x, y, r = rng.random(), rng.random(), rng.uniform(0.01, 0.06)
                disc = np.hypot((across - x) * w, (down - y) * h) < r * w
                pixels[disc] = pixels[disc] * 0.4 + rng.uniform(80, 255, 3) * 0.6
        case 7:  # an even ground with an object
            pixels = np.broadcast_to(np.float32(rng.uniform(60, 240, 3)), (h, w, 3)).copy()
            x, y = rng.uniform(0.3, 0.7, 2)
            pixels[np.hypot((across - x) * w, (down - y) * h) < 0.24 * w] = rng.uniform(0, 255, 3)
        case 8:  # mist
            pixels = ramp(((205, 210, 214), (236, 234, 228), (180, 190, 200)), noise(rng, size, 40.0))
        case _:  # confetti
            pixels = np.full((h, w, 3), 250, np.float32)
            for _ in range(240):
                x, y = int(rng.integers(w)), int(rng.integers(h))
                pixels[y : y + int(rng.integers(6, 40)), x : x + int(rng.integers(6, 40))] = rng.uniform(0, 255, 3)
    grained = pixels + rng.normal(0, 3, (h, w, 1))
    buffer = io.BytesIO()
    Image.fromarray(np.clip(grained, 0, 255).astype(np.uint8)).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def cells(show: str, pictures: Sequence[bytes]) -> Iterator[Cell]:
    """Yield the covers of a sheet."""
    if show == "styles":
        for index, style in enumerate(styles()):
            words = BOOKS[style.family]
            yield Cell(pictures[index % len(pictures)], words, style.family, "en", style.id)
    elif show == "languages":
        for index, (language, words) in enumerate(LANGUAGES.items()):
            for number, genre in enumerate(("fantasy", "thriller", "romance", "literary", "children", "nonfiction")):
                yield Cell(pictures[(index + number) % len(pictures)], words, genre, language)
    else:
        for index, picture in enumerate(pictures):
            genre = tuple(BOOKS)[index % len(BOOKS)]
            for style in styles_for(genre)[: THREE if show == "three" else 1]:
                yield Cell(picture, BOOKS[genre], genre, "en", style.id if show == "three" else "")


def draw(cell: Cell) -> Image.Image:
    """Return one cover, small."""
    lettering = choose(cell.picture, cell.words, genre=cell.genre, language=cell.language, style=cell.style)
    size = DRAWN
    with Image.open(io.BytesIO(cell.picture)) as picture:
        size = (DRAWN[0], round(DRAWN[0] * picture.height / picture.width))
    cover = Image.open(io.BytesIO(compose(cell.picture, lettering, width=size[0], height=size[1])))
    cover.thumbnail(CELL, Image.Resampling.LANCZOS)
    return cover


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the sheet."""
    parser = argparse.ArgumentParser(prog="python -m kernel.press.lettering.sheet", description="Draw a contact sheet.")
    parser.add_argument("sheet", type=Path)
    parser.add_argument("pictures", type=Path, nargs="*")
    parser.add_argument("--show", choices=("styles", "languages", "pictures", "three"), default="styles")
    options = parser.parse_args(arguments)
    pictures = [path.read_bytes() for path in options.pictures] or [made(seed) for seed in range(30)]
    covers = [draw(cell) for cell in cells(options.show, pictures)]
    columns = 6 if options.show == "languages" else COLUMNS
    rows = -(-len(covers) // columns)
    sheet = Image.new("RGB", (columns * (CELL[0] + GAP) + GAP, rows * (CELL[1] + GAP) + GAP), GROUND)
    for index, cover in enumerate(covers):
        sheet.paste(cover, (GAP + index % columns * (CELL[0] + GAP), GAP + index // columns * (CELL[1] + GAP)))
    sheet.save(options.sheet, quality=90)


if __name__ == "__main__":
    main()
