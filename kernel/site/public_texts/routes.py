"""Calls about public texts and the addresses in the footer: everyone reads them, administrators write them."""

from typing import Annotated

from litestar import Controller, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter

from kernel.core.audit import Actor
from kernel.core.text.languages import FALLBACK
from kernel.core.web.access import ADMIN, PUBLIC, SHARED
from kernel.site.public_texts.schemas import (
    AddressesIn,
    AddressesOut,
    PublicLinks,
    PublicTextOut,
    RenderedTextOut,
    SavedTextOut,
    TextIn,
    TextPage,
)
from kernel.site.public_texts.service import PublicTextService

OfLanguage = Annotated[str, QueryParameter(max_length=8)]


class PublicTextController(Controller):
    """What everyone may read."""

    path = "/api"
    tags = ("Site",)

    @get("/public-links", operation_id="getPublicLinks", opt=PUBLIC | SHARED)
    async def links(self, public_texts: NamedDependency[PublicTextService]) -> PublicLinks:
        """Return what the footer leads to: pages that say something, and addresses that are given."""
        return await public_texts.links()

    @get("/public-texts", operation_id="getPublicText", opt=PUBLIC)
    async def text(
        self,
        public_texts: NamedDependency[PublicTextService],
        page: Annotated[TextPage, QueryParameter()],
        language: OfLanguage = FALLBACK,
    ) -> PublicTextOut:
        """Return the text of a page as safe HTML, in another language where it is not written in this one."""
        return await public_texts.read(page, language)


class AdminTextController(Controller):
    """Texts and addresses as administrators write them."""

    path = "/api/admin/public-texts"
    tags = ("Administration",)
    opt = ADMIN

    @get(operation_id="listPublicTexts")
    async def saved(
        self, public_texts: NamedDependency[PublicTextService], language: OfLanguage = FALLBACK
    ) -> list[SavedTextOut]:
        """Return all pages in a language."""
        return await public_texts.saved(language)

    @put("/{page:str}/{language:str}", operation_id="savePublicText")
    async def save(
        self,
        actor: NamedDependency[Actor],
        page: FromPath[str],
        language: FromPath[str],
        data: JSONBody[TextIn],
        public_texts: NamedDependency[PublicTextService],
    ) -> SavedTextOut:
        """Store the text of a page in a language; without one the page falls back, or is gone."""
        return await public_texts.save(page, language, data.body, actor)

    @post("/preview", operation_id="previewPublicText", status_code=200)
    async def preview(
        self,
        data: JSONBody[TextIn],
        public_texts: NamedDependency[PublicTextService],
        language: OfLanguage = FALLBACK,
    ) -> RenderedTextOut:
        """Return a text as visitors would see it; nothing is stored."""
        return RenderedTextOut(html=public_texts.preview(data.body, language))

    @get("/addresses", operation_id="getPublicAddresses")
    async def addresses(self, public_texts: NamedDependency[PublicTextService]) -> AddressesOut:
        """Return the addresses in the footer."""
        return await public_texts.addresses()

    @put("/addresses", operation_id="savePublicAddresses")
    async def save_addresses(
        self,
        actor: NamedDependency[Actor],
        data: JSONBody[AddressesIn],
        public_texts: NamedDependency[PublicTextService],
    ) -> AddressesOut:
        """Store the addresses in the footer: an email address, and https addresses."""
        return await public_texts.save_addresses(data, actor)
