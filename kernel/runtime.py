"""The parts that every process needs, opened once and closed in order."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

from sqlalchemy import ColumnElement
from sqlalchemy.exc import SQLAlchemyError

from kernel.accounts.current_user import CurrentUser
from kernel.accounts.owned_data import AccountData, AllOwnedData
from kernel.accounts.provider_usage import UserEmails, count_identities, is_admin_signin
from kernel.accounts.user_summary import ListedUserSummary, UserSummary
from kernel.accounts.wiring import Accounts, open_accounts
from kernel.backups.wiring import Backups, open_backups
from kernel.billing.owned_data import BillingData
from kernel.billing.pricing.choice import PriceHistory
from kernel.billing.provider_usage import count_customers
from kernel.billing.subscriptions.summary import SUBSCRIPTIONS
from kernel.billing.subscriptions.vendor_events import payment_events
from kernel.billing.wiring import Billing, open_billing
from kernel.books.owned_data import BookData
from kernel.books.wiring import Books, open_books
from kernel.core import clock
from kernel.core.config import Config
from kernel.core.data.database import Database, ReadConnection, open_database
from kernel.core.process import plugin_folders
from kernel.core.queue.doorbell import Doorbell, open_queue
from kernel.core.queue.heartbeat import Role
from kernel.core.queue.job_loop import repeat
from kernel.core.queue.pubsub import PubSub
from kernel.core.queue.server import QueueServer
from kernel.core.queue.throttle import Throttle
from kernel.core.queue.valkey import open_redis
from kernel.core.vault import Vault, open_vault
from kernel.core.wiring import Services
from kernel.covers.cover_read import covers_of, made_cover
from kernel.covers.dimensions import usual_size
from kernel.covers.owned_data import CoverData
from kernel.covers.wiring import Covers, open_covers
from kernel.insight.owned_data import FigureData
from kernel.insight.wiring import Insight, open_insight
from kernel.mail.owned_data import MailData
from kernel.mail.suppression.listing import suppression_notes
from kernel.mail.suppression.service import EMAIL_TROUBLE, apply_email_event, suppressed
from kernel.mail.templates.history import ADDRESS_HISTORY, TEMPLATE_HISTORY
from kernel.mail.wiring import Mail, open_mail
from kernel.operation.wiring import Operation, open_operation
from kernel.pages.wiring import Pages, open_pages
from kernel.pictures.provider_usage import count_pictures
from kernel.pictures.store import PictureStore
from kernel.plans.credits import CREDITS, CreditData, CreditHistory, CreditService
from kernel.plans.download_policy import DownloadPolicy
from kernel.plans.history import FreeFilesHistory, LimitHistory
from kernel.plans.service import USED, PlanService
from kernel.providers import Registry, load_plugins
from kernel.providers.administration import ModelPriceHistory, ProviderUsage, UsageCounter
from kernel.providers.monitoring.budget_settings import BudgetHistory
from kernel.providers.wiring import Providers, open_providers
from kernel.site.history import SETTING_HISTORY
from kernel.site.public_texts.history import ADDRESS_HISTORY as PUBLIC_ADDRESS_HISTORY
from kernel.site.public_texts.history import TEXT_HISTORY
from kernel.site.signing.service import SWITCH_HISTORY
from kernel.site.wiring import SiteServices, open_site
from kernel.themes.owned_data import ThemeData
from kernel.themes.service import ThemeService

_SUMMARY: Final = SUBSCRIPTIONS.add_columns(
    USED.scalar_subquery().label("used"),
    EMAIL_TROUBLE.scalar_subquery().label("email_trouble"),
    CREDITS.scalar_subquery().label("credits"),
)


class PlanAndCoverFacts:
    """What the conditions on the recipients of an email to many ask about plans and covers."""

    def __init__(self, billing: Billing) -> None:
        self._billing = billing

    def pro(self) -> ColumnElement[bool]:
        """Match users who are Pro now."""
        return self._billing.entitlement.pro()

    def made_cover(self, genre: str | None) -> ColumnElement[bool]:
        """Match users with a cover in their gallery, of this genre if one is given."""
        return made_cover(genre)


class UserSummaries:
    """What the current-user call and the list of users say about plans, payments and covers."""

    def __init__(
        self,
        database: Database,
        plans: PlanService,
        credit_service: CreditService,
        rules: DownloadPolicy,
        billing: Billing,
    ) -> None:
        self._database = database
        self._plans = plans
        self._credits = credit_service
        self._rules = rules
        self._billing = billing

    async def summary(self, user: CurrentUser) -> UserSummary:
        """Return whether the user is on Pro, by what, this month's count and what may be downloaded."""
        async with self._database.read() as connection:
            values = {"user_id": user.id, "period": clock.month_of(clock.now())}
            rows = (await connection.execute(_SUMMARY, values)).all()
            facts = await self._billing.subscription_summaries.facts_of(connection, user.id, rows)
        is_pro = facts.gives_pro if user.is_pro_override is None else user.is_pro_override
        return UserSummary(
            is_pro=is_pro,
            generations_this_month=(rows[0].used or 0) if rows else 0,
            downloads=self._rules.of(is_pro=is_pro, is_admin=user.is_admin),
            subscription=facts.subscription,
            invoices=tuple(facts.invoices),
            email_trouble=rows[0].email_trouble if rows else None,
            credits=rows[0].credits if rows else 0,
        )

    def pro(self) -> ColumnElement[bool]:
        """Match users who are Pro now."""
        return self._billing.entitlement.pro()

    def paying(self) -> ColumnElement[bool]:
        """Match users whose subscription is paid for now."""
        return self._billing.entitlement.paying()

    def past_due(self) -> ColumnElement[bool]:
        """Match users whose renewal failed and who have not paid since."""
        return self._billing.entitlement.past_due()

    def suppressed(self) -> ColumnElement[bool]:
        """Match users whose address gets no email at all."""
        return suppressed()

    async def list_summaries(self, connection: ReadConnection, user_ids: Sequence[int]) -> dict[int, ListedUserSummary]:
        """Return what the list of users tells of them, in five statements."""
        states = await self._billing.subscription_summaries.states_in(connection, user_ids)
        used = await self._plans.used_by(connection, user_ids)
        covers = await covers_of(connection, user_ids)
        credit = await self._credits.left_of(connection, user_ids)
        notes = await suppression_notes(connection, user_ids)
        return {
            user_id: ListedUserSummary(
                subscription=states.get(user_id),
                generations_this_month=used.get(user_id, 0),
                covers=covers.get(user_id, 0),
                suppression=notes.get(user_id),
                credits=credit.get(user_id, 0),
            )
            for user_id in user_ids
        }


