"""Rules for image providers."""

import asyncio
import base64
import io
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, ClassVar, Final

import httpx
import msgspec
import pytest
from PIL import Image

from .. import (
    PREVIEW_BYTES,
    Brief,
    Cancellable,
    Depicter,
    Depiction,
    Element,
    GeneratedImage,
    ImageCapabilities,
    ImageFormat,
    ImageProvider,
    ImageRequest,
    ImageResult,
    InvalidRequest,
    LetteringSketch,
    LetteringSketcher,
    NotFound,
    ProviderError,
    ProviderSpec,
    Settings,
    Size,
    TextRequest,
    TextResult,
    TextWriter,
    Unsupported,
    misfit,
)
from ..depiction import MANY, MOST_COUNTED
from .contract import ProviderContract
from .fakes import FakeContext, FakeControl, StoppingControl
from .faults import Upstream
from .strategies import drawn, image_requests, told
from .waivers import waived

FORMATS: Final[tuple[ImageFormat, ...]] = ("png", "jpeg", "webp")
TINY: Final = Size(1, 1)
AWKWARD_TEXTS: Final = (
    "",
    "ليلة في المدينة القديمة",
    "夜の図書館 🌙",
    'Robert"); DROP TABLE covers;-- {{title}} %s \\ <b>',
    "A\u0301\u200d\u202e\ufeff",
)


