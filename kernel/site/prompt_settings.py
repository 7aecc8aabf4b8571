"""Stored settings: prompt templates and the defaults for blank fields."""

from collections.abc import Collection
from typing import Any, Final, Literal, get_args

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.audit import Actor, audit
from kernel.core.config import SiteConfig
from kernel.core.data.database import Database, ReadConnection, insert_into
from kernel.core.errors import Absent, InvalidFields
from kernel.core.field_errors import FieldFault
from kernel.core.schemas import UNKNOWN
from kernel.site.branding.service import KEYS, BrandingService
from kernel.site.history import SETTING_HISTORY
from kernel.site.models import Setting
from kernel.site.prompts import (
    MAX_CHARS,
    STANDARD_TEMPLATE,
    THEME_TEMPLATE,
    clean,
    length_fault,
    lettering_words,
    render,
    template_fault,
)
from kernel.site.schemas import (
    DefaultsIn,
    GeneratorSettings,
    PreviewIn,
    PromptDefaults,
    PromptPreview,
    SettingIn,
    SettingOut,
    SiteStats,
)
from kernel.site.text_settings import FIGURES, OTHER_SETTING, figures, save_figure, stray_text

PromptKey = Literal["standard_prompt", "theme_prompt"]
PROMPT_KEYS: Final = get_args(PromptKey)
KNOWN_KEYS: Final = (*PROMPT_KEYS, *KEYS.values(), *FIGURES.values())
"""The settings that always exist."""
NO_SETTING: Final = "There is no such setting."
_TEMPLATES: Final = {"standard_prompt": STANDARD_TEMPLATE, "theme_prompt": THEME_TEMPLATE}
_WIRE: Final = {field.name: field.encode_name for field in msgspec.structs.fields(PromptDefaults)}
_DEFAULTS: Final[dict[str, Collection[str]]] = {
    "standard_prompt": ("title", "author", "genre", "prompt", "lettering"),
    "theme_prompt": _WIRE.keys(),
}
"""The defaults of each prompt."""
_COLUMNS: Final = (
    Setting.setting_key,
    Setting.prompt_template,
    Setting.default_values,
    Setting.show_genre_checkbox,
    Setting.text_value,
)


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt template with its defaults."""

    template: str
    defaults: PromptDefaults
    show_genre_checkbox: bool


class SettingService:
    """Settings, stored or built-in."""

    def __init__(self, site: SiteConfig, database: Database, branding: BrandingService) -> None:
        self._site = site
        self._database = database
        self._branding = branding

    async def stats(self) -> SiteStats:
        """Return the landing page's figures as the operator wrote them; None where there is none."""
        async with self._database.read() as connection:
            return await figures(connection, self._site)

    async def generator(self) -> GeneratorSettings:
        """Return the defaults behind blank fields, for the generator's form."""
        async with self._database.read() as connection:
            standard = await self.prompt(connection, "standard_prompt")
        return GeneratorSettings(default_values=standard.defaults, show_genre_checkbox=standard.show_genre_checkbox)

    async def all(self) -> list[SettingOut]:
        """Return all settings: the prompts, those of one text, then whatever else is stored."""
        async with self._database.read() as connection:
            rows = {row.setting_key: row._asdict() for row in await connection.execute(select(*_COLUMNS))}
        others = sorted(rows.keys() - set(KNOWN_KEYS))
        return [_shown(key, rows.get(key, {})) for key in (*KNOWN_KEYS, *others)]

    async def get(self, key: str) -> SettingOut:
        """Return one setting. Raises Absent for a key there is not."""
        async with self._database.read() as connection:
            return await _setting(connection, key)

    async def save(self, key: str, wanted: SettingIn, actor: Actor) -> SettingOut:
        """Store what is given: a prompt, a text, or that a picture is to go.

        Raises Absent, and InvalidFields naming all that cannot be stored.
        """
        if key in KEYS.values():
            await self._branding.change(key, wanted, actor)
            return await self.get(key)
        async with self._database.write() as session:
            about = f"setting:{key}"
            before = await SETTING_HISTORY.read(session, about)
            saved = await self._save(session, key, wanted)
            if keys := _given_names(wanted):
                audit(
                    session,
                    "setting.save",
                    actor_id=actor.id,
                    ip=actor.ip,
                    object=about,
                    keys=keys,
                    before=before,
                    after=await SETTING_HISTORY.read(session, about),
                )
            return saved

    async def preview(self, key: str, wanted: PreviewIn) -> PromptPreview:
        """Render a prompt that is not stored. Raises Absent, and InvalidFields as `save` does."""
        async with self._database.read() as connection:
            return await self._preview(connection, key, wanted)

    async def prompt(self, reader: ReadConnection | AsyncSession, key: PromptKey) -> Prompt:
        """Return a prompt; that of themes takes missing defaults from the other."""
        stored = await _stored(reader, key)
        defaults = _defaults(key, stored)
        if key == "theme_prompt":
            defaults = _filled_up(defaults, _defaults("standard_prompt", await _stored(reader, "standard_prompt")))
        return Prompt(
            template=stored.get("prompt_template") or _TEMPLATES[key],
            defaults=PromptDefaults(**{name: defaults.get(name, "") for name in _WIRE}),
            show_genre_checkbox=bool(stored.get("show_genre_checkbox")),
        )

    async def _save(self, session: AsyncSession, key: str, wanted: SettingIn) -> SettingOut:
        if key in FIGURES.values():
            await save_figure(session, key, wanted)
            return await _setting(session, key)
        if key not in PROMPT_KEYS:
            raise Absent(NO_SETTING)
        found: dict[str, FieldFault] = {}
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
        return await _setting(session, key)

    async def _preview(self, reader: ReadConnection, key: str, wanted: PreviewIn) -> PromptPreview:
        if key not in PROMPT_KEYS:
            raise Absent(NO_SETTING)
        found: dict[str, FieldFault] = {}
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
        values["lettering"] = lettering_words(filled, by_press=True, without_letters=filled["lettering"])
        return PromptPreview(text=render(template, values, has_references=wanted.has_reference_images))


async def _setting(reader: ReadConnection | AsyncSession, key: str) -> SettingOut:
    """Return one setting. Raises Absent for a key there is not."""
    stored = await _stored(reader, key)
    if not stored and key not in KNOWN_KEYS:
        raise Absent(NO_SETTING)
    return _shown(key, stored)


async def _stored(reader: ReadConnection | AsyncSession, key: str) -> dict[str, Any]:
    """Return the row of a setting, empty where nothing is stored."""
    row = (await reader.execute(select(*_COLUMNS).where(Setting.setting_key == key))).one_or_none()
    return row._asdict() if row else {}


def _given_names(wanted: SettingIn) -> list[str]:
    """Return the names of what a request stores."""
    fields = msgspec.structs.fields(wanted)
    given = [field.encode_name for field in fields if getattr(wanted, field.name) is not msgspec.UNSET]
    return [name for name in given if name != "settingKey"]


def _template(typed: str, found: dict[str, FieldFault]) -> str:
    template = clean(typed)
    if fault := template_fault(template):
        found["promptTemplate"] = fault
    return template


def _given(key: str, given: DefaultsIn, found: dict[str, FieldFault]) -> dict[str, str]:
    """Return the defaults of a prompt, without surrounding whitespace; faults are added to `found`."""
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
    """Return the first texts, blank ones replaced by the second."""
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
