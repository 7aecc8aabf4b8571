"""An instance: a provider with its settings, built and reference-counted, closed when no call holds it any more."""

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Generic, Literal

import msgspec

from kernel.core import clock
from kernel.core.config import Config
from kernel.core.telemetry import hide
from kernel.core.text.storable import storable
from kernel.providers.instances.build_limit import BUILD_LIMIT_S, within
from kernel.providers.instances.circuit_breaker import Health
from kernel.providers.instances.context import ProviderBuildContext
from kernel.providers.instances.settings import DEFAULT, FILE, STORED, resolve_settings
from kernel.providers.kinds import KINDS, C, P
from kernel.providers.plugins.loader import Offer
from kernel.spi import Kind, ProviderSpec, Secret, SettingsInvalid, misfit

log = logging.getLogger(__name__)

InstanceState = Literal["ready", "draining", "needs_attention", "missing", "disabled"]

DEFAULT_CONCURRENCY: Final = 32
"""Concurrent calls per process, for kinds whose capabilities do not say."""

CLOSE_AFTER_S: Final = 600.0
"""An instance that was replaced closes after its last lease, or after this time at the latest."""

CLOSE_LIMIT_S: Final = 10.0


class Declaration(msgspec.Struct, frozen=True, kw_only=True):
    """What an administrator declared: a provider, a label and settings (secrets in clear, in memory only).

    A `draining` one serves what names it but gets no new work. `filed` are the settings that come from the
    configuration file, `faults` those stored that cannot be used, with the reason. `notice` is for administrators,
    `revision` the one in which it was last changed. `distribution` is the only one whose plugin may provide it, None
    until that is known. `prices` are those of administrators: model → micros of a USD for a picture.
    """

    id: str
    kind: Kind
    provider: str
    label: str
    settings: Mapping[str, Any]
    enabled: bool = True
    draining: bool = False
    filed: frozenset[str] = frozenset()
    faults: Mapping[str, str] = {}
    notice: str = ""
    revision: int = 0
    distribution: str | None = None
    prices: Mapping[str, int] = {}

    def __repr__(self) -> str:
        return f"Declaration({self.kind}:{self.id} of {self.provider})"

    def accepts(self, distribution: str) -> bool:
        """Return whether a plugin of this distribution may provide it."""
        return self.distribution in (None, distribution)

    def builds_the_same(self, other: "Declaration") -> bool:
        """Return whether the two are equal in everything that the provider is built from."""
        return self._build_key() == other._build_key()

    def _build_key(self) -> tuple[object, ...]:
        return (self.id, self.kind, self.provider, self.settings, self.enabled, self.faults)


