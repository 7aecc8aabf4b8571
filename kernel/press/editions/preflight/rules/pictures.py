"""Rules for pictures that shops take: e-books, audiobooks, social networks."""

from collections.abc import Callable
from typing import Final

from kernel.press.editions.findings import Finding
from kernel.press.editions.order import Form
from kernel.press.editions.preflight.facts import PictureFacts
from kernel.press.editions.preflight.rules.judged import checked, said
from kernel.press.trade.table import ShopPicture, shop_pictures

MOST_SIDE: Final = 10_000
RATIO_SLACK: Final = 0.03
PALE_SHARE: Final = 0.6
Rule = Callable[[PictureFacts, Form, ShopPicture], Finding | None]


def shape_for(form: Form, facts: PictureFacts) -> ShopPicture:
    """Return what a form is judged against: of several, the one whose proportion is nearest."""
    names = {"ebook": ("ebook",), "audiobook": ("audiobook_2400",)}.get(
        form, ("social_square", "social_portrait", "social_story", "social_link")
    )
    ratio = facts.width / facts.height
    return min((shop_pictures()[name] for name in names), key=lambda shape: abs(shape.width / shape.height - ratio))


def picture_format(facts: PictureFacts, form: Form, shape: ShopPicture) -> Finding:
    """Shops take JPEG."""
    bad = facts.format != "JPEG" and not (form == "social" and facts.format == "PNG")
    return checked("picture_format", bad, "warn", format=facts.format)


def picture_size(facts: PictureFacts, form: Form, shape: ShopPicture) -> Finding:
    """No smaller than shops take."""
    least = shape.least or (shape.width // 2, shape.height // 2)
    bad = facts.width < least[0] or facts.height < least[1]
    params = {"width": facts.width, "height": facts.height, "least_width": least[0], "least_height": least[1]}
    return checked("picture_size", bad, "fail", (), **params)


def picture_ideal(facts: PictureFacts, form: Form, shape: ShopPicture) -> Finding:
    """As large as is ideal."""
    bad = facts.width < shape.width or facts.height < shape.height
    params = {"width": facts.width, "height": facts.height, "ideal_width": shape.width, "ideal_height": shape.height}
    return checked("picture_ideal", bad, "warn", (), **params)


def picture_most(facts: PictureFacts, form: Form, shape: ShopPicture) -> Finding:
    """No side over 10,000 pixels."""
    side = max(facts.width, facts.height)
    return checked("picture_most", side > MOST_SIDE, pixels=side, most=MOST_SIDE)


def picture_shape(facts: PictureFacts, form: Form, shape: ShopPicture) -> Finding:
    """Square for audio, 1.6 to 1 for e-books."""
    if form == "audiobook":
        return checked("picture_shape", facts.width != facts.height, width=facts.width, height=facts.height, ratio=1.0)
    wanted = shape.height / shape.width
    ratio = facts.height / facts.width
    bad = abs(ratio / wanted - 1) > RATIO_SLACK
    return checked("picture_shape", bad, "warn", width=facts.width, height=facts.height, ratio=wanted)


def picture_color(facts: PictureFacts, form: Form, shape: ShopPicture) -> Finding:
    """RGB: inks look wrong on screens."""
    bad = facts.mode == "CMYK"
    if bad or facts.mode in ("RGB", "RGBA"):
        return checked("picture_color", bad, mode=facts.mode)
    return said("picture_color", "warn", mode=facts.mode)


def picture_profile(facts: PictureFacts, form: Form, shape: ShopPicture) -> Finding:
    """sRGB, or nothing that says otherwise."""
    bad = facts.profile and "srgb" not in facts.profile.casefold()
    return checked("picture_profile", bad, "warn", profile=facts.profile)


def picture_file(facts: PictureFacts, form: Form, shape: ShopPicture) -> Finding | None:
    """No larger than shops take."""
    if shape.most_bytes is None:
        return None
    most = shape.most_bytes
    return checked("picture_file", facts.size > most, megabytes=facts.size / 1e6, most=most / 1e6)


def picture_transparent(facts: PictureFacts, form: Form, shape: ShopPicture) -> Finding:
    """Nothing shines through a cover."""
    return checked("picture_transparent", facts.transparent)


def picture_moving(facts: PictureFacts, form: Form, shape: ShopPicture) -> Finding:
    """One picture, not several."""
    return checked("picture_moving", facts.frames > 1, frames=facts.frames)


def picture_border(facts: PictureFacts, form: Form, shape: ShopPicture) -> Finding | None:
    """A pale cover needs a border on a white page."""
    if form != "ebook":
        return None
    return checked("picture_border", facts.pale >= PALE_SHARE, "warn", percent=round(facts.pale * 100))


def picture_bars(facts: PictureFacts, form: Form, shape: ShopPicture) -> Finding:
    """No even bars at the sides that only make it square."""
    return checked("picture_bars", facts.bars, "fail" if form == "audiobook" else "warn", facts.bars)


def picture_blank(facts: PictureFacts, form: Form, shape: ShopPicture) -> Finding:
    """There is something on it."""
    return checked("picture_blank", facts.even)


RULES: Final[tuple[Rule, ...]] = (
    picture_format,
    picture_size,
    picture_ideal,
    picture_most,
    picture_shape,
    picture_color,
    picture_profile,
    picture_file,
    picture_transparent,
    picture_moving,
    picture_border,
    picture_bars,
    picture_blank,
)
