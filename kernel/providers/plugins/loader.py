"""Finds and loads plugins, isolated from each other: one that fails is listed, the others load."""

import logging
import re
import time
from collections.abc import Iterable, Mapping
from datetime import date
from functools import lru_cache
from importlib.metadata import Distribution, EntryPoint, entry_points
from types import MappingProxyType
from typing import Any, Final, Literal

import msgspec
import pluggy

from kernel.core.process.plugin_changes import Builds, builds
from kernel.providers.kinds import KINDS, KindOf
from kernel.spi import (
    CONTRACT_VERSIONS,
    PLUGIN_GROUP,
    Comparison,
    KernelEvent,
    KernelHooks,
    Kind,
    ProviderSpec,
    Settings,
    component_faults,
    misfit,
    packaged_files,
    settings_fields,
)

log = logging.getLogger(__name__)

PluginState = Literal["loaded", "broken", "incompatible", "blocked", "missing"]

ID_PATTERN: Final = re.compile(r"[a-z][a-z0-9-]{1,38}")
REASON_CHARS: Final = 500
OWN_DISTRIBUTION: Final = "coverwright"
"""The distribution that our own plugins come with."""


class PluginRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The state of one plugin. `providers` are written `kind:id`; `reason` is empty when it loaded."""

    name: str
    distribution: str
    version: str
    state: PluginState
    reason: str = ""
    providers: tuple[str, ...] = ()
    load_ms: float = 0.0


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A provider spec and the plugin it came from."""

    spec: ProviderSpec[Any, Any]
    plugin: str
    plugin_version: str
    distribution: str


class Clash(msgspec.Struct, frozen=True, kw_only=True):
    """A plugin that was left out because it claims what another plugin has: `claimed` is `kind:id`, or its own name."""

    plugin: str
    distribution: str
    claimed: str
    holder: str


class _Refused(Exception):
    """A plugin that cannot be loaded; the message is for administrators."""

    state: PluginState = "broken"


class _Incompatible(_Refused):
    state = "incompatible"


class _Taken(_Refused):
    def __init__(self, message: str, claimed: str, holder: str) -> None:
        super().__init__(message)
        self.claimed, self.holder = claimed, holder


class Plugins:
    """All plugins that were found, and the providers of those that loaded."""

    def __init__(
        self,
        records: Iterable[PluginRecord],
        offers: Mapping[tuple[Kind, str], Offer],
        manager: pluggy.PluginManager,
        clashes: Iterable[Clash] = (),
        loaded: Builds | None = None,
    ) -> None:
        self.records: Final = tuple(records)
        self.clashes: Final = tuple(clashes)
        self.offers: Final = MappingProxyType(dict(offers))
        self.builds: Final = loaded or {}
        """The installations that were found, also of plugins that did not load."""
        self._manager = manager

    def offer(self, kind: Kind, provider_id: str) -> Offer | None:
        """Return the provider of this kind and id, or None when no plugin offers it."""
        return self.offers.get((kind, provider_id))

    def observe(self, event: KernelEvent) -> None:
        """Show an event to every plugin that observes; an exception is logged and affects nothing else."""
        for impl in self._manager.hook.observe.get_hookimpls():
            try:
                impl.function(*((event,) if impl.argnames else ()))
            except (Exception, SystemExit):
                log.exception("plugin %s failed to observe %s", impl.plugin_name, event.name)


