"""All parts of payments, wired."""

from collections.abc import Callable

import msgspec

from kernel.billing.backfill import Backfill
from kernel.billing.customers import Customers
from kernel.billing.entitlement import Entitlement
from kernel.billing.keeper import Keeper
from kernel.billing.locks import UserLocks
from kernel.billing.operations import Operations
from kernel.billing.prices import Prices
from kernel.billing.readings import Readings
from kernel.billing.service import BillingService
from kernel.billing.upkeep import Upkeep
from kernel.billing.vendor import Vendor
from kernel.billing.views import Views
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.providers import Caller
from kernel.spi import KernelEvent


class Billing(msgspec.Struct, frozen=True, kw_only=True):
    """What the rest of the kernel uses of payments."""

    entitlement: Entitlement
    vendor: Vendor
    locks: UserLocks
    customers: Customers
    readings: Readings
    prices: Prices
    service: BillingService
    views: Views
    backfill: Backfill
    upkeep: Upkeep


def open_billing(config: Config, database: Database, caller: Caller, observe: Callable[[KernelEvent], None]) -> Billing:
    """Wire the parts."""
    entitlement, vendor = Entitlement(config.billing, database), Vendor(caller)
    locks, operations = UserLocks(database), Operations(database)
    customers = Customers(database, vendor, operations)
    readings = Readings(config.billing, database, vendor, observe)
    prices = Prices(config.plans, database, vendor)
    keeper = Keeper(database, vendor, locks, operations, customers, readings, prices)
    service = BillingService(
        config, database, vendor, locks, operations, customers, readings, prices, keeper, entitlement
    )
    backfill = Backfill(database, vendor, locks, customers)
    return Billing(
        entitlement=entitlement,
        vendor=vendor,
        locks=locks,
        customers=customers,
        readings=readings,
        prices=prices,
        service=service,
        views=Views(vendor, entitlement),
        backfill=backfill,
        upkeep=Upkeep(database, vendor, keeper, customers, operations, prices, backfill),
    )
