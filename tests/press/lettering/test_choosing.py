"""A lettering is chosen so that every word can be read."""

import itertools

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.press.lettering.choosing import choose, restyle, rewrite
from kernel.press.lettering.composing import UnreadablePicture
from kernel.press.lettering.document import Area, Block, CoverWords, Lettering
from kernel.press.lettering.measuring import measure
from kernel.press.lettering.outlines import lay_out, set_blocks
from kernel.press.lettering.sheet import BOOKS, LANGUAGES, made
from kernel.press.lettering.sight.viewing import needed, view_of
from kernel.press.lettering.styles import styles
from tests.press.lettering.pictures import SMALL, bands, busy_but, flat, hatched, portrait, posts, wreath
from tests.press.lettering.texts import EVERY
from tests.press.texts import anything

BOOK = CoverWords(
    title="The Salt Throne", author="Maren Oakhollow", subtitle="A novel", series="Tidebound", number="Book 2"
)


def texts(lettering: Lettering) -> dict[str, str]:
    return {block.role: block.text for block in lettering.blocks}


@pytest.mark.parametrize("seed", range(40))
def test_every_word_can_be_read_and_is_in_the_safe_area(seed: int) -> None:
    picture, words = made(seed, SMALL), EVERY[seed % len(EVERY)]
    for measured in measure(picture, choose(picture, words, genre=tuple(BOOKS)[seed % len(BOOKS)], seed=seed)):
        assert measured.contrast >= measured.needed and measured.inside, (seed, measured)


@pytest.mark.parametrize("size", [(300, 300), (480, 252), (216, 384), (90, 400), (400, 90)])
def test_every_proportion_of_a_panel_is_legible(size: tuple[int, int]) -> None:
    picture = made(2, size)
    lettering = choose(picture, BOOK, genre="fantasy")
    assert texts(lettering).keys() == {"title", "author", "subtitle", "series"}
    for measured in measure(picture, lettering):
        assert measured.contrast >= measured.needed and measured.inside and measured.fits


def test_the_same_input_gives_the_same_lettering() -> None:
    picture = made(6, SMALL)
    first = choose(picture, BOOK, genre="Thriller", seed=3)
    assert choose(picture, BOOK, genre="Thriller", seed=3) == first


def test_seeds_give_different_letterings() -> None:
    picture = made(0, SMALL)
    assert len({choose(picture, BOOK, genre="fantasy", seed=seed) for seed in range(4)}) > 1


@pytest.mark.parametrize("style", ["carved-capitals", "love-letter", "big-idea", "quiet-page"])
def test_inside_of_a_wreath_the_author_stays_with_the_title(style: str) -> None:
    lettering = choose(wreath((400, 600)), CoverWords(title="The Salt Throne", author="Maren Oakhollow"), style=style)
    for block in lay_out(lettering, 400, 600).blocks:
        assert block.box.top > 0.25 and block.box.top + block.box.height < 0.75


@pytest.mark.parametrize("style", ["slim-volume", "breath", "love-letter"])
def test_a_title_leaves_alone_what_stands_out_of_a_busy_ground(style: str) -> None:
    discs = [(0.5, 0.2), (0.27, 0.48), (0.73, 0.48)]
    lettering = choose(hatched(discs, (400, 600)), BOOKS["poetry"], style=style)
    title = next(block for block in lay_out(lettering, 400, 600).blocks if block.role == "title")
    assert title.box.top > 0.6


@pytest.mark.parametrize(("top", "bottom"), [(0.0, 0.4), (0.6, 1.0)])
def test_the_title_stands_where_the_picture_is_calm(top: float, bottom: float) -> None:
    lettering = choose(busy_but(top, bottom), CoverWords(title="The Salt Throne"), style="quiet-page")
    (block,) = lay_out(lettering, 400, 600).blocks
    assert top - 0.02 <= block.box.top and block.box.top + block.box.height <= bottom + 0.02


def test_a_title_keeps_off_a_face() -> None:
    (title, _) = lay_out(
        choose(made(5, SMALL), CoverWords(title="The Stranger", author="A. N."), genre="thriller"), 400, 600
    ).blocks
    assert title.box.top > 0.55 or title.box.top + title.box.height < 0.27


@pytest.mark.parametrize("style", ["full-force", "found-page", "storytime", "quiet-clue"])
def test_a_title_covers_neither_hat_nor_glasses(style: str) -> None:
    picture = portrait((400, 600))
    title = lay_out(choose(picture, CoverWords(title="Bramble Can’t Sleep"), style=style), 400, 600).blocks[0].box
    assert title.top + title.height < 0.23 or title.top > 0.6


@pytest.mark.parametrize("style", ["drawing-room", "gaslight", "quiet-clue", "headline", "love-letter"])
@pytest.mark.parametrize("place", [0.12, 0.2, 0.3])
def test_no_letter_is_lost_on_a_thin_thing_of_its_own_color(style: str, place: float) -> None:
    view = view_of(posts([place], (400, 600)))
    lettering = choose(posts([place], (400, 600)), BOOK, style=style)
    items = set_blocks(lettering, view.width, view.height)
    for item in items:
        least = needed(item.block.role, item.size, view.unit)
        assert view.lost(item, view.around(item, items), item.block.color, least) <= 0.45, item.block.role


def test_an_even_ground_needs_no_effect() -> None:
    for color in ("#101820", "#f4f1e8"):
        assert {block.effect.kind for block in choose(flat(color), BOOK, style="quiet-page").blocks} == {"none"}


