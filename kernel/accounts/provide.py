"""What handlers of accounts are given."""

from typing import Any, Final

from litestar import Request
from litestar.di import NamedDependency, Provide

from kernel.accounts.current import CurrentUser
from kernel.accounts.desk import Desk
from kernel.accounts.facts import FactsSource
from kernel.accounts.leaving import LeavingService
from kernel.accounts.limits import Devices, Limits
from kernel.accounts.pending import PendingStore
from kernel.accounts.people import PeopleService
from kernel.accounts.profile import ProfileService
from kernel.accounts.proof import Proof
from kernel.accounts.recovery import RecoveryService
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


def _limits(throttle: NamedDependency[Throttle], config: NamedDependency[Config]) -> Limits:
    return Limits(throttle, config)


def _proof(
    database: NamedDependency[Database],
    registry: NamedDependency[Registry],
    vault: NamedDependency[Vault],
    account_limits: NamedDependency[Limits],
) -> Proof:
    return Proof(database, Desk(registry), account_limits, Devices(vault))


def _own(
    database: NamedDependency[Database],
    config: NamedDependency[Config],
    registry: NamedDependency[Registry],
    proof: NamedDependency[Proof],
) -> SelfService:
    return SelfService(database, config, Desk(registry), proof)


def _profile(
    database: NamedDependency[Database],
    account_limits: NamedDependency[Limits],
    proof: NamedDependency[Proof],
) -> ProfileService:
    return ProfileService(database, account_limits, proof)


def _leaving(database: NamedDependency[Database], proof: NamedDependency[Proof]) -> LeavingService:
    return LeavingService(database, proof)


def _people(database: NamedDependency[Database], user_facts: NamedDependency[FactsSource]) -> PeopleService:
    return PeopleService(database, user_facts)


def _recovery(
    database: NamedDependency[Database],
    config: NamedDependency[Config],
    registry: NamedDependency[Registry],
    throttle: NamedDependency[Throttle],
    vault: NamedDependency[Vault],
) -> RecoveryService:
    return RecoveryService(database, config, Desk(registry), Limits(throttle, config), Devices(vault))


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
OWN: Final = {
    "account_limits": Provide(_limits, sync_to_thread=False),
    "proof": Provide(_proof, sync_to_thread=False),
    "own": Provide(_own, sync_to_thread=False),
    "profile": Provide(_profile, sync_to_thread=False),
    "leaving": Provide(_leaving, sync_to_thread=False),
}
PEOPLE: Final = OWN | {"people": Provide(_people, sync_to_thread=False)}
RECOVERY: Final = {"recovery": Provide(_recovery, sync_to_thread=False)}
SETUP: Final = {"setup": Provide(_setup, sync_to_thread=False)}
REDIRECTS: Final = {"redirects": Provide(_redirects, sync_to_thread=False)}
