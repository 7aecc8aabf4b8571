"""The services of providers, wired."""

from kernel.core.config import ProvidersConfig
from kernel.core.data.database import Database
from kernel.core.queue.pubsub import PubSub
from kernel.core.queue.server import QueueServer
from kernel.core.vault import Vault
from kernel.core.wiring import Services
from kernel.providers.administration import Administration, InstanceStore, ProviderUsage, RevisionFollower
from kernel.providers.calls.caller import Caller
from kernel.providers.components.service import Components
from kernel.providers.instances.registry import Registry
from kernel.providers.monitoring.monitor import Monitor
from kernel.providers.monitoring.service import MonitoringService
from kernel.providers.monitoring.statistics import UserLabels
from kernel.providers.webhooks.inbox import EventHandlers, WebhookInbox


class Providers(Services, frozen=True, kw_only=True):
    """Instances, calls to them, and how they do."""

    registry: Registry
    revision_follower: RevisionFollower
    administration: Administration
    components: Components
    caller: Caller
    webhook_inbox: WebhookInbox
    monitor: Monitor
    monitoring: MonitoringService


def open_providers(
    config: ProvidersConfig,
    database: Database,
    queue_server: QueueServer,
    pubsub: PubSub,
    vault: Vault,
    registry: Registry,
    *,
    usage: ProviderUsage,
    handlers: EventHandlers,
    user_labels: UserLabels,
) -> Providers:
    """Wire the services.

    `usage` knows what depends on instances, `handlers` apply vendors' events, `user_labels` knows what to call users.
    """
    store = InstanceStore(registry, vault)
    follower = RevisionFollower(database, registry, store, pubsub)
    caller = Caller(registry, database)
    inbox = WebhookInbox(database, registry, vault, caller.notices, handlers)
    return Providers(
        registry=registry,
        revision_follower=follower,
        administration=Administration(database, registry, store, vault, follower, usage),
        components=Components(database, registry),
        caller=caller,
        webhook_inbox=inbox,
        monitor=Monitor(caller, database, queue_server, (inbox.flush, caller.notices.flush), config.attempt_days),
        monitoring=MonitoringService(database, registry, caller.budgets, user_labels),
    )