class Instance(Generic[P, C]):
    """A declared provider. Only one that is `ready` or `draining` has `provider` and `capabilities`."""

    def __init__(self, declaration: Declaration, offer: Offer | None) -> None:
        self.declaration = declaration
        self.id: Final = declaration.id
        self.kind: Final[Kind] = declaration.kind
        self.provider_id: Final = declaration.provider
        self.label = declaration.label
        self.plugin: Final = offer.plugin if offer else ""
        self.plugin_version: Final = offer.plugin_version if offer else ""
        self.distribution: Final = offer.distribution if offer else ""
        self.spec: ProviderSpec[Any, P] | None = offer.spec if offer else None
        self.state: InstanceState = "missing"
        self.since_unix = clock.now_unix()
        self.reason = ""
        self.problems: dict[str, str] = {}
        self.sources: dict[str, str] = {}
        self.notice = declaration.notice
        self.prices = declaration.prices
        self.health: Final = Health()
        self.slots = asyncio.Semaphore(DEFAULT_CONCURRENCY)
        self._provider: P | None = None
        self._capabilities: C | None = None
        self._context: ProviderBuildContext | None = None
        self._secrets: tuple[Secret, ...] = ()
        self._leases = 0
        self._retired = False
        self._closing: asyncio.Task[None] | None = None
        self._latest: asyncio.TimerHandle | None = None

    @property
    def usable(self) -> bool:
        """Return whether it can be called by what names it."""
        return self.state in ("ready", "draining")

    @property
    def provider(self) -> P:
        """Return the provider. Raises RuntimeError unless the instance is usable."""
        if self._provider is None:
            raise RuntimeError(f"instance {self.id} is {self.state}")
        return self._provider

    @property
    def capabilities(self) -> C:
        """Return the capabilities, as declared when it was built. Raises RuntimeError unless the instance is usable."""
        if self._capabilities is None:
            raise RuntimeError(f"instance {self.id} is {self.state}")
        return self._capabilities

    @property
    def closed(self) -> bool:
        """Return whether it has closed, or there is nothing to close."""
        return self._provider is None or (self._closing is not None and self._closing.done())

    @property
    def deadline_s(self) -> float | None:
        """Return the time limit of one call in seconds, where the capabilities name one."""
        return getattr(self._capabilities, "deadline_seconds", None)

    def redact(self, text: str) -> str:
        """Return a plugin's text fit to be stored and shown, without any of the instance's secrets."""
        text = storable(text)
        for secret in self._secrets:
            text = text.replace(secret.reveal(), "***")
        return text

    def build(self, config: Config, env: Mapping[str, str], *, first: bool, folder: Path | None = None) -> None:
        """Resolve the settings and build the provider; failures are kept in `state`, `reason` and `problems`.

        `folder` is for the instance's own files, instead of the usual one.
        """
        try:
            self._build(config, env, first=first, folder=folder)
        except (Exception, SystemExit) as error:
            self._explain(error)

    def _build(self, config: Config, env: Mapping[str, str], *, first: bool, folder: Path | None) -> None:
        declared = self.declaration
        if self.spec is None:
            self.state = "missing" if declared.enabled else "disabled"
            self.reason = f"no plugin offers the {self.kind} provider `{self.provider_id}`"
            return
        if not declared.accepts(self.distribution):
            self.state = "needs_attention" if declared.enabled else "disabled"
            self.reason = (
                f"plugin {self.plugin} of `{self.distribution}` offers this provider now, but it was set up with "
                f"that of `{declared.distribution}`; save its settings again to accept the new one"
            )
            return
        resolved = resolve_settings(
            self.spec.settings, declared.settings, instance_id=self.id, env=env, first=first, filed=declared.filed
        )
        self.sources, self._secrets = resolved.sources, tuple(resolved.secrets.values())
        for secret in self._secrets:
            hide(secret.reveal())
        unusable = {
            field: text
            for field, text in declared.faults.items()
            if self.sources.get(field, DEFAULT) in (DEFAULT, FILE, STORED)
        }
        self.problems = {field: self.redact(text) for field, text in (resolved.problems | unusable).items()}
        if not declared.enabled:
            self.state = "disabled"
            return
        self.state = "needs_attention"
        if resolved.settings is None or self.problems:
            self.reason = "; ".join(f"{field}: {text}" if field else text for field, text in self.problems.items())
            return
        context = ProviderBuildContext(config, self.id, folder, kind=self.kind)
        spec, settings = self.spec, resolved.settings

        def make() -> tuple[P, Any]:
            made = spec.build(settings, context)
            return made, made.capabilities()  # type: ignore[attr-defined]  # every kind has it, with its own type

        provider, capabilities = within(BUILD_LIMIT_S, make, name=f"build {self.id}")
        if wrong := misfit(capabilities, KINDS[self.kind].capabilities):
            self.reason = f"plugin {self.plugin} is broken: capabilities: {wrong}"
            return
        self._provider, self._capabilities, self._context = provider, capabilities, context
        self.slots = asyncio.Semaphore(max(1, getattr(capabilities, "concurrency", DEFAULT_CONCURRENCY)))
        self.state = "draining" if declared.draining else "ready"

    def adopt(self, declaration: Declaration) -> None:
        """Continue under a declaration that builds the same."""
        self.declaration, self.notice, self.problems = declaration, declaration.notice, {}
        self.sources |= {
            field: FILE if field in declaration.filed else STORED
            for field, source in self.sources.items()
            if source in (FILE, STORED)
        }
        self._take_over(declaration)

    def stay(self, declaration: Declaration, failed: "Instance[Any, Any]") -> None:
        """Continue with the present settings, because those of the newer declaration cannot be used."""
        self.notice, self.problems = f"the saved settings are not in use: {failed.reason}", failed.problems
        self._take_over(declaration)

    def _take_over(self, declaration: Declaration) -> None:
        """Take over what needs no new build."""
        self.label, self.prices = declaration.label, declaration.prices
        if self.usable:
            state: InstanceState = "draining" if declaration.draining else "ready"
            if state != self.state:
                self.state, self.since_unix = state, clock.now_unix()

    def _explain(self, error: BaseException) -> None:
        text = self.redact(str(error)) or type(error).__name__
        if isinstance(error, SettingsInvalid):
            self.problems = {error.field or "": text}
            self.reason = text
            return
        self.reason = f"plugin {self.plugin} cannot build it: {type(error).__name__}: {text}"
        log.warning("instance %s: %s", self.id, self.reason)

    def acquire(self) -> None:
        """Add one holder; pair it with `release`."""
        self._leases += 1

    def release(self) -> None:
        """Remove one holder; the last one of a retired instance closes it."""
        self._leases -= 1
        if self._retired and self._leases == 0:
            self._begin_closing()

    def retire(self) -> None:
        """Close as soon as it has no holder, after CLOSE_AFTER_S at the latest."""
        if self._retired:
            return
        self._retired = True
        if self._leases == 0:
            self._begin_closing()
        else:
            self._latest = asyncio.get_running_loop().call_later(CLOSE_AFTER_S, self._begin_closing)

    async def aclose(self) -> None:
        """Close now, even while it is held; a second call waits for the first."""
        self._retired = True
        self._begin_closing()
        if self._closing is not None:
            await asyncio.wait({self._closing})

    def _end_wait(self) -> None:
        if self._latest is not None:
            self._latest.cancel()

    def _begin_closing(self) -> None:
        self._end_wait()
        if self._closing is None and self._provider is not None:
            self._closing = asyncio.get_running_loop().create_task(self._close(), name=f"close {self.id}")

    async def _close(self) -> None:
        parts = [part for part in (self._provider, self._context) if part is not None]
        for part in parts:
            task = asyncio.ensure_future(part.aclose())
            done, _ = await asyncio.wait({task}, timeout=CLOSE_LIMIT_S)
            if not done:
                task.cancel()
                log.warning("instance %s did not close in %g s", self.id, CLOSE_LIMIT_S)
            elif task.cancelled() or task.exception() is not None:
                log.warning("instance %s failed to close: %r", self.id, None if task.cancelled() else task.exception())
