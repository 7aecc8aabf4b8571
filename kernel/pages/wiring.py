"""The services of pages, wired."""

from kernel.billing.pricing.prices import Prices
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.wiring import Services
from kernel.pages.page_content import PageContent
from kernel.pages.share_image.service import ShareImages
from kernel.pictures.store import PictureStore
from kernel.plans.service import PlanService
from kernel.site.wiring import SiteServices


class Pages(Services, frozen=True, kw_only=True):
    """What browsers and search engines get first."""

    page_content: PageContent
    share_images: ShareImages


def open_pages(
    config: Config, database: Database, prices: Prices, plans: PlanService, site: SiteServices, pictures: PictureStore
) -> Pages:
    """Wire the services."""
    return Pages(
        page_content=PageContent(config.site.name, database, site.seo, prices, plans, site.slides, site.public_texts),
        share_images=ShareImages(config, site.slides, pictures),
    )
