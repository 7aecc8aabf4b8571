"""What must hold of the site, for `coverwright doctor`: it returns what breaks the promise."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from kernel.pictures.models import PictureFile
from kernel.site.branding import KEYS
from kernel.site.models import Setting


async def logos_have_files(connection: AsyncConnection) -> list[str]:
    """A logo's address and its file are there together, or neither."""
    query = (
        select(Setting.setting_key)
        .outerjoin(PictureFile, PictureFile.picture_id == Setting.picture_id)
        .where(Setting.setting_key.in_(KEYS.values()))
        .where(Setting.text_value.is_not(None) != PictureFile.form.is_not(None))
    )
    return [f"setting {key}" for key in (await connection.execute(query)).scalars()]
