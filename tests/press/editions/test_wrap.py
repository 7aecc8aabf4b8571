"""The whole cover: every panel in its place, type where printers allow it, legible on artwork that goes on."""

import io

import msgspec
import numpy as np
import pytest
from PIL import Image

from kernel.press.box import Box
from kernel.press.editions import Book, Edition, EditionOrder, Front, Ground, Picture
from kernel.press.editions.own import known_of_wrap
from kernel.press.editions.sheet.scene import drawn, type_box
from kernel.press.editions.sheet.wrap import MadeWrap, made_wrap
from kernel.press.legibility import channels, luminance_of
from kernel.press.trade.geometry import SheetBox
from tests.press.editions.orders import ARABIC, CASE, ENGLISH, HARDCOVER, JAPANESE, PAPERBACK, SMALL, order

TREATMENTS = ("mirror", "gradient", "color", "tile")


def within(box: Box, place: SheetBox, slack: float = 1e-3) -> bool:
    return (
        box.left >= place.x - slack
        and box.top >= place.y - slack
        and box.right <= place.x + place.width + slack
        and box.bottom <= place.y + place.height + slack
    )


def contrast_of(made: MadeWrap) -> float:
    """Return the worst tenth of the contrasts of spine and back type against the pixels in its boxes."""
    pixels = made.scene.picture
    worst = 21.0
    for run in (*made.spine.runs, *made.back.runs):
        box = run.box
        if run.color == "#000000" or box.width <= 0:
            continue
        part = pixels[int(box.top * 300) : int(box.bottom * 300) + 1, int(box.left * 300) : int(box.right * 300) + 1]
        light = luminance_of(part.reshape(-1, 3).astype(np.float32) / np.float32(255))
        own = float(luminance_of(channels(run.color)))
        ratios = (np.maximum(light, own) + 0.05) / (np.minimum(light, own) + 0.05)
        worst = min(worst, float(np.percentile(ratios, 10)))
    return worst


def test_a_wrap_has_the_pixels_of_its_sheet_and_the_front_as_it_was_composed() -> None:
    exact = Front(artwork=Picture(data=stripes((1800, 2700))))
    made = made_wrap(EditionOrder(book=ENGLISH, front=exact, edition=PAPERBACK))
    assert made.scene.picture.shape == (2775, 3878, 3)
    assert (made.sheet.width, made.sheet.height) == pytest.approx((12.9256, 9.25))
    left, top = round(made.sheet.front.x * 300), round(made.sheet.front.y * 300)
    panel = made.scene.picture[top : top + 2700, left : left + 1800]
    assert np.array_equal(panel, np.asarray(Image.open(io.BytesIO(exact.artwork.data)))), "resampled"
    assert made.dpi == 300


def stripes(size: tuple[int, int]) -> bytes:
    rng = np.random.default_rng(5)
    pixels = rng.integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def test_beyond_the_trim_the_picture_goes_on_mirrored() -> None:
    made = made_wrap(order())
    picture, bleed = made.scene.picture, round(0.125 * 300)
    front = slice(round(made.sheet.front.x * 300) + 9, picture.shape[1] - bleed)
    assert np.array_equal(picture[:bleed, front], picture[bleed : 2 * bleed, front][::-1])


@pytest.mark.parametrize("book", [ENGLISH, ARABIC, JAPANESE], ids=["en", "ar", "ja"])
@pytest.mark.parametrize("edition", [SMALL, HARDCOVER, CASE], ids=["paperback", "hardcover", "case"])
def test_type_stays_where_the_printer_allows_it(book: Book, edition: object) -> None:
    made = made_wrap(order(edition, book))  # type: ignore[arg-type]
    assert made.sheet.spine_text and made.spine.runs and made.back.fits
    assert within(type_box(made.spine.runs), made.sheet.spine_text)
    barcode = [run for run in made.back.runs if run.color == "#000000" and within(run.box, made.sheet.barcode)]
    assert barcode, "no digits below the bars"
    for run in made.back.runs:
        assert within(run.box, made.sheet.back_safe) or within(run.box, made.sheet.barcode)
        assert run in barcode or not overlaps(run.box, made.sheet.barcode)
    front = [run for run in made.scene.runs if run not in made.spine.runs and run not in made.back.runs]
    assert front and within(type_box(front), made.sheet.front_safe)


