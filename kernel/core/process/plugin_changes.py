"""Whether what is installed differs from what this process has loaded: then it has to be started anew."""

import logging
import os
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any, Final

import msgspec

from kernel.core.process import plugin_folders
from kernel.core.process.plugin_folders import canonical
from kernel.spi import PLUGIN_GROUP

log = logging.getLogger(__name__)

OWN: Final = canonical("coverwright")
"""Our own plugins come with the product, which is started anew when it is upgraded."""


class PluginChange(msgspec.Struct, frozen=True, kw_only=True):
    """A distribution that a process has not loaded as it is installed: None where it is not. Both versions are the same
    when it was installed again.
    """

    distribution: str
    loaded: str | None
    installed: str | None


class Build(msgspec.Struct, frozen=True):
    """One installation of a distribution: its version, and the folder that it is in."""

    version: str
    folder: str


Builds = dict[str, Build]


def builds(found: Iterable[Distribution]) -> Builds:
    """Return the installation of each distribution, by its name: the first one, which is the one that is imported."""
    named: Builds = {}
    for one in found:
        if (name := canonical(one.name)) != OWN:
            named.setdefault(name, Build(one.version, str(one.locate_file(""))))
    return named


class InstalledPlugins:
    """Compares what is installed on this machine with what this process has loaded."""

    def __init__(self, data_dir: Path, loaded: Builds) -> None:
        self._data_dir = data_dir
        self._loaded = loaded
        self._state: Any = None
        self._changes: list[PluginChange] = []

    def changes(self) -> list[PluginChange]:
        """Return what has changed since this process has loaded its plugins. Reads files: call it in a thread."""
        places = plugin_folders.search_path(self._data_dir)
        state = [(place, _changed_at(place)) for place in places]
        if state != self._state:
            try:
                now = builds(one for one in distributions(path=places) if _is_plugin(one))
            except Exception:  # half of an installation by hand: it is looked at again
                log.debug("the installed plugins cannot be read", exc_info=True)
                return self._changes
            self._changes, self._state = list(_differences(self._loaded, now)), state
        return self._changes


def _differences(loaded: Builds, installed: Builds) -> Iterator[PluginChange]:
    for name in sorted(loaded.keys() | installed.keys()):
        old, new = loaded.get(name), installed.get(name)
        if old != new:
            versions = (one.version if one else None for one in (old, new))
            yield PluginChange(distribution=name, **dict(zip(("loaded", "installed"), versions, strict=True)))


def _is_plugin(one: Distribution) -> bool:
    return any(entry.group == PLUGIN_GROUP for entry in one.entry_points)


def _changed_at(place: str) -> int:
    try:
        return os.stat(place or ".").st_mtime_ns
    except OSError:
        return 0
