"""Where the picture of a cover comes from, and what its file tells of that."""

import msgspec
from sqlalchemy import select

from kernel.core.data.database import Database
from kernel.core.errors import Absent
from kernel.covers.models import Cover
from kernel.covers.provenance.files import MarkedFiles
from kernel.covers.provenance.marking import is_composed, mark_of
from kernel.covers.provenance.origin import Origin, origin_of
from kernel.pictures.marks.xmp import Mark
from kernel.providers import Registry


class Provenance(msgspec.Struct, frozen=True, kw_only=True):
    """How a picture was made, the mark of its file, and whether that file is signed."""

    origin: Origin
    mark: Mark
    is_signed: bool


class ProvenanceService:
    """Covers of one user at a time; another user's cover does not exist."""

    def __init__(self, database: Database, registry: Registry, files: MarkedFiles) -> None:
        self._database = database
        self._registry = registry
        self._files = files

    async def of(self, user_id: int, cover_id: int) -> Provenance:
        """Return how the picture of a cover was made that is not in the bin. Raises Absent."""
        mine = (Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
        async with self._database.read() as connection:
            query = select(Cover.picture_id, Cover.artwork_id).where(*mine)
            shown = (await connection.execute(query)).one_or_none()
            if shown is None:
                raise Absent("This cover does not exist.")
            origin = await origin_of(connection, self._registry, cover_id)
        is_signed = await self._files.credentials() is not None
        mark = mark_of(origin, is_composed=is_composed(shown))
        return Provenance(origin=origin, mark=mark, is_signed=is_signed)
