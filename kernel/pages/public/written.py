"""Which pages for everybody there are: what the server writes at an address, and what the sitemaps list."""

from typing import Final

from kernel.core.text.languages import LANGUAGES
from kernel.pages.page_content import LoadedContent
from kernel.pages.public.example_pages import EXAMPLE, write_example_page, write_examples_page
from kernel.pages.public.example_pages import SCREEN as EXAMPLES
from kernel.pages.public.frame import framed, head_of
from kernel.pages.public.preflight_page import SCREEN as PREFLIGHT
from kernel.pages.public.preflight_page import write_preflight_page
from kernel.pages.public.pricing_page import SCREEN as PRICING
from kernel.pages.public.pricing_page import write_pricing_page
from kernel.pages.public.text_page import PATHS, write_text_page
from kernel.pages.public.visit import Visit, WrittenPage
from kernel.pages.seo.crawl_files import IndexedPage
from kernel.pages.spine_page import SCREEN as SPINE
from kernel.pages.spine_page import spine_words, write_spine_page

_SCREENS: Final = frozenset({SPINE, PREFLIGHT, PRICING, EXAMPLES, *PATHS})


def is_written(screen: str) -> bool:
    """Whether the server writes a page at a path without a language, if there is one."""
    return screen in _SCREENS or EXAMPLE.fullmatch(screen) is not None


def write_page(visit: Visit) -> WrittenPage | None:
    """Return the page of a visit; None where there is none, or before the interface has been built."""
    if visit.screen == SPINE:
        return _spine(visit)
    if visit.screen == PREFLIGHT:
        return write_preflight_page(visit)
    if visit.screen == PRICING:
        return write_pricing_page(visit)
    if visit.screen == EXAMPLES:
        return write_examples_page(visit)
    if (example := EXAMPLE.fullmatch(visit.screen)) is not None:
        return write_example_page(visit, int(example[1]))
    if (page := PATHS.get(visit.screen)) is not None:
        return write_text_page(visit, page)
    return None


def indexed_pages(content: LoadedContent) -> tuple[IndexedPage, ...]:
    """Return what search engines are to find, each page in the languages that it can be read in."""
    texts = (
        IndexedPage(path, languages, _changes(content, path))
        for path in PATHS
        if (languages := _read_in(content, path))
    )
    examples = (f"{EXAMPLES}/{cover.id}" for cover in content.covers)
    written = (IndexedPage(path, LANGUAGES) for path in ("/", PRICING, EXAMPLES, *examples, SPINE, PREFLIGHT))
    return (*written, *texts)


def _read_in(content: LoadedContent, path: str) -> tuple[str, ...]:
    return content.texts.languages(PATHS[path])


def _changes(content: LoadedContent, path: str) -> tuple[tuple[str, str], ...]:
    """Return (language, day) of the last change of a text, where it was written here."""
    found = ((code, content.texts.choose(PATHS[path], code)) for code in _read_in(content, path))
    return tuple((code, text.updated_at.date().isoformat()) for code, text in found if text and text.updated_at)


def _spine(visit: Visit) -> WrittenPage | None:
    words = spine_words(visit.static_files, visit.language)
    said = spine_words(visit.static_files, visit.head_language)
    if words is None or said is None:
        return None
    head = head_of(visit, SPINE, title=said.spine["head"], description=said.spine["description"])
    html = write_spine_page(words, visit.params, visit.language, visit.link("/"))
    return WrittenPage(head=head, html=framed(visit, html))
