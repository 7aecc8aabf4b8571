"""The invariants of series, for `coverwright doctor`: each check returns its violations."""

from typing import Final

from sqlalchemy import func, select

from kernel.core.data.database import ReadConnection
from kernel.core.invariants import Invariants
from kernel.covers.models import Cover
from kernel.covers.series.models import LookChange, LookRun
from kernel.covers.series.run_rows import OPEN
from kernel.themes.models import Theme, ThemeLook


async def looks_are_their_users(connection: ReadConnection) -> list[str]:
    """Return themes with the look of somebody else's cover."""
    query = (
        select(Theme.id)
        .join(ThemeLook, ThemeLook.theme_id == Theme.id)
        .join(Cover, Cover.id == ThemeLook.cover_id)
        .where(Cover.user_id != Theme.user_id)
    )
    return [f"theme {theme_id}" for theme_id in (await connection.execute(query)).scalars()]


async def runs_change_their_users_covers(connection: ReadConnection) -> list[str]:
    """Return runs that change somebody else's cover."""
    query = (
        select(LookRun.id, LookChange.cover_id)
        .join(LookChange, LookChange.run_id == LookRun.id)
        .join(Theme, Theme.id == LookRun.theme_id)
        .join(Cover, Cover.id == LookChange.cover_id)
        .where(Cover.user_id != Theme.user_id)
    )
    return [f"run {row.id} changes cover {row.cover_id}" for row in await connection.execute(query)]


async def themes_have_one_open_run(connection: ReadConnection) -> list[str]:
    """Return themes in which two looks are being applied."""
    query = select(LookRun.theme_id).where(LookRun.state.in_(OPEN)).group_by(LookRun.theme_id)
    return [f"theme {theme}" for theme in (await connection.execute(query.having(func.count() > 1))).scalars()]


async def changed_covers_can_go_back(connection: ReadConnection) -> list[str]:
    """Return changes of a run that do not name the versions before and after."""
    incomplete = LookChange.before_version.is_(None) | LookChange.after_version.is_(None)
    query = select(LookChange.run_id, LookChange.cover_id).where(LookChange.state == "changed", incomplete)
    return [f"run {row.run_id}, cover {row.cover_id}" for row in await connection.execute(query)]


INVARIANTS: Final[Invariants] = {
    "every look was taken from a cover of the same user": looks_are_their_users,
    "looks are applied to covers of the same user": runs_change_their_users_covers,
    "one look at most is being applied to a theme": themes_have_one_open_run,
    "every cover that took on a look knows its version before": changed_covers_can_go_back,
}
