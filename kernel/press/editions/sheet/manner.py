"""The faces of spine and back: those of the front where it has them, and faces for reading in every script."""

from typing import Final

import msgspec

from kernel.press.catalogue import Voice
from kernel.press.editions.order import Book, Front
from kernel.press.lettering.document import Block, Lettering, Role
from kernel.press.lettering.outlines import type_style
from kernel.press.lettering.styles import Manner, styles_for
from kernel.press.scripts import Script, text_script
from kernel.press.style import TypeStyle

_SERIF: Final[dict[Script, str]] = {
    "arabic": "naskh-m",
    "devanagari": "deva-serif-m",
    "japanese": "jp-serif-m",
    "chinese": "sc-serif-m",
    "korean": "kr-m",
}
_SANS: Final[dict[Script, str]] = {
    "arabic": "kufi-m",
    "devanagari": "deva-m",
    "japanese": "jp-sans-m",
    "chinese": "sc-sans-m",
    "korean": "kr-m",
}
_READING: Final[dict[Voice, str]] = {
    "serif": "spectral",
    "elegant": "garamond",
    "fat": "spectral",
    "sans": "inter-m",
    "heavy": "inter-m",
    "tech": "inter-m",
    "round": "nunito-m",
}
_SANS_VOICES: Final[frozenset[Voice]] = frozenset({"sans", "heavy", "tech", "round"})


class Manners(msgspec.Struct, frozen=True, kw_only=True):
    """How type is set beside the front, and in which inks. `voice` is the title's; `rtl` the direction of the type."""

    title: TypeStyle
    author: TypeStyle
    small: TypeStyle
    voice: Voice
    ink: str
    accent: str
    language: str
    rtl: bool

    def reading_face(self, text: str) -> tuple[str, Voice]:
        """Return a face for reading a text in, and its voice."""
        return reading_face(text, self.voice, self.language)


def reading_face(text: str, like: Voice, language: str) -> tuple[str, Voice]:
    """Return a face for reading a text in that goes with a voice, and its own voice."""
    voice: Voice = "sans" if like in _SANS_VOICES else "serif"
    script = text_script(text, language)
    faces = _SANS if voice == "sans" else _SERIF
    return faces.get(script) or _READING[like], voice


def manners_of(book: Book, front: Front, ink: str, accent: str) -> Manners:
    """Return the faces that the front's lettering has, or those of a style of its genre."""
    style = styles_for(front.genre)[0]
    language = book.language or (front.lettering.language if front.lettering else "")
    title = _set_as(front.lettering, "title", style.title, language)
    author = _set_as(front.lettering, "author", style.author, language)
    small = msgspec.structs.replace(author, case="typed", track=min(author.track, 0.06))
    return Manners(
        title=title,
        author=author,
        small=small,
        voice=title.voice,
        ink=ink,
        accent=accent,
        language=language,
        rtl=text_script(book.title, language) in ("arabic", "hebrew"),
    )


def block_of_role(lettering: Lettering | None, role: Role) -> Block | None:
    """Return the first block of a role."""
    return next((block for block in lettering.blocks if block.role == role), None) if lettering else None


def _set_as(lettering: Lettering | None, role: Role, manner: Manner, language: str) -> TypeStyle:
    block = block_of_role(lettering, role)
    if block is not None:
        return msgspec.structs.replace(type_style(block, language, 1.0), language=language)
    return TypeStyle(
        font=manner.font,
        case=manner.case,
        track=manner.track,
        leading=manner.leading,
        voice=manner.voice,
        language=language,
    )
