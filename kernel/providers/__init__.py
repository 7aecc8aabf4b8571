"""Load plugins, keep instances and routes, call providers."""

from kernel.providers.call import CallOutcome
from kernel.providers.caller import Caller
from kernel.providers.guard import CallAbandoned
from kernel.providers.instances import Declaration, Instance
from kernel.providers.kinds import EMAIL, IMAGE, KINDS, PAYMENT, SIGNIN, STORAGE, KindOf
from kernel.providers.ledger import AttemptRecord
from kernel.providers.loader import Offer, PluginRecord, Plugins, load_plugins
from kernel.providers.pricing import estimate
from kernel.providers.registry import NoProviderAvailable, Registry, Snapshot

__all__ = [
    "EMAIL",
    "IMAGE",
    "KINDS",
    "PAYMENT",
    "SIGNIN",
    "STORAGE",
    "AttemptRecord",
    "CallAbandoned",
    "CallOutcome",
    "Caller",
    "Declaration",
    "Instance",
    "KindOf",
    "NoProviderAvailable",
    "Offer",
    "PluginRecord",
    "Plugins",
    "Registry",
    "Snapshot",
    "estimate",
    "load_plugins",
]
