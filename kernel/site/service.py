"""Stored settings: prompt templates and the defaults behind blank fields."""

from collections.abc import Collection
from typing import Any, Final, Literal, get_args

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from kernel.core.database import insert_into
from kernel.core.errors import Absent, InvalidFields
from kernel.core.wire import UNKNOWN
from kernel.site.branding import KEYS
from kernel.site.models import Setting
from kernel.site.prompts import (
    MAX_CHARS,
    STANDARD_TEMPLATE,
    THEME_TEMPLATE,
    clean,
    length_fault,
    render,
    template_fault,
)
from kernel.site.schemas import DefaultsIn, PreviewIn, PromptDefaults, PromptPreview, SettingIn, SettingOut
from kernel.site.texts import FIGURES, OTHER_SETTING, save_figure, stray_text

PromptKey = Literal["standard_prompt", "theme_prompt"]
PROMPT_KEYS: Final = get_args(PromptKey)
KNOWN_KEYS: Final = (*PROMPT_KEYS, *KEYS.values(), *FIGURES.values())
"""The settings that there always are."""
NO_SETTING: Final = "There is no such setting."
_TEMPLATES: Final = {"standard_prompt": STANDARD_TEMPLATE, "theme_prompt": THEME_TEMPLATE}
_WIRE: Final = {field.name: field.encode_name for field in msgspec.structs.fields(PromptDefaults)}
_DEFAULTS: Final[dict[str, Collection[str]]] = {
    "standard_prompt": ("title", "author", "genre", "prompt"),
    "theme_prompt": _WIRE.keys(),
}
"""The defaults that each prompt has."""
_COLUMNS: Final = (
    Setting.setting_key,
    Setting.prompt_template,
    Setting.default_values,
    Setting.show_genre_checkbox,
    Setting.text_value,
)


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """How a prompt is put together."""

    template: str
    defaults: PromptDefaults
    show_genre_checkbox: bool


class SettingService:
    """Settings, stored or as shipped."""

    async def prompt(self, reader: AsyncConnection | AsyncSession, key: PromptKey) -> Prompt:
        """Return how a prompt is put together; a theme's takes those defaults that it has not from the other."""
        stored = await _stored(reader, key)
        defaults = _defaults(key, stored)
        if key == "theme_prompt":
            defaults = _filled_up(defaults, _defaults("standard_prompt", await _stored(reader, "standard_prompt")))
        return Prompt(
            template=stored.get("prompt_template") or _TEMPLATES[key],
            defaults=PromptDefaults(**{name: defaults.get(name, "") for name in _WIRE}),
            show_genre_checkbox=bool(stored.get("show_genre_checkbox")),
        )

    async def get(self, reader: AsyncConnection | AsyncSession, key: str) -> SettingOut:
        """Return one setting. Raises Absent for a key there is not."""
        stored = await _stored(reader, key)
        if not stored and key not in KNOWN_KEYS:
            raise Absent(NO_SETTING)
        return _shown(key, stored)

    async def all(self, reader: AsyncConnection) -> list[SettingOut]:
        """Return all settings: the prompts, those of one text, then whatever else is stored."""
        rows = {row.setting_key: row._asdict() for row in await reader.execute(select(*_COLUMNS))}
        others = sorted(rows.keys() - set(KNOWN_KEYS))
        return [_shown(key, rows.get(key, {})) for key in (*KNOWN_KEYS, *others)]

    async def save(self, session: AsyncSession, key: str, wanted: SettingIn) -> SettingOut:
        """Store what is given. Raises Absent, and InvalidFields naming all that cannot be stored.

        Addresses of pictures are not stored here, but with their pictures.
        """
        if key in FIGURES.values():
            await save_figure(session, key, wanted)
            return await self.get(session, key)
        if key not in PROMPT_KEYS:
            raise Absent(NO_SETTING)
        found: dict[str, str] = {}
        values: dict[str, Any] = {}
        if wanted.setting_key not in (msgspec.UNSET, key):
            found["settingKey"] = OTHER_SETTING
        if stray_text(wanted):
            found["textValue"] = UNKNOWN
        if isinstance(wanted.prompt_template, str):
            values["prompt_template"] = _template(wanted.prompt_template, found)
        elif wanted.prompt_template is None:
            values["prompt_template"] = None
        if isinstance(wanted.default_values, DefaultsIn):
            values["default_values"] = _given(key, wanted.default_values, found)
        if isinstance(wanted.show_genre_checkbox, bool):
            values["show_genre_checkbox"] = wanted.show_genre_checkbox
        if found:
            raise InvalidFields(found)
        if values:
            empty = {"default_values": {}, "show_genre_checkbox": False}
            row = insert_into(session, Setting).values(setting_key=key, **(empty | values))
            await session.execute(row.on_conflict_do_update(index_elements=["setting_key"], set_=values))
        return await self.get(session, key)

    async def preview(self, reader: AsyncConnection, key: str, wanted: PreviewIn) -> PromptPreview:
        """Render a prompt that is not stored. Raises Absent, and InvalidFields as `save` does."""
        if key not in PROMPT_KEYS:
            raise Absent(NO_SETTING)
        found: dict[str, str] = {}
        template = _template(wanted.prompt_template, found)
        defaults = _given(key, wanted.default_values, found)
        if found:
            raise InvalidFields(found)
        offers_genre = wanted.show_genre_checkbox
        if key == "theme_prompt":
            standard = await self.prompt(reader, "standard_prompt")
            defaults = _filled_up(defaults, msgspec.structs.asdict(standard.defaults))
            offers_genre = standard.show_genre_checkbox
        if not offers_genre:
            defaults["genre"] = ""
        filled = _filled_up({name: clean(getattr(wanted.filled, name)) for name in _WIRE}, defaults)
        values = {_WIRE[name]: text for name, text in filled.items()}
        return PromptPreview(text=render(template, values, has_references=wanted.has_reference_images))