def overlaps(box: Box, place: SheetBox) -> bool:
    return (
        box.width > 0
        and box.left < place.x + place.width
        and box.right > place.x
        and box.top < place.y + place.height
        and box.bottom > place.y
    )


@pytest.mark.parametrize("treatment", TREATMENTS)
@pytest.mark.parametrize("seed", [1, 6, 11])
def test_type_beside_the_front_is_legible_by_measure(treatment: str, seed: int) -> None:
    from tests.press.editions.orders import front

    asked = order(ground=Ground(treatment=treatment))  # type: ignore[arg-type]
    made = made_wrap(msgspec.structs.replace(asked, front=front(ENGLISH, seed)))
    assert contrast_of(made) >= 4.5


def test_a_color_of_the_authors_own_gets_an_ink_that_can_be_read_on_it() -> None:
    for color in ("#ffffff", "#101820", "#7f7f7f", "#c8102e", "#ffd100"):
        made = made_wrap(order(ground=Ground(treatment="color", color=color)))
        back = made.scene.picture[1500, 60]
        assert np.abs(back.astype(int) - [int(color[i : i + 2], 16) for i in (1, 3, 5)]).max() == 0
        assert contrast_of(made) >= 4.4, color


def test_the_artwork_meets_the_spine_without_a_seam() -> None:
    made = made_wrap(order(ground=Ground(treatment="mirror")))
    fold = round(made.sheet.front.x * 300)
    across = made.scene.picture[200:-200, fold - 3 : fold + 3].astype(int)
    beside = made.scene.picture[200:-200, fold + 10 : fold + 16].astype(int)
    assert np.abs(np.diff(across.mean(axis=2), axis=1)).mean() < np.abs(np.diff(beside.mean(axis=2), axis=1)).mean() + 2


PAINTED_SIZE = (1860, 1200)


def painted(*, front_left: bool = False) -> bytes:
    """Return a canvas with blue where the artwork of 800 × 1200 is, and green beside it, darker towards the edge."""
    across = np.linspace(30, 200, PAINTED_SIZE[0] - 800)
    pixels = np.zeros((PAINTED_SIZE[1], PAINTED_SIZE[0], 3), np.uint8)
    pixels[:, :, 2] = 220
    pixels[:, :-800] = 0
    pixels[:, :-800, 1] = across
    buffer = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels[:, ::-1] if front_left else pixels)).save(buffer, "PNG")
    return buffer.getvalue()


@pytest.mark.parametrize("book", [ENGLISH, ARABIC], ids=["en", "ar"])
@pytest.mark.parametrize("edition", [SMALL, HARDCOVER], ids=["paperback", "hardcover"])
def test_spine_and_back_are_what_was_painted_on_the_side_where_they_are(book: Book, edition: Edition) -> None:
    blue = io.BytesIO()
    Image.new("RGB", (800, 1200), (0, 0, 220)).save(blue, "PNG")
    ground = Ground(treatment="painted", painted=Picture(data=painted(front_left=book.right_to_left)))
    asked = order(msgspec.structs.replace(edition, ground=ground), book)
    made = made_wrap(msgspec.structs.replace(asked, front=Front(artwork=Picture(data=blue.getvalue()))))
    pixels = made.scene.picture[:, ::-1] if book.right_to_left else made.scene.picture
    row = pixels[-40].astype(int)  # below all type and the barcode
    fold = round((made.sheet.width - made.sheet.front.x - made.sheet.front.width) * 300)
    fold = (
        pixels.shape[1] - fold - round(made.sheet.front.width * 300)
        if not book.right_to_left
        else round((made.sheet.width - made.sheet.spine.x) * 300)
    )
    assert row[fold + 60, 2] > 200 > 40 > row[fold + 60, 1], "the front keeps its own"
    spine = row[fold - 60]
    assert spine[1] > spine[2] + 40, "the spine goes on as it was painted"
    green = row[60 : fold - 200, 1]
    assert green[-1] > green[0], "and grows darker towards the outer edge"
    assert made.dpi < 200, "its resolution counts, too"


