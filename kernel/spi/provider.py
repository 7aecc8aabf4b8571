"""What every provider is: a spec that describes it, a context it is built with, and three methods."""

import logging
from collections.abc import Callable
from typing import Any, Final, Generic, Literal, Protocol, TypeVar, runtime_checkable

import httpx
import msgspec

from .admin_pages import AdminPage, SettingsComponent
from .checks import CheckReport
from .comparison import Comparison
from .settings import Settings

Kind = Literal["image", "payment", "email", "storage", "signin"]
"""What a provider is for; each kind has a contract of its own."""

CONTRACT_VERSIONS: Final[dict[Kind, tuple[int, int]]] = {
    "image": (1, 2),
    "payment": (1, 3),
    "email": (1, 1),
    "storage": (1, 1),
    "signin": (1, 1),
}
"""Version of each kind's contract. A plugin with the same major version loads; any other is listed as incompatible."""


class Provider(Protocol):
    """Base of every kind. Each kind adds `capabilities()`, plain data per instance, without I/O."""

    async def check(self) -> CheckReport:
        """Check the settings without side effects and without cost.

        Called from the settings page, before an instance is used; 15 s at most. Raises nothing: what goes wrong is a
        step that has failed, with the field at fault. `CheckSteps` collects the steps, and shows each as it ends.
        """
        ...

    async def aclose(self) -> None:
        """Release everything. Called once calls in flight have ended; a second call does nothing."""
        ...


@runtime_checkable
class Preparable(Protocol):
    """A provider whose first call is faster after a warm-up. Optional, for every kind."""

    async def prepare(self) -> None:
        """Warm up. Called once by each worker at start, in parallel with other work; a failure is only logged."""
        ...


class ProviderContext(Protocol):
    """What the kernel passes to `build`."""

    @property
    def instance_id(self) -> str:
        """Return the administrator's name for this instance, such as `openai-main`."""
        ...

    @property
    def public_url(self) -> str:
        """Return the address of the site, without a trailing slash, for callback addresses."""
        ...

    @property
    def data_dir(self) -> str:
        """Return the folder for this instance's own files; the provider creates it on first use."""
        ...

    @property
    def http(self) -> httpx.AsyncClient:
        """Return the kernel's client: time-outs, limits, address guard, redacted logging."""
        ...

    async def find_addresses(self, host: str, port: int, *, field: str | None = None) -> tuple[str, ...]:
        """Return the IP addresses of a host to which a provider without HTTP may connect, in order of preference.

        Connect to one of these and not to the name, which may resolve differently a moment later. `field` is the
        setting that named the host. Raises SettingsInvalid for an address that the operator does not allow (private
        ones, unless `host:port` is listed), Unavailable for a name that cannot be resolved.
        """
        ...

    @property
    def log(self) -> logging.Logger:
        """Return a logger that names the instance."""
        ...


S = TypeVar("S", bound=Settings)
P = TypeVar("P", bound=Provider)


class ProviderSpec(msgspec.Struct, Generic[S, P], frozen=True, kw_only=True):
    """What a plugin offers: one provider of one kind.

    `id` matches `[a-z][a-z0-9-]{1,38}` and is unique in its kind. `label` is a name, `summary` one English sentence.
    `contract` is the version of the kind's contract for which the plugin was written. `build` makes an instance: it
    opens nothing and waits for nothing, and may raise SettingsInvalid. `settings_version` counts changes of `settings`,
    and `migrate_settings` brings stored values of an earlier version to this one. `offline` promises that the provider
    never uses the network. `docs_url` is where the vendor explains the service. `comparison` helps administrators to
    choose; without one they see label and summary. `static` is the package whose folder `static` holds what browsers
    may fetch, see `packaged_files`: usually `__name__`, in the `__init__.py` of the plugin. `pages` and
    `settings_component` are what it shows administrators with web components of its own.
    """

    kind: Kind
    id: str
    label: str
    summary: str
    contract: tuple[int, int]
    settings: type[S]
    build: Callable[[S, ProviderContext], P]
    settings_version: int = 1
    migrate_settings: Callable[[int, dict[str, Any]], dict[str, Any]] | None = None
    offline: bool = False
    docs_url: str | None = None
    comparison: Comparison | None = None
    static: str | None = None
    pages: tuple[AdminPage, ...] = ()
    settings_component: SettingsComponent | None = None
