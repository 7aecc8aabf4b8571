"""Pictures that come in parts from OpenAI: what is shown, what is paid, and what goes wrong on the way."""

import asyncio
import base64
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from kernel.providers.calls.pricing import cost_of, estimate
from kernel.spi import (
    AuthFailed,
    ContentRefused,
    DeadlineExceeded,
    Effect,
    InvalidRequest,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    Secret,
    Unavailable,
)
from kernel.spi.testing import FakeContext, FakeControl
from plugins.openai_images import OPENAI
from plugins.openai_images.provider import OpenAIImages
from plugins.openai_images.settings import OpenAISettings
from tests.plugins.running_images import error_of, running
from tests.plugins.test_openai_images_promises import REQUEST, SIZE, vendor
from tests.vendors.openai_api import KEY, FakeOpenAI, event, failure
from tests.vendors.pictures import picture
from tests.vendors.wire import Conduct, on_the_wire

SETTINGS = OpenAISettings(api_key=Secret(KEY), previews=True)
PARTIAL = base64.b64encode(picture(64, 96)).decode()

__all__ = ["vendor"]

pytestmark = pytest.mark.anyio


def provider_at(
    vendor: FakeOpenAI, folder: Path, settings: OpenAISettings = SETTINGS
) -> AbstractAsyncContextManager[OpenAIImages]:
    return running(OPENAI, settings, vendor, folder)


async def test_partial_pictures_are_shown_and_their_tokens_are_paid(vendor: FakeOpenAI, tmp_path: Path) -> None:
    control = FakeControl()
    async with provider_at(vendor, tmp_path) as provider:
        result = await provider.generate(REQUEST, control)
        # 50 x 5 + 300 x 8 + (5,488 + 2 x 100) x 30 micros
        assert cost_of(provider.capabilities(), result) == (173_290, "computed")
    (asked,) = vendor.asked
    assert (asked["stream"], asked["partial_images"], asked["n"]) == (True, 2, 1)
    assert len(control.previews) == 2 and result.images[0].data not in control.previews
    assert result.images[0].size == SIZE


async def test_an_edit_is_shown_too(vendor: FakeOpenAI, tmp_path: Path) -> None:
    control = FakeControl()
    async with provider_at(vendor, tmp_path) as provider:
        await provider.generate(msgspec.structs.replace(REQUEST, references=(picture(64, 96),)), control)
    (asked,) = vendor.asked
    assert (asked["stream"], asked["partial_images"]) == ("true", "2")
    assert len(control.previews) == 2


async def test_a_preview_makes_a_picture_dearer_by_what_it_costs(tmp_path: Path) -> None:
    without, shown = (
        estimate(OPENAI.build(one, FakeContext(tmp_path)).capabilities(), SIZE)
        for one in (msgspec.structs.replace(SETTINGS, previews=False), SETTINGS)
    )
    assert without is not None and shown is not None
    assert shown - without == 6_000


async def test_nothing_is_streamed_unless_the_administrator_wants_it(vendor: FakeOpenAI, tmp_path: Path) -> None:
    assert not OpenAISettings().previews
    flux = OpenAISettings(base_url="http://images.example/v1", model="flux", sizes=("1536x2304",), previews=True)
    for settings in (msgspec.structs.replace(SETTINGS, previews=False), flux):
        vendor.key = KEY if settings.api_key else None
        async with provider_at(vendor, tmp_path, settings) as provider:
            assert not provider.capabilities().previews
            await provider.generate(REQUEST, control := FakeControl())
        assert "stream" not in vendor.asked[-1] and control.previews == []


async def test_several_pictures_at_once_come_in_one_piece(vendor: FakeOpenAI, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path) as provider:
        result = await provider.generate(msgspec.structs.replace(REQUEST, count=2), FakeControl())
    assert len(result.images) == 2 and "stream" not in vendor.asked[0]


@pytest.mark.parametrize(
    "refusal",
    [
        failure(400, "unsupported_value", "Your organization must be verified to stream this model.", param="stream"),
        failure(400, "unknown_parameter", "Unknown parameter: 'partial_images'.", param="partial_images"),
        failure(422, None, "partial_images: extra fields not permitted"),
    ],
)
async def test_a_server_that_refuses_to_stream_is_asked_for_the_whole_picture_from_then_on(
    vendor: FakeOpenAI, tmp_path: Path, refusal: httpx.Response
) -> None:
    class Plain(FakeOpenAI):
        def __call__(self, request: httpx.Request) -> httpx.Response:
            return refusal if b'"stream"' in request.content else super().__call__(request)

    plain = Plain()
    async with provider_at(plain, tmp_path) as provider:
        for _ in range(2):
            result = await provider.generate(REQUEST, FakeControl())
            assert result.images[0].size == SIZE
    assert len(plain.asked) == 2 and len(plain.requests) == 2


