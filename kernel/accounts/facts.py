"""What the user object tells of plans, which are a floor above: assembly hands in somebody who knows."""

from typing import Protocol, runtime_checkable

import msgspec


class UserFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Whether somebody is Pro, and how many covers of this month are reserved or made."""

    is_pro: bool
    generations_this_month: int


@runtime_checkable
class FactsSource(Protocol):
    """Knows the facts of a user."""

    async def facts(self, user_id: int, pro_override: bool | None) -> UserFacts:
        """Return what plans say of the user."""
        ...


class PlainFacts:
    """Without plans: only the administrator's word counts, and nothing has been made."""

    async def facts(self, user_id: int, pro_override: bool | None) -> UserFacts:
        """Return the facts of somebody who never generated anything."""
        return UserFacts(is_pro=bool(pro_override), generations_this_month=0)
