"""Calls about the words on covers."""

from typing import Annotated, Any

from litestar import Controller, Response, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody, QueryParameter

from kernel.accounts.current_user import CurrentUser
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import USER, AppRequest
from kernel.core.web.paging import PathId
from kernel.covers.lettering.press import LetteringPress
from kernel.covers.lettering.schemas import (
    CoverLettering,
    FacesIn,
    LayoutIn,
    LayoutOut,
    LetteringChange,
    LetteringRestore,
    LetteringStyle,
    MeasureIn,
    SketchIn,
    StylePreview,
    StylePreviewsIn,
    SuggestionIn,
)
from kernel.covers.lettering.service import LetteringService, check_lettering
from kernel.covers.route_options import USER_FILE, title_language
from kernel.covers.schemas import ImageSize
from kernel.pictures.responses import picture_response
from kernel.pictures.store import PictureStore
from kernel.press.lettering.document import Lettering
from kernel.press.lettering.orders import FaceSample, Measures
from kernel.press.lettering.styles import styles_for

SAVES_PER_MINUTE = 60
LAYOUTS_PER_MINUTE = 1500
"""A drag asks twenty times a second."""
CHOICES_PER_MINUTE = 300


class CoverLetteringController(Controller):
    """The words on one cover."""

    path = "/api/covers/{cover_id:int}"
    tags = ("Lettering",)
    opt = USER

    @get("/lettering", operation_id="getCoverLettering")
    async def get_lettering(
        self, user: NamedDependency[CurrentUser], cover_id: PathId, lettering: NamedDependency[LetteringService]
    ) -> CoverLettering:
        """Return the words on a cover, and their versions."""
        return await lettering.get(user.id, cover_id)

    @put("/lettering", operation_id="saveCoverLettering")
    async def save_lettering(
        self,
        user: NamedDependency[CurrentUser],
        cover_id: PathId,
        data: JSONBody[LetteringChange],
        lettering: NamedDependency[LetteringService],
        throttle: NamedDependency[Throttle],
    ) -> CoverLettering:
        """Set other words; 409 `version_conflict` when they were changed since that version."""
        await throttle.hit(f"lettering:{user.id}", limit=SAVES_PER_MINUTE, window_s=60)
        return await lettering.save(user.id, cover_id, data)

    @post("/lettering/versions/{number:int}/restore", operation_id="restoreCoverLettering", status_code=200)
    async def restore_lettering(
        self,
        user: NamedDependency[CurrentUser],
        cover_id: PathId,
        number: PathId,
        data: JSONBody[LetteringRestore],
        lettering: NamedDependency[LetteringService],
        throttle: NamedDependency[Throttle],
    ) -> CoverLettering:
        """Show an earlier version again, as a new one."""
        await throttle.hit(f"lettering:{user.id}", limit=SAVES_PER_MINUTE, window_s=60)
        return await lettering.restore(user.id, cover_id, version=data.version, number=number)

    @post("/lettering/suggestion", operation_id="suggestCoverLettering", status_code=200)
    async def suggest_lettering(
        self,
        user: NamedDependency[CurrentUser],
        cover_id: PathId,
        data: JSONBody[SuggestionIn],
        lettering: NamedDependency[LetteringService],
        throttle: NamedDependency[Throttle],
    ) -> Lettering:
        """Return a lettering measured on the cover's artwork: chosen anew, or with other style, words or properties."""
        await throttle.hit(f"choice:{user.id}", limit=CHOICES_PER_MINUTE, window_s=60)
        return await lettering.suggest(user.id, cover_id, data, language=user.language or "")

    @post("/lettering/previews", operation_id="previewLetteringStyles", status_code=200)
    async def preview_styles(
        self,
        user: NamedDependency[CurrentUser],
        cover_id: PathId,
        data: JSONBody[StylePreviewsIn],
        lettering: NamedDependency[LetteringService],
        throttle: NamedDependency[Throttle],
    ) -> list[StylePreview]:
        """Return a lettering in several styles, measured on the cover's artwork."""
        await throttle.hit(f"choice:{user.id}", limit=CHOICES_PER_MINUTE, window_s=60)
        return await lettering.previews(user.id, cover_id, data)

    @post("/lettering/measure", operation_id="measureCoverLettering", status_code=200)
    async def measure_lettering(
        self,
        user: NamedDependency[CurrentUser],
        cover_id: PathId,
        data: JSONBody[MeasureIn],
        lettering: NamedDependency[LetteringService],
        throttle: NamedDependency[Throttle],
    ) -> Measures:
        """Return how well each block can be read on the artwork, what would mend it, and the colors it offers."""
        await throttle.hit(f"choice:{user.id}", limit=CHOICES_PER_MINUTE, window_s=60)
        return await lettering.measure(user.id, cover_id, data.lettering)

    @get("/artwork", operation_id="getCoverArtwork", include_in_schema=False, opt=USER_FILE)
    async def artwork(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        cover_id: PathId,
        lettering: NamedDependency[LetteringService],
        pictures: NamedDependency[PictureStore],
        size: FromQuery[ImageSize] = "original",
        v: Annotated[str | None, QueryParameter(max_length=64)] = None,
    ) -> Response[Any]:
        """Return one form of the picture without our words; `v` is the content's hash."""
        ref = await lettering.artwork(user.id, cover_id, size)
        return await picture_response(request, pictures, ref, hashed_address=v is not None)


