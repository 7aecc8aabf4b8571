"""Which text a visitor reads, of those that are stored and those that come with the product."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from kernel.core.text.languages import FALLBACK, LANGUAGES
from kernel.site.public_texts.markdown import render_markdown
from kernel.site.public_texts.schemas import NETWORKS, TEXT_PAGES, NetworkAddress, PublicLinks, PublicTextOut, TextPage

HELP: Final = Path(__file__).with_name("help")
SHIPPED: Final[frozenset[TextPage]] = frozenset({"help"})
"""Pages that say something before an administrator writes them. What is legally binding is never among them."""


class StoredText(msgspec.Struct, frozen=True):
    """An administrator's Markdown, and when it was saved."""

    body: str
    updated_at: datetime


class StoredAddress(msgspec.Struct, frozen=True):
    """An address in the footer, and when it was saved."""

    address: str
    updated_at: datetime


class ChosenText(msgspec.Struct, frozen=True):
    """What a page says, in Markdown. `updated_at` is None for what comes with the product."""

    language: str
    body: str
    updated_at: datetime | None

    @property
    def html(self) -> str:
        """The text as safe HTML."""
        return render_markdown(self.body, self.language)


class PublicTexts(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is stored: texts by `terms:de`, addresses by their name. `site` is the site's own name."""

    site: str
    texts: Mapping[str, StoredText] = {}
    addresses: Mapping[str, StoredAddress] = {}

    def languages(self, page: TextPage) -> tuple[str, ...]:
        """Return the languages that a page can be read in; empty when it says nothing."""
        own = self.own_languages(page)
        if page in SHIPPED or (page == "contact" and not own and "email" in self.addresses):
            return LANGUAGES
        return own

    def own_languages(self, page: TextPage) -> tuple[str, ...]:
        """Return the languages in which an administrator has written a page."""
        return tuple(code for code in LANGUAGES if f"{page}:{code}" in self.texts)

    def choose(self, page: TextPage, language: str) -> ChosenText | None:
        """Return a page's text in a language, else in the default one, else in the first that it is written in."""
        email = self.addresses.get("email") if page == "contact" else None
        for code in (language, *(() if page in SHIPPED else (FALLBACK, *LANGUAGES))):
            if stored := self.texts.get(f"{page}:{code}"):
                newest = max(stored.updated_at, email.updated_at) if email else stored.updated_at
                return ChosenText(code, stored.body, newest)
        if page in SHIPPED:
            return ChosenText(language, shipped_text(page, language).replace("{{name}}", self.site), None)
        return ChosenText(language, "", email.updated_at) if email else None

    def read(self, page: TextPage, language: str) -> PublicTextOut | None:
        """Return what a visitor reads on a page; None where it says nothing."""
        text = self.choose(page, language)
        if text is None:
            return None
        return PublicTextOut(page=page, language=text.language, html=text.html, updated_at=text.updated_at)

    def links(self) -> PublicLinks:
        """Return what the footer leads to."""
        return PublicLinks(
            pages=[page for page in TEXT_PAGES if self.languages(page)],
            email=self.address("email"),
            api=self.address("api"),
            networks=[
                NetworkAddress(network=name, address=found) for name in NETWORKS if (found := self.address(name))
            ],
        )

    def address(self, name: str) -> str | None:
        """Return one address of the footer, None where it is not given."""
        stored = self.addresses.get(name)
        return stored.address if stored else None


@cache
def shipped_text(page: TextPage, language: str) -> str:
    """Return the Markdown that comes with the product, empty where there is none; `{{name}}` in it is the site."""
    return (HELP / f"{language}.md").read_text("utf-8").strip() if page in SHIPPED else ""
