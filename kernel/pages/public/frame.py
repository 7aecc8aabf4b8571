"""The frame around pages that the server writes: the page's own content, and links to the others."""

from collections.abc import Sequence
from html import escape
from typing import Final

from kernel.core.text.languages import LANGUAGES
from kernel.pages.public.visit import Visit
from kernel.pages.seo.crawl_files import page_address
from kernel.pages.seo.head import PublicPage, public_head
from kernel.site.public_texts.schemas import TextPage

GROUPS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("product", ("pricing", "examples", "spine", "preflight")),
    ("support", ("help", "contact")),
    ("legal", ("terms", "privacy")),
)
"""Headings of the footer, and the pages below each: their paths, and how `landing.footer` names them."""
LINK: Final = "text-ink underline underline-offset-4"
_TEXTS: Final[tuple[TextPage, ...]] = ("help", "contact", "terms", "privacy")


def head_of(
    visit: Visit,
    path: str,
    *,
    title: str,
    description: str,
    languages: Sequence[str] = LANGUAGES,
    shown_in: str | None = None,
    image: str = "",
    image_words: str = "",
) -> list[str]:
    """Return the tags of a page that exists in these languages. `shown_in`: the language of what it says, if another
    than that of its address: then it is a copy of that page. `image` is the address of what it is about, if that is a
    picture, `image_words` its alt text.
    """
    return public_head(
        visit.site,
        PublicPage(
            language=visit.head_language,
            base=visit.base,
            path=path,
            address=page_address(visit.base, shown_in or visit.in_path, path) if visit.in_path else visit.base + path,
            title=title,
            description=description.replace("{{name}}", visit.site),
            languages=languages,
            image=image,
            image_words=image_words,
        ),
    )


def framed(visit: Visit, content: str) -> str:
    """Return a page's content with the links below it; only pages that say something are linked."""
    texts = visit.words("translation") or {}
    words = texts.get("landing", {}).get("footer", {})
    missing = {page for page in _TEXTS if not visit.content.texts.languages(page)}
    groups = "".join(
        f'<nav aria-label="{escape(words.get(title, title))}" class="mt-3 flex flex-wrap gap-3">{links}</nav>'
        for title, pages in GROUPS
        if (links := "".join(_link(visit, page, words.get(page, page)) for page in pages if page not in missing))
    )
    return (
        f"<main>{content}</main>"
        f'<footer class="border-t border-line bg-sunken"><div class="mx-auto max-w-page px-4 py-10 md:px-8">'
        f'<a class="{LINK}" href="{escape(visit.link("/"))}">{escape(visit.site)}</a>{groups}</div></footer>'
    )


def _link(visit: Visit, page: str, words: str) -> str:
    return f'<a class="{LINK}" href="{escape(visit.link(f"/{page}"))}">{escape(words)}</a>'
