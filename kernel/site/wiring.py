"""The services of the site, wired."""

from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.vault import Vault
from kernel.core.wiring import Services
from kernel.pictures.store import PictureStore
from kernel.site.branding.service import BrandingService
from kernel.site.carousel.service import SlideService
from kernel.site.prompt_settings import SettingService
from kernel.site.public_texts.service import PublicTextService
from kernel.site.seo.service import SeoService
from kernel.site.signing.expiry import CertificateWatch
from kernel.site.signing.service import SigningService


class SiteServices(Services, frozen=True, kw_only=True):
    """Stored settings, branding, the carousel, public texts, search keywords, and the certificate for files."""

    settings: SettingService
    branding: BrandingService
    slides: SlideService
    seo: SeoService
    public_texts: PublicTextService
    signing: SigningService
    certificate_watch: CertificateWatch


def open_site(config: Config, database: Database, vault: Vault, pictures: PictureStore) -> SiteServices:
    """Wire the services."""
    branding = BrandingService(config.site, config.pictures, database, pictures)
    return SiteServices(
        settings=SettingService(config.site, database, branding),
        branding=branding,
        slides=SlideService(config.pictures, database, pictures),
        seo=SeoService(config, database),
        public_texts=PublicTextService(config.site.name, database),
        signing=SigningService(config.site, database, vault),
        certificate_watch=CertificateWatch(database),
    )
