"""What an image service is told of a book, beside the composed prompt."""

from collections.abc import Mapping

from kernel.spi import Brief, Element
from kernel.themes.service import ThemeStyle


def make_brief(
    words: Mapping[str, str],
    *,
    description: str,
    style: str,
    theme: ThemeStyle | None,
    language: str,
    elements: tuple[Element, ...] | None,
) -> Brief:
    """Return the brief; `words` are those of the book, and `style` stands in for that of the theme."""
    return Brief(
        description=description,
        title=words["title"],
        author=words["author"],
        genre=words["genre"],
        subtitle=words["subtitle"],
        series_title=words["series"],
        series_number=words["number"],
        tagline=words["tagline"],
        style=style or (theme.style_prompt if theme else ""),
        colors=tuple(theme.colors) if theme else (),
        series=f"theme-{theme.id}" if theme else "",
        language=language,
        elements=elements,
    )
