"""How many stored objects depend on a storage instance."""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from kernel.pictures.models import GenerationReference, PictureFile


async def count_pictures(connection: AsyncConnection, instance_id: str) -> int:
    """Return how many pictures, and references of jobs, an instance holds."""
    held = select(func.count(func.distinct(PictureFile.picture_id))).where(PictureFile.instance_id == instance_id)
    waiting = (
        select(func.count()).select_from(GenerationReference).where(GenerationReference.instance_id == instance_id)
    )
    return sum([int((await connection.execute(query)).scalar_one()) for query in (held, waiting)])
