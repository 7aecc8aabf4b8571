"""The answers that servers really send: the library checks neither their shape nor their content."""

import msgspec

from kernel.spi import Usage, UsageLine
from plugins.openai_images.models import IMAGE_INPUT, IMAGE_OUTPUT, TEXT_INPUT, TEXT_OUTPUT


class Made(msgspec.Struct, frozen=True):
    """One picture: base64 from OpenAI, an address from some compatible servers."""

    b64_json: bytes | None = None  # decoded with the rest, four times as fast as by the standard library
    url: str | None = None
    revised_prompt: str | None = None


class InputDetails(msgspec.Struct, frozen=True):
    """Tokens read, by kind."""

    text_tokens: int = 0
    image_tokens: int = 0


class TokenUsage(msgspec.Struct, frozen=True):
    """Tokens read and written."""

    input_tokens: int
    output_tokens: int
    input_tokens_details: InputDetails | None = None


class ImagesAnswer(msgspec.Struct, frozen=True):
    """Answer to a generation or an edit."""

    data: list[Made] | None = None
    usage: msgspec.Raw = msgspec.Raw()


class StreamEvent(msgspec.Struct, frozen=True):
    """One event of a picture that comes in parts, which is decoded only where it is used."""

    type: str = ""
    b64_json: msgspec.Raw = msgspec.Raw(b"null")
    usage: msgspec.Raw = msgspec.Raw()
    error: msgspec.Raw = msgspec.Raw()

    def picture(self) -> bytes | None:
        """Return the bytes of the picture; None where there are none."""
        try:
            return msgspec.json.decode(self.b64_json, type=bytes | None)
        except msgspec.DecodeError:
            return None


class ChatMessage(msgspec.Struct, frozen=True):
    """What a text model said, or why it did not."""

    content: str | None = None
    refusal: str | None = None


class ChatChoice(msgspec.Struct, frozen=True):
    """One answer of a text model."""

    message: ChatMessage
    finish_reason: str | None = None


class ChatUsage(msgspec.Struct, frozen=True):
    """Tokens of a chat completion."""

    prompt_tokens: int
    completion_tokens: int


class ChatAnswer(msgspec.Struct, frozen=True):
    """Answer to a chat completion."""

    choices: list[ChatChoice]
    usage: msgspec.Raw = msgspec.Raw()


class Model(msgspec.Struct, frozen=True):
    """One entry of the list of models."""

    id: str
    shutdown_date: str | None = None


class ModelsAnswer(msgspec.Struct, frozen=True):
    """The list of models."""

    data: list[Model]


def chat_usage_of(answer: ChatAnswer) -> Usage:
    """Return the tokens of a chat completion; empty when the server does not report them."""
    try:
        used = msgspec.json.decode(answer.usage, type=ChatUsage)
    except msgspec.DecodeError:
        return Usage()
    if used.prompt_tokens < 0 or used.completion_tokens < 0:
        return Usage()
    lines = ((TEXT_INPUT, used.prompt_tokens), (TEXT_OUTPUT, used.completion_tokens))
    return Usage(lines=tuple(UsageLine(unit=unit, quantity=float(count)) for unit, count in lines))


def usage_of(answer: ImagesAnswer | StreamEvent) -> Usage:
    """Return the usage by kind of token; empty when the server does not report it in OpenAI's format."""
    try:
        used = msgspec.json.decode(answer.usage, type=TokenUsage)
    except msgspec.DecodeError:
        return Usage()
    counts = used.input_tokens_details or InputDetails(text_tokens=used.input_tokens)
    lines = ((TEXT_INPUT, counts.text_tokens), (IMAGE_INPUT, counts.image_tokens), (IMAGE_OUTPUT, used.output_tokens))
    if any(count < 0 for _, count in lines):
        return Usage()
    return Usage(lines=tuple(UsageLine(unit=unit, quantity=float(count)) for unit, count in lines))
