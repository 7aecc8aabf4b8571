"""What handlers of accounts are given."""

from typing import Any, Final

from litestar import Request
from litestar.di import NamedDependency, Provide

from kernel.accounts.current import CurrentUser
from kernel.accounts.desk import Desk
from kernel.accounts.limits import Devices, Limits
from kernel.accounts.pending import PendingStore
from kernel.accounts.redirect_service import RedirectService
from kernel.accounts.self_service import SelfService
from kernel.accounts.service import AccountService
from kernel.accounts.setup import SetupService
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.core.throttle import Throttle
from kernel.core.vault import Vault
from kernel.providers import Registry

AccountRequest = Request[CurrentUser | None, Any, Any]


def _accounts(
    database: NamedDependency[Database],
    config: NamedDependency[Config],
    registry: NamedDependency[Registry],
    throttle: NamedDependency[Throttle],
    vault: NamedDependency[Vault],
) -> AccountService:
    return AccountService(database, config, Desk(registry), Limits(throttle, config), Devices(vault))


def _setup(
    database: NamedDependency[Database],
    config: NamedDependency[Config],
    registry: NamedDependency[Registry],
    throttle: NamedDependency[Throttle],
    vault: NamedDependency[Vault],
) -> SetupService:
    return SetupService(database, config, Desk(registry), Limits(throttle, config), Devices(vault))


def _own(
    database: NamedDependency[Database],
    config: NamedDependency[Config],
    registry: NamedDependency[Registry],
    throttle: NamedDependency[Throttle],
    vault: NamedDependency[Vault],
) -> SelfService:
    return SelfService(database, config, Desk(registry), Limits(throttle, config), Devices(vault))


def _redirects(
    database: NamedDependency[Database],
    config: NamedDependency[Config],
    registry: NamedDependency[Registry],
    throttle: NamedDependency[Throttle],
    vault: NamedDependency[Vault],
) -> RedirectService:
    pending = PendingStore(database, vault)
    return RedirectService(database, config, Desk(registry), Limits(throttle, config), Devices(vault), pending)


ACCOUNTS: Final = {"accounts": Provide(_accounts, sync_to_thread=False)}
OWN: Final = {"own": Provide(_own, sync_to_thread=False)}
SETUP: Final = {"setup": Provide(_setup, sync_to_thread=False)}
REDIRECTS: Final = {"redirects": Provide(_redirects, sync_to_thread=False)}
