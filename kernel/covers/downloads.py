"""Covers to be kept: what of them their owner may have, as the plan is when they are asked for."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from kernel.accounts.facts import Downloads
from kernel.accounts.models import User
from kernel.billing.entitlement import Entitlement
from kernel.core.config import PictureFormat
from kernel.core.errors import Absent
from kernel.plans.downloads import DownloadRules, PlanRequired


class DownloadService:
    """The one place that is asked before a picture is handed out as a file."""

    def __init__(self, rules: DownloadRules, entitlement: Entitlement) -> None:
        self._rules = rules
        self._entitlement = entitlement

    async def allowed(self, reader: AsyncConnection, user_id: int) -> Downloads:
        """Return what a user may download now. Raises Absent for somebody who is gone."""
        query = select(User.is_admin, User.pro_override).where(User.id == user_id)
        user = (await reader.execute(query)).one_or_none()
        if user is None:
            raise Absent
        is_pro = await self._entitlement.is_pro_in(reader, user_id, user.pro_override)
        return self._rules.of(is_pro=is_pro, is_admin=user.is_admin)

    async def allowed_as(self, reader: AsyncConnection, user_id: int, kind: PictureFormat) -> Downloads:
        """Return the same when it has this kind of file. Raises PlanRequired when it has not."""
        allowed = await self.allowed(reader, user_id)
        if kind not in allowed.formats:
            raise PlanRequired(kind, allowed.formats)
        return allowed
