"""Calls about the site."""

from typing import Any

import msgspec
from litestar import Controller, Request, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from kernel.core.access import ADMIN, PUBLIC, USER, Viewer
from kernel.core.audit import actor_of, audit, ip_of
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.site.branding import KEYS, BrandingService
from kernel.site.schemas import (
    GeneratorSettings,
    PreviewIn,
    PromptPreview,
    SettingIn,
    SettingOut,
    SiteStats,
)
from kernel.site.service import SettingService
from kernel.site.texts import figures

AdminRequest = Request[Viewer, Any, Any]


class SiteController(Controller):
    """What everyone may know of the site."""

    path = "/api"
    tags = ("Site",)

    @get("/site-stats", operation_id="getSiteStats", opt=PUBLIC)
    async def site_stats(self, config: NamedDependency[Config], database: NamedDependency[Database]) -> SiteStats:
        """Return the landing page's figures as the operator wrote them; null where there is none."""
        async with database.read() as connection:
            return await figures(connection, config.site)

    @get("/generator-settings", operation_id="getGeneratorSettings", opt=USER)
    async def generator_settings(
        self, database: NamedDependency[Database], settings: NamedDependency[SettingService]
    ) -> GeneratorSettings:
        """Return the defaults behind blank fields, for the generator's form."""
        async with database.read() as connection:
            standard = await settings.prompt(connection, "standard_prompt")
        return GeneratorSettings(default_values=standard.defaults, show_genre_checkbox=standard.show_genre_checkbox)


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
        request: AdminRequest,
        key: FromPath[str],
        data: JSONBody[SettingIn],
        database: NamedDependency[Database],
        settings: NamedDependency[SettingService],
        branding: NamedDependency[BrandingService],
    ) -> SettingOut:
        """Store a prompt template, its defaults or the genre check box; or a text, or that a picture is to go."""
        if key in KEYS.values():
            await branding.change(key, data, actor_of(request))
            async with database.read() as connection:
                return await settings.get(connection, key)
        async with database.write() as session:
            saved = await settings.save(session, key, data)
            if keys := _given(data):
                audit(
                    session,
                    "setting.save",
                    actor_id=request.user.id,
                    ip=ip_of(request),
                    object=f"setting:{key}",
                    keys=keys,
                )
            return saved

    @post("/{key:str}/preview", operation_id="previewPrompt", status_code=200)
    async def preview_prompt(
        self,
        key: FromPath[str],
        data: JSONBody[PreviewIn],
        database: NamedDependency[Database],
        settings: NamedDependency[SettingService],
    ) -> PromptPreview:
        """Return what an image service would be told, if this were stored and somebody filled in that."""
        async with database.read() as connection:
            return await settings.preview(connection, key, data)


def _given(data: SettingIn) -> list[str]:
    """Return the names of what a request stores."""
    fields = msgspec.structs.fields(data)
    given = [field.encode_name for field in fields if getattr(data, field.name) is not msgspec.UNSET]
    return [name for name in given if name != "settingKey"]