def test_what_was_painted_too_narrow_is_mirrored_at_its_far_edge() -> None:
    blue = io.BytesIO()
    Image.new("RGB", (800, 1200), (0, 0, 220)).save(blue, "PNG")
    narrow = io.BytesIO()
    Image.open(io.BytesIO(painted())).crop((700, 0, *PAINTED_SIZE)).save(narrow, "PNG")
    ground = Ground(treatment="painted", painted=Picture(data=narrow.getvalue()))
    asked = msgspec.structs.replace(order(ground=ground), front=Front(artwork=Picture(data=blue.getvalue())))
    row = made_wrap(asked).scene.picture[-40].astype(int)
    back = row[: len(row) // 3]
    assert back.max(axis=1).min() > 60, "no hole is left"
    assert (back[:, 1] > back[:, 2] + 10).mean() > 0.9, "all but what is cropped off the front, which is mirrored, too"


def test_too_few_pages_or_too_thin_a_spine_carry_no_type() -> None:
    made = made_wrap(order(pages=60))
    assert not made.spine.runs and made.spine.missing == "pages"
    assert not [run for run in made.scene.runs if overlaps(run.box, made.sheet.spine)]
    assert made_wrap(order(pages=80)).spine.runs


@pytest.mark.parametrize(
    ("language", "wished", "downwards"),
    [
        ("en", "language", True),
        ("de", "language", True),
        ("fr", "language", False),
        ("ru", "language", False),
        ("fr", "down", True),
    ],
)
def test_spines_are_read_as_the_language_has_it(language: str, wished: str, downwards: bool) -> None:
    book = msgspec.structs.replace(ENGLISH, language=language)
    made = made_wrap(order(SMALL, book, spine_reading=wished))
    title = max(made.spine.runs, key=lambda run: run.box.height)
    assert title.matrix[:4] == ((0, 1, -1, 0) if downwards else (0, -1, 1, 0))


def test_japanese_stands_upright_and_arabic_begins_at_the_head() -> None:
    upright = made_wrap(order(SMALL, JAPANESE)).spine.runs
    tops = [run.box.top for run in upright if run.chars[0] in "海辺の図書館"]
    assert len(tops) == 6 and tops == sorted(tops)
    arabic = made_wrap(order(SMALL, ARABIC)).spine.runs
    assert {run.matrix[:4] for run in arabic} == {(0, -1, 1, 0)}, "letters' heads to the front, on the left"


def test_a_book_that_is_read_from_the_right_has_its_front_on_the_left() -> None:
    made = made_wrap(order(SMALL, ARABIC))
    assert made.sheet.front.x < made.sheet.spine.x < made.sheet.back.x
    assert made.sheet.barcode.x > made.sheet.spine.x
    front = [run for run in made.scene.runs if run not in made.spine.runs and run not in made.back.runs]
    assert within(type_box(front), made.sheet.front)


def test_a_mark_stands_at_the_foot_of_the_spine_and_beside_the_publisher() -> None:
    mark = io.BytesIO()
    Image.new("RGBA", (200, 100), (255, 0, 255, 255)).save(mark, "PNG")
    book = msgspec.structs.replace(ENGLISH, mark=Picture(data=mark.getvalue()))
    made = made_wrap(order(SMALL, book))
    spine, back = made.spine.mark, made.back.mark
    assert spine and spine.y > made.sheet.spine.y + made.sheet.spine.height * 0.8
    assert back and within(Box(back.x, back.y, back.x + back.width, back.y + back.height), made.sheet.back_safe)
    assert not touching(back, made.sheet.barcode)
    for place in (spine, back):
        assert place.width / place.height == pytest.approx(2)
        middle = made.scene.picture[round((place.y + place.height / 2) * 300), round((place.x + place.width / 2) * 300)]
        assert tuple(middle) == (255, 0, 255)
    for run in made.back.runs:  # type stands beside it
        assert not touching(back, SheetBox(run.box.left, run.box.top, run.box.width, run.box.height))
    assert made.mark_dpi == pytest.approx(200 / max(spine.width, back.width))
    (said,) = [one for one in known_of_wrap(order(SMALL, book), made) if one.rule == "mark_resolution"]
    assert said.outcome == ("warn" if made.mark_dpi < 297 else "pass")


@pytest.mark.parametrize(("words", "side"), [(ENGLISH, "left"), (ARABIC, "right")])
def test_a_picture_stands_on_the_back_where_the_text_about_the_author_begins(words: Book, side: str) -> None:
    portrait = io.BytesIO()
    Image.new("RGB", (300, 400), (255, 0, 255)).save(portrait, "PNG")
    book = msgspec.structs.replace(words, about=words.about or words.blurb, picture=Picture(data=portrait.getvalue()))
    made = made_wrap(order(SMALL, book))
    place = made.back.picture
    assert place and place.width / place.height == pytest.approx(0.75) and not touching(place, made.sheet.barcode)
    assert within(Box(place.x, place.y, place.x + place.width, place.y + place.height), made.sheet.back_safe)
    middle = made.sheet.back.x + made.sheet.back.width / 2
    assert (place.x + place.width < middle) == (side == "left")
    inner = made.scene.picture[round((place.y + place.height / 2) * 300), round((place.x + place.width / 2) * 300)]
    assert tuple(inner) == (255, 0, 255)
    for run in made.back.runs:
        assert not touching(place, SheetBox(run.box.left, run.box.top, run.box.width, run.box.height))
    (said,) = [one for one in known_of_wrap(order(SMALL, book), made) if one.rule == "picture_resolution"]
    assert said.outcome == ("warn" if 300 / place.width < 297 else "pass")


def test_a_picture_without_a_text_about_the_author_stands_alone_and_a_quote_above_the_blurb() -> None:
    portrait = io.BytesIO()
    Image.new("RGB", (900, 900), (255, 0, 255)).save(portrait, "PNG")
    quoted = "“A harbour of a novel.”\nThe Evening Post"
    book = msgspec.structs.replace(ENGLISH, about="", quote=quoted, picture=Picture(data=portrait.getvalue()))
    made = made_wrap(order(SMALL, book))
    assert made.back.picture and made.back.fits
    quote, blurb = (
        type_box([run for run in made.back.runs if word in "".join(run.chars)])
        for word in ("harbour", ENGLISH.blurb.split()[0])
    )
    assert quote.height and quote.bottom < blurb.top < blurb.bottom < made.back.picture.y


def touching(one: SheetBox, other: SheetBox) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def test_a_spine_that_is_too_thin_has_no_mark() -> None:
    mark = io.BytesIO()
    Image.new("RGBA", (400, 400), (255, 0, 255, 255)).save(mark, "PNG")
    book = msgspec.structs.replace(ENGLISH, mark=Picture(data=mark.getvalue()))
    made = made_wrap(order(SMALL, book, pages=90))
    assert made.sheet.spine_text and made.sheet.spine_text.width < 0.14
    assert made.spine.mark is None and made.back.mark


def test_without_an_isbn_the_printers_place_stays_white() -> None:
    for changes in ({"isbn": ""}, {"barcode": "printer"}):
        made = made_wrap(order(SMALL, **changes))
        box = made.sheet.barcode
        page = drawn(made.scene, 100)
        part = page[
            round(box.y * 100) + 1 : round((box.y + box.height) * 100) - 1,
            round(box.x * 100) + 1 : round((box.x + box.width) * 100) - 1,
        ]
        assert (part == 255).all()


def test_long_texts_are_set_smaller_until_they_have_room() -> None:
    short = made_wrap(order())
    long = made_wrap(order(SMALL, msgspec.structs.replace(ENGLISH, blurb=" ".join([ENGLISH.blurb] * 5))))
    assert long.back.fits and max(run.size for run in long.back.runs) < max(run.size for run in short.back.runs)
    endless = made_wrap(order(SMALL, msgspec.structs.replace(ENGLISH, blurb=" ".join([ENGLISH.blurb] * 40))))
    assert not endless.back.fits


def test_a_template_lays_the_cover_in_the_middle_of_its_page() -> None:
    from kernel.press.editions import Template
    from tests.press.editions.orders import SPARK

    made = made_wrap(order(SPARK, template=Template(spine=0.6, width=15, height=12)))
    assert made.page == (15, 12) and made.sheet.width == pytest.approx(10.85)
