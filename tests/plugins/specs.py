"""Find the spec that a plugin registers."""

from importlib.metadata import EntryPoint
from typing import Any

from kernel.providers import load_plugins
from kernel.spi import PLUGIN_GROUP, Kind, ProviderSpec


def spec_of(module: str, kind: Kind, provider_id: str) -> ProviderSpec[Any, Any]:
    """Load one plugin as the kernel does and return its spec."""
    plugins = load_plugins({}, [EntryPoint(name=module.rpartition(".")[2], value=module, group=PLUGIN_GROUP)])
    offer = plugins.offer(kind, provider_id)
    assert offer is not None, plugins.records
    return offer.spec
