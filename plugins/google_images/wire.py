"""The answers of the Gemini API, as far as they are needed."""

import msgspec

from kernel.spi import Usage, UsageLine
from plugins.google_images.models import IMAGE_INPUT, IMAGE_OUTPUT, TEXT_INPUT, TEXT_OUTPUT

IMAGE = "IMAGE"


class Blob(msgspec.Struct, frozen=True, rename="camel"):
    """Inline bytes."""

    data: bytes  # decoded with the rest


class Part(msgspec.Struct, frozen=True, rename="camel"):
    """A piece of an answer. `thought` marks the drafts of a model that thinks."""

    inline_data: Blob | None = None
    text: str = ""
    thought: bool = False


class Content(msgspec.Struct, frozen=True):
    """What a model wrote."""

    parts: list[Part] = []


class Candidate(msgspec.Struct, frozen=True, rename="camel"):
    """One answer, and why it ended."""

    content: Content = Content()
    finish_reason: str = ""
    finish_message: str = ""


class PromptFeedback(msgspec.Struct, frozen=True, rename="camel"):
    """Why a request was not even answered."""

    block_reason: str = ""


class TokensOf(msgspec.Struct, frozen=True, rename="camel"):
    """Tokens of one modality."""

    modality: str = ""
    token_count: int = 0


class UsageMetadata(msgspec.Struct, frozen=True, rename="camel"):
    """Tokens read and written. Thoughts come on top of those of the answer."""

    prompt_token_count: int = 0
    candidates_token_count: int = 0
    thoughts_token_count: int = 0
    prompt_tokens_details: list[TokensOf] = []
    candidates_tokens_details: list[TokensOf] = []


class Answer(msgspec.Struct, frozen=True, rename="camel"):
    """Answer to `generateContent`."""

    candidates: list[Candidate] = []
    prompt_feedback: PromptFeedback | None = None
    usage_metadata: UsageMetadata | None = None


class ListedModel(msgspec.Struct, frozen=True, rename="camel"):
    """One entry of the list of models."""

    name: str
    supported_generation_methods: list[str] = []


class ModelList(msgspec.Struct, frozen=True):
    """The list of models."""

    models: list[ListedModel]


def usage_of(answer: Answer) -> Usage:
    """Return the tokens by what they were; empty when Google does not report them, or not by modality."""
    used = answer.usage_metadata
    if used is None or not used.candidates_tokens_details:
        return Usage()
    images_read = _of_images(used.prompt_tokens_details)
    images_made = _of_images(used.candidates_tokens_details)
    lines = (
        (TEXT_INPUT, used.prompt_token_count - images_read),
        (IMAGE_INPUT, images_read),
        (IMAGE_OUTPUT, images_made),
        (TEXT_OUTPUT, max(0, used.candidates_token_count - images_made) + used.thoughts_token_count),
    )
    if any(count < 0 for _, count in lines):
        return Usage()
    return Usage(lines=tuple(UsageLine(unit=unit, quantity=float(count)) for unit, count in lines))


def _of_images(details: list[TokensOf]) -> int:
    return sum(entry.token_count for entry in details if entry.modality == IMAGE)
