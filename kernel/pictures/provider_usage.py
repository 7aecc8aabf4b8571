"""How many stored objects depend on a storage instance."""

from sqlalchemy import func, select

from kernel.core.data.database import ReadConnection
from kernel.pictures.models import ArchiveFile, EditionPackFile, GenerationReference, PictureFile


async def count_pictures(connection: ReadConnection, instance_id: str) -> int:
    """Return how many pictures, references of jobs, archives and edition packs an instance holds."""
    held = select(func.count(func.distinct(PictureFile.picture_id))).where(PictureFile.instance_id == instance_id)
    others = [
        select(func.count()).select_from(table).where(table.instance_id == instance_id)
        for table in (GenerationReference, ArchiveFile, EditionPackFile)
    ]
    return sum([int((await connection.execute(query)).scalar_one()) for query in (held, *others)])
