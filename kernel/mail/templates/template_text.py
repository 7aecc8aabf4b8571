"""Templates of administrators: `{{name}}` placeholders with fixed names, in HTML that is sanitized before it is stored.

Escaping a value does not make it a safe address: names may appear in texts only, and the variable that holds an address
must be the whole attribute.
"""

import re
from collections.abc import Mapping
from html import escape
from html.parser import HTMLParser
from typing import Final

import nh3

from kernel.core.field_errors import FieldError
from kernel.mail.schemas import MAX_HTML, MAX_SUBJECT, BodyFormat, TemplateType
from kernel.mail.templates.markdown import html_of
from kernel.mail.templates.plain_text import plain_text
from kernel.mail.templates.style_sheet import PROPERTIES, safe_css, split_styles

UNSUBSCRIBE: Final = "unsubscribeUrl"
PERSONAL: Final = ("email", "firstName", "lastName")
VARIABLES: Final[Mapping[TemplateType, tuple[str, ...]]] = {
    "signup": PERSONAL,
    "broadcast": (*PERSONAL, UNSUBSCRIBE),
    "marketing": (*PERSONAL, UNSUBSCRIBE),
}
MAX_TAGS: Final = 5000
"""Far more than an email has; more would take long to sanitize."""
MAX_MARKDOWN: Final = 50_000
"""Characters; as for tags. A long newsletter has a tenth of it."""
LONG_MARKDOWN: Final = FieldError("too_long", f"Must be at most {MAX_MARKDOWN} long.", {"count": MAX_MARKDOWN})

_NAME: Final = re.compile(r"(?<!\{)\{\{\s{0,20}([A-Za-z][A-Za-z0-9_]{0,39})\s{0,20}\}\}(?!\})")
_TAG: Final = re.compile(r"<[A-Za-z]")
_STAND_IN: Final = "https://unsubscribe.invalid/7c1f"
"""Replaces the link variable while the HTML is sanitized: an address that the sanitizer accepts as one."""

_HEADER_BREAKS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_LOOSE: Final = re.compile(r"^[\s,،、，:;!]+")

