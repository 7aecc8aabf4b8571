"""Contract of the kind `image`: pictures from text."""

from typing import Any, Final, Literal, Protocol, runtime_checkable

import msgspec

from .depiction import Element
from .provider import Provider

ImageFormat = Literal["png", "jpeg", "webp"]
"""A format that a picture can be asked for in."""
MediaType = Literal["image/png", "image/jpeg", "image/webp"]
"""What a picture's bytes are."""

PREVIEW_BYTES: Final = 16_777_216
"""Largest picture that `JobControl.preview` takes."""


class Size(msgspec.Struct, frozen=True, order=True):
    """Width and height in pixels."""

    width: int
    height: int


class SizeRange(msgspec.Struct, frozen=True, kw_only=True):
    """Any size between two corners, both in pixels."""

    smallest: Size
    largest: Size


class Price(msgspec.Struct, frozen=True, kw_only=True):
    """A list price in micros of a USD (1,000,000 = 1 USD); `asof` is the ISO date it was read.

    `model` limits it to one model; empty means all. `unit` names the `UsageLine.unit` it is charged for; `1m_tokens`
    and `second` need one. A call costs the sum of all its model's prices, unless an administrator has set what a
    picture of that model costs at an instance.
    """

    per: Literal["image", "second", "megapixel", "1m_tokens"]
    micros: int
    asof: str
    model: str = ""
    unit: str = ""


class UsageLine(msgspec.Struct, frozen=True, kw_only=True):
    """What was used, in the vendor's unit."""

    unit: str
    quantity: float


class Retirement(msgspec.Struct, frozen=True, kw_only=True):
    """The vendor ends a model on `day` (ISO date); `replacement` is the model to change to, empty when unknown."""

    model: str
    day: str
    replacement: str = ""


class ImageCapabilities(msgspec.Struct, frozen=True, kw_only=True):
    """What one instance can do now.

    What is asked for: the first of `models` is used unless a request names another. `sizes` are the native sizes; empty
    when `size_range` says that any size goes. `max_images` bounds the `count` of a request, `reference_images` its
    references, `max_prompt_chars` its prompt in characters. `seed` means that the same request with the same seed makes
    the same picture.

    References: `edits` means that the prompt can ask for the first one to be changed, and that the rest of it is kept,
    while references are else only models of palette, style and mood; `masks` that only a part of it can be changed, see
    `ImageRequest.mask`. With both, and a size wide enough, it is asked to let pictures go on beyond a side: the first
    reference then has the picture at one end, and the rest is to be painted.

    Words: `lettering` means that the provider sets title and author itself, from `ImageRequest.brief`, as real type;
    where it does not, `ImageRequest.prompt` says what the picture is to have of letters, usually none, and the kernel
    sets the words. `sketches` claims `LetteringSketcher`, `depicts` claims `Depicter`. `text_model` is the one with
    which a `TextWriter` writes; empty where none does.

    Time and cost: at most `concurrency` calls run at once in each process. `expected_seconds` is an honest first
    estimate of a call's duration; the kernel replaces it with measured times. `deadline_seconds` bounds one call.
    `resumable` claims `Resumable`; `previews` that most pictures are shown with `JobControl.preview` while they are
    made (since contract 1.1). `prices` are the vendor's, `typical_usage` what one picture usually uses, for
    estimates; units that begin with `image_input` or `reference` are what one reference uses.

    `drawn_by_program` means that no trained model makes the pictures: a program draws them by fixed rules, and no shop
    has to be told of AI.
    """

    models: tuple[str, ...]
    sizes: tuple[Size, ...] = ()
    size_range: SizeRange | None = None
    formats: tuple[ImageFormat, ...] = ("png",)
    max_images: int = 1
    reference_images: int = 0
    edits: bool = False
    masks: bool = False
    seed: bool = False
    lettering: bool = False
    resumable: bool = False
    max_prompt_chars: int = 4000
    concurrency: int = 4
    expected_seconds: float = 30.0
    deadline_seconds: float = 120.0
    prices: tuple[Price, ...] = ()
    typical_usage: tuple[UsageLine, ...] = ()
    retirements: tuple[Retirement, ...] = ()
    text_model: str = ""
    depicts: bool = False
    drawn_by_program: bool = False
    sketches: bool = False
    previews: bool = False


class Brief(msgspec.Struct, frozen=True, kw_only=True):
    """The user's input, beside the composed prompt, for providers that set type or design by themselves.

    `colors` are the theme's colors as `#RRGGBB`, `style` its style prompt, `series` an id shared by all covers of one
    theme (empty without a theme). `language` is a code such as `ar`; empty when unknown. `subtitle`, `series_title`,
    `series_number` (as it is to be read) and `tagline` are words of the cover, too: a provider that sets title and
    author may bring the picture without words, and where there is one of these the kernel sets all words on that.
    `elements` are what the author wants to see, for a `Depicter`; None means that it reads them from the words.
    """

    description: str
    title: str = ""
    author: str = ""
    genre: str = ""
    subtitle: str = ""
    series_title: str = ""
    series_number: str = ""
    tagline: str = ""
    style: str = ""
    colors: tuple[str, ...] = ()
    series: str = ""
    language: str = ""
    elements: tuple[Element, ...] | None = None


class ImageRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One call. `references` are encoded pictures (PNG, JPEG or WebP) that the kernel has checked.

    `mask` is a PNG as large as the first of them and transparent where that is to change; the first is a PNG then.
    `size` is one that the capabilities allow. `idempotency_key` is the same for every attempt at one picture; after a
    result that could not be used the key is another.
    """

    prompt: str
    size: Size
    brief: Brief
    model: str | None = None
    count: int = 1
    format: ImageFormat = "png"
    references: tuple[bytes, ...] = ()
    mask: bytes | None = None
    seed: int | None = None
    idempotency_key: str = ""


class GeneratedImage(msgspec.Struct, frozen=True, kw_only=True):
    """One picture as made. The kernel decodes it before it trusts `media_type` and `size`.

    `style` is its technique and mood in words from which this service makes another picture like it, without what the
    picture shows; empty where the service cannot say. A theme made from the cover begins with it. `artwork` is the same
    picture without its words, of the same size and type, from a provider that sets them: people can then set others.
    `lettering` says with it how they are set: a document of `kernel.press.lettering`, as `msgspec.to_builtins` returns
    it. Whoever changes the words begins with it; without it our press chooses how to set them. `elements` are what a
    `Depicter` has drawn; None from others.
    """

    data: bytes
    media_type: MediaType
    size: Size
    seed: int | None = None
    revised_prompt: str | None = None
    style: str = ""
    artwork: bytes | None = None
    lettering: dict[str, Any] | None = None
    elements: tuple[Element, ...] | None = None


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """What a call used. `cost_micros` in micros of a USD as the vendor reported it; None when it did not."""

    lines: tuple[UsageLine, ...] = ()
    cost_micros: int | None = None


class ImageResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a call. `model` is the one that was really used."""

    images: tuple[GeneratedImage, ...]
    model: str
    usage: Usage = Usage()


class JobControl(Protocol):
    """How a running call reports to the kernel.

    `checkpoint` and `progress` may end the call by raising something that is not an `Exception` (the job was canceled):
    let it pass.
    """

    async def checkpoint(self, remote_id: str) -> None:
        """Report the id under which the vendor accepted the job, as soon as it is known."""
        ...

    async def progress(self, phase: str, fraction: float | None = None, *, position: int | None = None) -> None:
        """Report progress: one word for the phase, and a true fraction in 0..1 or None.

        `position` is the order's place in the vendor's queue, from 1, while its phase is `queued`.
        """
        ...

    async def preview(self, picture: bytes) -> None:
        """Show the picture as it is so far: PNG, JPEG or WebP, of any size, PREVIEW_BYTES at most.

        For who claims `previews`; since contract 1.1. One a second is shown at most, small, and never kept. Others, and
        what cannot be read, are dropped without a word: it neither waits nor raises. The picture that counts is the one
        in the result.
        """
        ...


class ImageProvider(Provider, Protocol):
    """Makes pictures from a request."""

    def capabilities(self) -> ImageCapabilities:
        """Return what this instance can do; no I/O."""
        ...

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        """Make `request.count` pictures.

        Called by a worker, never in a web request; may be called again with the same idempotency key. Its task is
        canceled, at any await, when the worker stops: what the vendor has accepted goes on there, and is resumed where
        `resumable` is claimed. Whether it is wanted no more is said by `Cancellable.cancel`, never by that. Must not
        block the event loop. May raise InvalidRequest, ContentRefused, Unsupported,
        RateLimited, Unavailable, DeadlineExceeded, QuotaExhausted, AuthFailed and SettingsInvalid.
        """
        ...


@runtime_checkable
class Resumable(Protocol):
    """An image provider that can fetch the result of an interrupted call; claimed by `capabilities().resumable`."""

    async def resume(self, remote_id: str, control: JobControl) -> ImageResult:
        """Wait for the job that `control.checkpoint(remote_id)` reported, and return its result.

        Called by another worker after a restart, instead of `generate`. Raises NotFound when there is nothing to fetch:
        the vendor does not know the job any more, it has failed, or its result has expired or cannot be used. The
        kernel then starts again, with another idempotency key. Unavailable, DeadlineExceeded and RateLimited mean that
        the vendor could not be asked, and are asked again for as long as the job has time. Raises else what `generate`
        raises.
        """
        ...


@runtime_checkable
class Cancellable(Protocol):
    """An image provider that can tell its vendor to stop working on a job that nobody wants any more. Optional."""

    async def cancel(self, remote_id: str) -> None:
        """Stop the job that `control.checkpoint(remote_id)` reported, so that it costs as little as possible.

        Called when its user has canceled it or its time is over, never because a worker stops. Succeeds for a job that
        has ended or that the vendor does not know. May raise Unavailable, DeadlineExceeded, RateLimited and AuthFailed;
        10 s at most.
        """
        ...


class TextRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What a text model is asked: the kernel's `instructions`, and the user's `text` that they are about."""

    instructions: str
    text: str


class TextResult(msgspec.Struct, frozen=True, kw_only=True):
    """The model's answer as it is. `model` is the one that was really used."""

    text: str
    model: str
    usage: Usage = Usage()


@runtime_checkable
class TextWriter(Protocol):
    """An image provider whose vendor has a text model, too; claimed by `capabilities().text_model`. Optional."""

    async def write_text(self, request: TextRequest) -> TextResult:
        """Return the text model's answer, within a minute; it is not repeated after an error.

        Called in a web request, while somebody waits. The answer is not to be trusted: the kernel reads it strictly.
        May raise InvalidRequest, ContentRefused, RateLimited, Unavailable, DeadlineExceeded, QuotaExhausted and
        AuthFailed.
        """
        ...