class ImageContract(ProviderContract):
    """Inherit it, override `spec` and `broken`, and what else the vendor needs."""

    capabilities_type = ImageCapabilities
    faults_needed: ClassVar[tuple[str, ...]] = (
        "bad_key",
        "rate_limit",
        "server_error",
        "refused",
        "no_funds",
        "garbage",
    )

    @pytest.fixture
    def request_size(self, provider: ImageProvider) -> Size:
        """Return the size that the rules request: the smallest that is claimed."""
        return _smallest(provider.capabilities())

    @pytest.fixture
    def request_(self, request_size: Size) -> ImageRequest:
        """Return the request that the rules vary."""
        return _request(request_size)

    @pytest.fixture
    async def next_worker(
        self, spec: ProviderSpec[Any, Any], settings: Settings, context: FakeContext
    ) -> AsyncIterator[Any]:
        """Return the provider as another process has it."""
        provider = spec.build(settings, context)
        yield provider
        await provider.aclose()

    async def exercise(self, provider: Any) -> ImageResult:
        """Make one picture of the smallest size."""
        result: ImageResult = await provider.generate(_request(_smallest(provider.capabilities())), FakeControl())
        return result

    # CAP: capabilities

    async def test_CAP_03_claims_make_sense(self, provider: ImageProvider) -> None:
        known = provider.capabilities()
        assert known.models and all(known.models)
        assert bool(known.sizes) != (known.size_range is not None), "either native sizes or a range"
        assert known.formats and set(known.formats) <= set(FORMATS)
        assert known.max_images >= 1 and known.concurrency >= 1 and known.max_prompt_chars >= 1
        assert known.reference_images >= (1 if known.edits else 0), "what is edited is a reference"
        assert known.edits or not known.masks, "a mask says where a picture is edited"
        assert 0 < known.expected_seconds <= known.deadline_seconds
        assert all(price.micros >= 0 and price.asof for price in known.prices)
        assert not known.resumable or callable(getattr(provider, "resume", None))

    async def test_CAP_04_what_is_not_claimed_is_refused(self, provider: ImageProvider, request_: ImageRequest) -> None:
        for what, request in _unclaimed(provider.capabilities(), request_):
            try:
                await provider.generate(request, FakeControl())
            except (Unsupported, InvalidRequest):
                continue
            pytest.fail(f"accepted {what} although it is not claimed")

    async def test_CAP_05_claimed_references_are_used(
        self, spec: ProviderSpec[Any, Any], provider: ImageProvider, request_: ImageRequest, upstream: Upstream
    ) -> None:
        if not provider.capabilities().reference_images:
            return waived("references are not claimed")
        reference = _reference("png", 3)
        sent: list[bytes] = []
        usual = upstream.handler

        def keep(request: httpx.Request) -> httpx.Response:
            sent.append(request.content)
            answer: httpx.Response = usual(request)  # type: ignore[assignment]  # scripts are synchronous
            return answer

        upstream.handler = keep
        plain = await provider.generate(request_, FakeControl())
        without = len(sent)
        steered = await provider.generate(msgspec.structs.replace(request_, references=(reference,)), FakeControl())
        if spec.offline:
            assert _pixels(plain.images[0]) != _pixels(steered.images[0]), "the reference changed nothing"
        elif sent:
            shapes = (reference, base64.b64encode(reference))
            found = any(shape in body for body in sent[without:] for shape in shapes)
            assert found, "the reference did not reach the vendor"

    async def test_CAP_06_a_claimed_mask_is_used(
        self, spec: ProviderSpec[Any, Any], provider: ImageProvider, request_: ImageRequest, upstream: Upstream
    ) -> None:
        if not provider.capabilities().masks:
            return waived("masks are not claimed")
        mask, sent = _mask(), list[bytes]()
        usual = upstream.handler

        def keep(request: httpx.Request) -> httpx.Response:
            sent.append(request.content)
            answer: httpx.Response = usual(request)  # type: ignore[assignment]  # scripts are synchronous
            return answer

        upstream.handler = keep
        whole = msgspec.structs.replace(request_, references=(_reference("png", 3),))
        everything = await provider.generate(whole, FakeControl())
        without = len(sent)
        part = await provider.generate(msgspec.structs.replace(whole, mask=mask), FakeControl())
        _check_picture(part.images[0], whole)
        if spec.offline:
            assert _pixels(everything.images[0]) != _pixels(part.images[0]), "the mask changed nothing"
        elif sent:
            shapes = (mask, base64.b64encode(mask))
            assert any(shape in body for body in sent[without:] for shape in shapes), (
                "the mask did not reach the vendor"
            )

    async def test_CAP_07_a_claimed_text_model_answers(self, provider: ImageProvider) -> None:
        if not provider.capabilities().text_model:
            return waived("no text model is claimed")
        assert isinstance(provider, TextWriter), "a text model is claimed, but there is no `write_text`"
        request = TextRequest(instructions="Answer with one word.", text="A lighthouse keeper finds a letter.")
        result = await provider.write_text(request)
        assert isinstance(result, TextResult) and result.text.strip() and result.model

    async def test_CAP_08_who_claims_to_depict_draws_what_it_names(
        self, provider: ImageProvider, request_: ImageRequest
    ) -> None:
        if not provider.capabilities().depicts:
            return waived("depicts is not claimed")
        assert isinstance(provider, Depicter), "depicts is claimed, but there is no `depict` or no `find_elements`"
        brief, language = request_.brief, request_.brief.language
        for text in (brief.description, *AWKWARD_TEXTS):
            told = [
                await provider.depict(text, title=brief.title, genre=brief.genre, language=language) for _ in range(2)
            ]
            assert misfit(told[0], Depiction) is None
            assert told[0] == told[1], "same words, another depiction"
            nearest = [missing.nearest for missing in told[0].missing if missing.nearest is not None]
            _check_elements(told[0].elements)
            for element in nearest:
                _check_elements((element,))
        for text in ("", "a", *AWKWARD_TEXTS):
            for limit in (1, 8):
                found = await provider.find_elements(text, language=language, limit=limit)
                assert len(found) <= limit, "more elements than were asked for"
                _check_elements(found)
        asked = (await provider.find_elements("", language=language, limit=3)) or told[0].elements
        request = msgspec.structs.replace(request_, brief=msgspec.structs.replace(brief, elements=tuple(asked)))
        (image,) = (await provider.generate(request, FakeControl())).images
        assert image.elements is not None, "the result says what was drawn"
        _check_elements(tuple(msgspec.structs.replace(one, label=one.label or one.id) for one in image.elements))

    async def test_CAP_09_who_claims_to_sketch_sets_words_as_sketched(
        self, provider: ImageProvider, request_: ImageRequest
    ) -> None:
        known = provider.capabilities()
        if not known.sketches:
            return waived("sketches is not claimed")
        assert isinstance(provider, LetteringSketcher), "sketches is claimed, but there is no `sketch_lettering`"
        assert known.lettering and known.seed, "who sketches sets the words itself, and the same with the same seed"
        pictures = (_reference("jpeg", 5),) if known.reference_images else ()
        for seed, references in ((7, ()), (8, ()), (9, ()), (9, pictures)):
            request = msgspec.structs.replace(request_, seed=seed, references=references)
            sketched = [await provider.sketch_lettering(request) for _ in range(2)]
            assert misfit(sketched[0], LetteringSketch) is None
            assert sketched[0] == sketched[1], "same request, another sketch"
            with Image.open(io.BytesIO(sketched[0].picture)) as picture:
                assert picture.get_format_mimetype() == sketched[0].media_type
            (image,) = (await provider.generate(request, FakeControl())).images
            assert sketched[0].lettering == image.lettering, "other words on the picture than sketched"

    # IMG: pictures

    async def test_IMG_01_count_size_and_format_are_as_asked(
        self, provider: ImageProvider, request_: ImageRequest
    ) -> None:
        known = provider.capabilities()
        for count in {1, known.max_images}:
            request = msgspec.structs.replace(request_, count=count)
            result = await provider.generate(request, FakeControl())
            assert misfit(result, ImageResult) is None
            assert len(result.images) == count
            for image in result.images:
                _check_picture(image, request)

    async def test_IMG_02_every_claimed_format_is_made(self, provider: ImageProvider, request_: ImageRequest) -> None:
        for kind in provider.capabilities().formats:
            request = msgspec.structs.replace(request_, format=kind)
            for image in (await provider.generate(request, FakeControl())).images:
                _check_picture(image, request)

    async def test_IMG_03_the_same_seed_makes_the_same_picture(
        self, provider: ImageProvider, request_: ImageRequest
    ) -> None:
        if not provider.capabilities().seed:
            return waived("seed is not claimed")
        made = []
        for seed in (7, 7, 8):
            request = msgspec.structs.replace(request_, seed=seed)
            (image,) = (await provider.generate(request, FakeControl())).images
            assert image.seed == seed, "the result names the seed that was used"
            made.append(_pixels(image))
        assert made[0] == made[1], "same seed, other picture"
        assert made[0] != made[2], "other seed, same picture"

    async def test_IMG_04_references_are_taken_up_to_the_claimed_number(
        self, provider: ImageProvider, request_: ImageRequest
    ) -> None:
        most = provider.capabilities().reference_images
        if not most:
            return waived("references are not claimed")
        for count in sorted({1, most}):
            for kind in FORMATS:
                references = tuple(_reference(kind, shade) for shade in range(count))
                request = msgspec.structs.replace(request_, references=references)
                _check_picture((await provider.generate(request, FakeControl())).images[0], request)

    async def test_IMG_05_the_result_says_what_was_used(self, provider: ImageProvider, request_: ImageRequest) -> None:
        result = await provider.generate(request_, FakeControl())
        assert result.model in provider.capabilities().models
        assert result.usage.cost_micros is None or result.usage.cost_micros >= 0
        assert all(line.unit and line.quantity >= 0 for line in result.usage.lines)

    async def test_IMG_06_progress_is_true(self, provider: ImageProvider, request_: ImageRequest) -> None:
        control = FakeControl()
        await provider.generate(request_, control)
        assert all(phase.strip() and len(phase.split()) == 1 for phase, _ in control.steps), "one word for the phase"
        fractions = [fraction for _, fraction in control.steps if fraction is not None]
        assert all(0 <= fraction <= 1 for fraction in fractions)
        assert fractions == sorted(fractions), "progress never goes back"

    async def test_IMG_07_any_text_will_do(self, provider: ImageProvider, request_: ImageRequest) -> None:
        for text in AWKWARD_TEXTS:
            brief = Brief(description=text, title=text, author=text, genre=text, style=text, language="x" * 9)
            request = msgspec.structs.replace(request_, prompt=text or "a cover", brief=brief)
            _check_picture((await provider.generate(request, FakeControl())).images[0], request)

    async def test_IMG_08_a_call_that_was_torn_off_can_be_resumed(
        self, provider: ImageProvider, next_worker: Any, request_: ImageRequest
    ) -> None:
        if not provider.capabilities().resumable:
            return waived("resumable is not claimed")
        control = FakeControl()
        await provider.generate(request_, control)
        assert control.remote_ids, "report the vendor's id with control.checkpoint"
        result = await next_worker.resume(control.remote_ids[0], FakeControl())
        assert misfit(result, ImageResult) is None
        assert len(result.images) == request_.count
        _check_picture(result.images[0], request_)
        with pytest.raises(NotFound):
            await next_worker.resume("a-job-nobody-has", FakeControl())

    async def test_IMG_09_a_worker_that_stops_cancels_nothing_at_the_vendor(
        self, provider: ImageProvider, next_worker: Any, request_: ImageRequest
    ) -> None:
        if not provider.capabilities().resumable:
            return waived("resumable is not claimed")
        control = StoppingControl()
        with pytest.raises(asyncio.CancelledError):
            await provider.generate(request_, control)
        result = await next_worker.resume(control.remote_ids[0], FakeControl())
        _check_picture(result.images[0], request_)

    async def test_IMG_10_canceling_succeeds_whatever_the_job_is_doing(
        self, provider: ImageProvider, request_: ImageRequest
    ) -> None:
        if not isinstance(provider, Cancellable):
            return waived("it cannot cancel")
        control = FakeControl()
        await provider.generate(request_, control)
        for remote_id in (*control.remote_ids, *control.remote_ids, "a-job-nobody-has"):
            await provider.cancel(remote_id)

    async def test_IMG_11_who_claims_lettering_sets_the_words_and_nobody_else_does(
        self, provider: ImageProvider, request_: ImageRequest
    ) -> None:
        can = provider.capabilities()
        if not can.lettering and not can.seed:
            return waived("neither lettering nor seed is claimed")
        made = []
        for title in ("The Keeper", "Other Words"):
            brief = msgspec.structs.replace(request_.brief, title=title)
            request = msgspec.structs.replace(request_, brief=brief, seed=7 if can.seed else None)
            image = (await provider.generate(request, FakeControl())).images[0]
            made.append(_pixels(image))
            assert image.lettering is None or image.artwork is not None, "a lettering belongs on an artwork"
            if (artwork := image.artwork) is not None:
                bare = msgspec.structs.replace(image, data=artwork)
                _check_picture(bare, request)
                assert _pixels(bare) != made[-1], "the artwork is the picture without its words"
        if can.lettering:
            assert made[0] != made[1], "lettering is claimed, and another title changes nothing"
        else:
            assert made[0] == made[1], "the words come from the prompt; the title is only for who claims lettering"

    async def test_IMG_12_who_claims_previews_shows_pictures_that_can_be_read(
        self, provider: ImageProvider, request_: ImageRequest
    ) -> None:
        if not provider.capabilities().previews:
            return waived("previews are not claimed")
        control = FakeControl()
        result = await provider.generate(request_, control)
        _check_picture(result.images[0], request_)
        assert control.previews, "previews are claimed, and none was shown with control.preview"
        for preview in control.previews:
            assert isinstance(preview, bytes) and len(preview) <= PREVIEW_BYTES, "a preview is larger than is taken"
            with Image.open(io.BytesIO(preview), formats=("PNG", "JPEG", "WEBP")) as picture:
                picture.load()

    async def test_IMG_13_any_request_within_the_claims_is_taken(self, provider: ImageProvider) -> None:
        can = provider.capabilities()
        references = tuple(_reference("png", shade) for shade in range(can.reference_images))
        for request in drawn(image_requests(can, references)):
            try:
                result = await provider.generate(request, FakeControl())
            except ProviderError as error:
                pytest.fail(f"{type(error).__name__} for {told(request)}")
            assert misfit(result, ImageResult) is None
            assert len(result.images) == request.count, told(request)
            for image in result.images:
                _check_picture(image, request)