class LetteringController(Controller):
    """Lettering without a cover."""

    path = "/api/lettering"
    tags = ("Lettering",)
    opt = USER

    @post("/layout", operation_id="layOutLettering", status_code=200)
    async def lay_out(
        self,
        user: NamedDependency[CurrentUser],
        data: JSONBody[LayoutIn],
        press: NamedDependency[LetteringPress],
        throttle: NamedDependency[Throttle],
    ) -> LayoutOut:
        """Return the outlines that the composed picture will have."""
        await throttle.hit(f"layout:{user.id}", limit=LAYOUTS_PER_MINUTE, window_s=60)
        check_lettering(data.lettering)
        laid_out = await press.lay_out(data.lettering, width=data.width, height=data.height)
        return LayoutOut(svg=laid_out.svg, blocks=list(laid_out.blocks), soft=list(laid_out.soft))

    @post("/faces", operation_id="listLetteringFaces", status_code=200)
    async def list_faces(
        self,
        user: NamedDependency[CurrentUser],
        data: JSONBody[FacesIn],
        press: NamedDependency[LetteringPress],
        throttle: NamedDependency[Throttle],
    ) -> list[FaceSample]:
        """Return the faces that suit the script of a text, each with the beginning of the text set in it."""
        await throttle.hit(f"choice:{user.id}", limit=CHOICES_PER_MINUTE, window_s=60)
        return await press.faces(data.text, data.language)

    @post("/sketch", operation_id="sketchLettering", status_code=200)
    async def sketch(
        self,
        request: AppRequest,
        user: NamedDependency[CurrentUser],
        data: JSONBody[SketchIn],
        lettering: NamedDependency[LetteringService],
        throttle: NamedDependency[Throttle],
    ) -> StylePreview:
        """Return how words would be set on a cover that is not made yet."""
        await throttle.hit(f"layout:{user.id}", limit=LAYOUTS_PER_MINUTE, window_s=60)
        return await lettering.sketch(data, language=title_language(request, user))

    @get("/styles", operation_id="listLetteringStyles")
    async def list_styles(self, genre: Annotated[str, QueryParameter(max_length=50)] = "") -> list[LetteringStyle]:
        """Return the styles to choose from, best first for a genre."""
        return [LetteringStyle(id=style.id, name=style.name, genres=list(style.genres)) for style in styles_for(genre)]
