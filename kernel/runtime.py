"""The parts that every process needs, opened once and closed in order."""

import asyncio
import os
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement
from sqlalchemy.ext.asyncio import AsyncConnection

from kernel.accounts.belongings import Belongings, OwnData
from kernel.accounts.current import CurrentUser
from kernel.accounts.entrances import administrators_enter
from kernel.accounts.facts import PersonFacts, UserFacts
from kernel.accounts.labels import UserNames
from kernel.accounts.leaving import Leaver
from kernel.accounts.uses import count_people
from kernel.billing.belongings import Purchases
from kernel.billing.changes import payment_events
from kernel.billing.desk import Billing, open_billing
from kernel.billing.uses import count_customers
from kernel.core.config import Config
from kernel.core.database import Database, open_database
from kernel.core.pubsub import PubSub
from kernel.core.queue import Doorbell, open_queue
from kernel.core.throttle import Throttle
from kernel.core.valkey import open_redis
from kernel.core.vault import Vault, open_vault
from kernel.covers.accept import AcceptService
from kernel.covers.archives import ArchiveService
from kernel.covers.asking import Asker
from kernel.covers.belongings import CoverBelongings
from kernel.covers.bulk import BulkService
from kernel.covers.downloads import DownloadService
from kernel.covers.expectation import Expectation
from kernel.covers.gallery import GalleryService
from kernel.covers.lifecycle import Lifecycle
from kernel.covers.making import Maker
from kernel.covers.references import ReferenceService
from kernel.covers.shelving import ShelvingService
from kernel.covers.views import covers_of
from kernel.mail.belongings import Correspondence
from kernel.mail.campaigns import CampaignService
from kernel.mail.letters import LetterRoom
from kernel.mail.sending import CampaignRoom
from kernel.mail.service import Mailer
from kernel.mail.suppression import apply_email_event
from kernel.mail.templates import TemplateService
from kernel.mail.unsubscribing import Unsubscribing
from kernel.pages.cards import Cards
from kernel.pages.knowledge import Knowledge
from kernel.pictures.store import PictureStore
from kernel.pictures.uses import count_pictures
from kernel.plans.downloads import DownloadRules
from kernel.plans.service import PlanService
from kernel.providers import Caller, Registry, load_plugins
from kernel.providers.administration import Administration, Following, Store, Use, Uses
from kernel.providers.operation.desk import Operation, open_operation
from kernel.providers.operation.inbox import EventHandlers
from kernel.site.branding import BrandingService
from kernel.site.seo.service import SeoService
from kernel.site.service import SettingService
from kernel.site.slides import SlideService
from kernel.themes.belongings import ThemeBelongings
from kernel.themes.service import ThemeService


class PlanFacts:
    """What the current-user call and the list of users say about plans, payments and covers."""

    def __init__(self, database: Database, plans: PlanService, rules: DownloadRules, billing: Billing) -> None:
        self._database = database
        self._plans = plans
        self._rules = rules
        self._billing = billing

    async def facts(self, user: CurrentUser) -> UserFacts:
        """Return whether the user is on Pro, by what, this month's count and what may be downloaded."""
        async with self._database.read() as connection:
            is_pro = await self._billing.entitlement.is_pro_in(connection, user.id, user.is_pro_override)
            return UserFacts(
                is_pro=is_pro,
                generations_this_month=await self._plans.used_this_month(connection, user.id),
                downloads=self._rules.of(is_pro=is_pro, is_admin=user.is_admin),
                subscription=await self._billing.views.subscription(connection, user.id),
                invoices=tuple(await self._billing.views.invoices(connection, user.id)),
            )

    def pro(self) -> ColumnElement[bool]:
        """Match users who are Pro now."""
        return self._billing.entitlement.pro()

    async def people(self, connection: AsyncConnection, user_ids: Sequence[int]) -> dict[int, PersonFacts]:
        """Return what the list of users tells of them, in three statements."""
        states = await self._billing.views.states(connection, user_ids)
        used = await self._plans.used_by(connection, user_ids)
        covers = await covers_of(connection, user_ids)
        return {
            user_id: PersonFacts(
                subscription=states.get(user_id),
                generations_this_month=used.get(user_id, 0),
                covers=covers.get(user_id, 0),
            )
            for user_id in user_ids
        }


