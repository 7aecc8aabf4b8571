"""Makes the services of figures."""

from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.wiring import Services
from kernel.insight.rollup import FigureKeeper
from kernel.insight.service import FigureService
from kernel.insight.timeline import TimelineService


class Insight(Services, frozen=True, kw_only=True):
    """Services of this package."""

    figure_keeper: FigureKeeper
    figure_service: FigureService
    timeline: TimelineService


def open_insight(config: Config, database: Database) -> Insight:
    """Wire the services."""
    return Insight(
        figure_keeper=FigureKeeper(config, database),
        figure_service=FigureService(database),
        timeline=TimelineService(database),
    )
