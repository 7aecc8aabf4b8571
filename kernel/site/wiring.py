"""The services of the site, wired."""

from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.wiring import Services
from kernel.pictures.store import PictureStore
from kernel.site.branding.service import BrandingService
from kernel.site.carousel.service import SlideService
from kernel.site.prompt_settings import SettingService
from kernel.site.public_texts.service import PublicTextService
from kernel.site.seo.service import SeoService


class SiteServices(Services, frozen=True, kw_only=True):
    """Stored settings, branding, the carousel, public texts and search keywords."""

    settings: SettingService
    branding: BrandingService
    slides: SlideService
    seo: SeoService
    public_texts: PublicTextService


def open_site(config: Config, database: Database, pictures: PictureStore) -> SiteServices:
    """Wire the services."""
    branding = BrandingService(config.site, config.pictures, database, pictures)
    return SiteServices(
        settings=SettingService(config.site, database, branding),
        branding=branding,
        slides=SlideService(config.pictures, database, pictures),
        seo=SeoService(config, database),
        public_texts=PublicTextService(config.site.name, database),
    )
