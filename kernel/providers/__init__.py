"""Loads plugins, keeps instances and their failover order, calls providers."""

from kernel.providers.calls.attempt_log import AttemptRecord
from kernel.providers.calls.call import PAUSE_LOOK_S, PAUSED, CallOutcome
from kernel.providers.calls.caller import Caller
from kernel.providers.calls.guard import CallAbandoned
from kernel.providers.calls.pricing import estimate
from kernel.providers.instances.instance import Declaration, Instance
from kernel.providers.instances.registry import NoProviderAvailable, Registry, Snapshot
from kernel.providers.kinds import EMAIL, IMAGE, KINDS, PAYMENT, SIGNIN, STORAGE, KindOf
from kernel.providers.plugins.loader import Offer, PluginRecord, Plugins, load_plugins
from kernel.providers.plugins.static_files import find_static_file, static_file

__all__ = [
    "EMAIL",
    "IMAGE",
    "KINDS",
    "PAUSED",
    "PAUSE_LOOK_S",
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
    "find_static_file",
    "load_plugins",
    "static_file",
]