class Runtime(msgspec.Struct, frozen=True, kw_only=True):
    """All services, wired."""

    config: Config
    database: Database
    redis: Any
    pubsub: PubSub
    throttle: Throttle
    vault: Vault
    doorbell: Doorbell
    registry: Registry
    following: Following
    administration: Administration
    caller: Caller
    operation: Operation
    mailer: Mailer
    letters: LetterRoom
    templates: TemplateService
    unsubscribing: Unsubscribing
    campaigns: CampaignService
    campaign_room: CampaignRoom
    plans: PlanService
    settings: SettingService
    seo: SeoService
    branding: BrandingService
    themes: ThemeService
    shelving: ShelvingService
    pictures: PictureStore
    slides: SlideService
    knowledge: Knowledge
    cards: Cards
    references: ReferenceService
    expectation: Expectation
    accepting: AcceptService
    gallery: GalleryService
    bulk: BulkService
    downloads: DownloadService
    archives: ArchiveService
    life: Lifecycle
    maker: Maker
    billing: Billing
    user_facts: PlanFacts
    belongings: Belongings
    leaver: Leaver


USES: Final = Uses(
    counted={
        "storage": Use(what="pictures", count=count_pictures),
        "payment": Use(what="subscriptions", count=count_customers),
        "signin": Use(what="people", count=count_people),
    },
    administrators_enter=administrators_enter,
)


@asynccontextmanager
async def open_runtime(config: Config, database: Database | None = None) -> AsyncIterator[Runtime]:
    """Wire the services for the length of the block, and use the instances that are stored, if they can be read."""
    vault = open_vault(config)
    database = database or open_database(config)
    redis = open_redis(config)
    pubsub = PubSub(open_redis(config, timeout_s=None))
    doorbell = Doorbell(open_queue(config))
    registry = Registry.from_config(config, plugins=load_plugins(os.environ))
    store = Store(registry, vault)
    following = Following(database, registry, store, pubsub)
    administration = Administration(database, registry, store, vault, following, USES)
    caller = Caller(registry, database)
    handlers: EventHandlers = {"email": apply_email_event, "payment": payment_events(registry.label_of)}
    operation = open_operation(caller, database, redis, vault, handlers=handlers, user_labels=UserNames())
    plans, settings, themes = PlanService(config.plans), SettingService(), ThemeService()
    pictures, expectation = PictureStore(registry), Expectation()
    slides, seo = SlideService(config.pictures, database, pictures), SeoService()
    gallery = GalleryService(database, pictures)
    references = ReferenceService(config.pictures, database, pictures)
    life = Lifecycle(config.generation, database, plans, pictures)
    billing = open_billing(config, database, caller, registry.plugins.observe)
    rules = DownloadRules(config.plans)
    downloads = DownloadService(rules, billing.entitlement)
    asker = Asker(config, database, life, caller, themes, references, pubsub)
    mailer, unsubscribing = Mailer(config, database, caller), Unsubscribing(database, vault)
    templates = TemplateService(config, database, mailer, unsubscribing)
    # what people own, in the order in which it is exported, and removed with their account
    belongings = Belongings(
        OwnData(database),
        Purchases(database),
        Correspondence(database),
        ThemeBelongings(database),
        CoverBelongings(database, life, pictures),
    )
    runtime = Runtime(
        config=config,
        database=database,
        redis=redis,
        pubsub=pubsub,
        throttle=Throttle(redis),
        vault=vault,
        doorbell=doorbell,
        registry=registry,
        following=following,
        administration=administration,
        caller=caller,
        operation=operation,
        mailer=mailer,
        letters=LetterRoom(config, database, mailer, templates),
        templates=templates,
        unsubscribing=unsubscribing,
        campaigns=CampaignService(database, registry, templates),
        campaign_room=CampaignRoom(config, database, caller, mailer, templates, unsubscribing),
        plans=plans,
        settings=settings,
        seo=seo,
        branding=BrandingService(config.site, config.pictures, database, pictures),
        themes=themes,
        shelving=ShelvingService(config.pictures, database, themes, gallery, pictures),
        pictures=pictures,
        slides=slides,
        knowledge=Knowledge(database, seo, billing.prices, slides),
        cards=Cards(config, slides, pictures),
        expectation=expectation,
        references=references,
        accepting=AcceptService(
            config, database, registry, caller.budgets, plans, settings, themes, references, expectation
        ),
        gallery=gallery,
        bulk=BulkService(themes),
        downloads=downloads,
        archives=ArchiveService(config.generation, database, pictures, downloads),
        life=life,
        maker=Maker(config, life, asker, pictures, pubsub),
        billing=billing,
        user_facts=PlanFacts(database, plans, rules, billing),
        belongings=belongings,
        leaver=Leaver(database, belongings),
    )
    async with AsyncExitStack() as closing:
        for part in (database, redis, pubsub, caller, registry, administration, doorbell):
            closing.push_async_callback(part.aclose)
        await following.begin()
        yield runtime


@asynccontextmanager
async def kept_up(runtime: Runtime) -> AsyncIterator[None]:
    """Run for the length of the block what every web and worker process does beside its work."""
    loops: tuple[Coroutine[Any, Any, None], ...] = (runtime.following.run(), runtime.operation.watch.run())
    tasks = [asyncio.create_task(loop) for loop in loops]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
