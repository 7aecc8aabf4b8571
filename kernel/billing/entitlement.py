"""Who is Pro: the one rule, and the one place that applies it.

state         Pro
trialing      until the trial's period ends, plus the time in which its outcome may not have reached us
active        the same; not after a scheduled end; while paused only until the paid period ends
past_due      for the days of grace after we first read that the renewal had failed
incomplete, unpaid, paused, canceled   no
"""

import math
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, and_, bindparam, exists, or_, select

from kernel.accounts.models import User
from kernel.accounts.pro_override import has_gift, pro_override
from kernel.billing.models import Subscription
from kernel.core import clock
from kernel.core.config import BillingConfig
from kernel.core.data.database import Database, ReadConnection

DAY_S: Final = 86_400
PAID_STATES: Final = ("active", "trialing")
LIVE_STATES: Final = ("trialing", "active", "past_due", "unpaid", "paused")
"""A subscription in one of these states continues: a user cannot have a second one."""

MAY_GIVE_PRO: Final = Subscription.state.in_((*PAID_STATES, "past_due"))
_MINE: Final = select(
    Subscription.state,
    Subscription.period_end,
    Subscription.cancel_at,
    Subscription.past_due_since,
    Subscription.paused_until,
).where(Subscription.user_id == bindparam("user_id"), MAY_GIVE_PRO)


def entitled(
    state: str,
    *,
    period_end: int | None,
    cancel_at: int | None,
    past_due_since: int | None,
    paused_until: int | None = None,
    now: float,
    grace_s: float,
) -> bool:
    """Return whether a subscription makes its owner Pro. Times in unix seconds; unknown states do not.

    A period that ended a short time ago was probably renewed: its webhook may not have arrived yet, and the user must
    not lose Pro because of that.
    """
    if cancel_at is not None and cancel_at <= now:
        return False
    if paused_until is not None and period_end is not None and period_end <= now:
        return False
    if state in PAID_STATES:
        return period_end is None or now < period_end + grace_s
    if state == "past_due":
        return past_due_since is not None and now < past_due_since + grace_s
    return False


class Entitlement:
    """Decides who is Pro: first by the administrator's setting, then by the stored subscription."""

    def __init__(self, config: BillingConfig, database: Database) -> None:
        self.grace_s: Final = float(config.past_due_grace_days * DAY_S)
        self._database = database

    async def is_pro(self, user_id: int, override: bool | None) -> bool:
        """Return whether a user is Pro now."""
        async with self._database.read() as connection:
            return await self.is_pro_in(connection, user_id, override)

    async def is_pro_in(self, connection: ReadConnection, user_id: int, override: bool | None) -> bool:
        """Return the same on an open connection."""
        if override is not None:
            return override
        return any(self.gives_pro(row) for row in await connection.execute(_MINE, {"user_id": user_id}))

    def pro(self) -> ColumnElement[bool]:
        """Match users who are Pro now: the same rule in SQL, for lists and statistics."""
        return or_(has_gift(), and_(pro_override().is_(None), self.paying()))

    def paying(self) -> ColumnElement[bool]:
        """Match users whose subscription is paid for now, whatever an administrator says."""
        now = clock.now_unix()
        moment, renewed_since = math.floor(now), math.floor(now - self.grace_s)  # stored times are whole seconds
        paid = and_(
            Subscription.state.in_(PAID_STATES),
            or_(Subscription.period_end.is_(None), Subscription.period_end > renewed_since),
        )
        overdue = and_(Subscription.state == "past_due", Subscription.past_due_since > renewed_since)
        goes_on = or_(Subscription.cancel_at.is_(None), Subscription.cancel_at > moment)
        is_paid = or_(Subscription.paused_until.is_(None), Subscription.period_end > moment)
        return exists().where(Subscription.user_id == User.id, goes_on, is_paid, or_(paid, overdue))

    def past_due(self) -> ColumnElement[bool]:
        """Match users whose renewal failed and who have not paid since."""
        return exists().where(
            Subscription.user_id == User.id, Subscription.is_current, Subscription.state == "past_due"
        )

    def gives_pro(self, row: Row[Any]) -> bool:
        """Return whether one stored subscription makes its owner Pro now."""
        return entitled(
            row.state,
            period_end=row.period_end,
            cancel_at=row.cancel_at,
            past_due_since=row.past_due_since,
            paused_until=row.paused_until,
            now=clock.now_unix(),
            grace_s=self.grace_s,
        )
