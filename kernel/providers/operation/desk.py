"""Everything of operation in one hand, for the assembly and for its routes."""

from typing import Any

import msgspec

from kernel.core.database import Database
from kernel.core.vault import Vault
from kernel.providers.caller import Caller
from kernel.providers.operation.budgets import Budgets
from kernel.providers.operation.inbox import EventHandlers, Inbox
from kernel.providers.operation.statistics import UserLabels
from kernel.providers.operation.watch import Watch
from kernel.providers.registry import Registry


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of operation, wired."""

    registry: Registry
    budgets: Budgets
    inbox: Inbox
    watch: Watch
    user_labels: UserLabels


def open_operation(
    caller: Caller, database: Database, redis: Any, vault: Vault, *, handlers: EventHandlers, user_labels: UserLabels
) -> Operation:
    """Wire operation. `handlers` apply vendors' events; `user_labels` knows what users are called."""
    inbox = Inbox(database, caller.registry, vault, caller.notices, handlers)
    return Operation(
        registry=caller.registry,
        budgets=caller.budgets,
        inbox=inbox,
        watch=Watch(caller, database, redis, (inbox.flush, caller.notices.flush)),
        user_labels=user_labels,
    )
