"""The services of pages, wired."""

from kernel.billing.prices import Prices
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.wiring import Services
from kernel.pages.page_content import PageContent
from kernel.pages.share_image.service import ShareImages
from kernel.pictures.store import PictureStore
from kernel.site.wiring import SiteServices


class Pages(Services, frozen=True, kw_only=True):
    """What browsers and search engines get first."""

    page_content: PageContent
    share_images: ShareImages


def open_pages(config: Config, database: Database, prices: Prices, site: SiteServices, pictures: PictureStore) -> Pages:
    """Wire the services."""
    return Pages(
        page_content=PageContent(database, site.seo, prices, site.slides),
        share_images=ShareImages(config, site.slides, pictures),
    )
