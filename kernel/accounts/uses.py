"""How many people depend on a sign-in instance."""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from kernel.accounts.models import Identity


async def count_people(connection: AsyncConnection, instance_id: str) -> int:
    """Return how many identities came through an instance last; without it they cannot come in that way again."""
    people = select(func.count()).select_from(Identity).where(Identity.instance_id == instance_id)
    return int((await connection.execute(people)).scalar_one())
