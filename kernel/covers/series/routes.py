"""Calls about series: the look of a theme, and what it is applied to."""

from litestar import Controller, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.accounts.current_user import CurrentUser
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import USER
from kernel.core.web.paging import PathId
from kernel.covers.gallery.theme_membership import ThemeMembershipService
from kernel.covers.schemas import CoverOut
from kernel.covers.series.runs import LookRunService
from kernel.covers.series.schemas import (
    LookCoversIn,
    LookIn,
    LookPreview,
    LookPreviewsIn,
    LookRunOut,
    NextVolumeOut,
    SeriesOut,
)
from kernel.covers.series.service import SeriesService
from kernel.themes.schemas import CoverThemeIn

CHANGES_PER_MINUTE = 60
STEPS_PER_MINUTE = 240
"""Each composes one cover, which takes half a second at least."""


class SeriesController(Controller):
    """The look that the covers of a theme share."""

    path = "/api/themes/{theme_id:int}"
    tags = ("Series",)
    opt = USER

    @get("/series", operation_id="getSeries")
    async def get_series(
        self, user: NamedDependency[CurrentUser], theme_id: PathId, series: NamedDependency[SeriesService]
    ) -> SeriesOut:
        """Return the covers of a theme in the order of their numbers, and in what each leaves the theme's look."""
        return await series.get(user.id, theme_id)

    @get("/next-volume", operation_id="getNextVolume")
    async def get_next_volume(
        self, user: NamedDependency[CurrentUser], theme_id: PathId, series: NamedDependency[SeriesService]
    ) -> NextVolumeOut:
        """Return what the next cover of a theme begins with: author, series and number."""
        return await series.next_volume(user.id, theme_id)

    @put("/look", operation_id="lockLook")
    async def lock_look(
        self,
        user: NamedDependency[CurrentUser],
        theme_id: PathId,
        data: JSONBody[LookIn],
        series: NamedDependency[SeriesService],
        throttle: NamedDependency[Throttle],
    ) -> SeriesOut:
        """Make the look of one cover that of its theme, which is a series then; no cover changes by it."""
        await throttle.hit(f"look:{user.id}", limit=CHANGES_PER_MINUTE, window_s=60)
        return await series.lock(user.id, theme_id, data.cover_id)

    @delete("/look", operation_id="releaseLook", status_code=200)
    async def release_look(
        self, user: NamedDependency[CurrentUser], theme_id: PathId, series: NamedDependency[SeriesService]
    ) -> SeriesOut:
        """Take the look away from a theme; its covers stay as they are."""
        return await series.release(user.id, theme_id)

    @post("/look/previews", operation_id="previewLook", status_code=200)
    async def preview_look(
        self,
        user: NamedDependency[CurrentUser],
        theme_id: PathId,
        data: JSONBody[LookPreviewsIn],
        series: NamedDependency[SeriesService],
        throttle: NamedDependency[Throttle],
    ) -> list[LookPreview]:
        """Return covers as they would be in the look of their theme."""
        await throttle.hit(f"look-preview:{user.id}", limit=STEPS_PER_MINUTE, window_s=60)
        return await series.previews(user.id, theme_id, data.cover_ids)

    @post("/look/run", operation_id="applyLook", status_code=200)
    async def apply_look(
        self,
        user: NamedDependency[CurrentUser],
        theme_id: PathId,
        data: JSONBody[LookCoversIn],
        look_runs: NamedDependency[LookRunService],
        throttle: NamedDependency[Throttle],
    ) -> LookRunOut:
        """Begin to apply the look to covers of the theme; each call of the step does one of them."""
        await throttle.hit(f"look:{user.id}", limit=CHANGES_PER_MINUTE, window_s=60)
        return await look_runs.start(user.id, theme_id, data.cover_ids)

    @post("/look/run/step", operation_id="continueLookRun", status_code=200)
    async def continue_look_run(
        self,
        user: NamedDependency[CurrentUser],
        theme_id: PathId,
        look_runs: NamedDependency[LookRunService],
        throttle: NamedDependency[Throttle],
    ) -> LookRunOut:
        """Change the next cover, or take the next one back; the call of a run that is through changes nothing."""
        await throttle.hit(f"look-step:{user.id}", limit=STEPS_PER_MINUTE, window_s=60)
        return await look_runs.step(user.id, theme_id)

    @post("/look/run/undo", operation_id="undoLookRun", status_code=200)
    async def undo_look_run(
        self,
        user: NamedDependency[CurrentUser],
        theme_id: PathId,
        look_runs: NamedDependency[LookRunService],
        throttle: NamedDependency[Throttle],
    ) -> LookRunOut:
        """Begin to show again what the covers of the last run were before; covers changed since stay as they are."""
        await throttle.hit(f"look:{user.id}", limit=CHANGES_PER_MINUTE, window_s=60)
        return await look_runs.undo(user.id, theme_id)


class CoverThemeController(Controller):
    """To which theme a cover belongs."""

    path = "/api/covers/{cover_id:int}/theme"
    tags = ("Themes",)
    opt = USER

    @post(operation_id="addCoverToTheme", status_code=200)
    async def add_cover_to_theme(
        self,
        user: NamedDependency[CurrentUser],
        cover_id: PathId,
        data: JSONBody[CoverThemeIn],
        series: NamedDependency[SeriesService],
    ) -> CoverOut:
        """Let a cover belong to a theme, and to no other one; it takes on the look of a series, as a new version."""
        return await series.add_cover(user.id, cover_id, data.theme_id)

    @delete(operation_id="removeCoverFromTheme", status_code=200)
    async def remove_cover_from_theme(
        self,
        user: NamedDependency[CurrentUser],
        cover_id: PathId,
        theme_membership: NamedDependency[ThemeMembershipService],
    ) -> CoverOut:
        """Let a cover belong to no theme; one without a theme stays as it is."""
        return await theme_membership.remove_cover(user.id, cover_id)
