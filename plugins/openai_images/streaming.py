"""Pictures that come in parts: a stream of events with the picture as it is so far, and at last as it is."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, Final

from kernel.spi import Effect, JobControl, ProviderError, Unavailable, Unsupported, decode_answer
from plugins.openai_images.client import given_up
from plugins.openai_images.errors import judge_event
from plugins.openai_images.wire import ImagesAnswer, Made, StreamEvent

DONE: Final = b"[DONE]"


def is_refusal_to_stream(error: ProviderError) -> bool:
    """Say whether a server declined only to send the picture in parts; it has made none then."""
    return isinstance(error, Unsupported) and error.field == "stream"


async def streamed(call: Callable[[], Awaitable[Any]], control: JobControl) -> ImagesAnswer:
    """Run a call of the library that asks for a stream, show each partial picture, and return the answer.

    The stream that ends without its picture is a lost answer: the picture may have been made, and is paid for. A server
    that knows no streams answers in one piece.
    """
    with given_up():
        came = (await call()).http_response
    try:
        if not came.headers.get("content-type", "").startswith("text/event-stream"):
            return decode_answer(await came.aread(), ImagesAnswer)
        async with aclosing(_events(came.aiter_bytes())) as events:
            async for data in events:
                event = decode_answer(data, StreamEvent)
                if event.type.endswith(".partial_image"):
                    if picture := event.picture():
                        await control.preview(picture)
                elif event.type.endswith(".completed"):
                    return ImagesAnswer(data=[Made(b64_json=event.picture())], usage=event.usage)
                elif event.error or event.type == "error":
                    raise judge_event(bytes(event.error) or data)  # some gateways leave the object out
        raise Unavailable("the stream ended before the picture", effect=Effect.UNKNOWN)
    finally:
        await came.aclose()


async def _events(chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """Yield the data of each event (server-sent events, as OpenAI sends them: one line of data for each)."""
    rest = bytearray()
    async for chunk in chunks:
        seen = len(rest)
        rest += chunk
        while (end := rest.find(b"\n", seen)) >= 0:
            if data := _data(bytes(rest[:end])):
                yield data
            del rest[: end + 1]
            seen = 0
    if data := _data(bytes(rest)):  # the last line may have no end
        yield data


def _data(line: bytes) -> bytes:
    data = line.removeprefix(b"data:").strip() if line.startswith(b"data:") else b""
    return b"" if data == DONE else data
