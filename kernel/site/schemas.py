"""Wire of the site."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from kernel.core.schemas import In, Line, Out

Words = Annotated[str, Meta(max_length=500)]


class Branding(Out, frozen=True, kw_only=True):
    """Name and logos; an address is null until an administrator uploads one."""

    name: str
    logo_url: str | None
    favicon_url: str | None
    footer_logo_url: str | None


BrandingUse = Literal["logo", "favicon", "footer-logo"]


class BrandingUploaded(Out, frozen=True, kw_only=True):
    """Where the uploaded picture is."""

    url: str


class SiteStats(Out, frozen=True, kw_only=True):
    """Figures an administrator has written for the landing page; null ones are not shown."""

    authors: str | None
    covers: str | None
    rating: str | None


class PromptDefaults(Out, frozen=True, kw_only=True):
    """What stands in for a field that the user left blank."""

    title: str
    author: str
    genre: str
    prompt: str
    theme_style_prompt: str
    reference_image_prompt: str
    lettering: str


class GeneratorSettings(Out, frozen=True, kw_only=True):
    """What the generator's form needs to know; no template in it."""

    default_values: PromptDefaults
    show_genre_checkbox: bool


class SettingOut(Out, frozen=True, kw_only=True):
    """A stored setting, for administrators. What its defaults are called depends on what it is a setting of."""

    setting_key: str
    prompt_template: str | None
    default_values: dict[str, str]
    show_genre_checkbox: bool
    text_value: str | None


class DefaultsIn(In, frozen=True, kw_only=True):
    """New defaults; absent ones become blank."""

    title: Annotated[Line, Meta(max_length=100)] = ""
    author: Annotated[Line, Meta(max_length=100)] = ""
    genre: Annotated[Line, Meta(max_length=50)] = ""
    prompt: Words = ""
    theme_style_prompt: Words = ""
    reference_image_prompt: Words = ""
    lettering: Words = ""


class SettingIn(In, frozen=True, kw_only=True):
    """A setting to store: of a prompt, or of one text. Absent fields stay as they are.

    Without a template the one we ship holds again; without a text, what is configured.
    """

    setting_key: str | UnsetType = UNSET
    prompt_template: str | UnsetType | None = UNSET
    default_values: DefaultsIn | UnsetType = UNSET
    show_genre_checkbox: bool | UnsetType = UNSET
    text_value: Line | UnsetType | None = UNSET


class PreviewIn(In, frozen=True, kw_only=True):
    """A prompt setting that is not stored, and what somebody fills in; the default genre only where it is offered."""

    prompt_template: str
    default_values: DefaultsIn = DefaultsIn()
    show_genre_checkbox: bool = False
    filled: DefaultsIn = DefaultsIn()
    has_reference_images: bool = False


class PromptPreview(Out, frozen=True, kw_only=True):
    """What an image service would be told."""

    text: str