async def _stored(reader: AsyncConnection | AsyncSession, key: str) -> dict[str, Any]:
    """Return the row of a setting, empty where nothing is stored."""
    row = (await reader.execute(select(*_COLUMNS).where(Setting.setting_key == key))).one_or_none()
    return row._asdict() if row else {}


def _template(typed: str, found: dict[str, str]) -> str:
    template = clean(typed)
    if fault := template_fault(template):
        found["promptTemplate"] = fault
    return template


def _given(key: str, given: DefaultsIn, found: dict[str, str]) -> dict[str, str]:
    """Return the defaults of a prompt, without blanks around them; `found` hears of those that cannot be."""
    values = {name: clean(getattr(given, name)) for name in _WIRE}
    found |= {
        f"defaultValues.{_WIRE[name]}": UNKNOWN for name, text in values.items() if text and name not in _DEFAULTS[key]
    }
    for name in _DEFAULTS[key]:
        if fault := length_fault(values[name], MAX_CHARS[name]):
            found[f"defaultValues.{_WIRE[name]}"] = fault
    return {name: values[name] for name in _DEFAULTS[key]}


def _defaults(key: str, stored: dict[str, Any]) -> dict[str, str]:
    known = stored.get("default_values") or {}
    return {name: str(known.get(name, "")) for name in _DEFAULTS[key]}


def _filled_up(first: dict[str, str], second: dict[str, str]) -> dict[str, str]:
    """Return the texts of the first, where they are blank those of the second."""
    return {name: first.get(name) or second.get(name, "") for name in first | second}


def _shown(key: str, stored: dict[str, Any]) -> SettingOut:
    known = stored.get("default_values") or {}
    if key in PROMPT_KEYS:
        known = {_WIRE[name]: text for name, text in _defaults(key, stored).items()}
    return SettingOut(
        setting_key=key,
        prompt_template=stored.get("prompt_template") or _TEMPLATES.get(key),
        default_values={name: str(text) for name, text in known.items()},
        show_genre_checkbox=bool(stored.get("show_genre_checkbox")),
        text_value=stored.get("text_value"),
    )
