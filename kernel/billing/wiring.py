"""Builds the billing services."""

from collections.abc import Callable

from kernel.billing.admin_service import PaymentAdminService
from kernel.billing.customers.backfill import Backfill
from kernel.billing.customers.service import Customers
from kernel.billing.entitlement import Entitlement
from kernel.billing.pricing.prices import Prices
from kernel.billing.repricing.service import PriceMoves
from kernel.billing.repricing.worker import PriceMoveWorker
from kernel.billing.subscriptions.cancellations import Cancellations
from kernel.billing.subscriptions.card_forms import CardForms
from kernel.billing.subscriptions.pauses import SubscriptionPauses
from kernel.billing.subscriptions.payment_emails import PaymentEmails
from kernel.billing.subscriptions.price_changes import PriceChanges
from kernel.billing.subscriptions.promotions import Promotions
from kernel.billing.subscriptions.service import BillingService
from kernel.billing.subscriptions.subscription_sync import SubscriptionSync
from kernel.billing.subscriptions.summary import SubscriptionSummaries
from kernel.billing.subscriptions.vendor_sync import VendorSync
from kernel.billing.taxes.service import Buyers
from kernel.billing.vendor.gateway import PaymentGateway
from kernel.billing.vendor.operations import VendorOperations
from kernel.billing.vendor.user_locks import UserLocks
from kernel.billing.worker import BillingWorker
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.wiring import Services
from kernel.providers import Caller
from kernel.spi import KernelEvent


class Billing(Services, frozen=True, kw_only=True):
    """What the rest of the kernel uses of payments."""

    entitlement: Entitlement
    payment_gateway: PaymentGateway
    locks: UserLocks
    customers: Customers
    vendor_sync: VendorSync
    prices: Prices
    subscriptions: BillingService
    price_changes: PriceChanges
    card_forms: CardForms
    promotions: Promotions
    buyers: Buyers
    pauses: SubscriptionPauses
    subscription_summaries: SubscriptionSummaries
    cancellations: Cancellations
    backfill: Backfill
    payment_admin: PaymentAdminService
    price_moves: PriceMoves
    worker: BillingWorker


def open_billing(config: Config, database: Database, caller: Caller, observe: Callable[[KernelEvent], None]) -> Billing:
    """Build the services."""
    entitlement, gateway = Entitlement(config.billing, database), PaymentGateway(caller)
    locks, operations = UserLocks(database), VendorOperations(database)
    customers = Customers(database, gateway, operations)
    emails = PaymentEmails(config.billing, gateway)
    vendor_sync = VendorSync(config.billing, database, gateway, emails, observe)
    prices = Prices(config.plans, database, gateway)
    subscription_sync = SubscriptionSync(database, gateway, locks, operations, customers, vendor_sync, prices)
    cancellations = Cancellations(database)
    promotions = Promotions(gateway, locks, customers, prices)
    card_forms = CardForms(gateway, subscription_sync)
    service = BillingService(
        config,
        database,
        gateway,
        locks,
        operations,
        customers,
        vendor_sync,
        prices,
        subscription_sync,
        entitlement,
        cancellations,
        card_forms,
        promotions,
    )
    backfill = Backfill(database, gateway, locks, customers)
    moving = PriceMoveWorker(database, gateway, locks, operations, subscription_sync, emails)
    return Billing(
        entitlement=entitlement,
        payment_gateway=gateway,
        locks=locks,
        customers=customers,
        vendor_sync=vendor_sync,
        prices=prices,
        subscriptions=service,
        price_changes=PriceChanges(database, gateway, locks, operations, prices, subscription_sync),
        card_forms=card_forms,
        promotions=promotions,
        buyers=Buyers(gateway, locks, customers, prices, subscription_sync),
        pauses=SubscriptionPauses(gateway, locks, operations, subscription_sync),
        subscription_summaries=SubscriptionSummaries(database, gateway, entitlement),
        cancellations=cancellations,
        backfill=backfill,
        payment_admin=PaymentAdminService(database, gateway, prices, entitlement, backfill),
        price_moves=PriceMoves(database, gateway, prices),
        worker=BillingWorker(database, gateway, subscription_sync, customers, operations, prices, backfill, moving),
    )
