"""One look on all covers of a series: what stays of it, what each picture and each book may change, what drifts."""

import msgspec

from kernel.press.lettering.choosing import choose
from kernel.press.lettering.document import Area, ArtworkView, Block, CoverWords, Lettering
from kernel.press.lettering.measuring import measure
from kernel.press.lettering.series.drift import Drift, drifts
from kernel.press.lettering.series.look import in_look
from kernel.press.lettering.sheet import made
from tests.press.lettering.pictures import flat

FIRST = CoverWords(title="The Drowned Bell", author="Ines Okafor", series="Saltmarsh", number="Book 1")
SECOND = CoverWords(title="Night Ferry", author="Ines Okafor", series="Saltmarsh", number="Book 2")
DARK, PALE = flat("#101820"), flat("#f4f0e6")


def block(lettering: Lettering, role: str) -> Block:
    return next(item for item in lettering.blocks if item.role == role)


def edited(lettering: Lettering, role: str, **change: object) -> Lettering:
    blocks = (msgspec.structs.replace(one, **change) if one.role == role else one for one in lettering.blocks)
    return msgspec.structs.replace(lettering, blocks=tuple(blocks))


def test_another_book_has_the_faces_and_places_of_the_look_and_its_own_words() -> None:
    look = choose(DARK, FIRST, style="headline")
    after = in_look(look, DARK, SECOND)
    assert [one.text for one in after.blocks] == ["Saltmarsh · Book 2", "Night Ferry", "Ines Okafor"]
    for role in ("title", "author", "series"):
        assert (block(after, role).font, block(after, role).case) == (block(look, role).font, block(look, role).case)
    assert block(after, "title").area == block(look, "title").area
    assert drifts(look, after) == []


def test_inks_are_those_of_the_look_where_they_can_be_read_and_the_picture_s_where_not() -> None:
    look = edited(choose(DARK, FIRST, style="headline"), "title", color="#ffe9b0", held=("color",))
    assert block(in_look(look, DARK, SECOND), "title").color == "#ffe9b0"
    pale = in_look(look, PALE, SECOND)
    assert block(pale, "title") != msgspec.structs.replace(block(look, "title"), text="Night Ferry")
    assert all(one.contrast >= one.needed for one in measure(PALE, pale))
    assert block(pale, "title").held == ("color",), "the series' choice, for the next picture"


def test_done_twice_it_is_the_same_as_once() -> None:
    look, other = choose(DARK, FIRST, style="headline"), choose(PALE, SECOND, style="quiet-page")
    once = in_look(look, PALE, own=other)
    assert once != other and in_look(look, PALE, own=once) == once
    assert in_look(look, DARK, own=look) == look, "the cover that it was taken from"


def test_the_crop_and_further_texts_of_a_cover_stay() -> None:
    look = choose(DARK, FIRST, style="headline")
    note = msgspec.structs.replace(block(look, "author"), role="note", text="Now a film", held=("font",), font="rye")
    own = choose(PALE, SECOND, style="quiet-page")
    own = msgspec.structs.replace(own, blocks=(*own.blocks, note), artwork=ArtworkView(zoom=1.5, darken=0.2))
    after = in_look(look, PALE, own=own)
    assert after.artwork == own.artwork and block(after, "note") == note


def test_a_title_that_does_not_fit_its_place_keeps_the_face_and_finds_another() -> None:
    tiny = Area(left=0.45, top=0.1, width=0.02, height=0.01)
    look = edited(choose(DARK, FIRST, style="headline"), "title", area=tiny)
    after = in_look(look, DARK, SECOND)
    assert block(after, "title").font == block(look, "title").font and block(after, "title").area.width > 0.2
    assert all(one.fits for one in measure(DARK, after))


def test_titles_of_all_lengths_and_pictures_can_be_read_in_a_look() -> None:
    look = choose(DARK, FIRST, style="headline")
    for number, title in enumerate(("It", "A Cartography of Small and Unremembered Tides", "海の鐘", "جرس البحر")):
        picture = made(number)
        after = in_look(look, picture, CoverWords(title=title, author="Ines Okafor"))
        assert all(one.fits and one.contrast >= one.needed for one in measure(picture, after)), title
        assert drifts(look, after) == []


def test_what_drifts_is_told_by_block_and_property() -> None:
    look = choose(DARK, FIRST, style="headline")
    title, author = block(look, "title"), block(look, "author")
    changed = edited(look, "title", font="rye", case="typed" if title.case != "typed" else "upper")
    changed = edited(changed, "author", max_size=author.max_size * 1.5, color="#ff0000", held=("color",))
    assert drifts(look, changed) == [
        Drift(role="title", kind="face"),
        Drift(role="title", kind="capitals"),
        Drift(role="author", kind="color"),
        Drift(role="author", kind="size", size=author.max_size * 1.5, look_size=author.max_size),
    ]
    moved = edited(look, "author", area=msgspec.structs.replace(author.area, top=0.02))
    assert drifts(look, moved) == [Drift(role="author", kind="place")]
    assert drifts(look, edited(look, "title", color="#00ff00")) == [], "the press's own choice for a picture"


def test_lines_that_the_look_has_not_may_make_room_for_themselves() -> None:
    look = choose(DARK, CoverWords(title="Bells", author="Ines Okafor"), style="headline")
    more = CoverWords(title="Bells", author="Ines Okafor", subtitle="A long subtitle of a novel", tagline="And more")
    assert drifts(look, in_look(look, DARK, more)) == []
