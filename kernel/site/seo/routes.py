"""Administrators' calls about what search engines are told."""

from typing import Annotated

from litestar import Controller, delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter

from kernel.core.audit import Actor
from kernel.core.config import Config
from kernel.core.text.languages import FALLBACK
from kernel.core.web.access import ADMIN, AppRequest
from kernel.core.web.optional_body import OptionalBody
from kernel.core.web.paging import PathId
from kernel.site.seo.crawl import crawl
from kernel.site.seo.schemas import (
    CrawlOut,
    CrawlTarget,
    InitializedOut,
    InitializeIn,
    SeoAnalytics,
    SeoContent,
    SeoKeywordIn,
    SeoKeywordOut,
)
from kernel.site.seo.service import SeoService, check_language

OfLanguage = Annotated[str, QueryParameter(max_length=8)]


class SeoController(Controller):
    """Keywords, and what the head of the landing page makes of them."""

    path = "/api/admin/seo"
    tags = ("Administration",)
    opt = ADMIN

    @get("/keywords", operation_id="listSeoKeywords")
    async def keywords(self, seo: NamedDependency[SeoService], language: OfLanguage = FALLBACK) -> list[SeoKeywordOut]:
        """Return the keywords of a language, the most important ones first."""
        return await seo.keywords(language)

    @post("/keywords", operation_id="addSeoKeyword")
    async def add(
        self, actor: NamedDependency[Actor], data: JSONBody[SeoKeywordIn], seo: NamedDependency[SeoService]
    ) -> SeoKeywordOut:
        """Add a keyword."""
        return await seo.add(data, actor)

    @delete("/keywords/{keyword_id:int}", operation_id="deleteSeoKeyword")
    async def remove(self, actor: NamedDependency[Actor], keyword_id: PathId, seo: NamedDependency[SeoService]) -> None:
        """Delete a keyword."""
        await seo.remove(keyword_id, actor)

    @post(
        "/initialize-keywords",
        operation_id="initializeSeoKeywords",
        status_code=200,
        operation_class=OptionalBody,
    )
    async def initialize(
        self,
        actor: NamedDependency[Actor],
        seo: NamedDependency[SeoService],
        data: JSONBody[InitializeIn | None] = None,
    ) -> InitializedOut:
        """Add the keywords to begin with that are not there yet."""
        return InitializedOut(created=await seo.initialize(data.language if data else None, actor))

    @get("/content", operation_id="getSeoContent")
    async def content(self, seo: NamedDependency[SeoService], language: OfLanguage = FALLBACK) -> SeoContent:
        """Return what the head of the landing page says in a language."""
        return await seo.content(language)

    @get("/analytics", operation_id="getSeoAnalytics")
    async def analytics(self, seo: NamedDependency[SeoService], language: OfLanguage = FALLBACK) -> SeoAnalytics:
        """Count the keywords of a language."""
        return await seo.analytics(language)

    @get("/crawl", operation_id="crawlSite")
    async def crawl(
        self,
        request: AppRequest,
        config: NamedDependency[Config],
        target: Annotated[CrawlTarget, QueryParameter()],
        language: OfLanguage = FALLBACK,
    ) -> CrawlOut:
        """Ask this site for something as the crawler of a search engine would, and return the answer."""
        check_language(language)
        return await crawl(request.app, config.public_url, target, language)
