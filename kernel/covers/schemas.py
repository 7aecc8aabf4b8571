"""Wire of covers and generations."""

from datetime import datetime
from typing import Annotated, Final, Literal
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from kernel.core.wire import In, Out, RowId
from kernel.covers.dimensions import Dimensions

Status = Literal["pending", "processing", "completed", "failed", "canceled"]
CoverSort = Literal["newest", "oldest", "starred", "title"]
DownloadFormat = Literal["png", "jpeg", "webp"]
ImageSize = Literal["320", "960", "original"]
MAX_REFERENCES: Final = 4


class GenerateCoverIn(In, frozen=True, kw_only=True):
    """A cover to be made. Blank texts fall back to the administrator's defaults.

    `customWidth` and `customHeight`, in inches, belong to the dimensions `custom`. `useDefaultGenre` is the check box.
    `instanceId` and `model` are taken only where capabilities offer `choices`.
    """

    prompt: Annotated[str, Meta(max_length=500)] = ""
    title: Annotated[str, Meta(max_length=100)] = ""
    author: Annotated[str, Meta(max_length=100)] = ""
    genre: Annotated[str, Meta(max_length=50)] = ""
    dimensions: Dimensions = "6x9"
    custom_width: float | None = None
    custom_height: float | None = None
    theme_id: RowId | None = None
    use_default_genre: bool = False
    instance_id: Annotated[str, Meta(max_length=64)] | None = None
    model: Annotated[str, Meta(max_length=120)] | None = None


class UploadedImage(In, frozen=True, kw_only=True):
    """A picture from the user's device; `base64` is plain or a data URL of a PNG, JPEG or WebP."""

    id: Annotated[str, Meta(max_length=100)]
    base64: str
    name: Annotated[str, Meta(max_length=255)]


class GenerateWithReferencesIn(GenerateCoverIn, frozen=True, kw_only=True):
    """A cover to be made after up to four pictures: covers of one's own and uploads, one at least.

    `themeStylePrompt` stands in for the style of the theme.
    """

    reference_image_ids: Annotated[tuple[RowId, ...], Meta(max_length=MAX_REFERENCES)] = ()
    uploaded_images: Annotated[tuple[UploadedImage, ...], Meta(max_length=MAX_REFERENCES)] = ()
    theme_style_prompt: Annotated[str, Meta(max_length=1000)] = ""


class GenerationStarted(Out, frozen=True, kw_only=True):
    """The id to follow."""

    generation_id: UUID


class CoverOut(Out, frozen=True, kw_only=True):
    """A cover. Addresses are of the same origin and hold the content's hash; `tint` fills the space until it loads."""

    id: int
    title: str
    author: str
    genre: str
    image_url: str
    preview_url: str
    thumbnail_url: str
    width: int
    height: int
    tint: str
    theme_id: int | None
    starred: bool
    created_at: datetime


class GenerationStatus(Out, frozen=True, kw_only=True):
    """Where a generation stands. Times in milliseconds; `progress` in 0..1 only when it is true, else null.

    `phase` is one word: queued, retrying, preparing, a provider's own word while it works, saving, done.
    `queuePosition` counts from 1 while the job waits. `expectedMs` is the usual time of the provider in use.
    """

    id: UUID
    status: Status
    phase: str
    progress: float | None
    queue_position: int | None
    elapsed_ms: int
    expected_ms: int | None
    provider: str | None
    result: CoverOut | None
    error: str | None
    error_code: str | None


class CoverChange(In, frozen=True, kw_only=True):
    """What may change in a cover; what is absent stays."""

    title: Annotated[str, Meta(max_length=100)] | UnsetType = UNSET
    starred: bool | UnsetType = UNSET


class ImageChoice(Out, frozen=True, kw_only=True):
    """An image service to choose; the first of `models` is the one it uses unless told. Estimates as below."""

    instance_id: str
    label: str
    models: list[str]
    references: int
    expected_ms: int
    estimate_micros: int | None


class ImageCapabilitiesOut(Out, frozen=True, kw_only=True):
    """What the generator may offer now. `provider` is the one that will be asked first.

    `references` is how many any service takes, `firstReferences` the first; `referenceProviders` names who will be
    asked for one reference, for two, and so on. `upscaled` are dimensions that the first makes smaller than they are
    printed. `choices` is empty unless the user may choose. `estimateMicros` is what a usual cover costs in micros of a
    USD: for administrators only, null when nobody knows.
    """

    available: bool
    provider: str | None
    references: int
    first_references: int
    reference_providers: list[str]
    max_images: int
    formats: list[str]
    dimensions: list[str]
    upscaled: list[str]
    expected_ms: int | None
    choices: list[ImageChoice]
    estimate_micros: int | None


class PaymentCapabilitiesOut(Out, frozen=True, kw_only=True):
    """How the browser pays: `none`, or the name of the client it is to use."""

    client: str


class SigninOut(Out, frozen=True, kw_only=True):
    """A way to sign in."""

    id: str
    kind: str


class CapabilitiesOut(Out, frozen=True, kw_only=True):
    """What the browser may offer now."""

    image: ImageCapabilitiesOut
    payment: PaymentCapabilitiesOut
    signin: list[SigninOut]
