"""Makes the services of operation."""

from kernel.accounts.wiring import Accounts
from kernel.backups.wiring import Backups
from kernel.billing.wiring import Billing
from kernel.books.wiring import Books
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.process.plugin_changes import InstalledPlugins
from kernel.core.queue.heartbeat import Heartbeats
from kernel.core.queue.server import QueueServer
from kernel.core.wiring import Services
from kernel.covers.wiring import Covers
from kernel.mail.wiring import Mail
from kernel.operation.job_actions import OF_EMAILS, JobActions, JobHandling
from kernel.operation.jobs_service import JobService
from kernel.operation.metrics import MetricsService
from kernel.operation.people.service import PeopleActions
from kernel.operation.restart.service import RestartService
from kernel.operation.system_service import SystemService
from kernel.plans.credits import CreditService
from kernel.providers.wiring import Providers


class Operation(Services, frozen=True, kw_only=True):
    """Services of this package."""

    heartbeats: Heartbeats
    job_service: JobService
    job_actions: JobActions
    system_service: SystemService
    metrics_service: MetricsService
    people_actions: PeopleActions
    restart_service: RestartService


def open_operation(
    config: Config,
    database: Database,
    queue_server: QueueServer,
    providers: Providers,
    *,
    billing: Billing,
    mail: Mail,
    covers: Covers,
    books: Books,
    backups: Backups,
    accounts: Accounts,
    credit_service: CreditService,
) -> Operation:
    """Wire the services."""
    installed = InstalledPlugins(config.data_dir, providers.registry.plugins.builds)
    heartbeats = Heartbeats(queue_server, config.data_dir, installed)
    job_service = JobService(database, providers.registry, heartbeats)
    system_service = SystemService(config, database, queue_server, heartbeats, job_service)
    handling = {
        "generation": JobHandling(
            cancel_in=covers.generations.cancel_in,
            canceled=covers.generations.tell_canceled,
            resume_in=covers.state_machine.resume_in,
        ),
        "archive": JobHandling(cancel_in=covers.archives.cancel_in),
        "edition_pack": JobHandling(cancel_in=books.packs.cancel_in),
        "account_email": OF_EMAILS,
        "campaign": JobHandling(cancel_in=mail.campaigns.cancel_in),
        "price_move": JobHandling(cancel_in=billing.price_moves.stop_in),
        "backup": JobHandling(cancel_in=backups.backup_service.cancel_in),
    }
    return Operation(
        heartbeats=heartbeats,
        job_service=job_service,
        job_actions=JobActions(
            database,
            providers.registry,
            providers.revision_follower,
            heartbeats,
            handling,
            covers.state_machine.wake_paused_in,
        ),
        system_service=system_service,
        metrics_service=MetricsService(config, database, providers.registry, job_service, system_service),
        people_actions=PeopleActions(database, accounts.user_admin, credit_service, mail.suppressions),
        restart_service=RestartService(database, providers.registry, heartbeats),
    )
