"""Wire of the site."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from kernel.core.wire import In, Out

Words = Annotated[str, Meta(max_length=500)]


class Branding(Out, frozen=True, kw_only=True):
    """Name and logos; an address is null until an administrator uploads one."""

    name: str
    logo_url: str | None
    favicon_url: str | None
    footer_logo_url: str | None


class SiteStats(Out, frozen=True, kw_only=True):
    """Figures an administrator has written for the landing page; null ones are not shown."""

    authors: str | None
    covers: str | None
    rating: str | None


class CarouselItem(Out, frozen=True, kw_only=True):
    """A cover on the landing page; the address holds the content's hash."""

    id: int
    title: str
    genre: str
    image_url: str


class PromptDefaults(Out, frozen=True, kw_only=True):
    """What stands in for a field that the user left blank."""

    title: str
    author: str
    genre: str
    prompt: str
    theme_style_prompt: str
    reference_image_prompt: str


class GeneratorSettings(Out, frozen=True, kw_only=True):
    """What the generator's form needs to know; no template in it."""

    default_values: PromptDefaults
    show_genre_checkbox: bool


class SettingOut(Out, frozen=True, kw_only=True):
    """A stored setting, for administrators."""

    setting_key: str
    prompt_template: str | None
    default_values: PromptDefaults
    show_genre_checkbox: bool
    text_value: str | None


class DefaultsIn(In, frozen=True, kw_only=True):
    """New defaults; absent ones become blank."""

    title: Annotated[str, Meta(max_length=100)] = ""
    author: Annotated[str, Meta(max_length=100)] = ""
    genre: Annotated[str, Meta(max_length=50)] = ""
    prompt: Words = ""
    theme_style_prompt: Words = ""
    reference_image_prompt: Words = ""


class SettingIn(In, frozen=True, kw_only=True):
    """A prompt setting to store; absent fields stay as they are."""

    setting_key: str | UnsetType = UNSET
    prompt_template: str | UnsetType = UNSET
    default_values: DefaultsIn | UnsetType = UNSET
    show_genre_checkbox: bool | UnsetType = UNSET
