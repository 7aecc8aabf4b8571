"""`coverwright plugins install`: prepared and tried beside what is there, then put in its place in one step."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from kernel.commands.installing.refused import PluginRefused
from kernel.commands.installing.trial import try_plugins
from kernel.commands.installing.wheels import Pip, Wheel
from kernel.core.audit import audit
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.process import plugin_folders
from kernel.migrations.upgrade import migrate

CHOSEN: Final = ("COVERWRIGHT_PLUGINS", "COVERWRIGHT_BLOCK")
AFTERWARDS: Final = "Restart the product to use it: on the page Plugins, or with what runs its processes."


async def install_plugin(config: Config, source: str) -> int:
    """Install a plugin into the data folder, or another version of it; return 1 when nothing was changed."""
    await migrate(config)
    database = Database(config.database_url)
    try:
        with plugin_folders.changing(config.data_dir) as draft:
            wheel, added, offers = _prepare(config, source, draft)
            before = version_of(config, wheel.name)
            plugin_folders.put(config.data_dir, draft / "site", wheel.name, wheel.version)
        await record(database, "plugin.install", wheel.name, before, wheel.version)
    except (PluginRefused, OSError) as error:
        print(words(error), file=sys.stderr)
        return 1
    finally:
        await database.aclose()
    instead = f" instead of {before}" if before else ""
    beside = f", with {', '.join(added)}" if added else ""
    print(f"Installed {wheel.name} {wheel.version}{instead}{beside}: {', '.join(offers) or 'it observes'}.")
    print(AFTERWARDS)
    return 0


async def record(database: Database, action: str, name: str, before: str | None, after: str | None) -> None:
    """Write which version of a plugin another one took the place of."""
    async with database.write() as session:
        audit(
            session,
            action,
            object=f"plugin:{name}",
            keys=("version",),
            before={"version": before},
            after={"version": after},
        )


def words(error: PluginRefused | OSError) -> str:
    """Return what to say when nothing was changed."""
    if isinstance(error, BlockingIOError):
        return "Another command is changing plugins of this data folder. Wait for its end, and try again."
    return str(error) if isinstance(error, PluginRefused) else f"The data folder cannot be changed: {error}"


def version_of(config: Config, name: str) -> str | None:
    """Return the version of a plugin in the data folder, or None."""
    folder = plugin_folders.in_data(config.data_dir).get(name)
    return None if folder is None else folder.name.removeprefix(f"{name}-").rpartition("-")[0]


def _prepare(config: Config, source: str, draft: Path) -> tuple[Wheel, list[str], list[str]]:
    """Unpack and try a plugin in `draft`; return it, what was added for it, what it offers. Raises PluginRefused."""
    pip = Pip(draft, config.data_dir)
    wheel = pip.wheel(source)
    if (own := pip.environment.get(wheel.name)) is not None:
        raise PluginRefused(
            f"{wheel.name} {own} is installed in the environment of Coverwright itself. Change it there, or remove it "
            f"there first: {sys.executable} -m pip uninstall {wheel.name}"
        )
    needed = pip.needs(wheel)
    pip.unpack(wheel, needed, draft / "site")
    offers = _try(wheel, draft / "site")
    return wheel, [f"{one.name} {one.version}" for one in needed], offers


def _try(wheel: Wheel, site: Path) -> list[str]:
    """Load the plugin with all others in a process of its own; return what it offers. Raises PluginRefused."""
    env = {name: value for name, value in os.environ.items() if name not in CHOSEN}
    try:
        tried = try_plugins(env, [str(site)])
    except (PluginRefused, subprocess.TimeoutExpired) as error:
        raise PluginRefused(f"{wheel.name} {wheel.version} was not installed: with it, {error}") from error
    own = [record for record in tried if plugin_folders.canonical(record.distribution) == wheel.name]
    faults = [f"{record.name}: {record.reason}" for record in own if record.state != "loaded"]
    if faults or not own:
        why = "; ".join(faults) or "another distribution of that name is found first"
        raise PluginRefused(f"{wheel.name} {wheel.version} was not installed: it does not load: {why}")
    return [offer for record in own for offer in record.providers]
