"""Wire of changes to many covers at once, and of archives."""

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from kernel.core.schemas import In, Out, RowId

MAX_AT_ONCE: Final = 100
BulkAction = Literal["delete", "restore", "star", "unstar", "theme"]


class CoversChange(In, frozen=True, kw_only=True):
    """What is to be done with several covers. `themeId` belongs to `theme`; null takes them out of their themes."""

    ids: Annotated[tuple[RowId, ...], Meta(min_length=1, max_length=MAX_AT_ONCE)]
    action: BulkAction
    theme_id: RowId | UnsetType | None = UNSET


class CoversChanged(Out, frozen=True, kw_only=True):
    """The covers that are another way than before, in the order asked for."""

    changed: list[int]
