"""Wire of themes."""

from datetime import datetime
from typing import Annotated, Final

from msgspec import UNSET, Meta, UnsetType

from kernel.core.schemas import In, Line, Out, RowId

COLOR_CHARS: Final = 7
Color = Annotated[str, Meta(pattern=r"^#[0-9A-Fa-f]{6}$", max_length=COLOR_CHARS)]
"""The length, because `$` lets a line feed pass behind it."""
MAX_COLORS: Final = 8
DEFAULT_COLORS: Final = ("#6366F1", "#F59E0B", "#10B981", "#111827")


class ThemeCoverOut(Out, frozen=True, kw_only=True):
    """A cover as it shows on its theme's card; `tint` and `placeholder` fill the space until the thumbnail loads."""

    id: int
    thumbnail_url: str
    width: int
    height: int
    tint: str
    placeholder: str | None


class ThemeOut(Out, frozen=True, kw_only=True):
    """A theme. `covers` are its newest, four at most; those in the bin do not count.

    With `isSeries` they share a look, with which new ones begin.
    """

    id: int
    name: str
    description: str | None
    colors: list[str]
    style_prompt: str
    usage_count: int
    created_at: datetime
    is_series: bool
    cover_count: int
    covers: list[ThemeCoverOut]


class ThemeFromCoverIn(In, frozen=True, kw_only=True):
    """A new theme after a cover of one's own, which then belongs to it."""

    cover_id: RowId
    theme_name: Annotated[Line, Meta(max_length=100)]


class CoverThemeIn(In, frozen=True, kw_only=True):
    """The theme that a cover is to belong to."""

    theme_id: RowId


class ThemeIn(In, frozen=True, kw_only=True):
    """A new theme: a name, at least one color and a style prompt."""

    name: Annotated[Line, Meta(max_length=100)]
    style_prompt: Annotated[str, Meta(max_length=1000)]
    description: Annotated[str, Meta(max_length=500)] | None = None
    colors: Annotated[tuple[Color, ...], Meta(max_length=MAX_COLORS)] = DEFAULT_COLORS


class ThemeChange(In, frozen=True, kw_only=True):
    """What may change in a theme; what is absent stays."""

    style_prompt: Annotated[str, Meta(max_length=1000)] | UnsetType = UNSET
    name: Annotated[Line, Meta(max_length=100)] | UnsetType = UNSET
    description: Annotated[str, Meta(max_length=500)] | UnsetType = UNSET
    colors: Annotated[tuple[Color, ...], Meta(max_length=MAX_COLORS)] | UnsetType = UNSET
