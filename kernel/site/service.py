"""Stored settings: prompt templates and the defaults behind blank fields."""

from typing import Any, Final, Literal, get_args

import msgspec
from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from kernel.core.database import changed_rows
from kernel.core.errors import Absent, InvalidFields
from kernel.site.models import Setting
from kernel.site.prompts import STANDARD_TEMPLATE, THEME_TEMPLATE, check_template
from kernel.site.schemas import PromptDefaults, SettingIn, SettingOut

PromptKey = Literal["standard_prompt", "theme_prompt"]
PROMPT_KEYS: Final = get_args(PromptKey)
_TEMPLATES: Final = {"standard_prompt": STANDARD_TEMPLATE, "theme_prompt": THEME_TEMPLATE}
_DEFAULT_FIELDS: Final = PromptDefaults.__struct_fields__
_COLUMNS: Final = (
    Setting.setting_key,
    Setting.prompt_template,
    Setting.default_values,
    Setting.show_genre_checkbox,
    Setting.text_value,
)


class SettingService:
    """Prompt settings, stored or as shipped."""

    async def get(self, reader: AsyncConnection | AsyncSession, key: str) -> SettingOut:
        """Return one prompt setting. Raises Absent for a key there is not."""
        if key not in PROMPT_KEYS:
            raise Absent("There is no such setting.")
        row = (await reader.execute(select(*_COLUMNS).where(Setting.setting_key == key))).one_or_none()
        return _shown(key, row._asdict() if row else {})

    async def all(self, reader: AsyncConnection) -> list[SettingOut]:
        """Return all prompt settings."""
        return [await self.get(reader, key) for key in PROMPT_KEYS]

    async def save(self, session: AsyncSession, key: str, wanted: SettingIn) -> SettingOut:
        """Store what is given. Raises Absent, and InvalidFields for a template that cannot be rendered."""
        if key not in PROMPT_KEYS:
            raise Absent("There is no such setting.")
        if wanted.setting_key not in (msgspec.UNSET, key):
            raise InvalidFields({"settingKey": "This is not the setting in the address."})
        values: dict[str, Any] = {}
        if isinstance(wanted.prompt_template, str):
            check_template(wanted.prompt_template)
            values["prompt_template"] = wanted.prompt_template
        if not isinstance(wanted.default_values, msgspec.UnsetType):
            values["default_values"] = msgspec.structs.asdict(wanted.default_values)
        if isinstance(wanted.show_genre_checkbox, bool):
            values["show_genre_checkbox"] = wanted.show_genre_checkbox
        if values and not await changed_rows(
            session, update(Setting).where(Setting.setting_key == key).values(**values)
        ):
            empty = {"default_values": {}, "show_genre_checkbox": False}
            await session.execute(insert(Setting).values(setting_key=key, **(empty | values)))
        return await self.get(session, key)


def _shown(key: str, stored: dict[str, Any]) -> SettingOut:
    defaults = stored.get("default_values") or {}
    return SettingOut(
        setting_key=key,
        prompt_template=stored.get("prompt_template") or _TEMPLATES[key],
        default_values=PromptDefaults(**{name: str(defaults.get(name, "")) for name in _DEFAULT_FIELDS}),
        show_genre_checkbox=bool(stored.get("show_genre_checkbox", False)),
        text_value=stored.get("text_value"),
    )
