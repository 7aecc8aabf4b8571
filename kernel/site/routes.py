"""Calls about the site."""

from litestar import Controller, get, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from kernel.core.access import ADMIN, PUBLIC, USER
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.site.schemas import Branding, GeneratorSettings, SettingIn, SettingOut, SiteStats
from kernel.site.service import SettingService


class SiteController(Controller):
    """What everyone may know of the site."""

    path = "/api"
    tags = ("Site",)

    @get("/branding", operation_id="getBranding", opt=PUBLIC, sync_to_thread=False)
    def branding(self, config: NamedDependency[Config]) -> Branding:
        """Return the name and the logos."""
        return Branding(name=config.site.name, logo_url=None, favicon_url=None, footer_logo_url=None)

    @get("/site-stats", operation_id="getSiteStats", opt=PUBLIC, sync_to_thread=False)
    def site_stats(self, config: NamedDependency[Config]) -> SiteStats:
        """Return the landing page's figures as the operator wrote them; null where there is none."""
        site = config.site
        return SiteStats(authors=site.authors or None, covers=site.covers or None, rating=site.rating or None)

    @get("/generator-settings", operation_id="getGeneratorSettings", opt=USER)
    async def generator_settings(
        self, database: NamedDependency[Database], settings: NamedDependency[SettingService]
    ) -> GeneratorSettings:
        """Return the defaults behind blank fields, for the generator's form."""
        async with database.read() as connection:
            standard = await settings.get(connection, "standard_prompt")
        return GeneratorSettings(
            default_values=standard.default_values, show_genre_checkbox=standard.show_genre_checkbox
        )


class AdminSettingController(Controller):
    """Stored settings, for administrators."""

    path = "/api/admin/settings"
    tags = ("Administration",)
    opt = ADMIN

    @get(operation_id="listSettings")
    async def list_settings(
        self, database: NamedDependency[Database], settings: NamedDependency[SettingService]
    ) -> list[SettingOut]:
        """Return all settings."""
        async with database.read() as connection:
            return await settings.all(connection)

    @get("/{key:str}", operation_id="getSetting")
    async def get_setting(
        self, key: FromPath[str], database: NamedDependency[Database], settings: NamedDependency[SettingService]
    ) -> SettingOut:
        """Return one setting."""
        async with database.read() as connection:
            return await settings.get(connection, key)

    @put("/{key:str}", operation_id="saveSetting")
    async def save_setting(
        self,
        key: FromPath[str],
        data: JSONBody[SettingIn],
        database: NamedDependency[Database],
        settings: NamedDependency[SettingService],
    ) -> SettingOut:
        """Store a prompt template, its defaults or the genre check box."""
        async with database.write() as session:
            return await settings.save(session, key, data)
