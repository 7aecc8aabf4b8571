"""What administrators say about Pro, as it holds now: a gift with an end counts for nothing after it."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, case, null, or_

from kernel.accounts.models import User
from kernel.core import clock


def override_now(override: bool | None, until: datetime | None) -> bool | None:
    """Return what holds now of a stored word and its end."""
    return None if until is not None and until <= clock.now() else override


def has_gift() -> ColumnElement[bool]:
    """Match users who have Pro from an administrator now."""
    return and_(User.pro_override.is_(True), or_(User.pro_until.is_(None), User.pro_until > clock.now()))


def pro_override() -> ColumnElement[Any]:
    """Return what holds now, in SQL: true, false, or null where nothing is said."""
    return case((and_(User.pro_until.is_not(None), User.pro_until <= clock.now()), null()), else_=User.pro_override)
