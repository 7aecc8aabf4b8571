"""Downloads of covers: what the owner's current plan allows."""

import msgspec
from sqlalchemy import select

from kernel.accounts.models import User
from kernel.accounts.pro_override import pro_override
from kernel.accounts.user_summary import Downloads
from kernel.billing.entitlement import Entitlement
from kernel.core.config import PictureFormat
from kernel.core.data.database import Database, ReadConnection
from kernel.core.errors import Absent
from kernel.covers.gallery.service import GalleryService
from kernel.covers.provenance.marking import CoverMark, marks_of
from kernel.pictures.store import FileRef
from kernel.plans.download_policy import DownloadPolicy, PlanRequired
from kernel.providers import Registry


class Download(msgspec.Struct, frozen=True, kw_only=True):
    """A cover's original and title, what its owner may download of it, and what the file tells of its origin."""

    original: FileRef
    title: str
    allowed: Downloads
    about: CoverMark


class DownloadService:
    """The one place that decides whether a picture may be downloaded as a file."""

    def __init__(
        self,
        database: Database,
        registry: Registry,
        rules: DownloadPolicy,
        entitlement: Entitlement,
        gallery: GalleryService,
    ) -> None:
        self._database = database
        self._registry = registry
        self._gallery = gallery
        self._rules = rules
        self._entitlement = entitlement

    async def cover(self, user_id: int, cover_id: int, kind: PictureFormat) -> Download:
        """Return a user's cover. Raises Absent, and PlanRequired when the plan has not this kind of file."""
        async with self._database.read() as connection:
            ref, title = await self._gallery.file_in(connection, user_id, cover_id, "original")
            allowed = await self.allowed_as(connection, user_id, kind)
            marks = await marks_of(connection, self._registry, [cover_id])
        return Download(original=ref, title=title, allowed=allowed, about=marks[cover_id])

    async def allowed(self, reader: ReadConnection, user_id: int) -> Downloads:
        """Return what a user may download now. Raises Absent for a deleted user."""
        query = select(User.is_admin, pro_override().label("pro_override")).where(User.id == user_id)
        user = (await reader.execute(query)).one_or_none()
        if user is None:
            raise Absent
        is_pro = await self._entitlement.is_pro_in(reader, user_id, user.pro_override)
        return self._rules.of(is_pro=is_pro, is_admin=user.is_admin)

    async def allowed_as(self, reader: ReadConnection, user_id: int, kind: PictureFormat) -> Downloads:
        """Return the same if it includes this file format. Raises PlanRequired if not."""
        allowed = await self.allowed(reader, user_id)
        if kind not in allowed.formats:
            raise PlanRequired(kind, allowed.formats)
        return allowed
