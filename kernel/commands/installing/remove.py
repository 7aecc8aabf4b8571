"""`coverwright plugins remove`: takes a plugin away that nothing needs."""

import sys
from importlib.metadata import distributions

from kernel.commands.installing.install import record, version_of, words
from kernel.commands.installing.refused import PluginRefused
from kernel.core.config import Config
from kernel.core.process import plugin_folders
from kernel.migrations.upgrade import migrate
from kernel.runtime import Runtime, open_runtime


async def remove_plugin(config: Config, name: str) -> int:
    """Remove a plugin from the data folder; return 1 when it is not there, or instances of its providers are."""
    await migrate(config)
    wanted = plugin_folders.canonical(name)
    try:
        with plugin_folders.changing(config.data_dir):
            version = version_of(config, wanted)
            if version is None:
                raise PluginRefused(_not_here(config, wanted))
            async with open_runtime(config) as runtime:
                await _require_unused(runtime, wanted)
                plugin_folders.take_away(config.data_dir, wanted)
                await record(runtime.database, "plugin.remove", wanted, version, None)
    except (PluginRefused, OSError) as error:
        print(words(error), file=sys.stderr)
        return 1
    print(f"Removed {wanted} {version}. Processes that run have it until they are started anew: see the page Plugins.")
    return 0


def _not_here(config: Config, name: str) -> str:
    if any(plugin_folders.canonical(one.name) == name for one in distributions(path=plugin_folders.own_path())):
        return (
            f"{name} is installed in the environment of Coverwright itself. Remove it there: "
            f"{sys.executable} -m pip uninstall {name}"
        )
    here = ", ".join(plugin_folders.in_data(config.data_dir)) or "none"
    return f"No plugin {name} is installed in the data folder. Those that are: {here}."


async def _require_unused(runtime: Runtime, distribution: str) -> None:
    """Raise PluginRefused when an instance has a provider of this distribution, or was set up with it."""
    offers = runtime.providers.registry.plugins.offers
    offered = {key: offer.distribution for key, offer in offers.items()}
    stored = await runtime.providers.revision_follower.now()
    using = []
    for held in stored.instances.values():
        one = held.declaration
        provided = one.distribution or offered.get((one.kind, one.provider), "")
        if plugin_folders.canonical(provided) == distribution:
            place = "in the configuration file" if held.in_file and held.row is None else "on the page Providers"
            using.append(f"  {one.id} ({one.kind}, {one.label}): delete it {place}")
    if using:
        raise PluginRefused("\n".join([f"Instances use {distribution}, which was not removed:", *using]))
