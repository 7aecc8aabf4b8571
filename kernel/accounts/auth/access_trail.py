"""The part of the audit trail that no handler writes: who read what is personal, and who was refused.

Each is written once in a while for the same person and place, so that neither a page that is opened often nor a flood
of refusals fills the table.
"""

from collections import OrderedDict
from typing import Final

from kernel.accounts.current_user import CurrentUser
from kernel.core import clock
from kernel.core.audit import audit
from kernel.core.data.database import Database

AGAIN_S: Final = 600.0
"""After this time the same is written once more."""
MOST_KEPT: Final = 10_000
"""Recent entries that one process remembers; for more, it forgets the oldest."""


class AccessTrail:
    """Writes to the audit trail, for one process."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._recent: OrderedDict[tuple[int, str, str], float] = OrderedDict()

    async def record(self, user: CurrentUser, ip: str, action: str, object: str, *, outcome: str = "ok") -> None:
        """Write an entry, unless the same was written lately."""
        key, now = (user.id, action, object), clock.now_unix()
        if now - self._recent.get(key, -AGAIN_S) < AGAIN_S:
            return
        async with self._database.write() as session:
            audit(session, action, actor_id=user.id, ip=ip, object=object, outcome=outcome)
        self._recent[key] = now
        self._recent.move_to_end(key)
        if len(self._recent) > MOST_KEPT:
            self._recent.popitem(last=False)
