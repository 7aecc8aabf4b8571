"""Reading the covers of a series, with the words that are on them now."""

from collections.abc import Collection
from typing import Any, Final

import msgspec
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from kernel.core.data.database import ReadConnection
from kernel.covers.book_words import on_cover
from kernel.covers.cover_read import COVER_COLUMNS, cover_out
from kernel.covers.lettering.versions import without_words
from kernel.covers.models import Cover, CoverVersion, Generation
from kernel.covers.schemas import CoverOut
from kernel.covers.series.numbering import volume_place
from kernel.covers.series.schemas import MOST_VOLUMES, VolumeOut, VolumeState
from kernel.pictures.models import Picture
from kernel.press.lettering.document import CoverWords, Lettering
from kernel.press.lettering.series.drift import drifts

_Ground: Final = aliased(Picture)
_MORE: Final = (
    Cover.version,
    _Ground.id.label("ground_id"),
    _Ground.sha256.label("ground_sha256"),
    Generation.language,
    CoverVersion.lettering,
)


class Volume(msgspec.Struct, frozen=True, kw_only=True):
    """A cover now. `is_drawn` says that its words are part of its picture; `ground_id` is the picture below ours."""

    cover: CoverOut
    version: int
    ground_id: int
    ground_sha256: str
    language: str
    lettering: Lettering | None
    is_drawn: bool

    @property
    def words(self) -> CoverWords:
        """Return what names the book."""
        return on_cover(self.cover)

    def beside(self, look: Lettering | None) -> VolumeOut:
        """Return it compared with the look of its series."""
        state: VolumeState = "drawn" if self.is_drawn else "bare" if self.lettering is None else "same"
        found = drifts(look, self.lettering) if look and self.lettering else []
        return VolumeOut(cover=self.cover, state="drifts" if found else state, drifts=found)


async def find_volumes(
    reader: ReadConnection | AsyncSession, user_id: int, theme_id: int, cover_ids: Collection[int] | None = None
) -> list[Volume]:
    """Return the covers of a theme that are not in the bin, or some of them, in the order of their numbers.

    Those without a number follow, oldest first. Two statements, however many there are.
    """
    query = (
        select(*COVER_COLUMNS, *_MORE)
        .join(Picture, Picture.id == Cover.picture_id)
        .join(_Ground, _Ground.id == func.coalesce(Cover.artwork_id, Cover.picture_id))
        .join(Generation, Generation.id == Cover.generation_id)
        .outerjoin(CoverVersion, (CoverVersion.cover_id == Cover.id) & (CoverVersion.number == Cover.version))
        .where(Cover.theme_id == theme_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
        .order_by(Cover.id.desc())
        .limit(MOST_VOLUMES)
    )
    if cover_ids is not None:
        query = query.where(Cover.id.in_(cover_ids))
    rows = (await reader.execute(query)).all()
    unset = {row.id: row.ground_id for row in rows if row.lettering is None}
    bare = await without_words(reader, unset)
    found = [_volume(row, is_drawn=row.id in unset and row.id not in bare) for row in rows]
    return sorted(found, key=lambda one: (volume_place(one.cover.number), one.cover.id))


def _volume(row: Any, *, is_drawn: bool) -> Volume:
    return Volume(
        cover=cover_out(row),
        version=row.version,
        ground_id=row.ground_id,
        ground_sha256=row.ground_sha256,
        language=row.language,
        lettering=None if row.lettering is None else msgspec.convert(row.lettering, Lettering),
        is_drawn=is_drawn,
    )
