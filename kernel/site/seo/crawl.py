"""Requests that this site makes to itself as the crawler of a search engine would: browsers send their own name."""

import asyncio
from typing import Final

import httpx
from litestar.types import ASGIApp

from kernel.site.seo.schemas import CrawlOut, CrawlTarget

CRAWLER: Final = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
PATIENCE_S: Final = 30.0
PATHS: Final[dict[CrawlTarget, str]] = {
    "sitemap": "/sitemap.xml",
    "sitemapOfLanguage": "/sitemap-{language}.xml",
    "sitemapOfImages": "/sitemap-images.xml",
    "robots": "/robots.txt",
    "page": "/{language}/",
    "sharedImage": "/api/og-image?lang={language}",
}


async def crawl(app: ASGIApp, public_url: str, target: CrawlTarget, language: str) -> CrawlOut:
    """Ask for one thing of this site, signed out, and return the bare answer.

    The application answers within this process: what stands before it on the way, such as a proxy, is not asked.
    Raises TimeoutError.
    """
    # both mean the ASGI protocol, but they name its messages differently
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)  # type: ignore[arg-type]
    async with (
        asyncio.timeout(PATIENCE_S),
        httpx.AsyncClient(transport=transport, base_url=public_url, headers={"user-agent": CRAWLER}) as client,
    ):
        answer = await client.get(PATHS[target].format(language=language))
    picture = answer.headers.get("content-type", "").startswith("image/")
    return CrawlOut(
        status=answer.status_code,
        status_text=answer.reason_phrase,
        headers=dict(answer.headers),
        text="" if picture else answer.text,
        size=len(answer.content),
    )
