"""Faulty image providers."""

import asyncio
import itertools
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from kernel.spi import (
    Depiction,
    Element,
    GeneratedImage,
    ImageCapabilities,
    ImageRequest,
    ImageResult,
    InvalidRequest,
    JobControl,
    LetteringSketch,
    TextRequest,
    TextResult,
    Usage,
)
from kernel.spi.testing import ImageContract
from tests.kit.careless import careless
from tests.kit.careless_basics import Nothing, Plain
from tests.stub_image.png import png
from tests.stub_image.provider import StubImage, StubSettings

replace = msgspec.structs.replace


class Resuming(StubImage):
    """A stub that can resume and cancel."""

    def __init__(self, settings: Any, context: Any) -> None:
        folder = Path(context.data_dir)
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(StubSettings(control=str(folder), resumable=True, letters=False), (), context)


def first_of(result: ImageResult) -> GeneratedImage:
    return result.images[0]


@careless("CAP_03", ImageContract, Nothing)
class ClaimsNoSize(Plain):
    """Claims neither sizes nor a range."""

    def capabilities(self) -> ImageCapabilities:
        return replace(super().capabilities(), size_range=None)


@careless("CAP_04", ImageContract, Nothing)
class TakesAnything(Plain):
    """Accepts what it does not claim, and does something else."""

    def _refuse_unclaimed(self, request: ImageRequest) -> None:
        return


@careless("CAP_05", ImageContract, Nothing)
class IgnoresReferences(Plain):
    """Accepts references and ignores them."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        return await super().generate(replace(request, references=()), control)


@careless("CAP_06", ImageContract, Nothing)
class IgnoresMasks(Plain):
    """Claims masks and changes the whole picture."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        if request.mask is not None and request.references:
            request = replace(request, mask=None)
        return await super().generate(request, control)


@careless("CAP_07", ImageContract, Nothing)
class SaysNothing(Plain):
    """Claims a text model that says nothing."""

    def capabilities(self) -> ImageCapabilities:
        return replace(super().capabilities(), text_model="writer-1")

    async def write_text(self, request: TextRequest) -> TextResult:
        return TextResult(text=" ", model="writer-1")


@careless("CAP_08", ImageContract, Nothing)
class NamesNothing(Plain):
    """Claims to depict, and names elements without labels."""

    def capabilities(self) -> ImageCapabilities:
        return replace(super().capabilities(), depicts=True)

    async def depict(self, description: str, *, title: str, genre: str, language: str) -> Depiction:
        return Depiction(elements=(Element(kind="subject", id="fox"),))

    async def find_elements(self, text: str, *, language: str, limit: int) -> tuple[Element, ...]:
        return ()


@careless("CAP_09", ImageContract, Nothing)
class SketchesOtherwise(Plain):
    """Claims to sketch, and sketches words that its pictures do not have."""

    def capabilities(self) -> ImageCapabilities:
        return replace(super().capabilities(), sketches=True, lettering=True, seed=True)

    async def sketch_lettering(self, request: ImageRequest) -> LetteringSketch:
        return LetteringSketch(picture=png(8, 12), media_type="image/png", lettering={"blocks": []})


@careless("IMG_01", ImageContract, Nothing)
class WrongSize(Plain):
    """Makes its favorite size."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        result = await super().generate(request, control)
        return replace(result, images=tuple(replace(image, data=png(64, 64)) for image in result.images))


@careless("IMG_02", ImageContract, Nothing)
class OneFormat(Plain):
    """Claims formats that it does not make."""

    def capabilities(self) -> ImageCapabilities:
        return replace(super().capabilities(), formats=("png", "webp"))


@careless("IMG_03", ImageContract, Nothing)
class IgnoresSeed(Plain):
    """Claims a seed and draws something else each time."""

    drawn: ClassVar = itertools.count()

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        result = await super().generate(replace(request, seed=next(self.drawn)), control)
        return replace(result, images=(replace(first_of(result), seed=request.seed),))


@careless("IMG_04", ImageContract, Nothing)
class NoWebpReference(Plain):
    """Claims references and accepts PNG only."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        if any(reference[:4] != b"\x89PNG" for reference in request.references):
            raise InvalidRequest("PNG only")
        return await super().generate(request, control)


@careless("IMG_05", ImageContract, Nothing)
class NegativeCost(Plain):
    """Reports a cost below zero."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        return replace(await super().generate(request, control), usage=Usage(cost_micros=-1))


@careless("IMG_06", ImageContract, Nothing)
class ProgressInPercent(Plain):
    """Reports progress in percent."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        await control.progress("drawing", 50.0)
        return await super().generate(request, control)


@careless("IMG_07", ImageContract, Nothing)
class LatinOnly(Plain):
    """Fails for a title that is not Latin."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        request.brief.title.encode("latin-1")
        return await super().generate(request, control)


@careless("IMG_09", ImageContract, Nothing)
class CancelsWhenStopped(Resuming):
    """Cancels at the vendor when its worker stops."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        try:
            return await super().generate(request, control)
        except asyncio.CancelledError:
            await self.cancel(f"remote-{request.idempotency_key}")
            raise


@careless("IMG_11", ImageContract, Nothing)
class ClaimsLettering(Plain):
    """Claims to set the words, and sets none."""

    def capabilities(self) -> ImageCapabilities:
        return replace(super().capabilities(), lettering=True)


@careless("IMG_12", ImageContract, Nothing)
class ShowsHalfAPicture(Plain):
    """Claims previews, and shows the bytes that have come so far."""

    def capabilities(self) -> ImageCapabilities:
        return replace(super().capabilities(), previews=True)

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        result = await super().generate(request, control)
        data = first_of(result).data
        await control.preview(data[: len(data) // 2])
        return result


@careless("IMG_10", ImageContract, Nothing)
class CancelsOnce(Resuming):
    """Fails to cancel what the vendor does not know."""

    async def cancel(self, remote_id: str) -> None:
        (Path(self._settings.control) / "jobs" / remote_id).unlink()