def _request(size: Size) -> ImageRequest:
    brief = Brief(description="a lighthouse in a storm", title="The Keeper", author="A. Writer", language="en")
    return ImageRequest(prompt="A book cover: a lighthouse in a storm", size=size, brief=brief, seed=3)


def _check_elements(elements: Sequence[Element]) -> None:
    assert len({(element.kind, element.id) for element in elements}) == len(elements), "an element is named twice"
    for element in elements:
        assert re.fullmatch(r"[a-z0-9-]+", element.id), f"{element.id!r} is no id"
        assert element.label.strip(), f"{element.id} has no label"
        assert MANY <= element.count <= MOST_COUNTED, f"{element.count} of {element.id}"
        assert element.kind == "subject" or (element.count == 1 and not element.color), "only subjects are counted"


def _smallest(known: ImageCapabilities) -> Size:
    if known.size_range is not None:
        return known.size_range.smallest
    return min(known.sizes, key=lambda size: size.width * size.height)


def _unclaimed(known: ImageCapabilities, base: ImageRequest) -> Iterator[tuple[str, ImageRequest]]:
    replace = msgspec.structs.replace
    if known.size_range is not None:
        largest = known.size_range.largest
        yield "a size above the range", replace(base, size=Size(largest.width + 16, largest.height + 16))
        if known.size_range.smallest > TINY:
            yield "a size below the range", replace(base, size=TINY)
    else:
        yield "a size that is not native", replace(base, size=Size(base.size.width + 1, base.size.height + 1))
    for kind in FORMATS:
        if kind not in known.formats:
            yield f"the format {kind}", replace(base, format=kind)
    yield "too many pictures", replace(base, count=known.max_images + 1)
    yield "no picture", replace(base, count=0)
    references = tuple(_reference("png", shade) for shade in range(known.reference_images + 1))
    yield "too many references", replace(base, references=references)
    if known.masks:
        yield "a mask without a picture", replace(base, mask=_mask())
    yield "an unknown model", replace(base, model="a-model-nobody-has")
    yield "too long a prompt", replace(base, prompt="x" * (known.max_prompt_chars + 1))


def _check_picture(image: GeneratedImage, request: ImageRequest) -> None:
    with Image.open(io.BytesIO(image.data)) as picture:
        picture.load()
        assert (picture.format or "").lower() == request.format, "the bytes are of another format"
        assert image.media_type == f"image/{request.format}"
        assert picture.size == (request.size.width, request.size.height), "the picture has another size"
    assert image.size == request.size


def _pixels(image: GeneratedImage) -> bytes:
    with Image.open(io.BytesIO(image.data)) as picture:
        return picture.convert("RGBA").tobytes()


def _reference(kind: ImageFormat, shade: int) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (96, 128), (40 + 30 * shade % 200, 90, 160)).save(buffer, kind.upper())
    return buffer.getvalue()


def _mask() -> bytes:
    """Return a mask for a reference of the kit: its middle is to change."""
    picture = Image.new("RGBA", (96, 128), (0, 0, 0, 255))
    picture.paste((0, 0, 0, 0), (24, 32, 72, 96))
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()
