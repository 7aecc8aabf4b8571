"""Months of subscriptions: the day of the first payment, or the last day of a shorter month."""

import calendar
from datetime import UTC, datetime
from typing import Final

DAY_S: Final = 86_400


def months_after(anchor: int, months: int) -> int:
    """Return the unix time this many months after the anchor, at the same time of day in UTC."""
    start = datetime.fromtimestamp(anchor, UTC)
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    day = min(start.day, calendar.monthrange(year, month + 1)[1])
    return int(start.replace(year=year, month=month + 1, day=day).timestamp())