_TAGS: Final = {
    *("a", "abbr", "b", "br", "code", "em", "i", "img", "s", "small", "span", "strong", "sub", "sup", "u"),
    *("blockquote", "center", "div", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "p", "pre"),
    *("col", "colgroup", "li", "ol", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"),
}
_ATTRIBUTES: Final = {
    "*": {"align", "class", "dir", "lang", "style", "title"},
    "a": {"href"},
    "img": {"src", "alt", "width", "height"},
    "ol": {"start", "type"},
    "table": {"bgcolor", "border", "cellpadding", "cellspacing", "role", "width"},
    "tr": {"bgcolor", "valign"},
    "td": {"bgcolor", "colspan", "height", "rowspan", "valign", "width"},
    "th": {"bgcolor", "colspan", "height", "rowspan", "valign", "width"},
}
_CLEANER: Final = nh3.Cleaner(
    tags=_TAGS,
    clean_content_tags={"script", "style", "title"},
    attributes=_ATTRIBUTES,
    url_schemes={"https", "mailto"},
    filter_style_properties=PROPERTIES,
    link_rel=None,
)


def faults_of(kind: TemplateType, subject: str, html: str) -> dict[str, FieldError]:
    """Return what is wrong with a text, by field of the API. The caller decides about empty texts."""
    known, (_, html) = VARIABLES[kind], split_styles(html)
    found = {
        "subject": _grammar_fault(subject, tuple(name for name in known if name != UNSUBSCRIBE)),
        "htmlBody": _grammar_fault(html, known) or _markup_fault(html),
    }
    return {field: fault for field, fault in found.items() if fault is not None}


def body_faults(kind: TemplateType, subject: str, body: str, body_format: BodyFormat) -> dict[str, FieldError]:
    """Return what is wrong with a text in HTML or Markdown, by field of the API."""
    html = html_of(body, body_format) if body_format == "html" or len(body) <= MAX_MARKDOWN else None
    if html is None or len(html) > MAX_HTML:
        return faults_of(kind, subject, "") | {"htmlBody": LONG_MARKDOWN}
    return faults_of(kind, subject, html)


def safe_html(html: str) -> str:
    """Return the HTML of a valid text as it is sent: no script, no form, nothing that loads or runs. What is kept of
    its style sheets comes first.
    """
    sheets, html = split_styles(html)
    css = safe_css(sheets)
    linked = _NAME.sub(lambda match: _STAND_IN if match[1] == UNSUBSCRIBE else f"{{{{{match[1]}}}}}", html)
    cleaned = _CLEANER.clean(linked).replace(_STAND_IN, f"{{{{{UNSUBSCRIBE}}}}}")
    return f"<style>{css}</style>{cleaned}" if css else cleaned


def is_blank(body: str, body_format: BodyFormat) -> bool:
    """Return whether nothing of a valid text is left once it is safe to send, such as of a script alone."""
    return not safe_html(html_of(body, body_format)).strip()


class TemplatePattern:
    """A text with placeholders, parsed once and filled in many times."""

    def __init__(self, text: str) -> None:
        self._parts = _NAME.split(text)

    def fill(self, values: Mapping[str, str]) -> str:
        """Fill in the placeholders, once: values are not parsed again.

        A placeholder without a value also removes the space before it ("Hello {{firstName}}," becomes "Hello,"), at the
        beginning of a text the comma after it, and at the end the one before it.
        """
        filled = ""
        loose = False
        last = len(self._parts) - 1
        for number, part in enumerate(self._parts):
            text = part if number % 2 == 0 else values.get(part, "")
            if number % 2 == 0:
                filled += _LOOSE.sub("", text) if loose and text else text
                loose = loose and not text
            elif text:
                filled += text
                loose = False
            else:
                at_end = number == last - 1 and not self._parts[last]
                filled = filled.rstrip(" \u00a0,،、，" if at_end else " \u00a0")
                loose = not filled or filled[-1] in ">\n"
        return filled


class TemplateText:
    """Subject and body of a campaign, ready to be filled in for each recipient."""

    def __init__(self, subject: str, html: str) -> None:
        self.css, html = split_styles(html)
        self._subject, self._html, self._plain = (
            TemplatePattern(subject),
            TemplatePattern(html),
            TemplatePattern(plain_text(html)),
        )

    def subject(self, values: Mapping[str, str]) -> str:
        """Return the subject in one line."""
        return _HEADER_BREAKS.sub(" ", self._subject.fill(values)).strip()[:MAX_SUBJECT]

    def html(self, values: Mapping[str, str]) -> str:
        """Return the HTML body; values are text in it, never markup."""
        return self._html.fill({name: escape(value) for name, value in values.items()})

    def plain(self, values: Mapping[str, str]) -> str:
        """Return the plain-text body."""
        return self._plain.fill(values).strip()


def _grammar_fault(text: str, known: tuple[str, ...]) -> FieldError | None:
    unknown = next((name for name in _NAME.findall(text) if name not in known), None)
    if unknown is not None:
        return FieldError("unknown_variable", f"There is no variable {{{{{unknown}}}}}.")
    left = _NAME.sub("", text)
    if "{{" in left or "}}" in left:
        return FieldError("stray_braces", "Variables are written {{name}} and nothing else in double braces.")
    return None


def _markup_fault(html: str) -> FieldError | None:
    if len(_TAG.findall(html)) > MAX_TAGS:
        return FieldError("too_many_tags", f"Must have at most {MAX_TAGS} tags.")
    reader = _Addresses()
    reader.feed(html[:MAX_HTML])  # and no `close`: an unclosed tag is no tag, and looking for its end takes long
    return reader.fault


class _Addresses(HTMLParser):
    """Finds addresses that an email may not contain, and variables where they could become one."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.fault: FieldError | None = None

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """Skip `<![…]>` as browsers do; the library itself raises for an unknown one."""
        return self.parse_bogus_comment(i)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Check one tag's attributes."""
        for name, value in attrs:
            self.fault = self.fault or _attribute_fault(name, (value or "").strip())


def _attribute_fault(name: str, value: str) -> FieldError | None:
    names = _NAME.findall(value)
    if names:
        alone = name == "href" and names == [UNSUBSCRIBE] and _NAME.fullmatch(value)
        return (
            None
            if alone
            else FieldError("variable_in_tag", "Inside a tag only href may hold a variable: {{unsubscribeUrl}} alone.")
        )
    starts = {"href": ("https://", "mailto:", "#"), "src": ("https://",)}.get(name)
    if starts is not None and value and not value.lower().startswith(starts):
        return FieldError("link_not_https", "Links and images need a full address that begins with https://.")
    return None
