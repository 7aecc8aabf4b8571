"""Wire of the public texts and of the addresses in the footer."""

from datetime import datetime
from typing import Final, Literal, get_args

from kernel.core.schemas import In, Line, Out

TextPage = Literal["terms", "privacy", "contact", "help"]
TEXT_PAGES: Final[tuple[TextPage, ...]] = get_args(TextPage)
Network = Literal["x", "instagram", "facebook", "youtube"]
NETWORKS: Final[tuple[Network, ...]] = get_args(Network)


class NetworkAddress(Out, frozen=True, kw_only=True):
    """The site's page in a social network."""

    network: Network
    address: str


class PublicLinks(Out, frozen=True, kw_only=True):
    """What the footer leads to: only pages that say something, and only addresses that an administrator has given."""

    pages: list[TextPage]
    email: str | None
    api: str | None
    networks: list[NetworkAddress]


class PublicTextOut(Out, frozen=True, kw_only=True):
    """A page's text as safe HTML.

    `language` is the text's own, which is another than the requested one where there is no translation. `updatedAt` is
    null for the help that comes with the product.
    """

    page: TextPage
    language: str
    html: str
    updated_at: datetime | None


class SavedTextOut(Out, frozen=True, kw_only=True):
    """A page's text in one language, for administrators.

    `body` is their own Markdown, empty where there is none; `shipped` is what stands in for it, empty for legal texts.
    `languages` are those that have a text of their own.
    """

    page: TextPage
    language: str
    body: str
    shipped: str
    languages: list[str]
    updated_at: datetime | None


class TextIn(In, frozen=True, kw_only=True):
    """A text in Markdown; an empty one is removed."""

    body: str


class RenderedTextOut(Out, frozen=True, kw_only=True):
    """A text as visitors would see it."""

    html: str


class AddressesOut(Out, frozen=True, kw_only=True):
    """The addresses in the footer, empty where none is given."""

    email: str
    api: str
    x: str
    instagram: str
    facebook: str
    youtube: str


class AddressesIn(In, frozen=True, kw_only=True):
    """The addresses in the footer. An empty or absent one is not shown; the service names all bad ones at once."""

    email: Line = ""
    api: Line = ""
    x: Line = ""
    instagram: Line = ""
    facebook: Line = ""
    youtube: Line = ""
