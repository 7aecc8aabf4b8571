"""Prompt templates: `{{name}}` with fixed names, one section, rendered once and never executed."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from kernel.core.field_errors import FieldError

VARIABLES: Final = frozenset(
    {
        "title",
        "author",
        "genre",
        "subtitle",
        "series",
        "number",
        "tagline",
        "prompt",
        "themeStylePrompt",
        "hasReferenceImages",
        "referenceImagePrompt",
        "lettering",
    }
)
MAX_TEMPLATE_CHARS: Final = 8000
MAX_CHARS: Final = {
    "title": 100,
    "author": 100,
    "genre": 50,
    "subtitle": 200,
    "series": 200,
    "number": 40,
    "tagline": 300,
    "prompt": 500,
    "theme_style_prompt": 500,
    "reference_image_prompt": 500,
    "lettering": 500,
}
"""Maximum length of a field that a user fills in, and of its default."""
_BIDI_CONTROLS: Final = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_VARIABLE: Final = re.compile(r"\{\{([A-Za-z]+)\}\}")
_SECTION: Final = re.compile(r"\{\{#hasReferenceImages\}\}(.*?)\{\{/hasReferenceImages\}\}", re.DOTALL)

STANDARD_TEMPLATE: Final = """\
Design the front cover of a book: one flat, two-dimensional image that fills the whole frame edge to edge.
No 3D mockup, no book object, no spine, no back cover, no hands, no table, no border around the artwork.
What the cover shows: {{prompt}}
{{#hasReferenceImages}}Take style, palette and mood from the attached pictures.
{{referenceImagePrompt}}
{{/hasReferenceImages}}Genre: {{genre}}
{{lettering}}
Leave a margin so that nothing important touches the edge.\
"""

THEME_TEMPLATE: Final = """\
Design the front cover of a book in a series: one flat, two-dimensional image that fills the whole frame edge to edge.
No 3D mockup, no book object, no spine, no back cover, no hands, no table, no border around the artwork.
Style of the series, which all its covers share: {{themeStylePrompt}}
What the cover shows: {{prompt}}
{{#hasReferenceImages}}Take style, palette and mood from the attached pictures.
{{referenceImagePrompt}}
{{/hasReferenceImages}}Genre: {{genre}}
{{lettering}}
Leave a margin so that nothing important touches the edge.\
"""

WITHOUT_LETTERS: Final = """\
The picture holds no words: no title, no name, no letters, numbers, signs or signatures anywhere.
Title and author are set over it later: keep the top quarter and the bottom eighth calm, without faces and details.\
"""
"""What a service is told that is to make the artwork only."""


TO_WRITE: Final = (
    ("title", "Title, set large and spelled exactly: "),
    ("subtitle", "Subtitle, set small below the title and spelled exactly: "),
    ("author", "Author, set smaller and spelled exactly: "),
    ("series", "Series, set small and spelled exactly: "),
    ("number", "Volume of the series, beside its name, spelled exactly: "),
    ("tagline", "Tagline, set small and spelled exactly: "),
)
"""What the picture's own model is told of each word that it is to write."""


def lettering_words(words: Mapping[str, str], *, by_press: bool, without_letters: str = "") -> str:
    """Return what stands for `{{lettering}}`: what the picture's own model is to write, or that it writes nothing.

    `without_letters` are an administrator's words for the latter.
    """
    if by_press:
        return without_letters or WITHOUT_LETTERS
    lines = [told + words[name] for name, told in TO_WRITE if words.get(name)]
    return "\n".join([*lines, "No other words anywhere."])


def length_fault(text: str, most: int) -> FieldError | None:
    """Return the fault of a text that is too long, as `clean` may have made it: NFC splits some letters."""
    return FieldError("too_long", f"Must be at most {most} long.", {"count": most}) if len(text) > most else None


def template_fault(template: str) -> FieldError | None:
    """Return what is wrong with a template: too long, an unknown variable, stray braces, no variable at all."""
    if fault := length_fault(template, MAX_TEMPLATE_CHARS):
        return fault
    flat = _SECTION.sub(lambda match: match.group(1), template)
    names = _VARIABLE.findall(flat)
    unknown = sorted(set(names) - VARIABLES)
    if unknown:
        return FieldError("unknown_variable", f"There is no variable {{{{{unknown[0]}}}}}.")
    left = _VARIABLE.sub("", flat)
    if any(braces in left for braces in ("{{", "}}")) or any(braces in template for braces in ("{{{", "}}}")):
        return FieldError("stray_braces", "Variables are written {{name}} and nothing else in double braces.")
    if not names:
        return FieldError("no_variable", "The template must use at least one variable.")
    return None


def render(template: str, values: Mapping[str, str], *, has_references: bool) -> str:
    """Fill in the values, once. A line whose variables are all blank is left out, so that no "Author:" stands alone.

    What is to be said of the lettering comes at the end of a template that does not place it.
    """
    chosen = _SECTION.sub(lambda match: match.group(1) if has_references else "", template)
    if "{{lettering}}" not in chosen and values.get("lettering"):
        chosen = f"{chosen.rstrip()}\n{{{{lettering}}}}"
    known = {name: clean(values.get(name, "")) for name in VARIABLES} | {
        "hasReferenceImages": "yes" if has_references else ""
    }
    lines = []
    for line in chosen.split("\n"):
        names = _VARIABLE.findall(line)
        if names and not any(known.get(name) for name in names):
            continue
        lines.append(_VARIABLE.sub(lambda match: known.get(match.group(1), ""), line))
    return "\n".join(lines).strip()


def clean(text: str) -> str:
    """Return text in NFC without control and bidi-override characters, which could rewrite what a reader sees."""
    composed = unicodedata.normalize("NFC", text)
    kept = (char for char in composed if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cs", "Co"))
    return "".join(char for char in kept if char not in _BIDI_CONTROLS).strip()
