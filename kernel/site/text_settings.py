"""Settings that are one text: the landing page's figures, and the validation of such a text."""

from typing import Final

import msgspec
from msgspec import UNSET, UnsetType
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.config import SiteConfig
from kernel.core.data.database import ReadConnection, insert_into
from kernel.core.errors import InvalidFields
from kernel.core.field_errors import FieldError, FieldFault
from kernel.core.schemas import UNKNOWN
from kernel.site.models import Setting
from kernel.site.prompts import clean
from kernel.site.schemas import DefaultsIn, SettingIn, SiteStats

FIGURES: Final = {"authors": "stats_authors", "covers": "stats_covers", "rating": "stats_rating"}
"""A figure of the landing page → the setting that holds it."""
FIGURE_CHARS: Final = 40
OTHER_SETTING: Final = FieldError("other_setting", "This does not match the setting in the URL.")
_NOT_OURS: Final = {
    "promptTemplate": ("prompt_template", (UNSET, None, "")),
    "defaultValues": ("default_values", (UNSET, DefaultsIn())),
    "showGenreCheckbox": ("show_genre_checkbox", (UNSET, False)),
}
"""Fields that only prompts have, and their empty values."""


async def figures(reader: ReadConnection, site: SiteConfig) -> SiteStats:
    """Return the landing page's figures: the stored ones, else the configured ones. An empty one is not shown."""
    query = select(Setting.setting_key, Setting.text_value).where(Setting.setting_key.in_(FIGURES.values()))
    stored = {row.setting_key: row.text_value for row in await reader.execute(query)}
    found = {name: stored.get(key) for name, key in FIGURES.items()}
    shown = {name: getattr(site, name) if text is None else text for name, text in found.items()}
    return SiteStats(**{name: text or None for name, text in shown.items()})


async def save_figure(session: AsyncSession, key: str, wanted: SettingIn) -> None:
    """Store a figure as one line; null restores the configured one. Raises InvalidFields."""
    text = given_text(key, wanted)
    if isinstance(text, UnsetType):
        return
    if text and len(text) > FIGURE_CHARS:
        words = f"Must be at most {FIGURE_CHARS} long."
        raise InvalidFields({"textValue": FieldError("too_long", words, {"count": FIGURE_CHARS})})
    values = {"text_value": text}
    row = insert_into(session, Setting).values(setting_key=key, default_values={}, show_genre_checkbox=False, **values)
    await session.execute(row.on_conflict_do_update(index_elements=["setting_key"], set_=values))


def given_text(key: str, wanted: SettingIn) -> str | UnsetType | None:
    """Return the text to store, in one line. Raises InvalidFields for fields that a text setting does not have."""
    found: dict[str, FieldFault] = {}
    if wanted.setting_key not in (UNSET, key):
        found["settingKey"] = OTHER_SETTING
    for field, (name, nothing) in _NOT_OURS.items():
        if getattr(wanted, name) not in nothing:
            found[field] = UNKNOWN
    if found:
        raise InvalidFields(found)
    text = wanted.text_value
    return " ".join(clean(text).split()) if isinstance(text, str) else text


def stray_text(wanted: SettingIn) -> bool:
    """Return whether a text is given for a setting that has none."""
    return wanted.text_value not in (msgspec.UNSET, None, "")