async def test_a_server_that_ignores_the_wish_answers_in_one_piece(vendor: FakeOpenAI, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path, msgspec.structs.replace(SETTINGS, previews=False)) as provider:
        whole = await provider.generate(REQUEST, FakeControl())
    vendor.answer = httpx.Response(200, json={"data": [{"b64_json": base64.b64encode(whole.images[0].data).decode()}]})
    async with provider_at(vendor, tmp_path) as provider:
        assert (await provider.generate(REQUEST, FakeControl())).images == whole.images


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"type": "image_generation_user_error", "code": "moderation_blocked", "message": "no"}, ContentRefused),
        ({"type": "invalid_request_error", "code": None, "message": "no"}, InvalidRequest),
        ({"type": "tokens", "code": "rate_limit_exceeded", "message": "slow"}, RateLimited),
        ({"type": "insufficient_quota", "code": "insufficient_quota", "message": "no"}, QuotaExhausted),
        ({"type": "authentication_error", "code": "invalid_api_key", "message": KEY}, AuthFailed),
        ({"type": "server_error", "code": "server_error", "message": "sorry"}, Unavailable),
        ("something", Unavailable),
    ],
)
async def test_an_error_in_the_stream_is_the_error_that_it_is_without(
    vendor: FakeOpenAI, tmp_path: Path, error: Any, kind: type[ProviderError]
) -> None:
    vendor.events = (event("image_generation.partial_image", b64_json=PARTIAL), event("error", error=error))
    async with provider_at(vendor, tmp_path) as provider:
        came = await error_of(provider, REQUEST)
    assert type(came) is kind and KEY not in came.detail
    assert len(vendor.asked) == 1


@pytest.mark.parametrize(
    "last",
    [
        b"",
        b"data: [DONE]\n\n",
        b"data: {\n\n",
        b"data: [1]\n\n",
        event("image_generation.completed"),
        event("image_generation.completed", b64_json=7),
        event("image_generation.completed", b64_json="%%%"),
        event("image_generation.completed", b64_json=base64.b64encode(b"<html>").decode()),
    ],
)
async def test_a_stream_without_its_picture_is_a_lost_answer(vendor: FakeOpenAI, tmp_path: Path, last: bytes) -> None:
    vendor.events = (event("image_generation.partial_image", b64_json=PARTIAL), last, None)
    async with provider_at(vendor, tmp_path) as provider:
        error = await error_of(provider, REQUEST)
    assert (type(error), error.effect) == (Unavailable, Effect.UNKNOWN)
    assert len(vendor.requests) == 1, "what may have been made is not paid for again"


async def test_a_bad_partial_picture_costs_nobody_the_cover(vendor: FakeOpenAI, tmp_path: Path) -> None:
    kind = "image_generation.partial_image"
    vendor.events = (event(kind), event(kind, b64_json=None), event(kind, b64_json="%%%"), event("unheard_of"))
    vendor.events = (*vendor.events, b": a comment\n\n", b"data:\n\n", b"id: 7\nretry: 9\n\n")
    async with provider_at(vendor, tmp_path) as provider:
        result = await provider.generate(REQUEST, control := FakeControl())
    assert result.images[0].size == SIZE and control.previews == []


# The wire


def streams(*pieces: bytes, whole: bool = False, stays: bool = False) -> Conduct:
    """Return how to send pieces of a stream, each by itself, and then to hang up, to end, or to say nothing more."""

    async def conduct(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        for piece in pieces:
            writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            await writer.drain()
        if whole:
            writer.write(b"0\r\n\r\n")
            await writer.drain()
        if stays:
            await asyncio.Event().wait()

    return conduct


FIRST = event("image_generation.partial_image", b64_json=PARTIAL)
LAST = event("image_generation.completed", b64_json=base64.b64encode(picture(1536, 2304)).decode())


async def test_events_may_come_in_any_pieces(tmp_path: Path) -> None:
    text = FIRST + LAST.rstrip(b"\n")
    pieces = [text[at : at + 7001] for at in range(0, len(text), 7001)]
    async with on_the_wire(OPENAI, SETTINGS, tmp_path, streams(*pieces, whole=True), path="/v1") as (provider, _):
        result = await provider.generate(REQUEST, control := FakeControl())
    assert len(control.previews) == 1 and result.images[0].size == SIZE


@pytest.mark.parametrize("pieces", [(), (FIRST,), (FIRST, LAST[:200])])
async def test_a_stream_that_breaks_off_is_not_asked_for_again(tmp_path: Path, pieces: tuple[bytes, ...]) -> None:
    async with on_the_wire(OPENAI, SETTINGS, tmp_path, streams(*pieces), path="/v1") as (provider, server):
        error = await error_of(provider, REQUEST)
    assert (type(error), error.effect) == (Unavailable, Effect.UNKNOWN)
    assert server.requests == 1


async def test_the_time_limit_holds_in_the_middle_of_a_stream(tmp_path: Path) -> None:
    short = msgspec.structs.replace(SETTINGS, timeout_seconds=1)
    async with on_the_wire(OPENAI, short, tmp_path, streams(FIRST, stays=True), path="/v1") as (provider, server):
        error = await error_of(provider, REQUEST)
    assert (type(error), error.effect) == (DeadlineExceeded, Effect.UNKNOWN)
    assert server.requests == 1


async def test_a_stream_beyond_all_measure_is_cut_off(tmp_path: Path) -> None:
    pieces = (b":" + b"x" * 4_000_000,) * 20
    async with on_the_wire(OPENAI, SETTINGS, tmp_path, streams(*pieces, stays=True), path="/v1") as (provider, _):
        error = await error_of(provider, REQUEST)
    assert type(error) is Unavailable and "larger than" in error.detail


async def test_a_call_is_canceled_in_the_middle_of_a_stream(tmp_path: Path) -> None:
    seen = asyncio.Event()

    class Watching(FakeControl):
        async def preview(self, picture: bytes) -> None:
            seen.set()

    async with on_the_wire(OPENAI, SETTINGS, tmp_path, streams(FIRST, stays=True), path="/v1") as (provider, _):
        call = asyncio.create_task(provider.generate(REQUEST, Watching()))
        await seen.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
