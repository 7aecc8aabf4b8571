"""What was painted beyond the sides of covers, and who would paint it."""

from sqlalchemy import select

from kernel.core.data.database import Database, ReadConnection
from kernel.core.data.job_table import OPEN_STATES
from kernel.core.errors import Absent
from kernel.covers.cover_read import STATUS
from kernel.covers.extending.schemas import CoverExtensions, ExtendingOffer, ExtensionOut, OpenExtension
from kernel.covers.extensions import canvas_size
from kernel.covers.generation.provider_selection import ImageRequirements, capable_instances, ready_instances
from kernel.covers.generation.time_estimate import TimeEstimate
from kernel.covers.lettering.versions import shown_ground
from kernel.covers.models import ArtworkExtension, Cover, Generation
from kernel.pictures.models import Picture
from kernel.providers import Registry
from kernel.spi import Size


class CoverExtensionService:
    """Covers of one user at a time; another user's cover does not exist."""

    def __init__(self, database: Database, registry: Registry, time_estimate: TimeEstimate) -> None:
        self._database = database
        self._registry = registry
        self._time_estimate = time_estimate

    async def get(self, user_id: int, cover_id: int) -> CoverExtensions:
        """Return how the artwork of a cover that is not in the bin goes on. Raises Absent."""
        columns = (Cover.id, Cover.version, Cover.picture_id, Cover.artwork_id)
        mine = (Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
        async with self._database.read() as connection:
            cover = (await connection.execute(select(*columns).where(*mine))).one_or_none()
            if cover is None:
                raise Absent("This cover does not exist.")
            ground_id, _ = await shown_ground(connection, cover)
            size = select(Picture.width, Picture.height).where(Picture.id == ground_id)
            return CoverExtensions(
                version=cover.version,
                extensions=await _painted(connection, cover_id, ground_id),
                running=await _running(connection, user_id, cover_id),
                offer=await self._offer(connection, Size(*(await connection.execute(size)).one())),
            )

    async def _offer(self, reader: ReadConnection, artwork: Size) -> ExtendingOffer:
        wanted = ImageRequirements(references=1, edit=True, mask=True, canvas=canvas_size(artwork))
        capable = capable_instances(ready_instances(self._registry), wanted)
        return ExtendingOffer(
            service=capable[0].label if capable else None,
            expected_ms=await self._time_estimate.of_first(reader, capable) if capable else None,
        )


async def _painted(reader: ReadConnection, cover_id: int, ground_id: int) -> list[ExtensionOut]:
    query = (
        select(ArtworkExtension.side, ArtworkExtension.artwork_id, ArtworkExtension.created_at)
        .where(ArtworkExtension.cover_id == cover_id)
        .order_by(ArtworkExtension.side)
    )
    return [
        ExtensionOut(side=row.side, is_current=row.artwork_id == ground_id, created_at=row.created_at)
        for row in await reader.execute(query)
    ]


async def _running(reader: ReadConnection, user_id: int, cover_id: int) -> list[OpenExtension]:
    query = select(Generation.id, Generation.extends_side, Generation.state).where(
        Generation.refined_cover_id == cover_id,
        Generation.extends_side.is_not(None),
        Generation.user_id == user_id,
        Generation.state.in_(OPEN_STATES),
    )
    rows = await reader.execute(query.order_by(Generation.id))
    return [OpenExtension(id=row.id, side=row.extends_side, status=STATUS[row.state]) for row in rows]
