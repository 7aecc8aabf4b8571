"""Wire of the keywords."""

from datetime import datetime
from typing import Final, Literal, get_args

from kernel.core.schemas import In, Line, Out

Category = Literal["primary", "secondary", "long-tail"]
Placement = Literal["meta", "content", "both"]
CrawlTarget = Literal["sitemap", "sitemapOfLanguage", "sitemapOfImages", "robots", "page", "sharedImage"]
CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
PLACEMENTS: Final[tuple[Placement, ...]] = get_args(Placement)


class SeoKeywordOut(Out, frozen=True, kw_only=True):
    """A keyword. `placement`: into the meta tag of keywords, into the structured data, or both.

    Those of higher priority come first everywhere, among equals those of higher density.
    """

    id: int
    keyword: str
    category: Category
    density: int
    priority: int
    placement: Placement
    language: str
    created_at: datetime


class SeoKeywordIn(In, frozen=True, kw_only=True):
    """A new keyword. The service checks its length and its numbers, 1 to 5, so that all bad ones are named at once."""

    keyword: Line
    category: Category = "primary"
    density: int = 1
    priority: int = 1
    placement: Placement = "both"
    language: str


class InitializeIn(In, frozen=True, kw_only=True):
    """The language whose initial keywords are wanted; without one, those of all languages."""

    language: str | None = None


class InitializedOut(Out, frozen=True, kw_only=True):
    """How many keywords were added."""

    created: int


class SeoContent(Out, frozen=True, kw_only=True):
    """What the head of the landing page says in one language."""

    language: str
    url: str
    title: str
    description: str
    keywords: list[str]


class SeoAnalytics(Out, frozen=True, kw_only=True):
    """How many keywords a language has, in all and by category and placement."""

    language: str
    keywords: int
    by_category: dict[Category, int]
    by_placement: dict[Placement, int]


class CrawlOut(Out, frozen=True, kw_only=True):
    """What a crawler is answered. `text` is empty for a picture; `size` is in bytes, before compression."""

    status: int
    status_text: str
    headers: dict[str, str]
    text: str
    size: int
