"""Wire of themes."""

from datetime import datetime
from typing import Annotated, Final

from msgspec import UNSET, Meta, UnsetType

from kernel.core.wire import In, Out

Colour = Annotated[str, Meta(pattern=r"^#[0-9A-Fa-f]{6}$")]
DEFAULT_COLORS: Final = ("#6366F1", "#F59E0B", "#10B981", "#111827")


class ThemeOut(Out, frozen=True, kw_only=True):
    """A theme."""

    id: int
    name: str
    description: str | None
    colors: list[str]
    style_prompt: str
    usage_count: int
    created_at: datetime


class ThemeIn(In, frozen=True, kw_only=True):
    """A new theme: a name, at least one colour and a style prompt."""

    name: Annotated[str, Meta(max_length=100)]
    style_prompt: Annotated[str, Meta(max_length=1000)]
    description: Annotated[str, Meta(max_length=500)] | None = None
    colors: Annotated[tuple[Colour, ...], Meta(max_length=8)] = DEFAULT_COLORS


class ThemeChange(In, frozen=True, kw_only=True):
    """What may change in a theme; what is absent stays."""

    style_prompt: Annotated[str, Meta(max_length=1000)] | UnsetType = UNSET
    name: Annotated[str, Meta(max_length=100)] | UnsetType = UNSET
