"""Administrators' calls about what search engines are told."""

from typing import Annotated, Any

from litestar import Controller, Request, delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter

from kernel.core.access import ADMIN
from kernel.core.audit import actor_of
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.core.languages import FALLBACK
from kernel.core.paging import PathId
from kernel.site.seo.schemas import InitializedOut, InitializeIn, SeoAnalytics, SeoContent, SeoKeywordIn, SeoKeywordOut
from kernel.site.seo.service import SeoService
from kernel.site.seo.words import head_words

OfLanguage = Annotated[str, QueryParameter(max_length=8)]


class SeoController(Controller):
    """Keywords, and what the head of the landing page makes of them."""

    path = "/api/admin/seo"
    tags = ("Administration",)
    opt = ADMIN

    @get("/keywords", operation_id="listSeoKeywords")
    async def keywords(
        self, database: NamedDependency[Database], seo: NamedDependency[SeoService], language: OfLanguage = FALLBACK
    ) -> list[SeoKeywordOut]:
        """Return the keywords of a language, the most important ones first."""
        async with database.read() as connection:
            return await seo.keywords(connection, language)

    @post("/keywords", operation_id="addSeoKeyword")
    async def add(
        self,
        request: Request[Any, Any, Any],
        data: JSONBody[SeoKeywordIn],
        database: NamedDependency[Database],
        seo: NamedDependency[SeoService],
    ) -> SeoKeywordOut:
        """Add a keyword."""
        async with database.write() as session:
            return await seo.add(session, data, actor_of(request))

    @delete("/keywords/{keyword_id:int}", operation_id="deleteSeoKeyword")
    async def remove(
        self,
        request: Request[Any, Any, Any],
        keyword_id: PathId,
        database: NamedDependency[Database],
        seo: NamedDependency[SeoService],
    ) -> None:
        """Delete a keyword."""
        async with database.write() as session:
            await seo.remove(session, keyword_id, actor_of(request))

    @post("/initialize-keywords", operation_id="initializeSeoKeywords", status_code=200)
    async def initialize(
        self,
        request: Request[Any, Any, Any],
        data: JSONBody[InitializeIn],
        database: NamedDependency[Database],
        seo: NamedDependency[SeoService],
    ) -> InitializedOut:
        """Add the keywords to begin with that are not there yet."""
        async with database.write() as session:
            return InitializedOut(created=await seo.initialize(session, data.language, actor_of(request)))

    @get("/content", operation_id="getSeoContent")
    async def content(
        self,
        config: NamedDependency[Config],
        database: NamedDependency[Database],
        seo: NamedDependency[SeoService],
        language: OfLanguage = FALLBACK,
    ) -> SeoContent:
        """Return what the head of the landing page says in a language."""
        async with database.read() as connection:
            said = head_words(language, config.site.name, await seo.keywords(connection, language))
        return SeoContent(
            language=language,
            url=f"{config.public_url}/{language}/",
            title=said.title,
            description=said.description,
            keywords=said.keywords,
        )

    @get("/analytics", operation_id="getSeoAnalytics")
    async def analytics(
        self, database: NamedDependency[Database], seo: NamedDependency[SeoService], language: OfLanguage = FALLBACK
    ) -> SeoAnalytics:
        """Count the keywords of a language."""
        async with database.read() as connection:
            return await seo.analytics(connection, language)
