"""The style sheets of emails: what design tools such as MJML put beside styles in attributes, as columns need it.

Kept are rules for classes, also within `@media`, and of them the properties that may stand in attributes; nothing that
loads anything, nor a rule that could reach what is added around the text: that has no classes.
"""

import re
from collections.abc import Iterable
from typing import Any, Final

import tinycss2

SIDES: Final = ("", "-bottom", "-left", "-right", "-top")
PROPERTIES: Final = {
    *(f"{name}{side}" for name in ("border", "margin", "padding") for side in SIDES),
    *("background", "background-color", "border-collapse", "border-color", "border-radius", "border-spacing"),
    *("border-style", "border-width", "color", "direction", "display", "font", "font-family", "font-size"),
    *("font-style", "font-weight", "height", "letter-spacing", "line-height", "list-style", "list-style-type"),
    *("max-width", "min-width", "opacity", "text-align", "text-decoration", "text-transform", "vertical-align"),
    *("white-space", "width", "word-break"),
}
"""What styles may set, in attributes and in style sheets."""

_SHEET: Final = re.compile(r"<style\b[^<>]*>(.*?)(?:</style\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_SELECTOR: Final = re.compile(r"[\w\s.:>+~-]+")
_COMBINATORS: Final = re.compile(r"[\s>+~]+")
_VALUES: Final = {"ident", "number", "percentage", "dimension", "hash", "string", "literal", "whitespace"}
_FUNCTIONS: Final = {"rgb", "rgba", "hsl", "hsla", "calc"}


def split_styles(html: str) -> tuple[str, str]:
    """Return the style sheets of some HTML, and the HTML without them."""
    return "\n".join(_SHEET.findall(html)), _SHEET.sub("", html)


def safe_css(css: str) -> str:
    """Return what is kept of a style sheet; nothing of one with blocks in blocks without end."""
    try:
        rules = list(_rules(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)))
    except RecursionError:
        return ""
    return "\n".join(rule for rule in rules if "<" not in rule)


def _rules(found: Iterable[Any]) -> Iterable[str]:
    for rule in found:
        if rule.type == "qualified-rule" and (selector := _selector(tinycss2.serialize(rule.prelude))):
            declarations = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
            if kept := ";".join(filter(None, map(_declaration, declarations))):
                yield f"{selector}{{{kept}}}"
        elif rule.type == "at-rule" and rule.lower_at_keyword == "media" and rule.content is not None:
            inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            if rules := "\n".join(_rules(inner)):
                yield f"@media {tinycss2.serialize(rule.prelude).strip()} {{\n{rules}\n}}"


def _selector(text: str) -> str:
    """Return the selectors of a list that end in a class."""
    parts = (part.strip() for part in text.split(","))
    kept = [part for part in parts if _SELECTOR.fullmatch(part) and "." in _COMBINATORS.split(part)[-1]]
    return ", ".join(kept)


def _declaration(found: Any) -> str:
    if found.type != "declaration" or found.lower_name not in PROPERTIES or not _is_plain(found.value):
        return ""
    return f"{found.lower_name}:{tinycss2.serialize(found.value).strip()}{' !important' if found.important else ''}"


def _is_plain(value: Iterable[Any]) -> bool:
    """Return whether a value loads nothing: it has no address, and of functions only those of colors and lengths."""
    return all(
        token.type in _VALUES
        or (token.type == "function" and token.lower_name in _FUNCTIONS and _is_plain(token.arguments))
        for token in value
    )
