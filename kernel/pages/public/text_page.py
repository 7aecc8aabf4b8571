"""Terms, privacy, contact and help as the server writes them."""

from html import escape
from typing import Final

from kernel.core.text.languages import NAMES, direction
from kernel.pages.public.frame import framed, head_of
from kernel.pages.public.visit import Visit, WrittenPage
from kernel.site.public_texts.schemas import TEXT_PAGES, TextPage
from kernel.site.public_texts.texts import ChosenText

PATHS: Final[dict[str, TextPage]] = {f"/{page}": page for page in TEXT_PAGES}
"""Path without a language → page."""


def write_text_page(visit: Visit, page: TextPage) -> WrittenPage | None:
    """Return the page; None where it says nothing."""
    texts, words = visit.content.texts, visit.words("pages")
    chosen = texts.choose(page, visit.language)
    if chosen is None or words is None:
        return None
    said = words["pages"]
    email = _email(visit, said["email"]) if page == "contact" else ""
    html = (
        '<article class="mx-auto max-w-3xl px-4 py-10 md:px-8 lg:py-14">'
        f'<h1 class="display text-section-title">{escape(said[page]["title"])}</h1>'
        f"{_note(visit, chosen, said['fallback'])}{email}"
        f'<div class="mt-6" lang="{chosen.language}" dir="{direction(chosen.language)}">{chosen.html}</div></article>'
    )
    return WrittenPage(head=_head(visit, page), html=framed(visit, html))


def _note(visit: Visit, chosen: ChosenText, said: str) -> str:
    if chosen.language == visit.language:
        return ""
    note = said.replace("{{language}}", NAMES[chosen.language])
    return f'<p class="mt-3 text-sm text-ink-2">{escape(note)}</p>'


def _email(visit: Visit, label: str) -> str:
    address = visit.content.texts.address("email")
    if address is None:
        return ""
    link = f'<a class="text-ink underline underline-offset-4" href="mailto:{escape(address)}">{escape(address)}</a>'
    return f'<p class="mt-6 text-ink-2">{escape(label)}: <bdi>{link}</bdi></p>'


def _head(visit: Visit, page: TextPage) -> list[str]:
    """Write the head; a page that is not written in the language of its address is a copy of the one that it shows."""
    texts, language = visit.content.texts, visit.head_language
    shown = texts.choose(page, language)
    words = visit.words("pages", language)
    assert shown is not None and words is not None
    said = words["pages"][page]
    return head_of(
        visit,
        f"/{page}",
        title=said["title"],
        description=said["description"],
        languages=texts.languages(page),
        shown_in=shown.language,
    )
