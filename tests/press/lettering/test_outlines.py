"""What a browser shows and what is drawn are the same outlines."""

import io
import re

import msgspec
import numpy as np
import pytest
import skia
from PIL import Image

from kernel.press.bidi import base_direction
from kernel.press.lettering.choosing import choose
from kernel.press.lettering.composing import compose
from kernel.press.lettering.document import Area, ArtworkView, Block, CoverWords, EffectKind, Lettering, TextEffect
from kernel.press.lettering.outlines import ink_boxes, lay_out, soft_areas
from kernel.press.lettering.sheet import LANGUAGES
from kernel.press.lettering.svg import to_svg
from tests.press.lettering.pictures import encoded, flat

WIDTH, HEIGHT = 360, 540


def block(text: str, **changes: object) -> Block:
    """Return a title in the middle of the panel."""
    start = Block(
        role="title", text=text, font="cinzel", color="#f4f0e6", area=Area(left=0.1, top=0.3, width=0.8, height=0.4)
    )
    return msgspec.structs.replace(start, **changes)


def one(text: str, language: str = "", **changes: object) -> Lettering:
    return Lettering(language=language, blocks=(block(text, **changes),))


def drawn_by_svg(lettering: Lettering, ground: int) -> np.ndarray:
    surface = skia.Surface(WIDTH, HEIGHT)
    canvas = surface.getCanvas()
    canvas.clear(ground)
    svg = to_svg(lay_out(lettering, WIDTH, HEIGHT)).encode()  # Skia reads it where it is
    dom = skia.SVGDOM.MakeFromStream(skia.MemoryStream(svg))
    dom.setContainerSize(skia.Size(WIDTH, HEIGHT))
    dom.render(canvas)
    return surface.toarray(colorType=skia.kRGBA_8888_ColorType)[..., :3].astype(int)


def composed(lettering: Lettering, color: str) -> np.ndarray:
    png = compose(flat(color, (WIDTH, HEIGHT)), lettering, width=WIDTH, height=HEIGHT)
    return np.asarray(Image.open(io.BytesIO(png))).astype(int)