class Runtime(Services, frozen=True, kw_only=True):
    """All services, wired."""

    config: Config
    database: Database
    queue_server: QueueServer
    pubsub: PubSub
    throttle: Throttle
    vault: Vault
    doorbell: Doorbell
    providers: Providers
    mail: Mail
    plans: PlanService
    credit_service: CreditService
    pictures: PictureStore
    site: SiteServices
    billing: Billing
    covers: Covers
    books: Books
    pages: Pages
    accounts: Accounts
    backups: Backups
    operation: Operation
    insight: Insight


log = logging.getLogger(__name__)

CLOCK_S: Final = 30.0
"""How often a process looks at the database's clock: its own drifts by less than a millisecond until then."""

PROVIDER_USAGE: Final = ProviderUsage(
    counted={
        "storage": UsageCounter(what="pictures", count=count_pictures),
        "payment": UsageCounter(what="subscriptions", count=count_customers),
        "signin": UsageCounter(what="people", count=count_identities),
    },
    is_admin_signin=is_admin_signin,
    usual_size=usual_size,
)


@asynccontextmanager
async def open_runtime(config: Config, database: Database | None = None) -> AsyncIterator[Runtime]:
    """Wire the services for the length of the block, and use the instances that are stored, if they can be read."""
    vault = open_vault(config)
    database = database or open_database(config)
    queue_server = QueueServer(open_redis(config))
    pubsub = PubSub(open_redis(config), queue_server)
    throttle, doorbell = Throttle(queue_server), Doorbell(open_queue(config), queue_server)
    plugin_folders.enter(config.data_dir)
    registry = Registry.from_config(config, plugins=load_plugins(os.environ))
    providers = open_providers(
        config.providers,
        database,
        queue_server,
        pubsub,
        vault,
        registry,
        usage=PROVIDER_USAGE,
        handlers={"email": apply_email_event, "payment": payment_events(registry.label_of)},
        user_labels=UserEmails(),
    )
    caller = providers.caller
    plans, themes, pictures = PlanService(config.plans, database), ThemeService(), PictureStore(caller, database)
    site = open_site(config, database, vault, pictures)
    billing = open_billing(config, database, caller, registry.plugins.observe)
    mail = open_mail(config, database, vault, caller, billing.payment_gateway, PlanAndCoverFacts(billing))
    covers = open_covers(
        config,
        database,
        pubsub,
        doorbell,
        queue_server,
        caller,
        plans=plans,
        entitlement=billing.entitlement,
        settings=site.settings,
        signing=site.signing,
        themes=themes,
        pictures=pictures,
    )
    books = open_books(
        config,
        database,
        pubsub,
        registry,
        pictures=pictures,
        files=covers.marked_files,
        plans=plans,
        entitlement=billing.entitlement,
        themes=themes,
    )
    insight, credit_service = open_insight(config, database), CreditService(database)
    accounts = open_accounts(
        config,
        database,
        registry,
        throttle,
        vault,
        user_summaries=UserSummaries(database, plans, credit_service, DownloadPolicy(config.plans), billing),
        # what people own, in the order in which it is exported, and removed with their account
        owned_data=AllOwnedData(
            FigureData(database, insight.figure_keeper),
            AccountData(database),
            BillingData(database),
            CreditData(database),
            MailData(database),
            ThemeData(database),
            BookData(database, books.packs, pictures),
            CoverData(database, covers.state_machine, covers.archives, pictures),
        ),
        histories={
            "setting.save": SETTING_HISTORY,
            "limits.save": LimitHistory(plans),
            "files.save": FreeFilesHistory(plans),
            "user.credit": CreditHistory(),
            "email.save_template": TEMPLATE_HISTORY,
            "email.postal_address": ADDRESS_HISTORY,
            "payment.choose_price": PriceHistory(),
            "budget.save": BudgetHistory(),
            "instance.prices": ModelPriceHistory(registry),
            "signing.switch": SWITCH_HISTORY,
            "text.save": TEXT_HISTORY,
            "text.save_addresses": PUBLIC_ADDRESS_HISTORY,
        },
    )
    backups = open_backups(config, database, registry, vault)
    operation = open_operation(
        config,
        database,
        queue_server,
        providers,
        billing=billing,
        mail=mail,
        covers=covers,
        books=books,
        backups=backups,
        accounts=accounts,
        credit_service=credit_service,
    )
    runtime = Runtime(
        config=config,
        database=database,
        queue_server=queue_server,
        pubsub=pubsub,
        throttle=throttle,
        vault=vault,
        doorbell=doorbell,
        providers=providers,
        mail=mail,
        plans=plans,
        credit_service=credit_service,
        pictures=pictures,
        site=site,
        billing=billing,
        covers=covers,
        books=books,
        pages=open_pages(config, database, billing.prices, plans, site, pictures),
        accounts=accounts,
        backups=backups,
        operation=operation,
        insight=insight,
    )
    async with AsyncExitStack() as closing:
        for part in (
            database,
            queue_server,
            pubsub,
            caller,
            registry,
            providers.administration,
            doorbell,
            covers.press,
            books.edition_press,
            books.preflights,
        ):
            closing.push_async_callback(part.aclose)
        await _set_clock(database)
        await providers.revision_follower.begin()
        yield runtime


async def _set_clock(database: Database) -> None:
    try:
        await database.follow_clock()
    except (SQLAlchemyError, OSError) as error:
        log.warning("the database's clock cannot be read: %s", type(error).__name__)


@asynccontextmanager
async def background_loops(runtime: Runtime, role: Role) -> AsyncIterator[None]:
    """Run for the length of the block what every web and worker process does beside its work."""
    loops: tuple[Coroutine[Any, Any, None], ...] = (
        repeat("clock", lambda: _set_clock(runtime.database), every_s=CLOCK_S, drained_too=True),
        runtime.providers.revision_follower.run(),
        runtime.providers.monitor.run(),
        runtime.operation.heartbeats.run(role),
    )
    tasks = [asyncio.create_task(loop) for loop in loops]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
