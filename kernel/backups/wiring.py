"""Makes the service of backups."""

from kernel.backups.making import BackupMaker
from kernel.backups.service import BackupService
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.vault import Vault
from kernel.core.wiring import Services
from kernel.providers import Registry


class Backups(Services, frozen=True, kw_only=True):
    """Services of this package."""

    backup_service: BackupService


def open_backups(config: Config, database: Database, registry: Registry, vault: Vault) -> Backups:
    """Wire the services."""
    maker = BackupMaker(config, database, registry, vault)
    return Backups(backup_service=BackupService(config, database, registry, maker))
