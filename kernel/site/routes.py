"""Calls about the site."""

from litestar import Controller, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from kernel.core.audit import Actor
from kernel.core.web.access import ADMIN, PUBLIC, SHARED, USER
from kernel.site.prompt_settings import SettingService
from kernel.site.schemas import GeneratorSettings, PreviewIn, PromptPreview, SettingIn, SettingOut, SiteStats


class SiteController(Controller):
    """What everyone may know of the site."""

    path = "/api"
    tags = ("Site",)

    @get("/site-stats", operation_id="getSiteStats", opt=PUBLIC | SHARED)
    async def site_stats(self, settings: NamedDependency[SettingService]) -> SiteStats:
        """Return the landing page's figures as the operator wrote them; null where there is none."""
        return await settings.stats()

    @get("/generator-settings", operation_id="getGeneratorSettings", opt=USER)
    async def generator_settings(self, settings: NamedDependency[SettingService]) -> GeneratorSettings:
        """Return the defaults behind blank fields, for the generator's form."""
        return await settings.generator()


class AdminSettingController(Controller):
    """Stored settings, for administrators."""

    path = "/api/admin/settings"
    tags = ("Administration",)
    opt = ADMIN

    @get(operation_id="listSettings")
    async def list_settings(self, settings: NamedDependency[SettingService]) -> list[SettingOut]:
        """Return all settings."""
        return await settings.all()

    @get("/{key:str}", operation_id="getSetting")
    async def get_setting(self, key: FromPath[str], settings: NamedDependency[SettingService]) -> SettingOut:
        """Return one setting."""
        return await settings.get(key)

    @put("/{key:str}", operation_id="saveSetting")
    async def save_setting(
        self,
        actor: NamedDependency[Actor],
        key: FromPath[str],
        data: JSONBody[SettingIn],
        settings: NamedDependency[SettingService],
    ) -> SettingOut:
        """Store a prompt template, its defaults or the genre check box; or a text, or that a picture is to go."""
        return await settings.save(key, data, actor)

    @post("/{key:str}/preview", operation_id="previewPrompt", status_code=200)
    async def preview_prompt(
        self, key: FromPath[str], data: JSONBody[PreviewIn], settings: NamedDependency[SettingService]
    ) -> PromptPreview:
        """Return what an image service would be told, if this were stored and somebody filled in that."""
        return await settings.preview(key, data)
