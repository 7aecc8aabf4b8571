"""The invariants of the site, for `coverwright doctor`: each check returns its violations."""

from typing import Final

from sqlalchemy import select

from kernel.core.data.database import ReadConnection
from kernel.core.invariants import Invariants
from kernel.pictures.models import PictureFile
from kernel.site.branding.service import KEYS
from kernel.site.models import Setting
from kernel.site.signing.expiry import end_of_uploaded, ending_code


async def logos_have_files(connection: ReadConnection) -> list[str]:
    """A logo's address and its file exist together, or neither does."""
    query = (
        select(Setting.setting_key)
        .outerjoin(PictureFile, PictureFile.picture_id == Setting.picture_id)
        .where(Setting.setting_key.in_(KEYS.values()))
        .where(Setting.text_value.is_not(None) != PictureFile.form.is_not(None))
    )
    return [f"setting {key}" for key in (await connection.execute(query)).scalars()]


async def certificate_lasts(connection: ReadConnection) -> list[str]:
    """The certificate that files are signed with is valid for longer than a month."""
    ends_at = await end_of_uploaded(connection)
    if ends_at is None or ending_code(ends_at) is None:
        return []
    return [f"upload the next certificate: the present one ends on {ends_at.date().isoformat()}"]


INVARIANTS: Final[Invariants] = {
    "every uploaded logo has an address and a file": logos_have_files,
}
STILL_TO_DO: Final[Invariants] = {
    "the certificate that signs files is valid for longer than a month": certificate_lasts,
}