def load_plugins(env: Mapping[str, str], found: Iterable[EntryPoint] | None = None) -> Plugins:
    """Load every plugin of the entry-point group; never raises.

    `COVERWRIGHT_PLUGINS` names the only ones to load and `COVERWRIGHT_BLOCK` those to leave out, by entry-point name,
    comma-separated. Our own plugins come first, so that no other can take the id of one of their providers.
    `COVERWRIGHT_EXTRA_PLUGINS` names modules without an entry point, in the test environment only.
    """
    manager = pluggy.PluginManager("coverwright")
    manager.add_hookspecs(KernelHooks)
    entries = sorted(entry_points(group=PLUGIN_GROUP) if found is None else found, key=_by_origin)
    if env.get("COVERWRIGHT_ENV") == "test":
        entries += [_extra(module) for module in _names(env, "COVERWRIGHT_EXTRA_PLUGINS")]
    only, blocked = _names(env, "COVERWRIGHT_PLUGINS"), _names(env, "COVERWRIGHT_BLOCK")
    records: list[PluginRecord] = []
    offers: dict[tuple[Kind, str], Offer] = {}
    clashes: list[Clash] = []
    for entry in entries:
        if entry.name in blocked:
            records.append(_record(entry, "blocked", "left out by COVERWRIGHT_BLOCK"))
        elif only and entry.name not in only:
            records.append(_record(entry, "blocked", "not listed in COVERWRIGHT_PLUGINS"))
        else:
            records.append(_load(manager, entry, offers, clashes))
    known = {entry.name for entry in entries}
    records += [
        PluginRecord(name=name, distribution="", version="", state="missing", reason="listed but not installed")
        for name in only
        if name not in known
    ]
    return Plugins(records, offers, manager, clashes, builds(entry.dist for entry in entries if entry.dist))


def _load(
    manager: pluggy.PluginManager, entry: EntryPoint, offers: dict[tuple[Kind, str], Offer], clashes: list[Clash]
) -> PluginRecord:
    """Load one plugin and add its offers: all of them, or none when anything about it is wrong."""
    started = time.perf_counter()
    module: Any = None
    try:
        if manager.get_plugin(entry.name) is not None:
            raise _Taken(f"another plugin is already called `{entry.name}`", entry.name, entry.name)
        module = entry.load()
        manager.register(module, name=entry.name)
        manager.check_pending()
        specs = _own_specs(manager, entry.name)
        for spec in specs:
            if (other := offers.get((spec.kind, spec.id))) is not None:
                words = f"{spec.kind} provider `{spec.id}` is already offered by plugin `{other.plugin}`"
                raise _Taken(words, f"{spec.kind}:{spec.id}", other.plugin)
    except (Exception, SystemExit) as error:
        if module is not None and manager.get_plugin(entry.name) is module:
            manager.unregister(name=entry.name)
        refused = isinstance(error, _Refused)
        if isinstance(error, _Taken):
            clash = {"claimed": error.claimed, "holder": error.holder}
            clashes.append(Clash(plugin=entry.name, distribution=_distribution(entry), **clash))
        log.warning("plugin %s did not load", entry.name, exc_info=None if refused else error)
        reason = str(error) if refused else f"{type(error).__name__}: {error}"
        return _record(entry, error.state if isinstance(error, _Refused) else "broken", reason, started)
    for spec in specs:
        offers[spec.kind, spec.id] = Offer(
            spec=spec, plugin=entry.name, plugin_version=_version(entry), distribution=_distribution(entry)
        )
    ahead = "; ".join(filter(None, map(_newer_contract_notice, specs)))
    return _record(entry, "loaded", ahead, started, tuple(f"{spec.kind}:{spec.id}" for spec in specs))


def _own_specs(manager: pluggy.PluginManager, name: str) -> list[ProviderSpec[Any, Any]]:
    """Call this plugin's registration hooks, and no other's, and check what they return."""
    specs: list[ProviderSpec[Any, Any]] = []
    for kind in KINDS.values():
        for impl in getattr(manager.hook, kind.hook).get_hookimpls():
            if impl.plugin_name != name:
                continue
            for spec in impl.function():
                _check_spec(spec, kind)
                if any((known.kind, known.id) == (spec.kind, spec.id) for known in specs):
                    raise _Refused(f"offers {spec.kind} provider `{spec.id}` twice")
                specs.append(spec)
    if not specs and all(impl.plugin_name != name for impl in manager.hook.observe.get_hookimpls()):
        raise _Refused("offers no provider and observes nothing")
    return specs


