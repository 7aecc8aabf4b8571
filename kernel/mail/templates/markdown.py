"""Markdown of administrators as the HTML of an email, which is sanitized afterwards like theirs."""

from typing import Final

from markdown_it import MarkdownIt

from kernel.mail.schemas import BodyFormat

_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
# addresses stay as they were written: a variable in one must still be seen as one
_MARKDOWN.normalizeLink = lambda url: url  # type: ignore[method-assign]


def html_of(body: str, body_format: BodyFormat) -> str:
    """Return the HTML of a body. CommonMark with tables; HTML within Markdown is shown as text."""
    if body_format == "html":
        return body
    html: str = _MARKDOWN.render(body)
    return html.strip()