def unlike(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """Return the difference of each pixel, 0..255; dithered gradients may differ by two steps."""
    difference = np.abs(one - two).max(axis=2)
    return np.where(difference <= 2, 0, difference)


@pytest.mark.parametrize("kind", ["none", "shadow", "outline", "plate", "scrim", "gradient"])
@pytest.mark.parametrize("turn", [0, 90, 270])
def test_the_svg_is_what_is_drawn(kind: EffectKind, turn: int) -> None:
    effect = TextEffect(kind=kind, color="#201008", amount=0.8)
    lettering = one("The Garden of the Moon", mode="small", rules=True, case="upper", turn=turn, effect=effect)
    drawn, shown = composed(lettering, "#4060a0"), drawn_by_svg(lettering, 0xFF4060A0)
    difference = unlike(drawn, shown)
    assert (np.abs(drawn - drawn[0, -1]).max(axis=2) > 60).sum() > 500  # something was drawn
    assert difference.mean() < 0.6 and np.percentile(difference, 99.5) <= 24


def test_a_whole_cover_in_every_language_is_the_same_in_both() -> None:
    for language, words in LANGUAGES.items():
        lettering = choose(flat("#4060a0"), words, language=language, genre="literary")
        difference = unlike(composed(lettering, "#4060a0"), drawn_by_svg(lettering, 0xFF4060A0))
        assert difference.mean() < 0.5 and np.percentile(difference, 99.5) <= 24, language


def test_the_svg_holds_nothing_but_shapes() -> None:
    lettering = one('<script>"&', effect=TextEffect(kind="scrim", amount=0.5))
    names = set(re.findall(r"<([a-zA-Z]+)", to_svg(lay_out(lettering, 300, 450))))
    assert names <= {"svg", "defs", "radialGradient", "linearGradient", "stop", "path", "rect"}


def test_a_panel_of_twice_the_size_has_the_same_lines_twice_as_large() -> None:
    small, large = (lay_out(one("The Garden of the Moon"), 300 * k, 450 * k).blocks[0] for k in (1, 2))
    assert small.lines == large.lines
    assert large.size == pytest.approx(2 * small.size)
    assert large.box.top == pytest.approx(small.box.top, abs=1e-4)


def test_the_box_holds_the_ink_of_turned_type() -> None:
    for turn in (90, 270):
        lettering = one("Midnight", turn=turn, area=Area(left=0.05, top=0.1, width=0.2, height=0.8))
        (found,) = lay_out(lettering, WIDTH, HEIGHT).blocks
        rows, columns = np.nonzero(np.abs(composed(lettering, "#000000")).max(axis=2) > 40)
        assert found.box.left * WIDTH == pytest.approx(columns.min(), abs=1.5)
        assert found.box.top * HEIGHT == pytest.approx(rows.min(), abs=1.5)
        assert (found.box.top + found.box.height) * HEIGHT == pytest.approx(rows.max() + 1, abs=1.5)
        assert found.box.height > found.box.width


@pytest.mark.parametrize("font", ["cinzel", "bebas", "anton", "lilita", "playfair-i", "rye", "orbitron", "monoton"])
def test_sharp_s_in_capitals_is_the_capital_sharp_s(font: str) -> None:
    (found,) = lay_out(one("Große Straße", "de", case="upper", font=font), 300, 450).blocks
    assert "ẞ" in "".join(found.lines) and "SS" not in "".join(found.lines) and not found.missing


def test_flush_type_is_flush_to_where_reading_starts() -> None:
    for words, language in ((LANGUAGES["ar"], "ar"), (LANGUAGES["en"], "en")):
        lettering = choose(flat("#203040"), words, language=language, style="big-idea")
        title = next(item for item in lettering.blocks if item.role == "title")
        assert title.align == ("right" if base_direction(words.title) == "rtl" else "left")


def test_a_band_reaches_over_the_panel_and_its_text_does_not() -> None:
    lettering = one(
        "Field Notes From the Far North",
        area=Area(left=0.0, top=0.4, width=1.0, height=0.2),
        effect=TextEffect(kind="plate", amount=1.0),
    )
    (found,) = lay_out(lettering, 300, 450).blocks
    assert found.tints[0].x == 0 and found.tints[0].width == 300
    assert found.box.left >= 0.04 and found.box.left + found.box.width <= 0.96


def test_a_picture_of_the_right_size_is_not_resampled() -> None:
    rng = np.random.default_rng(1)
    pixels = rng.integers(0, 256, (HEIGHT, WIDTH, 3))
    png = compose(encoded(pixels), Lettering(), width=WIDTH, height=HEIGHT)
    assert (np.asarray(Image.open(io.BytesIO(png))) == pixels).all()


def test_another_size_is_filled_and_cropped_at_the_center() -> None:
    pixels = np.zeros((100, 300, 3))
    pixels[:, 100:200] = 200
    png = compose(encoded(pixels), Lettering(), width=200, height=200)
    assert (np.asarray(Image.open(io.BytesIO(png)))[:, 4:-4] == 200).all()


def test_the_png_names_its_color_space_and_print_size() -> None:
    image = Image.open(io.BytesIO(compose(flat(), Lettering(), width=1800, height=20)))
    assert image.info["srgb"] == 0 and round(image.info["dpi"][0]) == 300


def test_blur_softens_only_around_the_letters() -> None:
    rng = np.random.default_rng(2)
    pixels = rng.integers(0, 256, (HEIGHT, WIDTH, 1)).repeat(3, axis=2)
    area = Area(left=0.2, top=0.05, width=0.6, height=0.12)
    lettering = one("Salt", area=area, effect=TextEffect(kind="blur", color="#000000", amount=1.0))
    png = compose(encoded(pixels), lettering, width=WIDTH, height=HEIGHT)
    after = np.asarray(Image.open(io.BytesIO(png))).astype(int)
    assert (after[HEIGHT // 2 :] == pixels[HEIGHT // 2 :]).all()
    box = lay_out(lettering, WIDTH, HEIGHT).blocks[0].box
    left, top = round(box.left * WIDTH), round(box.top * HEIGHT)
    beside = np.s_[top + 5 : top + 35, left - 12 : left - 2]
    assert after[beside].std() < 0.2 * pixels[beside].std()


def test_nothing_to_say_draws_nothing() -> None:
    lettering = choose(flat(), CoverWords())
    assert lettering.blocks == () and to_svg(lay_out(lettering, 30, 45)).count("<") == 2


def viewed(artwork: ArtworkView, picture: bytes, size: tuple[int, int]) -> np.ndarray:
    png = compose(picture, Lettering(artwork=artwork), width=size[0], height=size[1])
    return np.asarray(Image.open(io.BytesIO(png))).astype(int)


def test_the_artwork_is_cropped_at_its_focal_point() -> None:
    pixels = np.zeros((400, 400, 3))
    pixels[:200, 200:] = 200
    picture = encoded(pixels)
    assert (viewed(ArtworkView(zoom=2.0, x=1.0, y=0.0), picture, (100, 100)) == 200).all()
    assert (viewed(ArtworkView(zoom=2.0, x=0.0, y=1.0), picture, (100, 100)) == 0).all()
    half = viewed(ArtworkView(zoom=2.0, x=0.5, y=0.0), picture, (100, 100))
    assert (half[:, 52:] == 200).all() and (half[:, :48] == 0).all()


def test_the_artwork_is_darkened_and_blurred_below_the_letters() -> None:
    rng = np.random.default_rng(3)
    noise = encoded(rng.integers(0, 256, (HEIGHT, WIDTH, 1)).repeat(3, axis=2))
    plain, soft = (viewed(ArtworkView(blur=amount), noise, (WIDTH, HEIGHT)) for amount in (0.0, 1.0))
    assert soft.std() < 0.1 * plain.std()
    assert np.abs(np.diff(soft[:, 0], axis=0)).max() <= 12, "at its edges, too"
    dark = viewed(ArtworkView(darken=0.5), flat("#c8c8c8", (WIDTH, HEIGHT)), (WIDTH, HEIGHT))
    assert abs(int(dark.mean()) - 100) <= 1
    lettered = msgspec.structs.replace(one("Salt", color="#ffffff"), artwork=ArtworkView(darken=0.9, blur=1.0))
    assert composed(lettered, "#c8c8c8").max() == 255


def test_soft_areas_are_where_the_picture_is_blurred() -> None:
    blurred = one("Salt", effect=TextEffect(kind="blur", color="#000000", amount=1.0))
    (area,) = soft_areas(lay_out(blurred, WIDTH, HEIGHT))
    (ink,) = ink_boxes(lay_out(blurred, WIDTH, HEIGHT))
    assert area.x == pytest.approx(ink.left + ink.width / 2) and area.y == pytest.approx(ink.top + ink.height / 2)
    assert area.rx > ink.width / 2 and 0 < area.core < 1 and area.sigma == pytest.approx(0.035)
    assert soft_areas(lay_out(one("Salt"), WIDTH, HEIGHT)) == ()