def _check_spec(spec: Any, kind: KindOf[Any, Any]) -> None:
    if not isinstance(spec, ProviderSpec):
        raise _Refused(f"{kind.hook} returned a {type(spec).__name__} instead of ProviderSpec objects")
    if spec.kind != kind.name:
        raise _Refused(f"{kind.hook} returned a provider of kind `{spec.kind}`")
    if not isinstance(spec.id, str) or not ID_PATTERN.fullmatch(spec.id):
        raise _Refused(f"provider id {spec.id!r} does not match {ID_PATTERN.pattern}")
    if (wrong := misfit(spec.contract, tuple[int, ...])) or len(spec.contract) != 2:
        raise _Refused(
            f"`contract` of `{spec.id}` is not a pair of numbers such as (1, 0){f': {wrong}' if wrong else ''}"
        )
    ours = CONTRACT_VERSIONS[kind.name]
    if spec.contract[0] != ours[0]:
        needed = f"`{spec.id}` needs a Coverwright with {kind.name} contract {spec.contract[0]}"
        raise _Incompatible(f"{needed}; this one has {_dotted(ours)}")
    if not (isinstance(spec.settings, type) and issubclass(spec.settings, Settings)):
        raise _Refused(f"settings of `{spec.id}` are not a subclass of Settings")
    if wrong := misfit(spec.comparison, Comparison | None):
        raise _Refused(f"`comparison` of `{spec.id}` is not what it should be: {wrong}")
    if spec.comparison and spec.comparison.price_micros is not None and not _is_day(spec.comparison.price_asof):
        raise _Refused(f"the price in `comparison` of `{spec.id}` needs a day such as 2026-11-21")
    if wrong := misfit(spec.static, str | None):
        raise _Refused(f"`static` of `{spec.id}` is no name of a package: {wrong}")
    try:
        packaged_files(spec.static)
    except ValueError as error:
        raise _Refused(f"`static` of `{spec.id}` cannot be served: {error}") from error
    if faults := component_faults(spec):
        raise _Refused(f"`{spec.id}` has a page that cannot be shown: {faults[0]}")
    if not callable(spec.build):
        raise _Refused(f"`build` of `{spec.id}` cannot be called")
    if bare := bare_fields(spec.settings):
        raise _Refused(f"settings of `{spec.id}` need a title and a description: {', '.join(bare)}")


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _newer_contract_notice(spec: ProviderSpec[Any, Any]) -> str | None:
    """Return a notice for a provider written for a newer contract than this kernel's, or None."""
    ours = CONTRACT_VERSIONS[spec.kind]
    if spec.contract <= ours:
        return None
    written = f"`{spec.id}` is written for {spec.kind} contract {_dotted(spec.contract)}, this is {_dotted(ours)}"
    return f"{written}: what is newer is not used"


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def bare_fields(settings: type[Settings]) -> list[str]:
    """Return the names of settings without a title or a description."""
    return [
        name
        for name, field in settings_fields(settings).items()
        if not (field.get("title") and field.get("description"))
    ]


def _record(
    entry: EntryPoint, state: PluginState, reason: str, started: float | None = None, providers: tuple[str, ...] = ()
) -> PluginRecord:
    return PluginRecord(
        name=entry.name,
        distribution=_distribution(entry),
        version=_version(entry),
        state=state,
        reason=reason[:REASON_CHARS],
        providers=providers,
        load_ms=0.0 if started is None else round((time.perf_counter() - started) * 1000, 1),
    )


def _by_origin(entry: EntryPoint) -> tuple[bool, str]:
    return _distribution(entry) != OWN_DISTRIBUTION, entry.name


def _distribution(entry: EntryPoint) -> str:
    return _name_and_version(entry.dist)[0] if entry.dist else ""


def _version(entry: EntryPoint) -> str:
    return _name_and_version(entry.dist)[1] if entry.dist else ""


@lru_cache(maxsize=64)  # every look parses the whole metadata, and all plugins of a distribution share it
def _name_and_version(distribution: Distribution) -> tuple[str, str]:
    return distribution.name, distribution.version


def _names(env: Mapping[str, str], variable: str) -> list[str]:
    return [part.strip() for part in env.get(variable, "").split(",") if part.strip()]


def _extra(module: str) -> EntryPoint:
    return EntryPoint(name=module.rpartition(".")[2], value=module, group=PLUGIN_GROUP)
