"""The invariants of the site, for `coverwright doctor`: each check returns its violations."""

from typing import Final

from sqlalchemy import select

from kernel.core.data.database import ReadConnection
from kernel.core.invariants import Invariants
from kernel.pictures.models import PictureFile
from kernel.site.branding.service import KEYS
from kernel.site.models import Setting


async def logos_have_files(connection: ReadConnection) -> list[str]:
    """A logo's address and its file exist together, or neither does."""
    query = (
        select(Setting.setting_key)
        .outerjoin(PictureFile, PictureFile.picture_id == Setting.picture_id)
        .where(Setting.setting_key.in_(KEYS.values()))
        .where(Setting.text_value.is_not(None) != PictureFile.form.is_not(None))
    )
    return [f"setting {key}" for key in (await connection.execute(query)).scalars()]


INVARIANTS: Final[Invariants] = {
    "every uploaded logo has an address and a file": logos_have_files,
}