def test_the_colors_of_a_theme_are_used() -> None:
    plain = choose(flat("#101820"), BOOK, style="carved-capitals")
    themed = choose(flat("#101820"), BOOK, style="carved-capitals", colors=("#d4a017", "#101820"))
    title = next(block for block in themed.blocks if block.role == "title")
    red, green, blue = (int(title.color[i : i + 2], 16) for i in (1, 3, 5))
    assert red > blue + 60 and green > blue + 20
    assert title.color not in {block.color for block in plain.blocks}


@pytest.mark.parametrize("index", range(len(styles())))
def test_no_style_lacks_a_letter_of_the_twelve_languages(index: int) -> None:
    style = styles()[index]
    manners = {"title": style.title, "subtitle": style.subtitle, "author": style.author}
    for language, words in LANGUAGES.items():
        blocks = [
            Block(
                role=role,
                text=getattr(words, role),
                area=Area(left=0.1, top=0.1, width=0.8, height=0.3),
                color="#ffffff",
                font=manner.font,
                voice=manner.voice,
                case=manner.case,
                mode=manner.mode,
                small_font=manner.small,
            )
            for role, manner in manners.items()
        ]
        for block in lay_out(Lettering(language=language, blocks=tuple(blocks)), 300, 450).blocks:
            assert block.lines and not block.missing, (style.id, language)


@pytest.mark.parametrize("index", range(len(styles())))
def test_every_style_is_legible(index: int) -> None:
    language, words = list(LANGUAGES.items())[index % len(LANGUAGES)]
    picture = made(index % 10, (120, 180))
    for measured in measure(picture, choose(picture, words, language=language, style=styles()[index].id)):
        assert measured.contrast >= measured.needed and measured.inside and measured.fits


@settings(max_examples=60, deadline=None)
@given(anything, anything, st.sampled_from([style.id for style in styles()]))
def test_any_text_is_set_legibly_or_says_why_not(title: str, author: str, style: str) -> None:
    picture = made(2, (120, 180))
    for measured in measure(picture, choose(picture, CoverWords(title=title, author=author), style=style)):
        assert measured.inside and (measured.contrast >= measured.needed)
        assert measured.fits or measured.unfit


def test_a_genre_is_understood_in_every_language_of_the_product() -> None:
    picture = flat("#203040")
    for genre in ("Kinderbuch", "絵本", "Детские книги", "أطفال", "bambini", "어린이 동화"):
        families = {choose(picture, BOOK, genre=genre, seed=seed).style for seed in range(4)}
        assert families <= {style.id for style in styles() if "children" in style.genres}


def test_restyle_keeps_the_words() -> None:
    picture = made(0, SMALL)
    before = choose(picture, BOOK, genre="fantasy")
    for style in ("headline", "storytime", "far-orbit"):
        after = restyle(before, picture, style)
        assert texts(after) == texts(before) and after.style == style


def test_restyle_keeps_blocks_it_does_not_know() -> None:
    picture = made(0, SMALL)
    before = choose(picture, BOOK, genre="fantasy")
    note = msgspec.structs.replace(before.blocks[0], role="note", text="Winner of a prize")
    after = restyle(msgspec.structs.replace(before, blocks=(*before.blocks, note)), picture, "headline")
    assert after.blocks[-1].text == "Winner of a prize" and after.blocks[-1].area == note.area


def test_rewrite_keeps_style_and_place() -> None:
    picture = made(0, SMALL)
    before = choose(picture, BOOK, genre="fantasy")
    after = rewrite(before, msgspec.structs.replace(BOOK, title="Wyrmwinter", author="Elin Marsholm"), picture)
    assert texts(after) == {**texts(before), "title": "Wyrmwinter", "author": "Elin Marsholm"}
    for old, new in zip(before.blocks, after.blocks, strict=True):
        assert (old.font, old.role) == (new.font, new.role)
        if old.role in ("title", "author"):
            assert old.area == new.area


def test_rewrite_takes_away_and_adds() -> None:
    picture = made(0, SMALL)
    before = choose(
        picture, CoverWords(title="The Salt Throne", author="Maren Oakhollow", subtitle="A novel"), genre="fantasy"
    )
    after = rewrite(before, CoverWords(title="The Salt Throne", tagline="Every tide has a price"), picture)
    assert texts(after) == {"title": "The Salt Throne", "tagline": "Every tide has a price"}
    assert all(measured.contrast >= measured.needed and measured.inside for measured in measure(picture, after))


@pytest.mark.parametrize("style", ["high-saga", "quiet-page", "headline", "slim-volume"])
def test_a_word_that_is_added_lies_on_no_other(style: str) -> None:
    picture = made(1, SMALL)
    before = choose(picture, CoverWords(title="The Salt Throne", author="Maren Oakhollow"), style=style)
    after = rewrite(before, msgspec.structs.replace(BOOK, title="The Very Long Winter of the Sisters"), picture)
    boxes = sorted((block.box.top, block.box.height) for block in lay_out(after, 400, 600).blocks)
    assert len(boxes) == 4
    for (top, height), (below, _) in itertools.pairwise(boxes):
        assert top + height <= below + 0.002
    assert all(measured.contrast >= measured.needed and measured.inside for measured in measure(picture, after))


def test_rewritten_words_stay_legible_on_an_uneven_picture() -> None:
    picture = bands(("#f8f4e8", "#181818") * 6)
    after = rewrite(choose(picture, BOOK, genre="fantasy"), EVERY[-5], picture)
    assert all(measured.contrast >= measured.needed for measured in measure(picture, after))


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(UnreadablePicture):
        choose(b"no picture", BOOK)


def test_an_unknown_style_is_refused() -> None:
    with pytest.raises(KeyError):
        choose(flat(), BOOK, style="comic-sans")
