"""What an author fixed by hand stays; what they hand back is chosen anew; what they pick from suits the text."""

import msgspec
import pytest

from kernel.press.lettering.choosing import choose, release, restyle, rewrite
from kernel.press.lettering.document import Area, ArtworkView, Block, CoverWords, Lettering, TextEffect
from kernel.press.lettering.hand.faces import faces_for
from kernel.press.lettering.hand.holding import EVERY
from kernel.press.lettering.hand.palette import palette_of
from kernel.press.lettering.measuring import measure
from kernel.press.lettering.sheet import made
from kernel.press.lettering.sight.viewing import view_of
from tests.press.lettering.pictures import bands, flat

WORDS = CoverWords(title="The Drowned Bell", author="Ines Okafor")
BY_HAND = {
    "font": "rye",
    "max_size": 0.09,
    "area": Area(left=0.2, top=0.55, width=0.6, height=0.2),
    "align": "right",
    "case": "typed",
    "track": 0.21,
    "color": "#ff2266",
    "effect": TextEffect(kind="plate", color="#113355", amount=0.5),
}


def block(lettering: Lettering, role: str) -> Block:
    return next(item for item in lettering.blocks if item.role == role)


def by_hand(picture: bytes) -> Lettering:
    """Return a lettering whose title was set by hand in everything."""
    chosen = choose(picture, WORDS, style="headline")
    title = msgspec.structs.replace(block(chosen, "title"), held=EVERY, **BY_HAND)
    return msgspec.structs.replace(
        chosen, blocks=tuple(title if item.role == "title" else item for item in chosen.blocks)
    )


@pytest.mark.parametrize("style", ["enchanted", "wanted", "big-idea"])
def test_another_style_leaves_alone_what_was_set_by_hand(style: str) -> None:
    picture = made(0)
    before = by_hand(picture)
    after = restyle(before, picture, style)
    assert block(after, "title") == msgspec.structs.replace(
        block(before, "title"),
        **{name: getattr(block(after, "title"), name) for name in ("leading", "mode", "max_lines", "rules")},
    )
    assert after.style == style and block(after, "author") != block(before, "author")


def test_other_words_and_new_lines_move_and_recolor_nothing_that_was_set_by_hand() -> None:
    picture = bands(("#000000", "#ffffff") * 10)
    before = by_hand(picture)
    after = rewrite(before, msgspec.structs.replace(WORDS, title="Bells", tagline="Every tide brings it back"), picture)
    assert block(after, "title") == msgspec.structs.replace(block(before, "title"), text="Bells")
    assert block(after, "tagline").text


def test_one_property_that_is_held_does_not_hold_the_others() -> None:
    picture = flat("#101820")
    before = choose(picture, WORDS, style="headline")
    title = msgspec.structs.replace(block(before, "title"), color="#111111", held=("color",))
    held = msgspec.structs.replace(before, blocks=(title, *before.blocks[1:]))
    after = block(restyle(held, picture, "wanted"), "title")
    assert after.color == "#111111" and after.font == "rye" and after.held == ("color",)
    (found, *_) = measure(picture, Lettering(blocks=(after,)))
    assert found.contrast >= found.needed, "the effect makes up for the ink"


def test_a_property_that_is_handed_back_is_chosen_and_nothing_else_changes() -> None:
    picture = made(0)
    before = by_hand(picture)
    index = before.blocks.index(block(before, "title"))
    after = release(before, picture, index, ("color",))
    assert after.blocks[index].color != "#ff2266" and after.blocks[index].held == tuple(
        n for n in EVERY if n != "color"
    )
    assert msgspec.structs.replace(after.blocks[index], color="#ff2266", held=EVERY) == before.blocks[index]
    everything = release(before, picture, index, EVERY)
    assert everything.blocks[index].held == () and everything.blocks[index].font != "rye"
    assert [item for item in everything.blocks if item.role != "title"] == [
        item for item in before.blocks if item.role != "title"
    ]


def test_the_words_are_measured_on_the_artwork_as_it_is_viewed() -> None:
    picture = flat("#ffffff")
    white = Block(
        role="title", text="Salt", font="inter-b", color="#ffffff", area=Area(left=0, top=0, width=1, height=1)
    )
    (plain,) = measure(picture, Lettering(blocks=(white,)))
    (dark,) = measure(picture, Lettering(blocks=(white,), artwork=ArtworkView(darken=0.9)))
    assert plain.contrast < 1.1 and dark.contrast > 10


def test_the_first_remedy_is_not_what_was_set_by_hand() -> None:
    white = Block(
        role="title", text="Salt", font="inter-b", color="#ffffff", area=Area(left=0.1, top=0.1, width=0.8, height=0.3)
    )
    (free,) = measure(flat("#ffffff"), Lettering(blocks=(white,)))
    (held,) = measure(flat("#ffffff"), Lettering(blocks=(msgspec.structs.replace(white, held=("color",)),)))
    assert free.remedies[0].kind == "color" and held.remedies[0].kind == "effect"
    assert held.remedies[0].block.color == "#ffffff"


@pytest.mark.parametrize(
    ("text", "there", "not_there"),
    [
        ("The Drowned Bell", "Cinzel", "Amiri"),
        ("Тихий сад", "Playfair Display", "Cinzel"),
        ("حديقة القمر", "Amiri", "Playfair Display"),
        ("月の庭", "Kaisei Decol", "Noto Sans SC"),
        ("चाँद का बगीचा", "Baloo 2", "Inter Tight"),
    ],
)
def test_the_faces_to_pick_from_suit_the_script(text: str, there: str, not_there: str) -> None:
    faces = faces_for(text, "")
    families = [sample.family for sample in faces]
    assert there in families and not_there not in families and families == sorted(families)
    assert all("<path" in sample.svg and "<text" not in sample.svg for sample in faces)


def test_the_palette_has_the_picture_s_colors_and_no_color_twice() -> None:
    palette = palette_of(view_of(flat("#c02040")))
    assert len(palette) == len(set(palette)) <= 14 and {"#ffffff", "#000000"} <= set(palette)
    assert any(abs(int(color[1:3], 16) - 0xC0) <= 2 and int(color[3:5], 16) < 0x30 for color in palette)
