"""Scheduled backups that were not made are told after two of them."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from kernel.backups.models import Backup
from kernel.core import clock
from kernel.core.config import load_config
from kernel.core.data.database import Database
from kernel.core.data.ids import new_uuid
from kernel.runtime import open_runtime

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(("age_h", "missed", "warned"), [(1, 0, False), (30, 1, False), (49, 2, True)])
async def test_two_missed_backups_are_a_warning(
    database: Database, database_url: str, tmp_path: Path, age_h: int, missed: int, warned: bool
) -> None:
    place, made = str(tmp_path / "saved"), clock.now() - timedelta(hours=age_h)
    ended: dict[str, Any] = {"state": "completed", "size": 12_000, "added": 7_000, "name": "one", "finished_at": made}
    async with database.write() as session:
        row = insert(Backup).values(id=new_uuid(), place=place, created_at=made, run_after=made, **ended)
        await session.execute(row.values(attempts=1, fence=1, kind="backup", objects=0, missing=0))
    env = {
        "COVERWRIGHT_DATA": str(tmp_path),
        "COVERWRIGHT_ENV": "test",
        "COVERWRIGHT_DATABASE_URL": database_url,
        "COVERWRIGHT_BACKUP_TO": place,
    }
    async with open_runtime(load_config(env)) as runtime:
        state = await runtime.operation.system_service.state()
    assert (state.backup.missed, "backups_missed" in state.warnings) == (missed, warned)
    assert (state.backup.bytes, state.backup.place, state.backup.every_hours) == (12_000, place, 24)
    assert state.queue is None and "queue_away" in state.warnings
